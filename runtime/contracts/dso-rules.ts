// The super validators' contract: what they and the network's party do besides voting.
// docs/economy-rules.md, "Votes"
import { DsoRules } from '../../generated/contracts.gen.ts'
import type { SvInfo } from '../../generated/contracts.gen.ts'
import { subtract } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { changedDsoConfig, dsoConfigProblem } from './config.ts'
import { svRewardCoupon, unclaimedActivityRecord, unclaimedReward } from './coupons.ts'
import { featuredAppRight, featuredAppRightWithdraw } from './featured-app.ts'
import { validatorLicense } from './licence.ts'
import { takeNow } from './now.ts'
import { openRoundInUse } from './round-use.ts'
import { transferCommandCounter } from './transfer-command.ts'
import { takeRewards } from './unclaimed-rewards.ts'
import { requireParty, requireCover } from './requirements.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

export const dsoRules = defineTemplate(DsoRules, {
  ...ofNetwork,
  observers: (rules) => rules.svs.map(([sv]) => sv),
  ensure: (rules) => rules.svs.length > 0,
})

/** The rules' entry for the super validator `party`; others are refused. */
export function svOf(tx: Tx, rules: DsoRules, party: string): SvInfo {
  const info = rules.svs.find(([sv]) => sv === party)?.[1]
  return (
    info ?? tx.abort({ id: '', category: 'state', message: `${party} is not a super validator` })
  )
}

/** The network features a provider, as a vote decided. */
export const dsoRulesGrantFeaturedAppRight = choice(
  dsoRules,
  DsoRules.choices.DsoRules_GrantFeaturedAppRight,
  {
    controllers: byNetwork,

    run: (tx, { payload: { dso } }, { provider }) => ({
      featuredAppRightCid: tx.create(featuredAppRight, { dso, provider }),
    }),
  },
)

/** The network takes the right of a provider back, as a vote decided. */
export const dsoRulesRevokeFeaturedAppRight = choice(
  dsoRules,
  DsoRules.choices.DsoRules_RevokeFeaturedAppRight,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { rightCid }) => {
      const right = tx.fetch(featuredAppRight, rightCid)
      requireParty(tx, 'the network party of the right', right.dso, dso)
      return tx.exercise(featuredAppRightWithdraw, rightCid, { reason: 'revoked by a vote' })
    },
  },
)

/** The network takes another configuration, as a vote decided. */
export const dsoRulesSetConfig = choice(dsoRules, DsoRules.choices.DsoRules_SetConfig, {
  controllers: byNetwork,

  run: (tx: Tx, { payload: rules }, change) => {
    const config = changedDsoConfig(rules.config, change)
    const problem = dsoConfigProblem(config)
    tx.require(problem === undefined, problem ?? '')
    return { newDsoRulesCid: tx.create(dsoRules, { ...rules, config }) }
  },
})

/** A super validator takes a validator in; the licence's sponsor is the validator itself. */
export const dsoRulesOnboardValidator = choice(
  dsoRules,
  DsoRules.choices.DsoRules_OnboardValidator,
  {
    controllers: (_rules, { sponsor }) => [sponsor],
    run: (tx, { payload: rules }, { sponsor, validator, version, contactPoint, now }) => {
      svOf(tx, rules, sponsor)
      takeNow(tx, now)
      const validatorLicenseCid = tx.create(validatorLicense, {
        validator,
        sponsor: validator,
        dso: rules.dso,
        metadata: { lastUpdatedAt: now, version, contactPoint },
        lastActiveAt: now,
      })
      return { validatorLicenseCid }
    },
  },
)

/**
 * Lets an external party order transfers, from nonce 0 on; the network makes one counter a party.
 */
export const dsoRulesCreateTransferCommandCounter = choice(
  dsoRules,
  DsoRules.choices.DsoRules_CreateTransferCommandCounter,
  {
    controllers: byNetwork,

    run: (tx, { payload: { dso } }, { sender }) => ({
      transferCommandCounterCid: tx.create(transferCommandCounter, { dso, sender, nextNonce: 0n }),
    }),
  },
)

/**
 * Coupons of a super validator's weight in a round: for beneficiaries as told, the rest for itself.
 */
export const dsoRulesReceiveSvRewardCoupon = choice(
  dsoRules,
  DsoRules.choices.DsoRules_ReceiveSvRewardCoupon,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: rules }, { sv, openRoundCid, beneficiaries }) => {
      const info = svOf(tx, rules, sv)
      const { dso, round } = openRoundInUse(tx, rules.dso, openRoundCid)
      tx.require(
        round >= info.joinedAsOfRound,
        `the round is ${info.joinedAsOfRound}, when the super validator joined, or later`,
        () => `${round}`,
      )
      const shares = sharesOf(tx, sv, info.svRewardWeight, beneficiaries)
      return {
        svRewardCouponCids: shares.map(([beneficiary, weight]) =>
          tx.create(svRewardCoupon, { dso, sv, beneficiary, round, weight }),
        ),
      }
    },
  },
)

/** Gives a beneficiary an amount out of what nobody minted. */
export const dsoRulesAllocateUnclaimedActivityRecord = choice(
  dsoRules,
  DsoRules.choices.DsoRules_AllocateUnclaimedActivityRecord,
  {
    controllers: byNetwork,

    run: (tx: Tx, { payload: { dso } }, { unclaimedRewardCids, ...allocation }) => {
      tx.before(allocation.expiresAt)
      const rest = subtract(takeRewards(tx, dso, unclaimedRewardCids), allocation.amount)
      requireCover(tx, 'the unclaimed rewards', rest, allocation.amount)
      return {
        unclaimedActivityRecordCid: tx.create(unclaimedActivityRecord, { dso, ...allocation }),
        optUnclaimedRewardCid: rest > 0n ? tx.create(unclaimedReward, { dso, amount: rest }) : null,
      }
    },
  },
)

function sharesOf(
  tx: Tx,
  sv: string,
  total: bigint,
  beneficiaries: readonly (readonly [string, bigint])[],
): readonly (readonly [string, bigint])[] {
  tx.require(
    beneficiaries.every(([, weight]) => weight > 0n),
    'each weight is above 0',
    () => beneficiaries.map(([, weight]) => weight).join(', '),
  )
  const rest = beneficiaries.reduce((left, [, weight]) => left - weight, total)
  tx.require(
    rest >= 0n,
    `the weights add up to the super validator's ${total} at most`,
    () => `${total - rest}`,
  )
  return rest > 0n ? [...beneficiaries, [sv, rest]] : beneficiaries
}
