// The host's own sources of time and chance. All that the host and its plugins do asks these, so
// tests can drive them.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import type { Clock, HostClock } from './clocks.ts'

/** A number in [0, 1), for jitter only. */
export type Random = () => number

/** A name that nobody else has, of letters, digits and hyphens. */
export const newName = (): string => randomUUID()

/**
 * The machine's clock, to the millisecond: it follows corrections of the system's time, which finer
 * sources do not.
 */
export const systemClock: HostClock = {
  nowMicros: () => BigInt(Date.now()) * 1_000n,
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
  boot: bootOf('/proc/sys/kernel/random/boot_id'),
}

/** The name that Linux gives to each start of the machine; '' on other systems. */
function bootOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * A clock that stands still until it is told to go on: what happens at a time can be tried out at
 * that time.
 */
export interface SimulatedClock extends HostClock {
  /**
   * Answers false, and changes nothing, where `micros` is earlier than what the clock shows: time
   * does not go back.
   */
  moveTo(micros: bigint): boolean
}

/** A simulated clock that shows `startMicros`. */
export function simulatedClock(startMicros: bigint): SimulatedClock {
  let now = startMicros
  return {
    nowMicros: () => now,
    monotonicMs: () => Number(now / 1_000n),
    moveTo: (micros) => {
      if (micros < now) return false
      now = micros
      return true
    },
  }
}

/** Milliseconds since 1970 on `clock`, for arithmetic with durations. */
export function nowMs(clock: Clock): number {
  return Number(clock.nowMicros() / 1000n)
}

/** RFC 3339 text of milliseconds since 1970. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
