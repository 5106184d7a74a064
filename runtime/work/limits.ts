// The tables of limits: what callers may hold of the process, how many places there are, how long
// somebody rests. The configuration changes rows of the first (docs/configuration.md).

/** How much of one kind may be held. */
export interface Limit {
  /** By all callers together. */
  readonly all: number
  /** By one caller. */
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

/** What is not larger counts as nothing, bytes: nobody waits for it. */
export const SMALL_BYTES = 16_384

/** Names of callers and parties that are remembered. */
export const MAX_NAMES = 10_000

/** Small requests under way beyond which others' go first. */
export const MANY = {
  /** Of a caller: few fill no turn of the event loop. */
  requests: 16,
  /** Of an operation that anybody may call: more of them may hold much together. */
  anybodys: 8,
} as const

/** Of large requests. */
export interface PlaceLimits {
  /** Under way at once, of all callers. */
  readonly atOnce: number
  /** Of one caller that wait. */
  readonly waiting: number
  /**
   * What takes longer than that, perhaps since it waits itself, keeps only its own caller waiting;
   * and what is done does so for as long, unless its client has taken it. Milliseconds.
   */
  readonly shareMs: number
}

export const PLACES: PlaceLimits = { atOnce: 4, waiting: 64, shareMs: 1_000 }

/** Of updates that wait for the store. */
export const BATCH = {
  /** Of one batch together, unless it is a single update. */
  weight: 1_000,
  /** Of one payer in a batch, unless it is a single update. */
  weightOfPayer: 200,
  /**
   * Large ones of one payer that wait: they come faster than they go, and are kept in full. More
   * than what one wallet has under way by default.
   */
  largeOfPayer: 128,
  /** After which a batch goes, whatever else arrives, milliseconds. */
  gatherMs: 10,
} as const

/** How long somebody rests after work: by the time that it took, and at most so long. */
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
  /** A payer's large updates have a third of the time. */
  largeUpdate: { share: 2, maxMs: 100 },
} as const satisfies Readonly<Record<string, Rest>>

export function restMs({ share, maxMs }: Rest, tookMs: number): number {
  return Math.min(maxMs, share * tookMs)
}
