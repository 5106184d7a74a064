// The templates of the coin, its rules, transfers, traffic and preapprovals, with their choices
// bound. The rules' choices come from all over the folder.
import { bindTemplate } from '../engine/index.ts'
import { coinExpire, coin } from './coin.ts'
import { coinRules } from './coin-rules.ts'
import { coinRulesSetConfig } from './config.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import {
  coinRulesCreateExternalPartySetupProposal,
  externalPartySetupProposal,
  externalPartySetupProposalAccept,
  externalPartySetupProposalReject,
  externalPartySetupProposalWithdraw,
} from './external-party-setup.ts'
import { coinRulesDevNetFeatureApp } from './feature-app.ts'
import { coinRulesAllocateDevelopmentFundCoupon } from './fund-allocation.ts'
import {
  lockedCoin,
  lockedCoinExpireCoin,
  lockedCoinOwnerExpireLock,
  lockedCoinUnlock,
} from './locked-coin.ts'
import {
  coinRulesCreateTransferPreapproval,
  transferPreapproval,
  transferPreapprovalCancel,
  transferPreapprovalExpire,
  transferPreapprovalRenew,
  transferPreapprovalSend,
} from './preapproval.ts'
import { coinRulesQuote } from './quote.ts'
import {
  coinRulesAdvanceOpenMiningRounds,
  coinRulesBootstrapRounds,
  coinRulesMiningRoundArchive,
  coinRulesMiningRoundClose,
  coinRulesMiningRoundStartIssuing,
} from './round-steps.ts'
import { coinRulesDevNetTap, coinRulesMint } from './tap-and-mint.ts'
import { externalPartyCoinRulesTransferFactoryTransfer } from './token-transfer.ts'
import {
  coinRulesBuyMemberTraffic,
  coinRulesMergeMemberTrafficContracts,
  memberTraffic,
} from './traffic.ts'
import { coinRulesLegacyTransfer, coinRulesTransfer } from './transfer.ts'
import {
  externalPartyCoinRulesCreateTransferCommand,
  transferCommand,
  transferCommandCounter,
  transferCommandExpire,
  transferCommandSend,
  transferCommandWithdraw,
} from './transfer-command.ts'
import {
  coinTransferInstruction,
  coinTransferInstructionAccept,
  coinTransferInstructionReject,
  coinTransferInstructionUpdate,
  coinTransferInstructionWithdraw,
} from './transfer-instruction.ts'
import {
  coinRulesClaimExpiredRewards,
  coinRulesMergeUnclaimedRewards,
} from './unclaimed-rewards.ts'
import {
  validatorRight,
  validatorRightArchiveAsUser,
  validatorRightArchiveAsValidator,
} from './validator-right.ts'

const rules = {
  CoinRules: bindTemplate(coinRules, {
    CoinRules_Bootstrap_Rounds: coinRulesBootstrapRounds,
    CoinRules_AdvanceOpenMiningRounds: coinRulesAdvanceOpenMiningRounds,
    CoinRules_MiningRound_StartIssuing: coinRulesMiningRoundStartIssuing,
    CoinRules_MiningRound_Close: coinRulesMiningRoundClose,
    CoinRules_MiningRound_Archive: coinRulesMiningRoundArchive,
    CoinRules_ClaimExpiredRewards: coinRulesClaimExpiredRewards,
    CoinRules_MergeUnclaimedRewards: coinRulesMergeUnclaimedRewards,
    CoinRules_DevNet_FeatureApp: coinRulesDevNetFeatureApp,
    CoinRules_AllocateDevelopmentFundCoupon: coinRulesAllocateDevelopmentFundCoupon,
    CoinRules_SetConfig: coinRulesSetConfig,
    CoinRules_Transfer: coinRulesTransfer,
    CoinRules_LegacyTransfer: coinRulesLegacyTransfer,
    CoinRules_Quote: coinRulesQuote,
    CoinRules_DevNet_Tap: coinRulesDevNetTap,
    CoinRules_Mint: coinRulesMint,
    CoinRules_BuyMemberTraffic: coinRulesBuyMemberTraffic,
    CoinRules_MergeMemberTrafficContracts: coinRulesMergeMemberTrafficContracts,
    CoinRules_CreateTransferPreapproval: coinRulesCreateTransferPreapproval,
    CoinRules_CreateExternalPartySetupProposal: coinRulesCreateExternalPartySetupProposal,
  }),
  ExternalPartyCoinRules: bindTemplate(externalPartyCoinRules, {
    TransferFactory_Transfer: externalPartyCoinRulesTransferFactoryTransfer,
    ExternalPartyCoinRules_CreateTransferCommand: externalPartyCoinRulesCreateTransferCommand,
  }),
}

const holdings = {
  Coin: bindTemplate(coin, { Coin_Expire: coinExpire }),
  LockedCoin: bindTemplate(lockedCoin, {
    LockedCoin_Unlock: lockedCoinUnlock,
    LockedCoin_OwnerExpireLock: lockedCoinOwnerExpireLock,
    LockedCoin_ExpireCoin: lockedCoinExpireCoin,
  }),
  MemberTraffic: bindTemplate(memberTraffic, {}),
}

const transfers = {
  CoinTransferInstruction: bindTemplate(coinTransferInstruction, {
    TransferInstruction_Accept: coinTransferInstructionAccept,
    TransferInstruction_Reject: coinTransferInstructionReject,
    TransferInstruction_Withdraw: coinTransferInstructionWithdraw,
    TransferInstruction_Update: coinTransferInstructionUpdate,
  }),
  TransferPreapproval: bindTemplate(transferPreapproval, {
    TransferPreapproval_Renew: transferPreapprovalRenew,
    TransferPreapproval_Cancel: transferPreapprovalCancel,
    TransferPreapproval_Expire: transferPreapprovalExpire,
    TransferPreapproval_Send: transferPreapprovalSend,
  }),
}

const externalParties = {
  ExternalPartySetupProposal: bindTemplate(externalPartySetupProposal, {
    ExternalPartySetupProposal_Accept: externalPartySetupProposalAccept,
    ExternalPartySetupProposal_Reject: externalPartySetupProposalReject,
    ExternalPartySetupProposal_Withdraw: externalPartySetupProposalWithdraw,
  }),
  TransferCommand: bindTemplate(transferCommand, {
    TransferCommand_Send: transferCommandSend,
    TransferCommand_Withdraw: transferCommandWithdraw,
    TransferCommand_Expire: transferCommandExpire,
  }),
  TransferCommandCounter: bindTemplate(transferCommandCounter, {}),
  ValidatorRight: bindTemplate(validatorRight, {
    ValidatorRight_ArchiveAsUser: validatorRightArchiveAsUser,
    ValidatorRight_ArchiveAsValidator: validatorRightArchiveAsValidator,
  }),
}

/** For `allTemplates`. */
export const coinTemplates = { ...rules, ...holdings, ...transfers, ...externalParties }
