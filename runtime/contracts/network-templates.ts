// The templates of rounds, rewards, licences and governance, with their choices bound.
import { bindTemplate } from '../engine/index.ts'
import { ansEntry, ansEntryExpire, ansRules } from './ans.ts'
import { coinPriceVote, dsoRulesUpdateCoinPriceVote } from './coin-price.ts'
import {
  appRewardCoupon,
  svRewardCoupon,
  unclaimedActivityRecord,
  unclaimedActivityRecordExpire,
  unclaimedReward,
  validatorRewardCoupon,
} from './coupons.ts'
import {
  developmentFundCoupon,
  developmentFundCouponExpire,
  developmentFundCouponReject,
  developmentFundCouponWithdraw,
  unclaimedDevelopmentFundCoupon,
} from './development-fund.ts'
import {
  dsoRules,
  dsoRulesAllocateUnclaimedActivityRecord,
  dsoRulesCreateTransferCommandCounter,
  dsoRulesGrantFeaturedAppRight,
  dsoRulesOnboardValidator,
  dsoRulesReceiveSvRewardCoupon,
  dsoRulesRevokeFeaturedAppRight,
  dsoRulesSetConfig,
} from './dso-rules.ts'
import {
  featuredAppRight,
  featuredAppRightCancel,
  featuredAppRightRewardActivity,
  featuredAppRightWithdraw,
} from './featured-app.ts'
import {
  validatorLicense,
  validatorLicenseCancel,
  validatorLicenseRecordValidatorLivenessActivity,
  validatorLicenseReportActive,
  validatorLicenseUpdateMetadata,
  validatorLicenseWithdraw,
  validatorLivenessActivityRecord,
} from './licence.ts'
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from './rounds.ts'
import {
  dsoRulesCastVote,
  dsoRulesCloseVoteRequest,
  dsoRulesRequestVote,
  voteRequest,
  voteResult,
} from './votes.ts'

/** For `allTemplates`. */
export const networkTemplates = {
  OpenMiningRound: bindTemplate(openMiningRound, {}),
  SummarizingMiningRound: bindTemplate(summarizingMiningRound, {}),
  IssuingMiningRound: bindTemplate(issuingMiningRound, {}),
  ClosedMiningRound: bindTemplate(closedMiningRound, {}),
  AppRewardCoupon: bindTemplate(appRewardCoupon, {}),
  ValidatorRewardCoupon: bindTemplate(validatorRewardCoupon, {}),
  SvRewardCoupon: bindTemplate(svRewardCoupon, {}),
  UnclaimedReward: bindTemplate(unclaimedReward, {}),
  UnclaimedActivityRecord: bindTemplate(unclaimedActivityRecord, {
    UnclaimedActivityRecord_Expire: unclaimedActivityRecordExpire,
  }),
  FeaturedAppRight: bindTemplate(featuredAppRight, {
    FeaturedAppRight_Withdraw: featuredAppRightWithdraw,
    FeaturedAppRight_Cancel: featuredAppRightCancel,
    FeaturedAppRight_RewardActivity: featuredAppRightRewardActivity,
  }),
  ValidatorLicense: bindTemplate(validatorLicense, {
    ValidatorLicense_RecordValidatorLivenessActivity:
      validatorLicenseRecordValidatorLivenessActivity,
    ValidatorLicense_ReportActive: validatorLicenseReportActive,
    ValidatorLicense_UpdateMetadata: validatorLicenseUpdateMetadata,
    ValidatorLicense_Withdraw: validatorLicenseWithdraw,
    ValidatorLicense_Cancel: validatorLicenseCancel,
  }),
  ValidatorLivenessActivityRecord: bindTemplate(validatorLivenessActivityRecord, {}),
  UnclaimedDevelopmentFundCoupon: bindTemplate(unclaimedDevelopmentFundCoupon, {}),
  DevelopmentFundCoupon: bindTemplate(developmentFundCoupon, {
    DevelopmentFundCoupon_Withdraw: developmentFundCouponWithdraw,
    DevelopmentFundCoupon_Reject: developmentFundCouponReject,
    DevelopmentFundCoupon_Expire: developmentFundCouponExpire,
  }),
  AnsRules: bindTemplate(ansRules, {}),
  AnsEntry: bindTemplate(ansEntry, { AnsEntry_Expire: ansEntryExpire }),
  DsoRules: bindTemplate(dsoRules, {
    DsoRules_RequestVote: dsoRulesRequestVote,
    DsoRules_CastVote: dsoRulesCastVote,
    DsoRules_CloseVoteRequest: dsoRulesCloseVoteRequest,
    DsoRules_GrantFeaturedAppRight: dsoRulesGrantFeaturedAppRight,
    DsoRules_RevokeFeaturedAppRight: dsoRulesRevokeFeaturedAppRight,
    DsoRules_SetConfig: dsoRulesSetConfig,
    DsoRules_UpdateCoinPriceVote: dsoRulesUpdateCoinPriceVote,
    DsoRules_OnboardValidator: dsoRulesOnboardValidator,
    DsoRules_CreateTransferCommandCounter: dsoRulesCreateTransferCommandCounter,
    DsoRules_ReceiveSvRewardCoupon: dsoRulesReceiveSvRewardCoupon,
    DsoRules_AllocateUnclaimedActivityRecord: dsoRulesAllocateUnclaimedActivityRecord,
  }),
  VoteRequest: bindTemplate(voteRequest, {}),
  VoteResult: bindTemplate(voteResult, {}),
  CoinPriceVote: bindTemplate(coinPriceVote, {}),
}
