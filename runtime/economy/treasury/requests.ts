// What a command of a party needs: the contracts that its requests name, their tracking ids, and
// the means to pay. Read together, so that each is read once.
import type { Economy } from '../economy.ts'
import type {
  CoinOperation,
  CoinOperationOutcome,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import type { Committed, Contract, Rejection } from '../../engine/index.ts'
import type { ContractRecord, FactName } from '../../store/store.ts'
import { paymentFactOf } from '../wallets/tracking.ts'
import type { Request } from './batch.ts'
import { readFunds } from './funds.ts'
import type { Funds } from './funds.ts'
import { failed, targetOf } from './outcome.ts'
import type { TreasuryRejected, TreasuryResult } from './outcome.ts'

/**
 * A contract that the payment used is gone, but not the one that it was about: other inputs may do.
 */
export function isLostRace(rejection: Rejection, targets: readonly string[]): boolean {
  if (rejection.kind === 'contention')
    return !rejection.contractIds.some((id) => targets.includes(id))
  return rejection.kind === 'contract-not-found' && !targets.includes(rejection.contractId)
}

export function resultAt(
  { result, updateId }: Committed<readonly CoinOperationOutcome[]>,
  index: number,
): TreasuryResult {
  const outcome = result[index]
  if (outcome === undefined) throw new Error('a batch has fewer outcomes than operations')
  if (outcome.tag === 'COO_Error')
    return failed({ kind: 'invalid-transfer', reason: outcome.value })
  return { ok: true, outcome, updateId, isRepeated: false }
}

/**
 * Of several payments under one tracking id the first is made before the others are looked at: it
 * may fail.
 */
export function oneOfEachId(
  requests: readonly Request[],
  named: ReadonlyMap<string, ContractRecord>,
): { readonly first: readonly Request[]; readonly later: readonly Request[] } {
  const seen = new Set<string>()
  const { first = [], later = [] } = Object.groupBy(requests, (request) => {
    const fact = paymentFact(request, named)
    if (fact === undefined) return 'first'
    const id = `${fact.kind} ${fact.key}`
    const isLater = seen.has(id)
    seen.add(id)
    return isLater ? 'later' : 'first'
  })
  return { first, later }
}

/** The fact that is there once the tracking id of a payment was paid. */
export function paymentFact(
  { operation }: Request,
  named: ReadonlyMap<string, ContractRecord>,
): FactName | undefined {
  const contract = named.get(targetOf(operation) ?? '')
  return contract && paymentFactOf(contract)
}

/** The payment that was made before; with several payments each finds out by itself. */
export function paidBefore(
  requests: readonly Request[],
  { kind }: Rejection,
): TreasuryRejected | undefined {
  const [only] = requests
  if (kind !== 'done-before' || only === undefined || requests.length > 1) return undefined
  return failed({ kind: 'paid-before', contractId: targetOf(only.operation) ?? '' })
}

/**
 * What the requests name that is active: their objects, and what only we can disclose to the payer.
 */
async function namedBy(
  requests: readonly Request[],
  { network, store }: Pick<Economy, 'network' | 'store'>,
): Promise<ReadonlyMap<string, ContractRecord>> {
  const ids = requests.flatMap(({ operation }) =>
    [targetOf(operation) ?? [], rightOf(operation) ?? []].flat(),
  )
  if (ids.length === 0) return new Map()
  const known = new Map(
    (await network.known(ids)).map((contract) => [contract.contractId, contract]),
  )
  const others = ids.filter((id) => !known.has(id))
  const states = others.length === 0 ? [] : await store.contracts.byIds(others)
  for (const { contract, archivedOffset } of states)
    if (archivedOffset === 0n) known.set(contract.contractId, contract)
  return known
}

export function isThere({ operation }: Request, active: ReadonlyMap<string, unknown>): boolean {
  const target = targetOf(operation)
  return target === undefined || active.has(target)
}

export function gone({ operation }: Request): TreasuryRejected {
  return failed({ kind: 'target-gone', contractId: targetOf(operation) ?? '' })
}

function rightOf(operation: CoinOperation): string | undefined {
  return operation.tag === 'CO_TransferPreapprovalSend'
    ? (operation.value.providerFeaturedAppRightCid ?? undefined)
    : undefined
}

export interface Means {
  /** Undefined where the party has no wallet here. */
  readonly install: Contract<WalletAppInstall> | undefined
  readonly disclosures: readonly ContractRecord[]
  /** Undefined while no round is open. */
  readonly funds: Funds | undefined
}

/** Contracts that exist before a command is put together. */
export interface Found {
  /** Contracts that the requests name, by id. */
  readonly named: ReadonlyMap<string, ContractRecord>
  readonly means: Means
}

/** The means for a command of these requests, as of now. */
export async function readMeans(
  economy: Economy,
  party: string,
  [first]: readonly Request[],
): Promise<Means> {
  const { network } = economy
  const [install, disclosures, funds] = await Promise.all([
    network.walletOfParty(party),
    network.disclosures(),
    // Who names coupons is alone in a batch.
    readFunds(economy, party, first?.options.validatorCoupons),
  ])
  return { install, disclosures, funds }
}

/** The means, and what the requests name. */
export async function readFound(
  economy: Economy,
  party: string,
  requests: readonly Request[],
): Promise<Found> {
  const [named, means] = await Promise.all([
    namedBy(requests, economy),
    readMeans(economy, party, requests),
  ])
  return { named, means }
}
