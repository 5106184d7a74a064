// The templates of rounds, rewards, licences and governance with their choices, and the choices that these files add to
// the coin's rules.
import { bindTemplate } from '../engine/index.ts'
import type { AnyTemplate } from '../engine/template.ts'
import { ansEntry, ansEntryExpire, ansRules } from './ans.ts'
import { coinPriceVote, dsoRulesUpdateCoinPriceVote } from './coin-price.ts'
import { coinRulesSetConfig } from './config.ts'
import {
  appRewardCoupon, svRewardCoupon, unclaimedActivityRecord, unclaimedActivityRecordExpire, unclaimedReward,
  validatorRewardCoupon,
} from './coupons.ts'
import {
  developmentFundCoupon, developmentFundCouponExpire, developmentFundCouponReject, developmentFundCouponWithdraw,
  unclaimedDevelopmentFundCoupon,
} from './development-fund.ts'
import {
  dsoRules, dsoRulesAllocateUnclaimedActivityRecord, dsoRulesCreateTransferCommandCounter, dsoRulesGrantFeaturedAppRight,
  dsoRulesOnboardValidator, dsoRulesReceiveSvRewardCoupon, dsoRulesRevokeFeaturedAppRight, dsoRulesSetConfig,
} from './dso-rules.ts'
import { coinRulesDevNetFeatureApp } from './feature-app.ts'
import {
  featuredAppRight, featuredAppRightCancel, featuredAppRightRewardActivity, featuredAppRightWithdraw,
} from './featured-app.ts'
import { coinRulesAllocateDevelopmentFundCoupon } from './fund-allocation.ts'
import {
  validatorLicense, validatorLicenseCancel, validatorLicenseRecordValidatorLivenessActivity,
  validatorLicenseReportActive, validatorLicenseUpdateMetadata, validatorLicenseWithdraw,
  validatorLivenessActivityRecord,
} from './licence.ts'
import {
  coinRulesAdvanceOpenMiningRounds, coinRulesBootstrapRounds, coinRulesMiningRoundArchive, coinRulesMiningRoundClose,
  coinRulesMiningRoundStartIssuing,
} from './round-steps.ts'
import { closedMiningRound, issuingMiningRound, openMiningRound, summarizingMiningRound } from './rounds.ts'
import { coinRulesClaimExpiredRewards, coinRulesMergeUnclaimedRewards } from './unclaimed-rewards.ts'
import { dsoRulesCastVote, dsoRulesCloseVoteRequest, dsoRulesRequestVote, voteRequest, voteResult } from './votes.ts'

/** To be bound to `coinRules`, beside the choices of transfers. */
export const networkCoinRulesChoices = [
  coinRulesBootstrapRounds,
  coinRulesAdvanceOpenMiningRounds,
  coinRulesMiningRoundStartIssuing,
  coinRulesMiningRoundClose,
  coinRulesMiningRoundArchive,
  coinRulesClaimExpiredRewards,
  coinRulesMergeUnclaimedRewards,
  coinRulesDevNetFeatureApp,
  coinRulesAllocateDevelopmentFundCoupon,
  coinRulesSetConfig,
] as const

const dsoRulesChoices = [
  dsoRulesRequestVote,
  dsoRulesCastVote,
  dsoRulesCloseVoteRequest,
  dsoRulesGrantFeaturedAppRight,
  dsoRulesRevokeFeaturedAppRight,
  dsoRulesSetConfig,
  dsoRulesUpdateCoinPriceVote,
  dsoRulesOnboardValidator,
  dsoRulesCreateTransferCommandCounter,
  dsoRulesReceiveSvRewardCoupon,
  dsoRulesAllocateUnclaimedActivityRecord,
] as const

export const networkTemplates: readonly AnyTemplate[] = [
  bindTemplate(openMiningRound, []),
  bindTemplate(summarizingMiningRound, []),
  bindTemplate(issuingMiningRound, []),
  bindTemplate(closedMiningRound, []),
  bindTemplate(appRewardCoupon, []),
  bindTemplate(validatorRewardCoupon, []),
  bindTemplate(svRewardCoupon, []),
  bindTemplate(unclaimedReward, []),
  bindTemplate(unclaimedActivityRecord, [unclaimedActivityRecordExpire]),
  bindTemplate(featuredAppRight, [featuredAppRightWithdraw, featuredAppRightCancel, featuredAppRightRewardActivity]),
  bindTemplate(validatorLicense, [
    validatorLicenseRecordValidatorLivenessActivity,
    validatorLicenseReportActive,
    validatorLicenseUpdateMetadata,
    validatorLicenseWithdraw,
    validatorLicenseCancel,
  ]),
  bindTemplate(validatorLivenessActivityRecord, []),
  bindTemplate(unclaimedDevelopmentFundCoupon, []),
  bindTemplate(developmentFundCoupon, [
    developmentFundCouponWithdraw,
    developmentFundCouponReject,
    developmentFundCouponExpire,
  ]),
  bindTemplate(ansRules, []),
  bindTemplate(ansEntry, [ansEntryExpire]),
  bindTemplate(dsoRules, dsoRulesChoices),
  bindTemplate(voteRequest, []),
  bindTemplate(voteResult, []),
  bindTemplate(coinPriceVote, []),
]
