// A user's wallet on a validator: every choice is the validator's alone, and the user's authority
// comes from the contract, so that no automation needs the user's token.
import {
  Allocation,
  AllocationFactory,
  AllocationRequest,
  TransferFactory,
  TransferInstruction,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { choices, defineTemplate } from '../../engine/index.ts'
import type { Choice, ChoiceRules, ChoiceType, Tx } from '../../engine/template.ts'
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
})

/** Its choices, by the names of spec/contracts.yaml. */
export const installChoices = choices(walletAppInstall, {
  /** The treasury's one command: operations in order. See operations.ts. */
  WalletAppInstall_ExecuteBatch: byValidator((tx, install, batch) => ({
    endUserParty: install.endUserParty,
    outcomes: executeOperations(tx, install, batch),
    endUserName: install.endUserName,
    optEndUserParty: install.endUserParty,
  })),

  // Legacy offers
  WalletAppInstall_CreateTransferOffer: byValidator((tx, { endUserParty, dsoParty }, offer) => ({
    transferOfferCid: tx.create(transferOffer, { sender: endUserParty, dso: dsoParty, ...offer }),
  })),
  WalletAppInstall_TransferOffer_Accept: forwards(transferOfferAccept),
  WalletAppInstall_TransferOffer_Reject: forwards(transferOfferReject),
  WalletAppInstall_TransferOffer_Withdraw: forwards(transferOfferWithdraw),
  WalletAppInstall_TransferOffer_Expire: asActor(transferOfferExpire),
  WalletAppInstall_AcceptedTransferOffer_Abort: forwards(acceptedTransferOfferAbort),
  WalletAppInstall_AcceptedTransferOffer_Withdraw: forwards(acceptedTransferOfferWithdraw),
  WalletAppInstall_AcceptedTransferOffer_Expire: asActor(acceptedTransferOfferExpire),

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
  WalletAppInstall_BuyTrafficRequest_Cancel: forwards(buyTrafficRequestCancel),
  WalletAppInstall_BuyTrafficRequest_Expire: asActor(buyTrafficRequestExpire),

  // The token standard
  WalletAppInstall_TransferFactory_Transfer: byValidator(
    (tx, _install, { transferFactoryCid, transferArg }) =>
      tx.exerciseInterface(
        TransferFactory.choices.TransferFactory_Transfer,
        transferFactoryCid,
        transferArg,
      ),
  ),
  WalletAppInstall_TransferInstruction_Accept: forwardsToInterface(
    TransferInstruction.choices.TransferInstruction_Accept,
  ),
  WalletAppInstall_TransferInstruction_Reject: forwardsToInterface(
    TransferInstruction.choices.TransferInstruction_Reject,
  ),
  WalletAppInstall_TransferInstruction_Withdraw: forwardsToInterface(
    TransferInstruction.choices.TransferInstruction_Withdraw,
  ),

  WalletAppInstall_AllocationFactory_Allocate: byValidator(
    (tx, _install, { allocationFactoryCid, allocateArg }) =>
      tx.exerciseInterface(
        AllocationFactory.choices.AllocationFactory_Allocate,
        allocationFactoryCid,
        allocateArg,
      ),
  ),
  WalletAppInstall_Allocation_Withdraw: forwardsToInterface(Allocation.choices.Allocation_Withdraw),
  WalletAppInstall_AllocationRequest_Reject: byValidator(
    (tx, { endUserParty }, { cid, extraArgs }) =>
      tx.exerciseInterface(AllocationRequest.choices.AllocationRequest_Reject, cid, {
        actor: endUserParty,
        extraArgs,
      }),
  ),

  // Payments for apps, subscriptions and names
  WalletAppInstall_AppPaymentRequest_Reject: forwards(appPaymentRequestReject),
  WalletAppInstall_AppPaymentRequest_Expire: asActor(appPaymentRequestExpire),
  WalletAppInstall_SubscriptionRequest_Reject: forwards(subscriptionRequestReject),
  WalletAppInstall_SubscriptionIdleState_CancelSubscription: forwards(
    subscriptionIdleStateCancelSubscription,
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
  WalletAppInstall_MintingDelegationProposal_Accept: forwards(mintingDelegationProposalAccept),
  WalletAppInstall_MintingDelegationProposal_Reject: forwards(mintingDelegationProposalReject),
  WalletAppInstall_MintingDelegationProposal_Create: byValidator(
    (tx, { endUserParty, dsoParty }, terms) => ({
      proposalCid: tx.create(mintingDelegationProposal, {
        delegation: { beneficiary: endUserParty, dso: dsoParty, ...terms },
      }),
    }),
  ),
  WalletAppInstall_MintingDelegationProposal_Withdraw: forwards(mintingDelegationProposalWithdraw),
  WalletAppInstall_MintingDelegation_Reject: forwards(mintingDelegationReject),
  WalletAppInstall_MintingDelegation_Withdraw: forwards(mintingDelegationWithdraw),
  WalletAppInstall_MergeDelegationProposal_Create: byValidator(
    (tx, { endUserParty }, { operator, meta }) => ({
      proposalCid: tx.create(mergeDelegationProposal, {
        delegation: { operator, owner: endUserParty, meta },
      }),
    }),
  ),
  WalletAppInstall_MergeDelegationProposal_Withdraw: forwards(mergeDelegationProposalWithdraw),
  WalletAppInstall_MergeDelegation_Withdraw: forwards(mergeDelegationWithdraw),

  // The development fund
  WalletAppInstall_DevelopmentFundCoupon_Allocate: byValidator(
    (tx, { endUserParty }, { coinRulesCid, ...terms }) =>
      tx.exercise(coinRulesAllocateDevelopmentFundCoupon, coinRulesCid, {
        fundManager: endUserParty,
        ...terms,
      }),
  ),
  WalletAppInstall_DevelopmentFundCoupon_Withdraw: forwards(developmentFundCouponWithdraw),
  WalletAppInstall_DevelopmentFundCoupon_Reject: forwards(developmentFundCouponReject),
})

/** A contract, and what else the choice on it takes. */
interface Target {
  readonly cid: string
}

/** The same choice on the contract that is named. */
function forwards<T, A, R>(to: Choice<T, A, R>): ChoiceRules<WalletAppInstall, A & Target, R>
function forwards(
  to: Choice<unknown, object, unknown>,
): ChoiceRules<WalletAppInstall, Target, unknown> {
  return byValidator((tx, _install, { cid, ...argument }) => tx.exercise(to, cid, argument))
}

function forwardsToInterface<A, R>(
  to: ChoiceType<A, R>,
): ChoiceRules<WalletAppInstall, A & Target, R>
function forwardsToInterface(
  to: ChoiceType<object, unknown>,
): ChoiceRules<WalletAppInstall, Target, unknown> {
  return byValidator((tx, _install, { cid, ...argument }) =>
    tx.exerciseInterface(to, cid, argument),
  )
}

/** A choice of one of several parties, here of the user. */
function asActor<T, R>(
  to: Choice<T, { readonly actor: string }, R>,
): ChoiceRules<WalletAppInstall, Target, R> {
  return byValidator((tx, { endUserParty: actor }, { cid }) => tx.exercise(to, cid, { actor }))
}

function byValidator<A, R>(
  run: (tx: Tx, install: WalletAppInstall, argument: A) => R,
): ChoiceRules<WalletAppInstall, A, R> {
  return {
    controllers: (install) => [install.validatorParty],
    run: (tx, { payload }, argument) => run(tx, payload, argument),
  }
}
