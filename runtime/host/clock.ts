// The host's own sources of time and chance. All that the host and its plugins do asks these, so tests can drive them.
import { randomUUID } from 'node:crypto'
import type { Clock } from './plugin.ts'

/** A number in [0, 1), for jitter only. */
export type Random = () => number

/** A name that nobody else has, of letters, digits and hyphens. */
export const newName = (): string => randomUUID()

/** The machine's clock, to the millisecond: it follows corrections of the system's time, which finer sources do not. */
export const systemClock: Clock = {
  nowMicros: () => BigInt(Date.now()) * 1_000n,
}

/** Milliseconds since 1970 on `clock`, for arithmetic with durations. */
export function nowMs(clock: Clock): number {
  return Number(clock.nowMicros() / 1000n)
}

/** RFC 3339 text of milliseconds since 1970. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
