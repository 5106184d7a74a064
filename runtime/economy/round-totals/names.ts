// Under which facts the totals of rounds are kept. Whatever belongs to one reckoning has a kind
// that begins alike, so that a new one can begin with nothing.
import type { FactName } from '../../store/store.ts'

/** Rounds have so many digits, so that the order of texts is that of numbers. */
const DIGITS = 19
const LAST_ROUND = 2n ** 63n - 1n

/** How far the reckoning got. */
export const PROGRESS: FactName = { kind: 'round-totals-progress', key: 'ledger' }

/** All kinds but `PROGRESS`, as a range. */
export const ALL_KINDS = { from: 'round-totals.', to: 'round-totals/' }

/** By party: sums over all rounds that are added up. */
export const PARTY = 'round-totals.party'

/** The same of all parties together. */
export const EVERYBODY: FactName = { kind: 'round-totals.everybody', key: 'ledger' }

/** By round: what it came to. */
export const ROUND = 'round-totals.round'

const OPEN = 'round-totals.open'

/** By party: sums of a round that is not added up yet. */
export function openKind(round: bigint): string {
  return `${OPEN}.${digits(round)}`
}

/** By party: what a round came to, and all rounds up to it. */
export function roundPartyKind(round: bigint): string {
  return `round-totals.round-party.${digits(round)}`
}

/** The rounds that need no sums of their own any more, up to this one. */
export function openKindsUpTo(round: bigint): { readonly from: string; readonly to: string } {
  return { from: `${OPEN}.`, to: openKind(round + 1n) }
}

/** The round in a text that sorts as the number does. */
export function digits(round: bigint): string {
  return String(round).padStart(DIGITS, '0')
}

/** The same with the latest round first. */
export function countdown(round: bigint): string {
  return digits(LAST_ROUND - round)
}
