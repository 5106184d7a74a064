// What the person holds, one by one, as the wallet shows it.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { integerAt, textAt, textsAt } from './payload.ts'
import type { validator } from './wallet.tsx'

type Coins = NonNullable<ReturnType<typeof validator.useList>['data']>
type Position = Coins['coins'][number]

export interface Lock {
  readonly holders: readonly string[]
  /** RFC 3339. */
  readonly expiresAt: string
  /** What it is for, in the ledger's words; '' where it does not say. */
  readonly context: string
}

export interface Holding {
  readonly id: string
  /** As it was created; balances are sums of these. */
  readonly amount: Amount
  /** What holding it has cost so far; taken off when it is spent or expires, never from a balance. */
  readonly fee: Amount
  readonly createdRound: bigint
  /** Rounds that have opened since. */
  readonly rounds: bigint
  /** RFC 3339. */
  readonly createdAt: string
  /** Undefined: free to be spent. */
  readonly lock: Lock | undefined
  /** Its fee has reached its amount: it may be expired at any time. */
  readonly isDust: boolean
}

/** All holdings of an answer, unlocked first, as they come. */
export function holdingsOf({ coins, locked_coins }: Coins): readonly Holding[] {
  return [
    ...coins.map((position) => holdingOf(position, position.contract.contract.payload, undefined)),
    ...locked_coins.map((position) => {
      const { payload } = position.contract.contract
      return holdingOf(position, payload['coin'], lockOf(payload['lock']))
    }),
  ]
}

function holdingOf({ contract: { contract }, accrued_holding_fee, round }: Position, coin: unknown, lock: Lock | undefined): Holding {
  const amount = parseAmount(textAt(coin, 'amount', 'initialAmount')) ?? 0n
  const fee = parseAmount(accrued_holding_fee) ?? 0n
  const createdRound = integerAt(coin, 'amount', 'createdAt', 'number') ?? round
  return {
    id: contract.contract_id, createdAt: contract.created_at, amount, fee, createdRound, lock,
    rounds: round > createdRound ? round - createdRound : 0n, isDust: fee >= amount,
  }
}

function lockOf(lock: unknown): Lock {
  return { holders: textsAt(lock, 'holders'), expiresAt: textAt(lock, 'expiresAt'), context: textAt(lock, 'optContext') }
}

/** Most that one transfer takes; the network's rules allow no more. */
export const MOST_INPUTS = 100

/** What one transfer to oneself makes one of: the largest unlocked ones, which are those that a transfer takes first. */
export function mergeable(holdings: readonly Holding[]): { readonly count: number; readonly amount: Amount } {
  const largest = inOrder(holdings.filter(({ lock }) => lock === undefined), 'amount').slice(0, MOST_INPUTS)
  return { count: largest.length, amount: sumOf(largest) }
}

/** Of their amounts. */
export function sumOf(holdings: readonly Holding[]): Amount {
  return holdings.reduce((sum, { amount }) => sum + amount, 0n)
}

export type Order = 'amount' | 'smallest' | 'newest' | 'oldest'

/** Sorted; among equal ones the contract id decides, so that rows stay where they are. */
export function inOrder(holdings: readonly Holding[], order: Order): readonly Holding[] {
  const by = (a: Holding, b: Holding): bigint => {
    switch (order) {
      case 'amount': return b.amount - a.amount
      case 'smallest': return a.amount - b.amount
      case 'newest': return BigInt(Date.parse(b.createdAt) - Date.parse(a.createdAt))
      case 'oldest': return BigInt(Date.parse(a.createdAt) - Date.parse(b.createdAt))
    }
  }
  return holdings.toSorted((a, b) => Number(by(a, b)) || (a.id < b.id ? -1 : 1))
}
