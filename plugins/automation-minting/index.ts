// Mints the rewards of external parties for them, into coins of their own, where they delegated
// that to a party of this node; and rejects proposals of delegations that cannot be meant.
// docs/economy-rules.md, "Minting delegations"
import { z } from 'zod'
import {
  defineAutomation,
  entityOf,
  forEachOf,
  mintingDelegation,
  mintingDelegationProposal,
} from '../../runtime/economy.ts'
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
    /** The pause before it goes on with what one look leaves. */
    everyMs: z.int().min(10).optional(),
    /**
     * To whom proposals may go: to the validator's operator, or to any party that this node signs
     * for. All others are rejected.
     */
    delegates: z.enum(['operator', 'hosted']).default('hosted'),
    /** Parties for which it mints at the same time. */
    parallel: z.int().min(1).max(100).default(4),
  }),
  setup: (_host, { everyMs, delegates, parallel }) => {
    const parts = [new Rejecting({ delegates, parallel }), new Minting(parallel)]
    return {
      trigger: {
        pauseMs: everyMs,
        onRound: true,
        wakes: [
          {
            templates: [mintingDelegation, mintingDelegationProposal].map(({ type }) =>
              entityOf(type.id),
            ),
          },
        ],
      },
      run: (services) => forEachOf(parts, 1, services.signal, (part) => part.run(services)),
    }
  },
})
