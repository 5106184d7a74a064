// Moves the mining rounds on: advances, issues, closes, turns left-over coupons into unclaimed
// rewards, archives. Every step is a choice that the ledger checks; several servers may try.
// docs/economy-rules.md, "Rounds"
import { z } from 'zod'
import {
  appRewardCoupon,
  closedMiningRound,
  coinPriceVote,
  coinRulesAdvanceOpenMiningRounds,
  coinRulesClaimExpiredRewards,
  coinRulesMergeUnclaimedRewards,
  coinRulesMiningRoundArchive,
  coinRulesMiningRoundClose,
  coinRulesMiningRoundStartIssuing,
  DECIMAL_ONE,
  defineAutomation,
  entityOf,
  forEachOf,
  issuingMiningRound,
  medianPrice,
  openMiningRound,
  submitForNetwork,
  summarizingMiningRound,
  svRewardCoupon,
  unclaimedReward,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
} from '../../runtime/economy.ts'
import type {
  Choice,
  ClosedMiningRound,
  CoinRules,
  Contract,
  Economy,
  OpenMiningRoundSummary,
  KeyedBy,
  Template,
} from '../../runtime/economy.ts'

/** Coupons of a kind that one transaction turns into an unclaimed reward. */
const CLAIM_PAGE = 100
const MERGE_PAGE = 100

/** Each is repeated until it finds nothing to do. */
const STEPS: readonly ((economy: Economy) => Promise<boolean>)[] = [
  advance,
  startIssuing,
  close,
  claimOrArchive,
  mergeUnclaimed,
]

/**
 * How often in one look: coupons that were left over, any number of them, must not keep the next
 * round from opening.
 */
const MAX_REPEATS = 25

/**
 * Catches up with the clock, however far that went, as far as rounds let it. What is left to do is
 * for the next look.
 */
export default defineAutomation({
  name: 'rounds',
  summary: 'Opens, advances and closes mining rounds on schedule.',
  topic: 'network',
  scope: 'ledger',
  options: z.strictObject({
    /** The pause before it goes on with what one look leaves. */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, { everyMs }) => ({
    trigger: {
      pauseMs: everyMs,
      onRound: true,
      wakes: [
        {
          templates: [summarizingMiningRound, closedMiningRound, unclaimedReward].map(({ type }) =>
            entityOf(type.id),
          ),
        },
      ],
    },
    // Whatever keeps one round from moving on, the others do.
    run: async ({ economy, signal, again }) => {
      await forEachOf(STEPS, 1, signal, async (step) => {
        let hasWork = true
        for (let repeats = 0; hasWork && repeats < MAX_REPEATS && !signal.aborted; repeats += 1)
          hasWork = await step(economy)
        if (hasWork) again.soon()
      })
      for (const time of await dueTimes(economy)) again.at(time)
    },
  }),
})

/** When the open rounds advance, and each that issues closes; now where one waits for neither. */
async function dueTimes(economy: Economy): Promise<readonly bigint[]> {
  const [open, issuing, summarizing, closed] = await Promise.all([
    advanceDue(economy),
    rounds(economy, issuingMiningRound),
    rounds(economy, summarizingMiningRound),
    rounds(economy, closedMiningRound),
  ])
  return [
    ...(open === undefined ? [] : [open.at]),
    ...issuing.map(({ payload }) => payload.targetClosesAt),
    ...(summarizing.length + closed.length > 0 ? [0n] : []),
  ]
}

/** The rounds that advance, and when. */
async function advanceDue(economy: Economy) {
  const [oldest, middle, latest] = await rounds(economy, openMiningRound)
  if (oldest === undefined || middle === undefined || latest === undefined) return undefined
  const due = [
    oldest.payload.targetClosesAt,
    latest.payload.opensAt,
    middle.payload.opensAt + middle.payload.tickDuration,
  ]
  return { oldest, middle, latest, at: due.reduce((one, other) => (one > other ? one : other)) }
}

async function advance(economy: Economy): Promise<boolean> {
  const now = economy.clock.nowMicros()
  const due = await advanceDue(economy)
  if (due === undefined || due.at > now) return false
  const { oldest, middle, latest } = due
  const conversionRate = (await votedPrice(economy)) ?? latest.payload.conversionRate
  return byNetwork(economy, coinRulesAdvanceOpenMiningRounds, {
    conversionRate,
    roundToArchiveCid: oldest.id,
    middleRoundCid: middle.id,
    latestRoundCid: latest.id,
    now,
  })
}

/** The median of the super validators' votes; undefined where none of them says a price. */
async function votedPrice({
  reader,
  network,
}: Pick<Economy, 'network' | 'reader'>): Promise<bigint | undefined> {
  const {
    payload: { svs },
  } = await network.dsoRules()
  const votes = await Promise.all(
    svs.map(([sv]) => reader.active(coinPriceVote, { sv }, { order: 'created-desc', limit: 1 })),
  )
  return medianPrice(votes.flat().flatMap(({ payload }) => payload.coinPrice ?? []))
}

async function startIssuing(economy: Economy): Promise<boolean> {
  const [round] = await rounds(economy, summarizingMiningRound)
  if (round === undefined) return false
  const summary = await summaryOf(economy, round.payload.round)
  return byNetwork(economy, coinRulesMiningRoundStartIssuing, {
    miningRoundCid: round.id,
    summary,
    now: economy.clock.nowMicros(),
  })
}

/**
 * What the round's coupons add up to. No more come: each needed the round open, which it is no
 * more.
 */
async function summaryOf(
  { reader }: Pick<Economy, 'reader'>,
  round: bigint,
): Promise<OpenMiningRoundSummary> {
  const total = async (name: string) => (await reader.total(name, round.toString())).amount
  const [validator, featured, unfeatured, sv, liveness] = await Promise.all([
    total('coupons.validator'),
    total('coupons.app.featured'),
    total('coupons.app.unfeatured'),
    total('coupons.sv'),
    total('coupons.liveness'),
  ])
  return {
    totalValidatorRewardCoupons: validator,
    totalFeaturedAppRewardCoupons: featured,
    totalUnfeaturedAppRewardCoupons: unfeatured,
    totalSvRewardWeight: sv / DECIMAL_ONE,
    optTotalValidatorFaucetCoupons: liveness / DECIMAL_ONE,
  }
}

async function close(economy: Economy): Promise<boolean> {
  const now = economy.clock.nowMicros()
  const due = (await rounds(economy, issuingMiningRound)).find(
    ({ payload }) => payload.targetClosesAt <= now,
  )
  if (due === undefined) return false
  return byNetwork(economy, coinRulesMiningRoundClose, { issuingRoundCid: due.id })
}

async function claimOrArchive(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'reader'>,
): Promise<boolean> {
  const [round] = await rounds(economy, closedMiningRound)
  if (round === undefined) return false
  const coupons = await leftOver(economy, round)
  if (Object.values(coupons).some((cids) => cids.length > 0)) {
    return byNetwork(economy, coinRulesClaimExpiredRewards, {
      closedRoundCid: round.id,
      ...coupons,
    })
  }
  return byNetwork(economy, coinRulesMiningRoundArchive, { closedRoundCid: round.id })
}

async function leftOver(
  { reader }: Pick<Economy, 'reader'>,
  { payload: { round } }: Contract<ClosedMiningRound>,
) {
  const cids = async <T>(template: Template<T, KeyedBy<'round', 'integer'>>) =>
    (await reader.active(template, { round }, { limit: CLAIM_PAGE })).map(({ id }) => id)
  const [
    validatorRewardCouponCids,
    appRewardCouponCids,
    svRewardCouponCids,
    validatorLivenessActivityRecordCids,
  ] = await Promise.all([
    cids(validatorRewardCoupon),
    cids(appRewardCoupon),
    cids(svRewardCoupon),
    cids(validatorLivenessActivityRecord),
  ])
  return {
    validatorRewardCouponCids,
    appRewardCouponCids,
    svRewardCouponCids,
    validatorLivenessActivityRecordCids,
  }
}

async function mergeUnclaimed(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'reader'>,
): Promise<boolean> {
  const {
    reader,
    network,
    parties: { dso },
  } = economy
  const rewards = await reader.active(unclaimedReward, { dso }, { limit: MERGE_PAGE })
  const {
    payload: { config },
  } = await network.dsoRules()
  if (BigInt(rewards.length) <= config.numUnclaimedRewardsThreshold) return false
  return byNetwork(economy, coinRulesMergeUnclaimedRewards, {
    unclaimedRewardCids: rewards.map(({ id }) => id),
  })
}

/** Rounds by number. */
function rounds<T>(
  { reader, parties: { dso } }: Pick<Economy, 'parties' | 'reader'>,
  template: Template<T, KeyedBy<'dso'>>,
): Promise<readonly Contract<T>[]> {
  return reader.active(template, { dso }, { order: 'rank' })
}

async function byNetwork<A, R>(
  economy: Pick<Economy, 'engine' | 'network' | 'parties'>,
  choice: Choice<CoinRules, A, R>,
  argument: A,
): Promise<boolean> {
  const rules = await economy.network.coinRules()
  const done = await submitForNetwork(economy, {
    actAs: [economy.parties.dso],
    run: (tx) => tx.exercise(choice, rules.id, argument),
  })
  return done !== undefined
}
