// Gives every super validator the coupon of its weight, once for each round that opens.
// docs/economy-rules.md, "Rewards"
import {
  dsoRulesReceiveSvRewardCoupon,
  submitForNetwork,
  svRewardCoupon,
} from '../../runtime/economy.ts'
import type { Economy, EconomyRun } from '../../runtime/economy.ts'

export class SvRewards {
  /** Up to which all have received theirs. */
  #done = -1n

  /** All rounds that are open now and not done with. */
  async run({ economy, signal, again }: EconomyRun): Promise<void> {
    const now = economy.clock.nowMicros()
    const usable = (await economy.network.openRounds()).filter(
      ({ payload }) => payload.opensAt <= now,
    )
    let isDone = true
    for (const {
      id,
      payload: { round },
    } of usable) {
      if (signal.aborted || round <= this.#done) continue
      isDone = (await rewardSvs(economy, id, round)) && isDone
      if (isDone) this.#done = round
    }
    if (!isDone) again.soon()
  }
}

/** Answers whether all have theirs; who joined later than the round has none in it. */
async function rewardSvs(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'reader'>,
  openRoundCid: string,
  round: bigint,
): Promise<boolean> {
  const {
    network,
    reader,
    parties: { dso },
  } = economy
  const [rules, given] = await Promise.all([
    network.dsoRules(),
    reader.all(svRewardCoupon, { round }),
  ])
  const received = new Set(given.map(({ payload }) => payload.sv))
  const missing = rules.payload.svs.filter(
    ([sv, { joinedAsOfRound }]) => joinedAsOfRound <= round && !received.has(sv),
  )
  const rewarded = await Promise.all(
    missing.map(([sv]) =>
      submitForNetwork(economy, {
        actAs: [dso],
        commandId: `sv-reward/${sv}/${round}`,
        run: (tx) =>
          tx.exercise(dsoRulesReceiveSvRewardCoupon, rules.id, {
            sv,
            openRoundCid,
            beneficiaries: [],
          }),
      }),
    ),
  )
  return rewarded.every((done) => done !== undefined)
}
