// Choices read no clock: where one writes the time down, its argument says it, and this holds the
// argument to the truth. rulings.md 21
import type { Tx } from '../engine/template.ts'
import { DAY_MICROS } from '../engine/durations.ts'

/**
 * `now` is not ahead of the update's record time, and less than a day behind it, which leaves time
 * to sign.
 */
export function takeNow(tx: Tx, now: bigint): void {
  tx.notBefore(now)
  tx.before(now + DAY_MICROS)
}
