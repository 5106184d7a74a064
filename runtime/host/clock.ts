// The host's own sources of time and chance. Everything that the host and its plugins do asks these, so tests can drive them.
import type { Clock } from './plugin.ts'

/** A number in [0, 1), for jitter only. */
export type Random = () => number

/** The machine's clock; microseconds that never repeat the fraction of a millisecond wrongly: derived from one origin. */
export const systemClock: Clock = {
  nowMicros: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)),
}

/** Milliseconds since 1970 on `clock`, for arithmetic with durations. */
export function nowMs(clock: Clock): number {
  return Number(clock.nowMicros() / 1000n)
}

/** RFC 3339 text of milliseconds since 1970. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
