// A user's wallet on a validator: every choice is the validator's alone, and the user's authority
// comes from the contract, so that no automation needs the user's token. domain/behaviour.md §13
import {
  TransferFactory,
  TransferInstruction,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { bindTemplate, choice, defineTemplate } from '../../engine/index.ts'
import type { Choice, ChoiceType, Tx } from '../../engine/template.ts'
import { developmentFundCouponReject, developmentFundCouponWithdraw } from '../development-fund.ts'
import { coinRulesDevNetFeatureApp } from '../feature-app.ts'
import { featuredAppRightCancel } from '../featured-app.ts'
import { coinRulesAllocateDevelopmentFundCoupon } from '../fund-allocation.ts'
import {
  mergeDelegationProposal,
  mergeDelegationProposalWithdraw,
  mergeDelegationWithdraw,
} from '../merge-delegation.ts'
import {
  mintingDelegationProposal,
  mintingDelegationProposalAccept,
  mintingDelegationProposalReject,
  mintingDelegationProposalWithdraw,
  mintingDelegationReject,
  mintingDelegationWithdraw,
} from '../minting-delegation.ts'
import { transferPreapprovalCancel } from '../preapproval.ts'
import {
  buyTrafficRequest,
  buyTrafficRequestCancel,
  buyTrafficRequestExpire,
} from './buy-traffic.ts'
import { executeOperations } from './operations.ts'
import { transferPreapprovalProposal } from './preapproval-proposal.ts'
import {
  acceptedTransferOfferAbort,
  acceptedTransferOfferExpire,
  acceptedTransferOfferWithdraw,
  transferOffer,
  transferOfferAccept,
  transferOfferExpire,
  transferOfferReject,
  transferOfferWithdraw,
} from './transfer-offer.ts'

/** Several names may share a party. */
export const walletAppInstall = defineTemplate(WalletAppInstall, {
  signatories: (install) => [install.endUserParty, install.validatorParty],
  issuer: ({ dsoParty }) => dsoParty,
  keys: (install) => ({
    endUserParty: install.endUserParty,
    endUserName: install.endUserName,
    validatorParty: install.validatorParty,
  }),
})

const { choices } = WalletAppInstall

/** Its choices, by the names of the spec. */
export const installChoices = {
  /** The treasury's one command: operations in order. See operations.ts. */
  WalletAppInstall_ExecuteBatch: byValidator(
    choices.WalletAppInstall_ExecuteBatch,
    (tx, install, batch) => ({
      endUserParty: install.endUserParty,
      outcomes: executeOperations(tx, install, batch),
    }),
  ),

  // Legacy offers
  WalletAppInstall_CreateTransferOffer: byValidator(
    choices.WalletAppInstall_CreateTransferOffer,
    (tx, { endUserParty, dsoParty }, offer) => ({
      transferOfferCid: tx.create(transferOffer, { sender: endUserParty, dso: dsoParty, ...offer }),
    }),
  ),
  WalletAppInstall_TransferOffer_Accept: byValidator(
    choices.WalletAppInstall_TransferOffer_Accept,
    (tx, _install, { cid }) => tx.exercise(transferOfferAccept, cid, {}),
  ),
  WalletAppInstall_TransferOffer_Reject: byValidator(
    choices.WalletAppInstall_TransferOffer_Reject,
    (tx, _install, { cid }) => tx.exercise(transferOfferReject, cid, {}),
  ),
  WalletAppInstall_TransferOffer_Withdraw: byValidator(
    choices.WalletAppInstall_TransferOffer_Withdraw,
    (tx, _install, { cid, reason }) => tx.exercise(transferOfferWithdraw, cid, { reason }),
  ),
  WalletAppInstall_TransferOffer_Expire: byValidator(
    choices.WalletAppInstall_TransferOffer_Expire,
    (tx, { endUserParty }, { cid }) =>
      tx.exercise(transferOfferExpire, cid, { actor: endUserParty }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Abort: byValidator(
    choices.WalletAppInstall_AcceptedTransferOffer_Abort,
    (tx, _install, { cid, reason }) => tx.exercise(acceptedTransferOfferAbort, cid, { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Withdraw: byValidator(
    choices.WalletAppInstall_AcceptedTransferOffer_Withdraw,
    (tx, _install, { cid, reason }) => tx.exercise(acceptedTransferOfferWithdraw, cid, { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Expire: byValidator(
    choices.WalletAppInstall_AcceptedTransferOffer_Expire,
    (tx, { endUserParty }, { cid }) =>
      tx.exercise(acceptedTransferOfferExpire, cid, { actor: endUserParty }),
  ),

  // Requests for traffic
  WalletAppInstall_CreateBuyTrafficRequest: byValidator(
    choices.WalletAppInstall_CreateBuyTrafficRequest,
    (tx, { endUserParty, dsoParty }, request) => ({
      buyTrafficRequestCid: tx.create(buyTrafficRequest, {
        dso: dsoParty,
        endUserParty,
        ...request,
      }),
    }),
  ),
  WalletAppInstall_BuyTrafficRequest_Cancel: byValidator(
    choices.WalletAppInstall_BuyTrafficRequest_Cancel,
    (tx, _install, { cid, reason }) => tx.exercise(buyTrafficRequestCancel, cid, { reason }),
  ),
  WalletAppInstall_BuyTrafficRequest_Expire: byValidator(
    choices.WalletAppInstall_BuyTrafficRequest_Expire,
    (tx, { endUserParty }, { cid }) =>
      tx.exercise(buyTrafficRequestExpire, cid, { actor: endUserParty }),
  ),

  // The token standard
  WalletAppInstall_TransferFactory_Transfer: byValidator(
    choices.WalletAppInstall_TransferFactory_Transfer,
    (tx, _install, { transferFactoryCid, transferArg }) =>
      tx.exerciseInterface(
        TransferFactory.choices.TransferFactory_Transfer,
        transferFactoryCid,
        transferArg,
      ),
  ),
  WalletAppInstall_TransferInstruction_Accept: byValidator(
    choices.WalletAppInstall_TransferInstruction_Accept,
    (tx, _install, { cid, extraArgs }) =>
      tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Accept, cid, {
        extraArgs,
      }),
  ),
  WalletAppInstall_TransferInstruction_Reject: byValidator(
    choices.WalletAppInstall_TransferInstruction_Reject,
    (tx, _install, { cid, extraArgs }) =>
      tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Reject, cid, {
        extraArgs,
      }),
  ),
  WalletAppInstall_TransferInstruction_Withdraw: byValidator(
    choices.WalletAppInstall_TransferInstruction_Withdraw,
    (tx, _install, { cid, extraArgs }) =>
      tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Withdraw, cid, {
        extraArgs,
      }),
  ),

  // Preapprovals and featured rights
  WalletAppInstall_TransferPreapprovalProposal_Create: byValidator(
    choices.WalletAppInstall_TransferPreapprovalProposal_Create,
    (tx, { endUserParty, validatorParty, dsoParty }) => ({
      transferPreapprovalProposalCid: tx.create(transferPreapprovalProposal, {
        receiver: endUserParty,
        provider: validatorParty,
        expectedDso: dsoParty,
      }),
    }),
  ),
  WalletAppInstall_TransferPreapproval_Cancel: byValidator(
    choices.WalletAppInstall_TransferPreapproval_Cancel,
    (tx, { endUserParty }, { cid }) =>
      tx.exercise(transferPreapprovalCancel, cid, { p: endUserParty }),
  ),
  WalletAppInstall_FeaturedAppRights_SelfGrant: byValidator(
    choices.WalletAppInstall_FeaturedAppRights_SelfGrant,
    (tx, { endUserParty }, { coinRulesCid }) =>
      tx.exercise(coinRulesDevNetFeatureApp, coinRulesCid, { provider: endUserParty }),
  ),
  WalletAppInstall_FeaturedAppRights_Cancel: byValidator(
    choices.WalletAppInstall_FeaturedAppRights_Cancel,
    (tx, _install, { cids }) => {
      for (const cid of cids) tx.exercise(featuredAppRightCancel, cid, {})
      return {}
    },
  ),

  // Delegations
  WalletAppInstall_MintingDelegationProposal_Accept: byValidator(
    choices.WalletAppInstall_MintingDelegationProposal_Accept,
    (tx, _install, { cid, existingDelegationCid }) =>
      tx.exercise(mintingDelegationProposalAccept, cid, { existingDelegationCid }),
  ),
  WalletAppInstall_MintingDelegationProposal_Reject: byValidator(
    choices.WalletAppInstall_MintingDelegationProposal_Reject,
    (tx, _install, { cid }) => tx.exercise(mintingDelegationProposalReject, cid, {}),
  ),
  WalletAppInstall_MintingDelegationProposal_Create: byValidator(
    choices.WalletAppInstall_MintingDelegationProposal_Create,
    (tx, { endUserParty, dsoParty }, terms) => ({
      proposalCid: tx.create(mintingDelegationProposal, {
        delegation: { beneficiary: endUserParty, dso: dsoParty, ...terms },
      }),
    }),
  ),
  WalletAppInstall_MintingDelegationProposal_Withdraw: byValidator(
    choices.WalletAppInstall_MintingDelegationProposal_Withdraw,
    (tx, _install, { cid }) => tx.exercise(mintingDelegationProposalWithdraw, cid, {}),
  ),
  WalletAppInstall_MintingDelegation_Reject: byValidator(
    choices.WalletAppInstall_MintingDelegation_Reject,
    (tx, _install, { cid }) => tx.exercise(mintingDelegationReject, cid, {}),
  ),
  WalletAppInstall_MintingDelegation_Withdraw: byValidator(
    choices.WalletAppInstall_MintingDelegation_Withdraw,
    (tx, _install, { cid }) => tx.exercise(mintingDelegationWithdraw, cid, {}),
  ),
  WalletAppInstall_MergeDelegationProposal_Create: byValidator(
    choices.WalletAppInstall_MergeDelegationProposal_Create,
    (tx, { endUserParty }, { operator, meta }) => ({
      proposalCid: tx.create(mergeDelegationProposal, {
        delegation: { operator, owner: endUserParty, meta },
      }),
    }),
  ),
  WalletAppInstall_MergeDelegationProposal_Withdraw: byValidator(
    choices.WalletAppInstall_MergeDelegationProposal_Withdraw,
    (tx, _install, { cid }) => tx.exercise(mergeDelegationProposalWithdraw, cid, {}),
  ),
  WalletAppInstall_MergeDelegation_Withdraw: byValidator(
    choices.WalletAppInstall_MergeDelegation_Withdraw,
    (tx, _install, { cid }) => tx.exercise(mergeDelegationWithdraw, cid, {}),
  ),

  // The development fund
  WalletAppInstall_DevelopmentFundCoupon_Allocate: byValidator(
    choices.WalletAppInstall_DevelopmentFundCoupon_Allocate,
    (tx, { endUserParty }, { coinRulesCid, ...terms }) =>
      tx.exercise(coinRulesAllocateDevelopmentFundCoupon, coinRulesCid, {
        fundManager: endUserParty,
        ...terms,
      }),
  ),
  WalletAppInstall_DevelopmentFundCoupon_Withdraw: byValidator(
    choices.WalletAppInstall_DevelopmentFundCoupon_Withdraw,
    (tx, _install, { cid, reason }) => tx.exercise(developmentFundCouponWithdraw, cid, { reason }),
  ),
  WalletAppInstall_DevelopmentFundCoupon_Reject: byValidator(
    choices.WalletAppInstall_DevelopmentFundCoupon_Reject,
    (tx, _install, { cid, reason }) => tx.exercise(developmentFundCouponReject, cid, { reason }),
  ),
}

/** With its choices. */
export const installTemplates = { WalletAppInstall: bindTemplate(walletAppInstall, installChoices) }

function byValidator<A, R>(
  type: ChoiceType<A, R>,
  run: (tx: Tx, install: WalletAppInstall, argument: A) => R,
): Choice<WalletAppInstall, A, R> {
  return choice(walletAppInstall, type, {
    controllers: (install) => [install.validatorParty],
    run: (tx, { payload }, argument) => run(tx, payload, argument),
  })
}
