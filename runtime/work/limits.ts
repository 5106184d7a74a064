// The table of what callers may hold of the process: all of them together, and each. The
// configuration changes its rows (docs/configuration.md).

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

/** What is not larger counts as nothing: nobody waits for it. */
export const SMALL_BYTES = 16_384

export type Kind = keyof typeof LIMITS
export type Limits = Readonly<Record<Kind, Limit>>
