// Random pauses between attempts after a lost race: without them, the same rivals would meet again.
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 4
const LONGEST_MS = 100

/**
 * A pause by chance, up to a limit that doubles with each attempt, 100 ms at most. `attempt` is 1
 * for the first that was lost.
 */
export function pauseMs(attempt: number, random: () => number = Math.random): number {
  return random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
}

/** Resolves after such a pause. */
export async function pauseAfterLoss(attempt: number): Promise<void> {
  await sleep(pauseMs(attempt))
}
