// Once a round the operator says that its validator is alive, which is worth a share of what the
// round issues. domain/behaviour.md §7
import { z } from 'zod'
import {
  defineAutomation,
  submitForNetwork,
  validatorLicense,
  validatorLicenseRecordValidatorLivenessActivity,
} from '../../runtime/economy.ts'
import type { Economy } from '../../runtime/economy.ts'

/** The licence that each record consumes lets only one server have the record of a round. */
export default defineAutomation({
  name: 'liveness',
  summary: 'Reports once a round that this validator is live, which earns it a reward.',
  topic: 'network',
  options: z.strictObject({
    /** How often it looks for rounds that have opened. */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, { everyMs }) => ({
    trigger: { everyMs, onRound: true },
    run: async ({ economy, signal }) => {
      while (!signal.aborted && (await recordLiveness(economy))) continue
    },
  }),
})

/**
 * Of the rounds that have opened and were not recorded yet, the one that opened first: a round
 * skipped is lost.
 */
async function recordLiveness(economy: Economy): Promise<boolean> {
  const {
    reader,
    network,
    clock,
    parties: { operator },
  } = economy
  const [licence] = await reader.active(validatorLicense, { validator: operator }, { limit: 1 })
  if (licence === undefined) return false
  const now = clock.nowMicros()
  const last = licence.payload.faucetState?.lastReceivedFor ?? -1n
  const [first] = (await network.openRounds())
    .filter(({ payload }) => payload.opensAt <= now && payload.round > last)
    .toSorted((one, other) => Number(one.payload.opensAt - other.payload.opensAt))
  if (first === undefined) return false
  const done = await submitForNetwork(economy, {
    actAs: [operator],
    paid: true,
    disclosedContracts: [first.record],
    run: (tx) =>
      tx.exercise(validatorLicenseRecordValidatorLivenessActivity, licence.id, {
        openRoundCid: first.id,
        now,
      }),
  })
  return done !== undefined
}
