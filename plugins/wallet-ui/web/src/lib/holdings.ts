// What the person holds, one by one, as the wallet shows it.
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { integerAt, textAt, textsAt } from './payload.ts'
import { validator } from './wallet.tsx'

type Coins = validator.Data<'list'>
type Position = Coins['coins'][number]

export interface Lock {
  /** The network's own party is among the holders. */
  readonly isNetworks: boolean
  /** All others. */
  readonly holders: readonly string[]
  /** RFC 3339. */
  readonly expiresAt: string
  /** The purpose of the lock, in the ledger's words; '' without one. */
  readonly context: string
}

export interface Holding {
  readonly id: string
  /** The amount at creation; balances are sums of these. */
  readonly amount: Amount
  /**
   * Grows with each round and is never taken off; it only decides when the network may expire the
   * holding as dust.
   */
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

/**
 * Both figures change before anything else does; the list of a thousand holdings is two megabytes,
 * and not asked for in vain.
 */
const SELDOM_MS = 20_000

/**
 * Most that are shown at once, and most that are asked for at once: no answer is so large that the
 * page stands still while it is taken apart.
 */
const SHOWN = 1_000
const SLICE = 100

interface Read {
  readonly holdings: readonly Holding[]
  /** The place where the holdings after these begin. */
  readonly next: bigint | undefined
}

const NONE: readonly Holding[] = []

interface Holdings {
  readonly query: UseQueryResult<Read>
  /** Holdings of the page that is shown. */
  readonly holdings: readonly Holding[]
  /** The page is all there is. */
  readonly isWhole: boolean
  /** Sums of all; undefined until they are known. */
  readonly unlocked: Amount | undefined
  readonly locked: Amount | undefined
  /** Shows the holdings that were made after those shown; undefined where these are the last. */
  readonly showNext: (() => void) | undefined
  /** Shows the oldest; undefined where they are shown. */
  readonly showFirst: (() => void) | undefined
}

/** The person's holdings, read again as soon as a round opens or something happens to them. */
export function useHoldings(): Holdings {
  const [after, setAfter] = useState<bigint>()
  const client = validator.useClient()
  const balance = validator.useQuery('getBalance')
  const newest = validator.useQuery('listTransactions', { body: { page_size: 1n } })
  const isKnown = balance.isFetched && newest.isFetched
  const query = useQuery({
    queryKey: ['wallet', 'holdings', after],
    queryFn: ({ signal }) => readHoldings(client, after, signal),
    // After the figures, so that no change is missed.
    enabled: isKnown,
    refetchInterval: SELDOM_MS,
  })
  const { data, refetch, isFetching } = query
  const sign = [newest.data?.items[0]?.event_id, ...Object.values(balance.data ?? {})].join(' ')
  /** The figures from before the list was read. */
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (!isKnown || (isFetching && before.current !== undefined)) return
    if (before.current !== undefined && before.current !== sign) void refetch()
    before.current = sign
  }, [isKnown, isFetching, sign, refetch])
  const next = data?.next
  return {
    query,
    holdings: data?.holdings ?? NONE,
    isWhole: after === undefined && next === undefined,
    unlocked: parseAmount(balance.data?.effective_unlocked_qty ?? ''),
    locked: parseAmount(balance.data?.effective_locked_qty ?? ''),
    showNext: next === undefined ? undefined : () => setAfter(next),
    showFirst: after === undefined ? undefined : () => setAfter(undefined),
  }
}

/** The holdings that were made after one, or all; as many as are shown at once. */
async function readHoldings(
  client: ReturnType<typeof validator.useClient>,
  after: bigint | undefined,
  signal: AbortSignal,
): Promise<Read> {
  const holdings: Holding[] = []
  let next = after
  do {
    const query = { limit: SLICE, ...(next === undefined ? {} : { after: next }) }
    const answer = await validator.queryOptions(client, 'list', { query }).queryFn({ signal })
    holdings.push(...holdingsOf(answer))
    next = answer.next_page_token
  } while (next !== undefined && holdings.length < SHOWN)
  return { holdings, next }
}

/** All holdings of an answer, unlocked first, as they come. */
function holdingsOf({ coins, locked_coins }: Coins): readonly Holding[] {
  return [
    ...coins.map((position) => holdingOf(position, position.contract.contract.payload, undefined)),
    ...locked_coins.map((position) => {
      const { payload } = position.contract.contract
      return holdingOf(
        position,
        payload['coin'],
        lockOf(payload['lock'], textAt(payload, 'coin', 'dso')),
      )
    }),
  ]
}

function holdingOf(
  { contract: { contract }, accrued_holding_fee, round }: Position,
  coin: unknown,
  lock: Lock | undefined,
): Holding {
  const amount = parseAmount(textAt(coin, 'amount', 'initialAmount')) ?? 0n
  const fee = parseAmount(accrued_holding_fee) ?? 0n
  const createdRound = integerAt(coin, 'amount', 'createdAt', 'number') ?? round
  return {
    id: contract.contract_id,
    createdAt: contract.created_at,
    amount,
    fee,
    createdRound,
    lock,
    rounds: round > createdRound ? round - createdRound : 0n,
    isDust: fee >= amount,
  }
}

function lockOf(lock: unknown, network: string): Lock {
  const holders = textsAt(lock, 'holders')
  return {
    isNetworks: holders.includes(network),
    holders: holders.filter((holder) => holder !== network),
    expiresAt: textAt(lock, 'expiresAt'),
    context: textAt(lock, 'optContext'),
  }
}

/** Most that one transfer takes; the network's rules allow no more. */
export const MOST_INPUTS = 100

/**
 * What one transfer to oneself makes one of: the largest unlocked ones, which are those that a
 * transfer takes first.
 */
export function mergeable(holdings: readonly Holding[]): {
  readonly count: number
  readonly amount: Amount
} {
  const largest = inOrder(
    holdings.filter(({ lock }) => lock === undefined),
    'largest',
  ).slice(0, MOST_INPUTS)
  return { count: largest.length, amount: sumOf(largest) }
}

/** The sum of holdings. */
function sumOf(holdings: readonly Holding[]): Amount {
  return holdings.reduce((sum, { amount }) => sum + amount, 0n)
}

export type Order = 'largest' | 'smallest' | 'newest' | 'oldest'

/** Sorted; among equal ones the contract id decides, so that rows stay where they are. */
export function inOrder(holdings: readonly Holding[], order: Order): readonly Holding[] {
  const { of, sign } = ORDERS[order]
  return holdings.toSorted((a, b) => sign * compared(of(a), of(b)) || compared(a.id, b.id))
}

const ORDERS = {
  largest: { of: ({ amount }: Holding) => amount, sign: -1 },
  smallest: { of: ({ amount }: Holding) => amount, sign: 1 },
  newest: { of: ({ createdAt }: Holding) => Date.parse(createdAt), sign: -1 },
  oldest: { of: ({ createdAt }: Holding) => Date.parse(createdAt), sign: 1 },
}

function compared<T extends bigint | number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1
}
