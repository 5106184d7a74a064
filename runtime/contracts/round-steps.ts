// How rounds come about and move on: choices of the coin's rules that only the network exercises.
// Apart from the rounds' templates, which the rules' other choices refer to. docs/economy-rules.md,
// "Rounds"
import { CoinRules } from '../../generated/contracts.gen.ts'
import type {
  CoinConfig,
  OpenMiningRound,
  OpenMiningRoundSummary,
  SummarizingMiningRound,
} from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { unclaimedReward } from './coupons.ts'
import { unclaimedDevelopmentFundCoupon } from './development-fund.ts'
import { issuanceAt, issuanceOf } from './issuance.ts'
import type { Issuance } from './issuance.ts'
import { takeNow } from './now.ts'
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from './rounds.ts'
import { requireParty } from './requirements.ts'
import { byNetwork } from './of-network.ts'

type Timing = Pick<
  OpenMiningRound,
  'round' | 'conversionRate' | 'opensAt' | 'targetClosesAt' | 'issuingFor'
>

/**
 * The first three rounds: two are open at once, the third opens when the first is to close. Done
 * once.
 */
export const coinRulesBootstrapRounds = choice(
  coinRules,
  CoinRules.choices.CoinRules_Bootstrap_Rounds,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: rules }, { conversionRate, round0Duration, initialRound, now }) => {
      const config = configOf(rules)
      const tick = config.tickDuration
      tx.require(
        round0Duration >= tick,
        `the first round lasts a tick of ${tick} µs at least`,
        () => `${round0Duration} µs`,
      )
      takeNow(tx, now)
      const first = initialRound ?? 0n
      const closes = now + round0Duration
      const timings = [
        { round: first, opensAt: now, targetClosesAt: closes, issuingFor: 0n },
        { round: first + 1n, opensAt: now, targetClosesAt: closes + tick, issuingFor: tick },
        {
          round: first + 2n,
          opensAt: closes,
          targetClosesAt: closes + 2n * tick,
          issuingFor: 2n * tick,
        },
      ]
      return {
        openMiningRoundCids: timings.map((timing) =>
          open(tx, rules.dso, config, { ...timing, conversionRate }),
        ),
      }
    },
  },
)

/** The oldest round ends, a new one is announced a tick ahead, at the price that the votes say. */
export const coinRulesAdvanceOpenMiningRounds = choice(
  coinRules,
  CoinRules.choices.CoinRules_AdvanceOpenMiningRounds,
  {
    controllers: byNetwork,

    run: (
      tx: Tx,
      { payload: rules },
      { conversionRate, roundToArchiveCid, middleRoundCid, latestRoundCid, now },
    ) => {
      const oldest = openRound(tx, rules, roundToArchiveCid)
      const middle = openRound(tx, rules, middleRoundCid)
      const latest = openRound(tx, rules, latestRoundCid)
      tx.require(
        middle.round === oldest.round + 1n && latest.round === middle.round + 1n,
        'the rounds follow each other',
        () => [oldest, middle, latest].map(({ round }) => round).join(', '),
      )
      for (const time of [
        oldest.targetClosesAt,
        middle.opensAt + middle.tickDuration,
        latest.opensAt,
      ])
        tx.notBefore(time)
      takeNow(tx, now)
      tx.archive(openMiningRound, roundToArchiveCid)
      return {
        summarizingRoundCid: tx.create(summarizingMiningRound, summarizing(oldest)),
        openRoundCid: open(tx, rules.dso, configOf(rules), {
          ...after(latest, configOf(rules), now),
          conversionRate,
        }),
      }
    },
  },
)

/**
 * Activity has been added up: says what each coupon is worth, and sets aside what nobody can mint.
 */
export const coinRulesMiningRoundStartIssuing = choice(
  coinRules,
  CoinRules.choices.CoinRules_MiningRound_StartIssuing,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { miningRoundCid, summary, now }) => {
      const round = tx.fetch(summarizingMiningRound, miningRoundCid)
      requireParty(tx, 'the network party of the round', round.dso, dso)
      tx.require(
        countsOf(summary).every((count) => count >= 0n),
        'no count is negative',
        () => countsOf(summary).join(', '),
      )
      takeNow(tx, now)
      tx.archive(summarizingMiningRound, miningRoundCid)
      const issuance = issuanceOf(round, summary)
      const { unclaimed, developmentFund } = issuance
      return {
        issuingRoundCid: startIssuing(tx, round, issuance, now),
        optUnclaimedRewardCid:
          unclaimed > 0n ? tx.create(unclaimedReward, { dso, amount: unclaimed }) : null,
        optUnclaimedDevelopmentFundCouponCid:
          developmentFund > 0n
            ? tx.create(unclaimedDevelopmentFundCoupon, { dso, amount: developmentFund })
            : null,
      }
    },
  },
)

/** Minting ends; the closed round keeps what coupons were worth, for those that are left. */
export const coinRulesMiningRoundClose = choice(
  coinRules,
  CoinRules.choices.CoinRules_MiningRound_Close,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { issuingRoundCid }) => {
      const {
        opensAt: _,
        targetClosesAt,
        ...closed
      } = tx.fetch(issuingMiningRound, issuingRoundCid)
      requireParty(tx, 'the network party of the round', closed.dso, dso)
      tx.notBefore(targetClosesAt)
      tx.archive(issuingMiningRound, issuingRoundCid)
      return { closedRoundCid: tx.create(closedMiningRound, closed) }
    },
  },
)

/** The network does so when no coupon of the round is left. */
export const coinRulesMiningRoundArchive = choice(
  coinRules,
  CoinRules.choices.CoinRules_MiningRound_Archive,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { closedRoundCid }) => {
      const closed = tx.fetch(closedMiningRound, closedRoundCid)
      requireParty(tx, 'the network party of the round', closed.dso, dso)
      tx.archive(closedMiningRound, closedRoundCid)
      return {}
    },
  },
)

/** Freezes the configuration into a new round. */
function open(tx: Tx, dso: string, config: CoinConfig, timing: Timing): string {
  return tx.create(openMiningRound, {
    dso,
    ...timing,
    transferConfigUsd: config.transferConfig,
    issuanceConfig: issuanceAt(config.issuanceCurve, timing.issuingFor),
    tickDuration: config.tickDuration,
    trafficPrice: config.decentralizedSynchronizer.fees.extraTrafficPrice,
  })
}

function openRound(tx: Tx, { dso }: CoinRules, contractId: string): OpenMiningRound {
  const round = tx.fetch(openMiningRound, contractId)
  requireParty(tx, 'the network party of the round', round.dso, dso)
  return round
}

function after(
  latest: OpenMiningRound,
  { tickDuration }: CoinConfig,
  now: bigint,
): Omit<Timing, 'conversionRate'> {
  const opensAt = (now > latest.opensAt ? now : latest.opensAt) + tickDuration
  return {
    round: latest.round + 1n,
    opensAt,
    targetClosesAt: opensAt + 2n * tickDuration,
    issuingFor: latest.issuingFor + latest.tickDuration,
  }
}

function summarizing(round: OpenMiningRound): SummarizingMiningRound {
  const { dso, round: number, conversionRate, issuanceConfig, tickDuration, trafficPrice } = round
  return { dso, round: number, conversionRate, issuanceConfig, tickDuration, trafficPrice }
}

function startIssuing(
  tx: Tx,
  round: SummarizingMiningRound,
  { perCoupon }: Issuance,
  now: bigint,
): string {
  const opensAt = now + round.tickDuration
  return tx.create(issuingMiningRound, {
    dso: round.dso,
    round: round.round,
    issuancePerValidatorRewardCoupon: perCoupon.validator,
    issuancePerFeaturedAppRewardCoupon: perCoupon.featuredApp,
    issuancePerUnfeaturedAppRewardCoupon: perCoupon.unfeaturedApp,
    issuancePerSvRewardCoupon: perCoupon.sv,
    opensAt,
    targetClosesAt: opensAt + 2n * round.tickDuration,
    optIssuancePerValidatorFaucetCoupon: perCoupon.faucet,
  })
}

function countsOf(summary: OpenMiningRoundSummary): readonly bigint[] {
  return [
    summary.totalValidatorRewardCoupons,
    summary.totalFeaturedAppRewardCoupons,
    summary.totalUnfeaturedAppRewardCoupons,
    summary.totalSvRewardWeight,
    summary.optTotalValidatorFaucetCoupons ?? 0n,
  ]
}
