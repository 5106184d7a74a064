// Tries a read and a conditional write again while other writers come between, after pauses in
// which rivals part.
import { pauseAfterLoss } from '../../engine/index.ts'

/**
 * How often before the caller is told of contention: each time round one rival has won, so this
 * many may come at once.
 */
const ATTEMPTS = 100

/** The first outcome that is not 'stale', or `contention` when there is none in time. */
export async function untilWritten<T, C>(
  attempt: () => Promise<T | 'stale'>,
  contention: C,
): Promise<T | C> {
  for (let tries = 1; tries <= ATTEMPTS; tries += 1) {
    const outcome = await attempt()
    if (outcome !== 'stale') return outcome
    await pauseAfterLoss(tries)
  }
  return contention
}
