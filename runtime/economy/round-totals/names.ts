// Under which facts the totals of rounds are kept. A reckoning that has to begin anew
// begins with nothing.
import type { FactName } from '../../store/store.ts'

/** Numbers have so many digits, so that the order of texts is that of numbers. */
const DIGITS = 19
const LAST_ROUND = 2n ** 63n - 1n

/** How far the reckoning got. */
export const PROGRESS: FactName = { kind: 'round-totals-progress', key: 'ledger' }

const ALL = 'round-totals.'

/** Under which kinds one reckoning keeps its facts. */
export interface Kinds {
  /** By party: sums over all rounds that are added up. */
  readonly party: string
  /** The same of all parties together. */
  readonly everybody: FactName
  /** By round: what it came to. */
  readonly round: string
  /** By list: the newest. */
  readonly latestBoard: string
  /** Lists by the round from which on they hold, the latest first. */
  board(name: string): string
  /** By party: sums of a round that is not added up yet. */
  open(round: bigint): string
  /** By party: what a round came to, and all rounds up to it. */
  roundParty(round: bigint): string
}

/**
 * Each reckoning has kinds of its own: whoever comes late to forget those before it takes nothing
 * of it.
 */
export function kindsOf(era: bigint): Kinds {
  const own = prefixOf(era)
  return {
    party: `${own}.party`,
    everybody: { kind: `${own}.everybody`, key: 'ledger' },
    round: `${own}.round`,
    latestBoard: `${own}.board`,
    board: (name) => `${own}.board.${name}`,
    open: (round) => `${own}.open.${digits(round)}`,
    roundParty: (round) => `${own}.round-party.${digits(round)}`,
  }
}

function prefixOf(era: bigint): string {
  return `${ALL}${digits(era)}`
}

/** The kinds of all reckonings before this one, as a range. */
export function kindsBefore(era: bigint): { readonly from: string; readonly to: string } {
  return { from: ALL, to: prefixOf(era) }
}

/** The rounds that need no sums of their own any more, those before this one, as a range. */
export function openBefore(
  era: bigint,
  round: bigint,
): { readonly from: string; readonly to: string } {
  const { open } = kindsOf(era)
  return { from: open(0n), to: open(round) }
}

/** The number in a text that sorts as it does. */
export function digits(number: bigint): string {
  return String(number).padStart(DIGITS, '0')
}

/** The same with the latest round first. */
export function countdown(round: bigint): string {
  return digits(LAST_ROUND - round)
}
