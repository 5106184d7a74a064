// The tables of limits: what callers may hold of the process, how many places there are, how long
// somebody rests. The configuration changes rows of the first (docs/configuration.md).

/** Limits of one kind. */
export interface Limit {
  /** Amount for all callers together. */
  readonly all: number
  /** Amount for one caller. */
  readonly each: number
}

const MIB = 1_048_576

export const LIMITS = {
  /** Bytes of request bodies until they are decoded; a caller is an address. */
  bodies: { all: 64 * MIB, each: 32 * MIB },
  /** Bytes of answers and of elements of streams until their client has taken them. */
  unread: { all: 64 * MIB, each: 32 * MIB },
  /** Open websockets. */
  streams: { all: 1_000, each: 100 },
} as const satisfies Readonly<Record<string, Limit>>

export type Kind = keyof typeof LIMITS
export type Limits = Readonly<Record<Kind, Limit>>

/** Bytes that count as nothing: nobody waits for them. */
export const SMALL_BYTES = 16_384

/** Names of callers and parties that are remembered. */
export const MAX_NAMES = 10_000

/** Small requests under way beyond which others' go first. */
export const MANY = {
  /** Requests of a caller: few fill no turn of the event loop. */
  requests: 16,
  /** Requests of an operation that anybody may call: more of them may hold much together. */
  anybodys: 8,
} as const

/** Limits of large requests. */
export interface PlaceLimits {
  /** Requests under way at once, of all callers. */
  readonly atOnce: number
  /** Requests of one caller that wait. */
  readonly waiting: number
  /**
   * Time after which a request, which perhaps waits itself, keeps only its own caller waiting; and
   * one that is done does so for as long, unless its client has taken it. Milliseconds.
   */
  readonly shareMs: number
}

export const PLACES: PlaceLimits = { atOnce: 4, waiting: 64, shareMs: 1_000 }

/** Limits of updates that wait for the store. */
export const BATCH = {
  /** Weight of one batch, unless it is a single update. */
  weight: 1_000,
  /** Weight of one payer in a batch, unless it is a single update. */
  weightOfPayer: 200,
  /**
   * Large ones of one payer that wait: they come faster than they go, and are kept in full. More
   * than what one wallet has under way by default.
   */
  largeOfPayer: 128,
  /** Time after which a batch goes, whatever else arrives, milliseconds. */
  gatherMs: 10,
} as const

/** A rest after work: by the time that it took, and at most so long. */
interface Rest {
  readonly share: number
  readonly maxMs: number
  readonly waitMs?: number
}

export const RESTS = {
  /**
   * A tenth of the time is for the background. A piece that waits for something holds up the next
   * one for `waitMs` at most, so that there is a least number of pieces a second.
   */
  background: { share: 9, maxMs: 25, waitMs: 50 },
  /** A payer's large updates have a seventh of the time. */
  largeUpdate: { share: 6, maxMs: 100 },
  /** Whoever has had more than others has a quarter of the time while they are served. */
  share: { share: 3, maxMs: 25 },
} as const satisfies Readonly<Record<string, Rest>>

export function restMs({ share, maxMs }: Rest, tookMs: number): number {
  return Math.min(maxMs, share * tookMs)
}
