// Choices cannot read a clock. If a choice records the time, the time is an argument, and this
// checks it against the ledger's time. docs/ledger-rules.md, "Time"
import type { Tx } from '../engine/template.ts'
import { DAY_MICROS } from '../engine/durations.ts'

/**
 * `now` is not ahead of the update's record time, and less than a day behind it, which leaves time
 * to sign.
 */
export function takeNow(tx: Tx, now: bigint): void {
  tx.notBefore(now)
  tx.until(now + DAY_MICROS)
}
