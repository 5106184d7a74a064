// Waiting for a state that a keeper, another process or a timer reaches later. The limit is far
// beyond what any machine needs, so that a busy one only takes longer; what is waited for is
// asserted as strictly as ever.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that a test waits at most, unless it says otherwise. */
export const PATIENCE_MS = 60_000
const PAUSE_MS = 30

/**
 * Until `read` answers what is expected, compared deeply; fails with the difference when patience
 * is over.
 */
export async function eventually<T>(
  expected: T,
  read: () => T | Promise<T>,
  limitMs = PATIENCE_MS,
): Promise<void> {
  const assertFound = async (): Promise<void> => assert.deepEqual(await read(), expected)
  await retried(assertFound, limitMs)
}

/** Waits until the condition holds; `what` is the message of the failure. */
export async function eventuallyHolds(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = PATIENCE_MS,
): Promise<void> {
  await retried(async () => assert.ok(await holds(), what), limitMs)
}

/**
 * Until `check` no longer throws an AssertionError; answers what it answers. Other errors end the
 * wait at once.
 */
export async function retried<T>(check: () => T | Promise<T>, limitMs = PATIENCE_MS): Promise<T> {
  for (const deadline = performance.now() + limitMs; ; await sleep(PAUSE_MS)) {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || performance.now() > deadline) throw error
    }
  }
}

const MEASUREMENTS = 5

/**
 * For promises in milliseconds, which a busy machine can make any server miss now and then:
 * `measure` must be within `limitMs` once in five series. A series is made of so many moments that
 * a server that is late by itself misses them all.
 */
export async function withinOnce(limitMs: number, measure: () => Promise<number>): Promise<void> {
  const found: number[] = []
  while (found.length < MEASUREMENTS) {
    found.push(await measure())
    if (found.some((tookMs) => tookMs < limitMs)) return
  }
  assert.fail(
    `took ${found.map((tookMs) => tookMs.toFixed(1)).join(', ')} ms, never less than ${limitMs}`,
  )
}
