// What rows of the ledger say of each other, as claims that have to balance: contracts against the
// updates that made and archived them, active contracts against the totals that commits keep. And a
// difference as a line for people.
import { accrualsOf } from '../../engine/index.ts'
import type { AccrualRow, AnyTemplate, StoredUpdate } from '../../engine/index.ts'
import type { ContractRecord, ContractState, Total, TotalKey } from '../../store/store.ts'
import type { Claim, Difference } from './comparison.ts'

/** Keys are JSON lists that start with one of these. */
type Kind = 'created' | 'archived' | 'amount' | 'count' | 'accrued'

/** Claims of contracts and updates after what is pruned; ids need no claim for what they prove. */
export function contractClaims(state: ContractState, prunedUpTo: bigint): readonly Claim[] {
  const { contract, createdOffset, archivedOffset } = state
  return [
    ...(createdOffset > prunedUpTo ? [created(contract, createdOffset)] : []),
    ...(archivedOffset > prunedUpTo ? [archived(contract.contractId, archivedOffset)] : []),
  ]
}

export function updateClaims(update: StoredUpdate, offset: bigint): readonly Claim[] {
  if (update.kind === 'reassignment') return []
  return update.transaction.events.flatMap((event): readonly Claim[] => {
    if (event.kind === 'create') return [created(event.contract, offset)]
    return event.consuming ? [archived(event.contractId, offset)] : []
  })
}

/** An active contract's additions to totals. Throws if it does not decode. */
export function declaredClaims(
  { contract, archivedOffset }: ContractState,
  template: AnyTemplate,
): readonly Claim[] {
  if (archivedOffset !== 0n) return []
  return template
    .totalsOf(contract)
    .flatMap(({ name, account, amount }) => totalClaims({ name, account, amount, count: 1n }))
}

export function totalClaims({ name, account, amount, count }: TotalKey & Total): readonly Claim[] {
  return [claim('amount', [name, account], amount), claim('count', [name, account], count)]
}

/** An active contract's additions to sums of amounts that grow. Throws if it does not decode. */
export function accruingClaims(
  { contract, archivedOffset }: ContractState,
  template: AnyTemplate,
): readonly Claim[] {
  if (archivedOffset !== 0n) return []
  return template.accrualsOf(contract).flatMap(accrualsOf).flatMap(accrualClaims)
}

export function accrualClaims(row: AccrualRow): readonly Claim[] {
  const { name, account, part, at, amount, rate, count } = row
  return Object.entries({ amount, rate, count }).flatMap(([what, value]) =>
    value === 0n ? [] : [claim('accrued', [name, account, part, String(at), what], value)],
  )
}

function created({ contractId, key1, key2, key3, rank }: ContractRecord, offset: bigint): Claim {
  return claim('created', [contractId, String(offset), key1, key2, key3, String(rank)], 1n)
}

function archived(contractId: string, offset: bigint): Claim {
  return claim('archived', [contractId, String(offset)], 1n)
}

function claim(kind: Kind, parts: readonly string[], weight: bigint): Claim {
  return [JSON.stringify([kind, ...parts]), weight]
}

/**
 * A line for each contract or total that differs. `one` are the contracts, `other` updates or
 * totals.
 */
export function linesOf(differences: readonly Difference[]): readonly string[] {
  const read = differences.map(({ key, one, other }) => {
    const [kind = '', ...parts]: readonly string[] = JSON.parse(key)
    const about =
      kind === 'created' || kind === 'archived'
        ? `contract ${parts[0]}`
        : `total ${parts[0]} of "${parts[1]}"`
    return { kind, about, offset: parts[1] ?? '', one, other }
  })
  const byAbout = Map.groupBy(read, ({ about }) => about)
  return [...byAbout].flatMap(([about, found]) =>
    reasonsFor(found).map((reason) => `${about}: ${reason}`),
  )
}

interface Found {
  readonly kind: string
  readonly offset: string
  readonly one: bigint
  readonly other: bigint
}

function reasonsFor(found: readonly Found[]): readonly string[] {
  const of = (kind: Kind): readonly Found[] => found.filter((each) => each.kind === kind)
  const [[amount], [count]] = [of('amount'), of('count')]
  return [
    ...createdReasons(of('created')),
    ...of('archived').map(({ offset, one, other }) =>
      one > other
        ? `it is archived at offset ${offset}, but that update does not archive it`
        : `update ${offset} archived it, but it is not archived there`,
    ),
    ...(amount === undefined
      ? []
      : [`it is kept as ${amount.other}, contracts add up to ${amount.one}`]),
    ...(count === undefined
      ? []
      : [`it is kept as the sum of ${count.other} contracts, there are ${count.one}`]),
    ...(of('accrued').length === 0 ? [] : ['its accruals differ from those of its contracts']),
  ]
}

function createdReasons(found: readonly Found[]): readonly string[] {
  const [row, event] = [
    found.find(({ one, other }) => one > other),
    found.find(({ one, other }) => other > one),
  ]
  if (row !== undefined && event !== undefined)
    return [`it is not kept as update ${event.offset} created it: its offset, keys or rank differ`]
  if (row !== undefined)
    return [`it is kept as created at offset ${row.offset}, but that update does not create it`]
  return event === undefined ? [] : [`update ${event.offset} created it, but it is not kept`]
}
