// How far the totals of rounds are reckoned: one fact, which each step reads and replaces in its
// commit, so that of several servers each step is one's.
import { z } from 'zod'
import { storedForm, whole } from '../../store/stored-form.ts'
import { sumsForm } from './sums.ts'

/** A round that is over, and when, microseconds. */
export interface ClosedRound {
  readonly round: bigint
  readonly effectiveAt: bigint
}

const closedRound = z.codec(z.tuple([whole, whole]), z.custom<ClosedRound>(), {
  decode: ([round, effectiveAt]) => ({ round, effectiveAt }),
  encode: ({ round, effectiveAt }): [bigint, bigint] => [round, effectiveAt],
})

const progress = z.object({
  /** The number of reckonings, with this one. */
  era: whole,
  /**
   * `clearing`: an earlier reckoning is being forgotten. `counting`: coins that were there before
   * the first update are being counted. `reading`: updates are.
   */
  stage: z.enum(['clearing', 'counting', 'reading']),
  /** Up to which updates are read; where they begin, before `reading`. */
  offset: whole,
  /** Sequence of the last coin that is counted. */
  counted: whole,
  /** The first round of which no update is missing, once it is known. */
  first: whole.optional(),
  /** The last round that is added up. */
  last: whole.optional(),
  /** The first round whose parties and lists are kept; undefined while all are. */
  keptFrom: whole.optional(),
  /** Closed rounds that are not added up yet. */
  closed: z.array(closedRound).readonly(),
  /** A round whose parties are being added up, page by page: the last that is, the sums so far. */
  closing: z.object({ round: whole, after: z.string(), sums: sumsForm }).optional(),
})

/** How far the reckoning is. */
export type Progress = Readonly<z.output<typeof progress>>

/** The form of its fact. */
export const progressForm = storedForm(progress)

/** A reckoning that begins after an offset. */
export function beginAfter(offset: bigint, era: bigint): Progress {
  return {
    era,
    stage: 'clearing',
    offset,
    counted: 0n,
    closed: [],
  }
}

/** The same once a round is added up, of which so many are kept with their parties and lists. */
export function roundAdded(progress: Progress, round: bigint, kept: number): Progress {
  const { closed, keptFrom } = progress
  const from = round + 1n - BigInt(kept)
  return {
    ...progress,
    last: round,
    keptFrom: from > (keptFrom ?? 0n) ? from : keptFrom,
    closed: closed.filter((one) => one.round !== round),
    closing: undefined,
  }
}

/** The next round, where it is over and all before it are added up. */
export function nextClosed({ first, last, closed }: Progress): ClosedRound | undefined {
  const next = last === undefined ? first : last + 1n
  return closed.find(({ round }) => round === next)
}
