// When a commit is decided, and how times are kept between looks at clocks.

/** What a commit goes by, microseconds. */
export interface Moment {
  readonly now: bigint
  /** No update is recorded later; undefined is no limit. */
  readonly latest: bigint | undefined
  /** As `TimeRecord` says, from this commit on. */
  readonly unmeasured: bigint
  /** What record time less that may have come to by now, had it gone on with elapsed time. */
  readonly measured: bigint
}

/** A pair of readings of the same moment, microseconds. */
export interface Anchor {
  readonly elapsed: number
  readonly date: number
}
