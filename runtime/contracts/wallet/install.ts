// A user's wallet on a validator: every choice is the validator's alone, and the user's authority
// comes from the contract, so that no automation needs the user's token. domain/behaviour.md §13
import {
  Allocation,
  AllocationFactory,
  AllocationRequest,
  TransferFactory,
  TransferInstruction,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { choices, defineTemplate } from '../../engine/index.ts'
import type { ChoiceRules, Tx } from '../../engine/template.ts'
import { ansRulesRequestEntry } from '../ans.ts'
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
import { appPaymentRequestExpire, appPaymentRequestReject } from './app-payment.ts'
import {
  buyTrafficRequest,
  buyTrafficRequestCancel,
  buyTrafficRequestExpire,
} from './buy-traffic.ts'
import { executeOperations } from './operations.ts'
import { transferPreapprovalProposal } from './preapproval-proposal.ts'
import {
  subscriptionIdleStateCancelSubscription,
  subscriptionRequestReject,
} from './subscription.ts'
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

/** Its choices, by the names of spec/contracts.yaml. */
export const installChoices = choices(walletAppInstall, {
  /** The treasury's one command: operations in order. See operations.ts. */
  WalletAppInstall_ExecuteBatch: byValidator((tx, install, batch) => ({
    endUserParty: install.endUserParty,
    outcomes: executeOperations(tx, install, batch),
  })),

  // Legacy offers
  WalletAppInstall_CreateTransferOffer: byValidator((tx, { endUserParty, dsoParty }, offer) => ({
    transferOfferCid: tx.create(transferOffer, { sender: endUserParty, dso: dsoParty, ...offer }),
  })),
  WalletAppInstall_TransferOffer_Accept: byValidator((tx, _install, { cid }) =>
    tx.exercise(transferOfferAccept, cid, {}),
  ),
  WalletAppInstall_TransferOffer_Reject: byValidator((tx, _install, { cid }) =>
    tx.exercise(transferOfferReject, cid, {}),
  ),
  WalletAppInstall_TransferOffer_Withdraw: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(transferOfferWithdraw, cid, { reason }),
  ),
  WalletAppInstall_TransferOffer_Expire: byValidator((tx, { endUserParty }, { cid }) =>
    tx.exercise(transferOfferExpire, cid, { actor: endUserParty }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Abort: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(acceptedTransferOfferAbort, cid, { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Withdraw: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(acceptedTransferOfferWithdraw, cid, { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Expire: byValidator((tx, { endUserParty }, { cid }) =>
    tx.exercise(acceptedTransferOfferExpire, cid, { actor: endUserParty }),
  ),

  // Requests for traffic
  WalletAppInstall_CreateBuyTrafficRequest: byValidator(
    (tx, { endUserParty, dsoParty }, request) => ({
      buyTrafficRequestCid: tx.create(buyTrafficRequest, {
        dso: dsoParty,
        endUserParty,
        ...request,
      }),
    }),
  ),
  WalletAppInstall_BuyTrafficRequest_Cancel: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(buyTrafficRequestCancel, cid, { reason }),
  ),
  WalletAppInstall_BuyTrafficRequest_Expire: byValidator((tx, { endUserParty }, { cid }) =>
    tx.exercise(buyTrafficRequestExpire, cid, { actor: endUserParty }),
  ),

  // The token standard
  WalletAppInstall_TransferFactory_Transfer: byValidator(
    (tx, _install, { transferFactoryCid, transferArg }) =>
      tx.exerciseInterface(
        TransferFactory.choices.TransferFactory_Transfer,
        transferFactoryCid,
        transferArg,
      ),
  ),
  WalletAppInstall_TransferInstruction_Accept: byValidator((tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Accept, cid, {
      extraArgs,
    }),
  ),
  WalletAppInstall_TransferInstruction_Reject: byValidator((tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Reject, cid, {
      extraArgs,
    }),
  ),
  WalletAppInstall_TransferInstruction_Withdraw: byValidator((tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(TransferInstruction.choices.TransferInstruction_Withdraw, cid, {
      extraArgs,
    }),
  ),

  WalletAppInstall_AllocationFactory_Allocate: byValidator(
    (tx, _install, { allocationFactoryCid, allocateArg }) =>
      tx.exerciseInterface(
        AllocationFactory.choices.AllocationFactory_Allocate,
        allocationFactoryCid,
        allocateArg,
      ),
  ),
  WalletAppInstall_Allocation_Withdraw: byValidator((tx, _install, { cid, extraArgs }) =>
    tx.exerciseInterface(Allocation.choices.Allocation_Withdraw, cid, { extraArgs }),
  ),
  WalletAppInstall_AllocationRequest_Reject: byValidator(
    (tx, { endUserParty }, { cid, extraArgs }) =>
      tx.exerciseInterface(AllocationRequest.choices.AllocationRequest_Reject, cid, {
        actor: endUserParty,
        extraArgs,
      }),
  ),

  // Payments for apps, subscriptions and names
  WalletAppInstall_AppPaymentRequest_Reject: byValidator((tx, _install, { cid }) =>
    tx.exercise(appPaymentRequestReject, cid, {}),
  ),
  WalletAppInstall_AppPaymentRequest_Expire: byValidator((tx, { endUserParty }, { cid }) =>
    tx.exercise(appPaymentRequestExpire, cid, { actor: endUserParty }),
  ),
  WalletAppInstall_SubscriptionRequest_Reject: byValidator((tx, _install, { cid }) =>
    tx.exercise(subscriptionRequestReject, cid, {}),
  ),
  WalletAppInstall_SubscriptionIdleState_CancelSubscription: byValidator((tx, _install, { cid }) =>
    tx.exercise(subscriptionIdleStateCancelSubscription, cid, {}),
  ),
  WalletAppInstall_AnsRules_RequestEntry: byValidator(
    (tx, { endUserParty: user }, { ansRulesCid, ...entry }) =>
      tx.exercise(ansRulesRequestEntry, ansRulesCid, { user, ...entry }),
  ),

  // Preapprovals and featured rights
  WalletAppInstall_TransferPreapprovalProposal_Create: byValidator(
    (tx, { endUserParty, validatorParty, dsoParty }) => ({
      transferPreapprovalProposalCid: tx.create(transferPreapprovalProposal, {
        receiver: endUserParty,
        provider: validatorParty,
        expectedDso: dsoParty,
      }),
    }),
  ),
  WalletAppInstall_TransferPreapproval_Cancel: byValidator((tx, { endUserParty }, { cid }) =>
    tx.exercise(transferPreapprovalCancel, cid, { p: endUserParty }),
  ),
  WalletAppInstall_FeaturedAppRights_SelfGrant: byValidator(
    (tx, { endUserParty }, { coinRulesCid }) =>
      tx.exercise(coinRulesDevNetFeatureApp, coinRulesCid, { provider: endUserParty }),
  ),
  WalletAppInstall_FeaturedAppRights_Cancel: byValidator((tx, _install, { cids }) => {
    for (const cid of cids) tx.exercise(featuredAppRightCancel, cid, {})
    return {}
  }),

  // Delegations
  WalletAppInstall_MintingDelegationProposal_Accept: byValidator(
    (tx, _install, { cid, existingDelegationCid }) =>
      tx.exercise(mintingDelegationProposalAccept, cid, { existingDelegationCid }),
  ),
  WalletAppInstall_MintingDelegationProposal_Reject: byValidator((tx, _install, { cid }) =>
    tx.exercise(mintingDelegationProposalReject, cid, {}),
  ),
  WalletAppInstall_MintingDelegationProposal_Create: byValidator(
    (tx, { endUserParty, dsoParty }, terms) => ({
      proposalCid: tx.create(mintingDelegationProposal, {
        delegation: { beneficiary: endUserParty, dso: dsoParty, ...terms },
      }),
    }),
  ),
  WalletAppInstall_MintingDelegationProposal_Withdraw: byValidator((tx, _install, { cid }) =>
    tx.exercise(mintingDelegationProposalWithdraw, cid, {}),
  ),
  WalletAppInstall_MintingDelegation_Reject: byValidator((tx, _install, { cid }) =>
    tx.exercise(mintingDelegationReject, cid, {}),
  ),
  WalletAppInstall_MintingDelegation_Withdraw: byValidator((tx, _install, { cid }) =>
    tx.exercise(mintingDelegationWithdraw, cid, {}),
  ),
  WalletAppInstall_MergeDelegationProposal_Create: byValidator(
    (tx, { endUserParty }, { operator, meta }) => ({
      proposalCid: tx.create(mergeDelegationProposal, {
        delegation: { operator, owner: endUserParty, meta },
      }),
    }),
  ),
  WalletAppInstall_MergeDelegationProposal_Withdraw: byValidator((tx, _install, { cid }) =>
    tx.exercise(mergeDelegationProposalWithdraw, cid, {}),
  ),
  WalletAppInstall_MergeDelegation_Withdraw: byValidator((tx, _install, { cid }) =>
    tx.exercise(mergeDelegationWithdraw, cid, {}),
  ),

  // The development fund
  WalletAppInstall_DevelopmentFundCoupon_Allocate: byValidator(
    (tx, { endUserParty }, { coinRulesCid, ...terms }) =>
      tx.exercise(coinRulesAllocateDevelopmentFundCoupon, coinRulesCid, {
        fundManager: endUserParty,
        ...terms,
      }),
  ),
  WalletAppInstall_DevelopmentFundCoupon_Withdraw: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(developmentFundCouponWithdraw, cid, { reason }),
  ),
  WalletAppInstall_DevelopmentFundCoupon_Reject: byValidator((tx, _install, { cid, reason }) =>
    tx.exercise(developmentFundCouponReject, cid, { reason }),
  ),
})

function byValidator<A, R>(
  run: (tx: Tx, install: WalletAppInstall, argument: A) => R,
): ChoiceRules<WalletAppInstall, A, R> {
  return {
    controllers: (install) => [install.validatorParty],
    run: (tx, { payload }, argument) => run(tx, payload, argument),
  }
}
