// Once a round the operator says that its validator is alive, which is worth a share of what the
// round issues. docs/economy-rules.md, "Liveness"
import { z } from 'zod'
import {
  defineAutomation,
  entityOf,
  submitForNetwork,
  validatorLicense,
  validatorLicenseRecordValidatorLivenessActivity,
} from '../../runtime/economy.ts'
import type { EconomyRun } from '../../runtime/economy.ts'

/** The licence that each record consumes lets only one server have the record of a round. */
export default defineAutomation({
  name: 'liveness',
  summary: 'Reports once a round that this validator is live, which earns it a reward.',
  topic: 'network',
  options: z.strictObject({
    /** The pause before a record that could not be made is tried again. */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, { everyMs }) => ({
    trigger: {
      pauseMs: everyMs,
      onRound: true,
      wakes: [{ templates: [entityOf(validatorLicense.type.id)] }],
    },
    run: async (run) => {
      while (!run.signal.aborted && (await recordLiveness(run))) continue
    },
  }),
})

/**
 * Of the rounds that have opened and were not recorded yet, the one that opened first: a round
 * skipped is lost.
 */
async function recordLiveness({ economy, again }: EconomyRun): Promise<boolean> {
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
  if (done === undefined) again.soon()
  return done !== undefined
}
