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
     * How often it looks, once a snapshot is due, for the update after it; how far snapshots are
     * apart is `network.snapshotPeriodHours`.
     */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, { everyMs }) => ({
    // Where nothing has happened since the last one, the next commit says when the next is due.
    trigger: { pauseMs: everyMs, onRound: true },
    run: async ({ economy, signal, again }) => {
      let next: bigint | undefined
      while (next === undefined && !signal.aborted) next = await takeDueSnapshot(economy)
      again.at(next ?? 0n)
    },
  }),
})
