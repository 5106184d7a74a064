// Runs again what failed for a reason that passes, after growing pauses of random length, so that
// rivals part.
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200

/**
 * Runs until success, or until `again` (asked with the error and the number of tries so far) says
 * no: then it rejects.
 */
export async function retry<T>(
  run: () => Promise<T>,
  again: (error: unknown, tries: number) => boolean,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!again(error, tries)) throw error
      await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries))
    }
  }
}

/** A policy for `retry`: errors that `isTransient` knows, for the given time from now. */
export function forMs(
  limitMs: number,
  isTransient: (error: unknown) => boolean,
): (error: unknown) => boolean {
  const end = performance.now() + limitMs
  return (error) => performance.now() < end && isTransient(error)
}
