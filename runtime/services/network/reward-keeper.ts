// What a round brings who runs the network: once a round the operator says that its validator is alive, and every super validator
// receives the coupon of its weight. domain/behaviour.md §7
import {
  dsoRulesReceiveSvRewardCoupon, validatorLicense, validatorLicenseRecordValidatorLivenessActivity,
} from '../../contracts/index.ts'
import type { Economy } from '../economy.ts'
import { submitForNetwork } from './commands.ts'
import type { ServiceTask } from './task.ts'

/** Both, for every round that has opened. */
export function rewardKeeper(economy: Economy): ServiceTask {
  let rewardedUpTo = -1n
  return {
    name: 'rewards',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      const now = economy.clock.nowMicros()
      const usable = (await economy.network.openRounds()).filter(({ payload }) => payload.opensAt <= now)
      for (const { id, payload: { round } } of usable) {
        if (signal.aborted || round <= rewardedUpTo) continue
        await rewardSvs(economy, id, round)
        rewardedUpTo = round
      }
      while (!signal.aborted && await recordLiveness(economy)) continue
    },
  }
}

async function rewardSvs(economy: Economy, openRoundCid: string, round: bigint): Promise<void> {
  const { network, parties: { dso } } = economy
  const rules = await network.dsoRules()
  for (const [sv, { joinedAsOfRound }] of rules.payload.svs) {
    if (joinedAsOfRound > round) continue
    await submitForNetwork(economy, {
      actAs: [dso], commandId: `sv-reward/${sv}/${round}`,
      run: (tx) => tx.exercise(dsoRulesReceiveSvRewardCoupon, rules.id, { sv, openRoundCid, beneficiaries: [] }),
    })
  }
}

/** Of the rounds that have opened and were not recorded yet, the one that opened first: a round skipped is lost. */
async function recordLiveness(economy: Economy): Promise<boolean> {
  const { reader, network, clock, parties: { operator } } = economy
  const [licence] = await reader.active(validatorLicense, { key: [1, operator], limit: 1 })
  if (licence === undefined) return false
  const now = clock.nowMicros()
  const last = licence.payload.faucetState?.lastReceivedFor ?? -1n
  const [first] = (await network.openRounds())
    .filter(({ payload }) => payload.opensAt <= now && payload.round > last)
    .toSorted((one, other) => Number(one.payload.opensAt - other.payload.opensAt))
  if (first === undefined) return false
  const done = await submitForNetwork(economy, {
    actAs: [operator], paid: true, disclosedContracts: [first.record],
    run: (tx) => tx.exercise(validatorLicenseRecordValidatorLivenessActivity, licence.id, { openRoundCid: first.id, now }),
  })
  return done !== undefined
}
