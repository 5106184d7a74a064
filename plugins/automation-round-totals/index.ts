// Adds up what each round came to, for scan's totals and lists of the first, once the round is
// over. docs/automations.md, "round-totals"
import { z } from 'zod'
import {
  addUpRounds,
  closedMiningRound,
  defineAutomation,
  entityOf,
} from '../../runtime/economy.ts'

const MINUTE_MS = 60_000

/**
 * A step replaces the fact that says how far it got, in the commit that writes its sums: two
 * servers do it once.
 */
export default defineAutomation({
  name: 'round-totals',
  summary: 'Adds up rewards, traffic and balances of each closed round.',
  topic: 'network',
  scope: 'ledger',
  options: z.strictObject({
    /** The pause before a step that failed is tried again. */
    everyMs: z.int().min(10).default(MINUTE_MS),
    /** Rounds of which the parties' shares and the lists of the first are kept. */
    keptRounds: z.int().min(1).default(1_000),
  }),
  setup: (_host, { everyMs, keptRounds }) => ({
    trigger: { pauseMs: everyMs, onCreated: [entityOf(closedMiningRound.type.id)] },
    run: async ({ economy, signal }) => {
      let hasWork = true
      while (hasWork && !signal.aborted) hasWork = await addUpRounds(economy, keptRounds)
    },
  }),
})
