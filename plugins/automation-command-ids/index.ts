// Forgets command ids whose time is over, so that what commands are known by does not grow for ever. domain/ledger.md §7.5
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'

const MINUTE_MS = 60_000
/** The first run on old data may find millions. */
const RUN_MS = 1_800_000

/** By the ledger's own time, which only rises: no server's clock can make an id free before its time. */
export default definePlugin({
  kind: 'automation',
  name: 'command-ids',
  summary: 'Forgets ids of commands that may be used again, so that the store does not grow for ever.',
  topic: 'server',
  options: z.strictObject({
    /** How often it forgets. */
    everyMs: z.int().min(10).default(MINUTE_MS),
  }),
  setup: (_host, { everyMs }) => ({
    trigger: { everyMs },
    runMs: RUN_MS,
    run: async ({ store: { contracts } }) => contracts.forgetCommands((await contracts.ledgerEnd()).recordTime),
  }),
})
