// The order of an engine's work: whose submission is interpreted next, and what is committed
// together. The engine asks in words of its own (runtime/engine/order.ts).
import { Batches } from './batches.ts'
import { scheduler } from './scheduler.ts'
import type { Pending } from './batches.ts'
import type { Pause } from './scheduler.ts'

/** Payers take turns. */
export const payersInTurn = {
  nowMs: scheduler.nowMs,
  turn: (payer: string): Promise<void> | undefined => scheduler.enter('short', payer),
  parts: (payer: string): Pause => scheduler.parts(payer, true),
  batches: <T extends Pending>(most: number): Batches<T> =>
    new Batches({
      most,
      turn: () => scheduler.enter('short', ''),
      charge: (payer, ms) => scheduler.shares.charge(payer, ms),
      nowMs: scheduler.nowMs,
    }),
}
