// How far the totals of rounds are reckoned: one fact, which each step reads and replaces in its
// commit, so that of several servers each step is one's.
import { readSums, storedSums } from './sums.ts'
import type { StoredSums, Sums } from './sums.ts'

/** A round that is over, and when, microseconds. */
export interface ClosedRound {
  readonly round: bigint
  readonly effectiveAt: bigint
}

/** A round whose parties are being added up, page by page. */
export interface Closing {
  readonly round: bigint
  /** The last party that is. */
  readonly after: string
  /** Sums of the parties so far. */
  readonly sums: Sums
}

/**
 * `clearing`: an earlier reckoning is being forgotten. `counting`: coins that were there before the
 * first update are being counted. `reading`: updates are.
 */
export interface Progress {
  /** The number of reckonings, with this one. */
  readonly era: bigint
  readonly stage: 'clearing' | 'counting' | 'reading'
  /** Up to which updates are read; where they begin, before `reading`. */
  readonly offset: bigint
  /** Sequence of the last coin that is counted. */
  readonly counted: bigint
  /** The first round of which no update is missing, once it is known. */
  readonly first: bigint | undefined
  /** The last round that is added up. */
  readonly last: bigint | undefined
  /** The first round whose parties and lists are kept; undefined while all are. */
  readonly keptFrom: bigint | undefined
  /** Closed rounds that are not added up yet. */
  readonly closed: readonly ClosedRound[]
  readonly closing: Closing | undefined
}

interface Stored {
  readonly era: string
  readonly stage: Progress['stage']
  readonly offset: string
  readonly counted: string
  readonly first?: string
  readonly last?: string
  readonly keptFrom?: string
  readonly closed: readonly (readonly [round: string, effectiveAt: string])[]
  readonly closing?: { readonly round: string; readonly after: string; readonly sums: StoredSums }
}

/** A reckoning that begins after an offset. */
export function beginAfter(offset: bigint, era: bigint): Progress {
  return {
    era,
    stage: 'clearing',
    offset,
    counted: 0n,
    first: undefined,
    last: undefined,
    keptFrom: undefined,
    closed: [],
    closing: undefined,
  }
}

/** The text of its fact. */
export function progressText({
  era,
  stage,
  offset,
  counted,
  first,
  last,
  keptFrom,
  closed,
  closing,
}: Progress): string {
  const stored: Stored = {
    era: String(era),
    stage,
    offset: String(offset),
    counted: String(counted),
    ...(first === undefined ? {} : { first: String(first) }),
    ...(last === undefined ? {} : { last: String(last) }),
    ...(keptFrom === undefined ? {} : { keptFrom: String(keptFrom) }),
    closed: closed.map(({ round, effectiveAt }) => [String(round), String(effectiveAt)]),
    ...(closing && {
      closing: {
        round: String(closing.round),
        after: closing.after,
        sums: storedSums(closing.sums),
      },
    }),
  }
  return JSON.stringify(stored)
}

/** The progress that `progressText` wrote. */
export function readProgress(body: string): Progress {
  const { era, stage, offset, counted, first, last, keptFrom, closed, closing }: Stored =
    JSON.parse(body)
  return {
    era: BigInt(era),
    stage,
    offset: BigInt(offset),
    counted: BigInt(counted),
    first: first === undefined ? undefined : BigInt(first),
    last: last === undefined ? undefined : BigInt(last),
    keptFrom: keptFrom === undefined ? undefined : BigInt(keptFrom),
    closed: closed.map(([round, effectiveAt]) => ({
      round: BigInt(round),
      effectiveAt: BigInt(effectiveAt),
    })),
    closing: closing && {
      round: BigInt(closing.round),
      after: closing.after,
      sums: readSums(closing.sums),
    },
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
