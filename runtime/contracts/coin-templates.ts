// The templates of the coin, its rules, transfers, traffic and preapprovals, with their choices bound. The rules'
// choices come from all over the folder.
import { bindTemplate } from '../engine/index.ts'
import type { AnyTemplate } from '../engine/template.ts'
import { coinExpire, coin } from './coin.ts'
import { coinRules } from './coin-rules.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import {
  coinRulesCreateExternalPartySetupProposal, externalPartySetupProposal, externalPartySetupProposalAccept,
  externalPartySetupProposalReject, externalPartySetupProposalWithdraw,
} from './external-party-setup.ts'
import { lockedCoin, lockedCoinExpireCoin, lockedCoinOwnerExpireLock, lockedCoinUnlock } from './locked-coin.ts'
import { networkCoinRulesChoices } from './network-templates.ts'
import {
  coinRulesCreateTransferPreapproval, transferPreapproval, transferPreapprovalCancel, transferPreapprovalExpire,
  transferPreapprovalRenew, transferPreapprovalSend,
} from './preapproval.ts'
import { coinRulesQuote } from './quote.ts'
import { coinRulesDevNetTap, coinRulesMint } from './tap-and-mint.ts'
import { externalPartyCoinRulesTransferFactoryTransfer } from './token-transfer.ts'
import { coinRulesBuyMemberTraffic, coinRulesMergeMemberTrafficContracts, memberTraffic } from './traffic.ts'
import {
  externalPartyCoinRulesCreateTransferCommand, transferCommand, transferCommandCounter, transferCommandExpire,
  transferCommandSend, transferCommandWithdraw,
} from './transfer-command.ts'
import {
  coinTransferInstruction, coinTransferInstructionAccept, coinTransferInstructionReject, coinTransferInstructionUpdate,
  coinTransferInstructionWithdraw,
} from './transfer-instruction.ts'
import { coinRulesLegacyTransfer, coinRulesTransfer } from './transfer.ts'
import { validatorRight, validatorRightArchiveAsUser, validatorRightArchiveAsValidator } from './validator-right.ts'

const rules = [
  bindTemplate(coinRules, [
    ...networkCoinRulesChoices,
    coinRulesTransfer,
    coinRulesLegacyTransfer,
    coinRulesQuote,
    coinRulesDevNetTap,
    coinRulesMint,
    coinRulesBuyMemberTraffic,
    coinRulesMergeMemberTrafficContracts,
    coinRulesCreateTransferPreapproval,
    coinRulesCreateExternalPartySetupProposal,
  ]),
  bindTemplate(externalPartyCoinRules, [
    externalPartyCoinRulesTransferFactoryTransfer,
    externalPartyCoinRulesCreateTransferCommand,
  ]),
]

const holdings = [
  bindTemplate(coin, [coinExpire]),
  bindTemplate(lockedCoin, [lockedCoinUnlock, lockedCoinOwnerExpireLock, lockedCoinExpireCoin]),
  bindTemplate(memberTraffic, []),
]

const transfers = [
  bindTemplate(coinTransferInstruction, [
    coinTransferInstructionAccept,
    coinTransferInstructionReject,
    coinTransferInstructionWithdraw,
    coinTransferInstructionUpdate,
  ]),
  bindTemplate(transferPreapproval, [
    transferPreapprovalRenew,
    transferPreapprovalCancel,
    transferPreapprovalExpire,
    transferPreapprovalSend,
  ]),
]

const externalParties = [
  bindTemplate(externalPartySetupProposal, [
    externalPartySetupProposalAccept,
    externalPartySetupProposalReject,
    externalPartySetupProposalWithdraw,
  ]),
  bindTemplate(transferCommand, [transferCommandSend, transferCommandWithdraw, transferCommandExpire]),
  bindTemplate(transferCommandCounter, []),
  bindTemplate(validatorRight, [validatorRightArchiveAsUser, validatorRightArchiveAsValidator]),
]

/** For `allTemplates`. */
export const coinTemplates: readonly AnyTemplate[] = [...rules, ...holdings, ...transfers, ...externalParties]
