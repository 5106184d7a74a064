// When a commit is decided, and how times are kept between looks at clocks.

/** Times of a commit, microseconds. */
export interface Moment {
  readonly now: bigint
  /** No update is recorded later; undefined is no limit. */
  readonly latest: bigint | undefined
  /** The unmeasured time of `TimeRecord`, from this commit on. */
  readonly unmeasured: bigint
  /** The record time that elapsed time alone could have reached by now. */
  readonly measured: bigint
}

/** By a clock that nobody watches: all that passes by it counts as measured. */
export function unwatchedMoment(now: bigint, recordTime: bigint, unmeasured: bigint): Moment {
  const measured = (now > recordTime ? now : recordTime + 1n) - unmeasured
  return { now, latest: undefined, unmeasured, measured }
}

/** A pair of readings of the same moment, microseconds. */
export interface Anchor {
  readonly elapsed: number
  readonly date: number
}
