// Prunes by itself: keeps the newest updates, so many. Active contracts and balances are untouched.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'

const HOUR_MS = 3_600_000

/** Keeps the newest updates, as many as its options say. */
export default definePlugin({
  kind: 'automation',
  name: 'prune',
  summary: 'Removes old updates and what ended with them, so that the store stops growing.',
  topic: 'server',
  scope: 'ledger',
  options: z.strictObject({
    everyMs: z.int().min(1).default(HOUR_MS),
    /** How many of the newest updates stay readable. */
    keepUpdates: z.int().min(0),
  }),
  setup: (_host, { everyMs, keepUpdates }) => ({
    trigger: { everyMs },
    run: async ({ store: { updates }, log }) => {
      const upTo = (await updates.ledgerEnd()) - BigInt(keepUpdates)
      // Where nothing is new, it goes on with what a killed pruning left.
      if (upTo > 0n && (await updates.prune(upTo)) === 'pruned')
        log.info({ upTo: String(upTo) }, 'pruned')
    },
  }),
})
