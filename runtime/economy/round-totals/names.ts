// The facts under which the totals of rounds are stored. A new calculation starts from nothing.
import type { FactName } from '../../store/store.ts'

/** Numbers have so many digits, so that the order of texts is that of numbers. */
const DIGITS = 19

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
  /** By list: as it was after a round. */
  board(round: bigint): string
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
    board: (round) => `${own}.board.${digits(round)}`,
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

/** Of a kind for each round, those before this round, as a range. */
export function before(
  kindOf: (round: bigint) => string,
  round: bigint,
): { readonly from: string; readonly to: string } {
  return { from: kindOf(0n), to: kindOf(round) }
}

/** The number in a text that sorts as it does. */
export function digits(number: bigint): string {
  return String(number).padStart(DIGITS, '0')
}
