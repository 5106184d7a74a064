// What the host and its plugins take for the time.

/** The time of the day. */
export interface Clock {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  nowMicros(): bigint
}

/**
 * The host's own clock: the time of the day, which somebody may put forward or back, and time as it
 * passes.
 */
export interface HostClock extends Clock {
  /**
   * Milliseconds since some moment, never fewer than before: by these everything has its age, its
   * pauses and its time limits.
   */
  monotonicMs(): number
  /**
   * Milliseconds since the machine was started, also those for which it was suspended; absent where
   * nothing tells. Nobody can set it.
   */
  uptimeMs?(): number
  /** Names the machine since it was started; absent where nothing tells. */
  readonly boot?: string
}
