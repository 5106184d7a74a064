// The facts under which the totals of rounds are stored. A new calculation starts from nothing.
import type { FactName } from '../../store/store.ts'

/** Numbers have so many digits, so that the order of texts is that of numbers. */
const DIGITS = 19

/** The progress of the reckoning. */
export const PROGRESS: FactName = { kind: 'round-totals-progress', key: 'ledger' }

const ALL = 'round-totals.'

/** Kinds of the facts of one reckoning. */
export interface Kinds {
  /** Sums over all added rounds, by party. */
  readonly party: string
  /** The same of all parties together. */
  readonly everybody: FactName
  /** A round's sums, by round. */
  readonly round: string
  /** The newest board, by list. */
  readonly latestBoard: string
  /** A board after a round, by list. */
  board(round: bigint): string
  /** Sums of a round that is not added up yet, by party. */
  open(round: bigint): string
  /** A round's sums and those of all rounds up to it, by party. */
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

/** Facts of a kind for each round before this one, as a range. */
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
