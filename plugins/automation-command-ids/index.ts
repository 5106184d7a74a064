// Forgets command ids whose time is over, and what wallet requests of earlier days came to, so that
// what repetitions are known by does not grow for ever. docs/ledger-rules.md, "Command ids";
// docs/idempotency.md
import { z } from 'zod'
import { defineAutomation, forgetRequests, measuredTime } from '../../runtime/economy.ts'

const MINUTE_MS = 60_000
/** The first run on old data may find millions. */
const RUN_MS = 1_800_000

/** Removes ids by measured time: no clock can make an id free before its time. */
export default defineAutomation({
  name: 'command-ids',
  summary: 'Removes command ids that may be used again, so that the store stops growing.',
  topic: 'server',
  scope: 'ledger',
  options: z.strictObject({
    /** How often it forgets. */
    everyMs: z.int().min(10).default(MINUTE_MS),
    /** How many whole days requests are kept after the day of their effect. */
    requestDays: z.int().min(1).max(3_650).default(1),
  }),
  setup: (_host, { everyMs, requestDays: days }) => ({
    trigger: { everyMs },
    runMs: RUN_MS,
    run: async ({ economy: { store } }) => {
      const measured = await measuredTime(store.contracts)
      await store.contracts.forgetCommands(measured)
      await forgetRequests(store, { measured, days })
    },
  }),
})
