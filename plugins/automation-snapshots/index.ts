// Takes the snapshots of the active contracts that scan offers, on the schedule that the network
// has. docs/economy-rules.md, "Scan"
import { z } from 'zod'
import { defineAutomation, takeDueSnapshot } from '../../runtime/economy.ts'

/**
 * A snapshot is a fact of the ledger's own numbers: two servers that take the same one write the
 * same.
 */
export default defineAutomation({
  name: 'snapshots',
  summary: 'Takes the snapshots of active contracts that scan serves.',
  topic: 'network',
  scope: 'ledger',
  options: z.strictObject({
    /**
     * How often it looks whether a snapshot is due; how far they are apart is
     * `network.snapshotPeriodHours`.
     */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, trigger) => ({
    trigger,
    run: async ({ economy, signal }) => {
      let hasWork = true
      while (hasWork && !signal.aborted) hasWork = await takeDueSnapshot(economy)
    },
  }),
})
