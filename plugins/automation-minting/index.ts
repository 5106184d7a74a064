// Mints the rewards of external parties for them, into coins of their own, where they delegated
// that to a party of this node; and rejects proposals of delegations that cannot be meant.
// domain/behaviour.md §14
import { z } from 'zod'
import { defineAutomation, forEachOf } from '../../runtime/economy.ts'
import { Minting } from './minting.ts'
import { Rejecting } from './proposals.ts'

/**
 * Coupons and coins are archived by who mints or merges them, proposals by who rejects them: a
 * second server finds them gone.
 */
export default defineAutomation({
  name: 'minting',
  summary: 'Mints rewards of external parties that delegated minting to a party here.',
  topic: 'wallets',
  options: z.strictObject({
    /** How often it looks for rounds that began to issue, and for new proposals. */
    everyMs: z.int().min(10).optional(),
    /**
     * To whom proposals may go: to the validator's operator, or to any party that this node signs
     * for. All others are rejected.
     */
    delegates: z.enum(['operator', 'hosted']).default('hosted'),
    /** For how many parties it mints at the same time. */
    parallel: z.int().min(1).max(100).default(4),
  }),
  setup: (_host, { everyMs, delegates, parallel }) => {
    const parts = [new Rejecting({ delegates, parallel }), new Minting(parallel)]
    return {
      trigger: { everyMs, onRound: true },
      run: (services) => forEachOf(parts, 1, services.signal, (part) => part.run(services)),
    }
  },
})
