// A user's wallet on a validator: every choice is the validator's alone, and the user's authority comes from the
// contract, so that no automation needs the user's token. domain/behaviour.md §13
import { TransferFactory, TransferInstruction, WalletAppInstall } from '../../../generated/contracts.gen.ts'
import { bindTemplate, choice, defineTemplate } from '../../engine/index.ts'
import type { Choice, ChoiceType, Tx } from '../../engine/template.ts'
import { developmentFundCouponReject, developmentFundCouponWithdraw } from '../development-fund.ts'
import { coinRulesDevNetFeatureApp } from '../feature-app.ts'
import { featuredAppRightCancel } from '../featured-app.ts'
import { coinRulesAllocateDevelopmentFundCoupon } from '../fund-allocation.ts'
import {
  mergeDelegationProposal, mergeDelegationProposalWithdraw, mergeDelegationWithdraw,
} from '../merge-delegation.ts'
import {
  mintingDelegationProposal, mintingDelegationProposalAccept, mintingDelegationProposalReject,
  mintingDelegationProposalWithdraw, mintingDelegationReject, mintingDelegationWithdraw,
} from '../minting-delegation.ts'
import { transferPreapprovalCancel } from '../preapproval.ts'
import { buyTrafficRequest, buyTrafficRequestCancel, buyTrafficRequestExpire } from './buy-traffic.ts'
import { executeOperations } from './operations.ts'
import { transferPreapprovalProposal } from './preapproval-proposal.ts'
import {
  acceptedTransferOfferAbort, acceptedTransferOfferExpire, acceptedTransferOfferWithdraw, transferOffer,
  transferOfferAccept, transferOfferExpire, transferOfferReject, transferOfferWithdraw,
} from './transfer-offer.ts'

/** Key: endUserParty, endUserName, validatorParty. Several names may share a party. */
export const walletAppInstall = defineTemplate(WalletAppInstall, {
  signatories: (install) => [install.endUserParty, install.validatorParty],
  issuer: ({ dsoParty }) => dsoParty,
  keys: (install) => [install.endUserParty, install.endUserName, install.validatorParty],
})

const { choices } = WalletAppInstall

/** The treasury's one command: operations in order. See operations.ts. */
export const walletAppInstallExecuteBatch = byValidator(
  choices.WalletAppInstall_ExecuteBatch,
  (tx, install, batch) => ({
    endUserParty: install.endUserParty,
    outcomes: executeOperations(tx, install, batch),
  }),
)

// Legacy offers
export const walletAppInstallCreateTransferOffer = byValidator(
  choices.WalletAppInstall_CreateTransferOffer,
  (tx, { endUserParty, dsoParty }, offer) => ({
    transferOfferCid: tx.create(transferOffer, { sender: endUserParty, dso: dsoParty, ...offer }),
  }),
)

export const walletAppInstallTransferOfferAccept = byValidator(
  choices.WalletAppInstall_TransferOffer_Accept,
  (tx, _install, { cid }) => tx.exercise(transferOfferAccept, cid, {}),
)

export const walletAppInstallTransferOfferReject = byValidator(
  choices.WalletAppInstall_TransferOffer_Reject,
  (tx, _install, { cid }) => tx.exercise(transferOfferReject, cid, {}),
)

export const walletAppInstallTransferOfferWithdraw = byValidator(
  choices.WalletAppInstall_TransferOffer_Withdraw,
  (tx, _install, { cid, reason }) => tx.exercise(transferOfferWithdraw, cid, { reason }),
)

export const walletAppInstallTransferOfferExpire = byValidator(
  choices.WalletAppInstall_TransferOffer_Expire,
  (tx, { endUserParty }, { cid }) => tx.exercise(transferOfferExpire, cid, { actor: endUserParty }),
)

export const walletAppInstallAcceptedTransferOfferAbort = byValidator(
  choices.WalletAppInstall_AcceptedTransferOffer_Abort,
  (tx, _install, { cid, reason }) => tx.exercise(acceptedTransferOfferAbort, cid, { reason }),
)

export const walletAppInstallAcceptedTransferOfferWithdraw = byValidator(
  choices.WalletAppInstall_AcceptedTransferOffer_Withdraw,
  (tx, _install, { cid, reason }) => tx.exercise(acceptedTransferOfferWithdraw, cid, { reason }),
)

export const walletAppInstallAcceptedTransferOfferExpire = byValidator(
  choices.WalletAppInstall_AcceptedTransferOffer_Expire,
  (tx, { endUserParty }, { cid }) => tx.exercise(acceptedTransferOfferExpire, cid, { actor: endUserParty }),
)

// Requests for traffic
export const walletAppInstallCreateBuyTrafficRequest = byValidator(
  choices.WalletAppInstall_CreateBuyTrafficRequest,
  (tx, { endUserParty, dsoParty }, request) => ({
    buyTrafficRequestCid: tx.create(buyTrafficRequest, { dso: dsoParty, endUserParty, ...request }),
  }),
)

export const walletAppInstallBuyTrafficRequestCancel = byValidator(
  choices.WalletAppInstall_BuyTrafficRequest_Cancel,
  (tx, _install, { cid, reason }) => tx.exercise(buyTrafficRequestCancel, cid, { reason }),
)

export const walletAppInstallBuyTrafficRequestExpire = byValidator(
  choices.WalletAppInstall_BuyTrafficRequest_Expire,
  (tx, { endUserParty }, { cid }) => tx.exercise(buyTrafficRequestExpire, cid, { actor: endUserParty }),
)

// The token standard
export const walletAppInstallTransferFactoryTransfer = byValidator(
  choices.WalletAppInstall_TransferFactory_Transfer,
  (tx, _install, { transferFactoryCid, transferArg }) =>
    tx.exerciseInterface(TransferFactory.choices.TransferFactory_Transfer, transferFactoryCid, transferArg),
)

export const walletAppInstallTransferInstructionAccept = byValidator(
  choices.WalletAppInstall_TransferInstruction_Accept,
  (tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Accept, cid, { extraArgs }),
)

export const walletAppInstallTransferInstructionReject = byValidator(
  choices.WalletAppInstall_TransferInstruction_Reject,
  (tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Reject, cid, { extraArgs }),
)

export const walletAppInstallTransferInstructionWithdraw = byValidator(
  choices.WalletAppInstall_TransferInstruction_Withdraw,
  (tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Withdraw, cid, { extraArgs }),
)

// Preapprovals and featured rights
export const walletAppInstallTransferPreapprovalProposalCreate = byValidator(
  choices.WalletAppInstall_TransferPreapprovalProposal_Create,
  (tx, { endUserParty, validatorParty, dsoParty }) => ({
    transferPreapprovalProposalCid: tx.create(transferPreapprovalProposal, {
      receiver: endUserParty,
      provider: validatorParty,
      expectedDso: dsoParty,
    }),
  }),
)

export const walletAppInstallTransferPreapprovalCancel = byValidator(
  choices.WalletAppInstall_TransferPreapproval_Cancel,
  (tx, { endUserParty }, { cid }) => tx.exercise(transferPreapprovalCancel, cid, { p: endUserParty }),
)

export const walletAppInstallFeaturedAppRightsSelfGrant = byValidator(
  choices.WalletAppInstall_FeaturedAppRights_SelfGrant,
  (tx, { endUserParty }, { coinRulesCid }) =>
    tx.exercise(coinRulesDevNetFeatureApp, coinRulesCid, { provider: endUserParty }),
)

export const walletAppInstallFeaturedAppRightsCancel = byValidator(
  choices.WalletAppInstall_FeaturedAppRights_Cancel,
  (tx, _install, { cids }) => {
    for (const cid of cids) tx.exercise(featuredAppRightCancel, cid, {})
    return {}
  },
)

// Delegations
export const walletAppInstallMintingDelegationProposalAccept = byValidator(
  choices.WalletAppInstall_MintingDelegationProposal_Accept,
  (tx, _install, { cid, existingDelegationCid }) =>
    tx.exercise(mintingDelegationProposalAccept, cid, { existingDelegationCid }),
)

export const walletAppInstallMintingDelegationProposalReject = byValidator(
  choices.WalletAppInstall_MintingDelegationProposal_Reject,
  (tx, _install, { cid }) => tx.exercise(mintingDelegationProposalReject, cid, {}),
)

export const walletAppInstallMintingDelegationProposalCreate = byValidator(
  choices.WalletAppInstall_MintingDelegationProposal_Create,
  (tx, { endUserParty, dsoParty }, terms) => ({
    proposalCid: tx.create(mintingDelegationProposal, {
      delegation: { beneficiary: endUserParty, dso: dsoParty, ...terms },
    }),
  }),
)

export const walletAppInstallMintingDelegationProposalWithdraw = byValidator(
  choices.WalletAppInstall_MintingDelegationProposal_Withdraw,
  (tx, _install, { cid }) => tx.exercise(mintingDelegationProposalWithdraw, cid, {}),
)

export const walletAppInstallMintingDelegationReject = byValidator(
  choices.WalletAppInstall_MintingDelegation_Reject,
  (tx, _install, { cid }) => tx.exercise(mintingDelegationReject, cid, {}),
)

export const walletAppInstallMintingDelegationWithdraw = byValidator(
  choices.WalletAppInstall_MintingDelegation_Withdraw,
  (tx, _install, { cid }) => tx.exercise(mintingDelegationWithdraw, cid, {}),
)

export const walletAppInstallMergeDelegationProposalCreate = byValidator(
  choices.WalletAppInstall_MergeDelegationProposal_Create,
  (tx, { endUserParty }, { operator, meta }) => ({
    proposalCid: tx.create(mergeDelegationProposal, { delegation: { operator, owner: endUserParty, meta } }),
  }),
)

export const walletAppInstallMergeDelegationProposalWithdraw = byValidator(
  choices.WalletAppInstall_MergeDelegationProposal_Withdraw,
  (tx, _install, { cid }) => tx.exercise(mergeDelegationProposalWithdraw, cid, {}),
)

export const walletAppInstallMergeDelegationWithdraw = byValidator(
  choices.WalletAppInstall_MergeDelegation_Withdraw,
  (tx, _install, { cid }) => tx.exercise(mergeDelegationWithdraw, cid, {}),
)

// The development fund
export const walletAppInstallDevelopmentFundCouponAllocate = byValidator(
  choices.WalletAppInstall_DevelopmentFundCoupon_Allocate,
  (tx, { endUserParty }, { coinRulesCid, ...terms }) =>
    tx.exercise(coinRulesAllocateDevelopmentFundCoupon, coinRulesCid, { fundManager: endUserParty, ...terms }),
)

export const walletAppInstallDevelopmentFundCouponWithdraw = byValidator(
  choices.WalletAppInstall_DevelopmentFundCoupon_Withdraw,
  (tx, _install, { cid, reason }) => tx.exercise(developmentFundCouponWithdraw, cid, { reason }),
)

export const walletAppInstallDevelopmentFundCouponReject = byValidator(
  choices.WalletAppInstall_DevelopmentFundCoupon_Reject,
  (tx, _install, { cid, reason }) => tx.exercise(developmentFundCouponReject, cid, { reason }),
)

/** With its choices. */
export const installTemplates = {
  WalletAppInstall: bindTemplate(walletAppInstall, {
    WalletAppInstall_ExecuteBatch: walletAppInstallExecuteBatch,
    WalletAppInstall_CreateTransferOffer: walletAppInstallCreateTransferOffer,
    WalletAppInstall_TransferOffer_Accept: walletAppInstallTransferOfferAccept,
    WalletAppInstall_TransferOffer_Reject: walletAppInstallTransferOfferReject,
    WalletAppInstall_TransferOffer_Withdraw: walletAppInstallTransferOfferWithdraw,
    WalletAppInstall_TransferOffer_Expire: walletAppInstallTransferOfferExpire,
    WalletAppInstall_AcceptedTransferOffer_Abort: walletAppInstallAcceptedTransferOfferAbort,
    WalletAppInstall_AcceptedTransferOffer_Withdraw: walletAppInstallAcceptedTransferOfferWithdraw,
    WalletAppInstall_AcceptedTransferOffer_Expire: walletAppInstallAcceptedTransferOfferExpire,
    WalletAppInstall_CreateBuyTrafficRequest: walletAppInstallCreateBuyTrafficRequest,
    WalletAppInstall_BuyTrafficRequest_Cancel: walletAppInstallBuyTrafficRequestCancel,
    WalletAppInstall_BuyTrafficRequest_Expire: walletAppInstallBuyTrafficRequestExpire,
    WalletAppInstall_TransferFactory_Transfer: walletAppInstallTransferFactoryTransfer,
    WalletAppInstall_TransferInstruction_Accept: walletAppInstallTransferInstructionAccept,
    WalletAppInstall_TransferInstruction_Reject: walletAppInstallTransferInstructionReject,
    WalletAppInstall_TransferInstruction_Withdraw: walletAppInstallTransferInstructionWithdraw,
    WalletAppInstall_TransferPreapprovalProposal_Create: walletAppInstallTransferPreapprovalProposalCreate,
    WalletAppInstall_TransferPreapproval_Cancel: walletAppInstallTransferPreapprovalCancel,
    WalletAppInstall_FeaturedAppRights_SelfGrant: walletAppInstallFeaturedAppRightsSelfGrant,
    WalletAppInstall_FeaturedAppRights_Cancel: walletAppInstallFeaturedAppRightsCancel,
    WalletAppInstall_MintingDelegationProposal_Accept: walletAppInstallMintingDelegationProposalAccept,
    WalletAppInstall_MintingDelegationProposal_Reject: walletAppInstallMintingDelegationProposalReject,
    WalletAppInstall_MintingDelegationProposal_Create: walletAppInstallMintingDelegationProposalCreate,
    WalletAppInstall_MintingDelegationProposal_Withdraw: walletAppInstallMintingDelegationProposalWithdraw,
    WalletAppInstall_MintingDelegation_Reject: walletAppInstallMintingDelegationReject,
    WalletAppInstall_MintingDelegation_Withdraw: walletAppInstallMintingDelegationWithdraw,
    WalletAppInstall_MergeDelegationProposal_Create: walletAppInstallMergeDelegationProposalCreate,
    WalletAppInstall_MergeDelegationProposal_Withdraw: walletAppInstallMergeDelegationProposalWithdraw,
    WalletAppInstall_MergeDelegation_Withdraw: walletAppInstallMergeDelegationWithdraw,
    WalletAppInstall_DevelopmentFundCoupon_Allocate: walletAppInstallDevelopmentFundCouponAllocate,
    WalletAppInstall_DevelopmentFundCoupon_Withdraw: walletAppInstallDevelopmentFundCouponWithdraw,
    WalletAppInstall_DevelopmentFundCoupon_Reject: walletAppInstallDevelopmentFundCouponReject,
  }),
}

function byValidator<A, R>(
  type: ChoiceType<A, R>, run: (tx: Tx, install: WalletAppInstall, argument: A) => R,
): Choice<WalletAppInstall, A, R> {
  return choice(walletAppInstall, type, {
    controllers: (install) => [install.validatorParty],
    run: (tx, { payload }, argument) => run(tx, payload, argument),
  })
}
