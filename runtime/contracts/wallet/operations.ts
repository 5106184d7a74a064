// The treasury's operations on a wallet's coins, one after the other in one transaction. An
// operation without funds, or that the network rejects, yields an error and leaves the inputs to
// the next; any other fault ends the transaction. docs/economy-rules.md, "Treasury"
import type {
  AcceptTransferPreapprovalProposalOperation,
  BuyMemberTrafficOperation,
  CoinOperation,
  CoinOperationOutcome,
  CompleteAcceptedTransferOperation,
  CompleteBuyTrafficRequestOperation,
  CreateExternalPartySetupProposalOperation,
  InvalidTransferReason,
  MemberTrafficPurchased,
  RenewTransferPreapprovalOperation,
  TapOperation,
  TransferInput,
  TransferPreapprovalSendOperation,
  ValidatorTopUpState,
  WalletAppInstall,
  WalletAppInstall_ExecuteBatch,
} from '../../../generated/contracts.gen.ts'
import type { Tx } from '../../engine/template.ts'
import { coinRulesCreateExternalPartySetupProposal } from '../external-party-setup.ts'
import { preapprovalFee, trafficCost } from '../fees.ts'
import { takeNow } from '../now.ts'
import {
  transferPreapproval,
  transferPreapprovalRenew,
  transferPreapprovalSend,
} from '../preapproval.ts'
import { coinRulesDevNetTap } from '../tap-and-mint.ts'
import { coinRulesBuyMemberTraffic } from '../traffic.ts'
import { inputOf, payBy } from '../transfer.ts'
import { acceptedTransferOffer, acceptedTransferOfferComplete } from './transfer-offer.ts'
import { buyTrafficRequest, buyTrafficRequestComplete, validatorTopUpState } from './buy-traffic.ts'
import { transferPreapprovalProposalAccept } from './preapproval-proposal.ts'
import { WalletInputs } from './wallet-inputs.ts'
import type { Batch, Change } from './wallet-inputs.ts'
import {
  acceptSubscription,
  makeAppPayment,
  makeSubscriptionPayment,
} from './payment-operations.ts'
import { requireParty, timeText } from '../requirements.ts'

/** Traffic that is to be bought. */
type Wish = Pick<BuyMemberTrafficOperation, 'synchronizerId' | 'trafficAmount'>

/**
 * Outcomes in the order of the operations. Aborts where one fails in a way that could not be seen
 * before.
 */
export function executeOperations(
  tx: Tx,
  install: WalletAppInstall,
  { context, inputs, operations }: WalletAppInstall_ExecuteBatch,
): readonly CoinOperationOutcome[] {
  const unfeatured = { ...context, context: { ...context.context, featuredAppRight: null } }
  const walletInputs = new WalletInputs(tx, install, unfeatured, inputs)
  const batch = { tx, install, context: unfeatured, walletInputs }
  return operations.map((operation) => execute(batch, operation))
}

function execute(batch: Batch, operation: CoinOperation): CoinOperationOutcome {
  switch (operation.tag) {
    case 'CO_MergeTransferInputs':
      return mergeInputs(batch)
    case 'CO_CompleteAcceptedTransfer':
      return completeTransfer(batch, operation.value)
    case 'CO_CompleteBuyTrafficRequest':
      return completeTrafficRequest(batch, operation.value)
    case 'CO_BuyMemberTraffic':
      return buyTraffic(batch, operation.value)
    case 'CO_Tap':
      return tap(batch, operation.value)
    case 'CO_CreateExternalPartySetupProposal':
      return proposeSetup(batch, operation.value)
    case 'CO_AcceptTransferPreapprovalProposal':
      return acceptProposal(batch, operation.value)
    case 'CO_RenewTransferPreapproval':
      return renewPreapproval(batch, operation.value)
    case 'CO_TransferPreapprovalSend':
      return send(batch, operation.value)
    case 'CO_AppPayment':
      return makeAppPayment(batch, operation.value)
    case 'CO_SubscriptionAcceptAndMakeInitialPayment':
      return acceptSubscription(batch, operation.value)
    case 'CO_SubscriptionMakePayment':
      return makeSubscriptionPayment(batch, operation.value)
  }
}

/** A lone coin is merged already. */
function mergeInputs({ tx, install, context, walletInputs }: Batch): CoinOperationOutcome {
  const { inputs } = walletInputs
  const [first] = inputs
  const isMerged = first === undefined || (inputs.length === 1 && first.tag === 'InputCoin')
  if (isMerged) return { tag: 'COO_MergeTransferInputs', value: { coin: null } }
  const { endUserParty: party, dsoParty } = install
  const transfer = { sender: party, provider: party, inputs, outputs: [] }
  const result = payBy(tx, context, dsoParty, transfer)
  walletInputs.spend(result)
  return { tag: 'COO_MergeTransferInputs', value: { coin: result.senderChangeCoin } }
}

function completeTransfer(
  batch: Batch,
  { acceptedTransferOfferCid }: CompleteAcceptedTransferOperation,
): CoinOperationOutcome {
  const { tx, install, context, walletInputs } = batch
  const { amount } = tx.fetch(acceptedTransferOffer, acceptedTransferOfferCid)
  const rejection = walletInputs.shortOf(walletInputs.inCoin(amount))
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const argument = { inputs: walletInputs.inputs, context, walletProvider: install.validatorParty }
  const completed = tx.exercise(acceptedTransferOfferComplete, acceptedTransferOfferCid, argument)
  walletInputs.spend(completed.transferResult)
  return { tag: 'COO_CompleteAcceptedTransfer', value: completed }
}

function completeTrafficRequest(
  batch: Batch,
  { trafficRequestCid }: CompleteBuyTrafficRequestOperation,
): CoinOperationOutcome {
  const { tx, install, context, walletInputs } = batch
  const request = tx.fetch(buyTrafficRequest, trafficRequestCid)
  const rejection =
    trafficRejection(walletInputs, request) ??
    walletInputs.shortOf(trafficCoin(walletInputs, request.trafficAmount))
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const argument = { inputs: walletInputs.inputs, context, walletProvider: install.validatorParty }
  const completed = tx.exercise(buyTrafficRequestComplete, trafficRequestCid, argument)
  spendPrice(walletInputs, completed.purchase.coinPaid, completed.purchase)
  return { tag: 'COO_CompleteBuyTrafficRequest', value: completed }
}

/**
 * On a development network the cost is tapped, and the wallet's coins stay as they are.
 * docs/economy-rules.md, "Traffic"
 */
function buyTraffic(batch: Batch, operation: BuyMemberTrafficOperation): CoinOperationOutcome {
  const { walletInputs } = batch
  const { isDevNet } = walletInputs.quote
  const cost = trafficCoin(walletInputs, operation.trafficAmount)
  const rejection =
    trafficRejection(walletInputs, operation) ?? (isDevNet ? undefined : walletInputs.shortOf(cost))
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const isTapped = isDevNet && cost > 0n
  const inputs = isTapped ? [inputOf(tapCoin(batch, cost))] : walletInputs.inputs
  const purchase = purchaseTraffic(batch, operation, inputs)
  if (!isTapped) spendPrice(walletInputs, cost, purchase)
  return {
    tag: 'COO_BuyMemberTraffic',
    value: { purchase, topupStateCid: renewTopUpState(batch, operation) },
  }
}

function purchaseTraffic(
  { tx, install, context }: Batch,
  operation: BuyMemberTrafficOperation,
  inputs: readonly TransferInput[],
): MemberTrafficPurchased {
  const { trafficAmount, memberId, synchronizerId, migrationId } = operation
  return tx.exercise(coinRulesBuyMemberTraffic, context.coinRules, {
    inputs,
    context: context.context,
    provider: install.endUserParty,
    memberId,
    synchronizerId,
    migrationId,
    trafficAmount,
    expectedDso: install.dsoParty,
  })
}

/** Consumes the state, so that of two top-ups at once only one succeeds. */
function renewTopUpState({ tx, install }: Batch, operation: BuyMemberTrafficOperation): string {
  const { topupStateCid, now } = operation
  const state = tx.fetch(validatorTopUpState, topupStateCid)
  requireDue(tx, install, state, operation)
  takeNow(tx, now)
  tx.archive(validatorTopUpState, topupStateCid)
  return tx.create(validatorTopUpState, { ...state, lastPurchasedAt: now })
}

function requireDue(
  tx: Tx,
  { validatorParty, dsoParty }: WalletAppInstall,
  state: ValidatorTopUpState,
  operation: BuyMemberTrafficOperation,
): void {
  const { memberId, synchronizerId, migrationId, minTopupInterval, now } = operation
  requireParty(tx, 'the validator of the top-up state', state.validator, validatorParty)
  requireParty(tx, 'the network party of the top-up state', state.dso, dsoParty)
  requireParty(tx, 'the member of the top-up state', state.memberId, memberId)
  requireParty(tx, 'the synchronizer of the top-up state', state.synchronizerId, synchronizerId)
  tx.require(
    state.migrationId === migrationId,
    `the migration of the top-up state is ${migrationId}`,
    () => `${state.migrationId}`,
  )
  const dueAt = state.lastPurchasedAt + minTopupInterval
  tx.require(dueAt <= now, `no top-up is due before ${timeText(dueAt)}`, () => timeText(now))
}

function tap(batch: Batch, { tapAmount }: TapOperation): CoinOperationOutcome {
  const coin = tapCoin(batch, tapAmount)
  batch.walletInputs.receive(coin, tapAmount)
  return { tag: 'COO_Tap', value: { coin } }
}

function tapCoin({ tx, install, context }: Batch, amount: bigint): string {
  const openRoundCid = context.context.openMiningRound
  const argument = { receiver: install.endUserParty, amount, openRoundCid }
  return tx.exercise(coinRulesDevNetTap, context.coinRules, argument).coinSum.coin
}

function proposeSetup(
  batch: Batch,
  operation: CreateExternalPartySetupProposalOperation,
): CoinOperationOutcome {
  const { install, context, walletInputs } = batch
  const tx: Tx = batch.tx
  const { externalParty: user, preapprovalExpiresAt, now: createdAt } = operation
  requireParty(tx, 'the wallet that offers to host', install.endUserParty, install.validatorParty)
  const rejection = preapprovalRejection(walletInputs, preapprovalExpiresAt - createdAt)
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const bought = tx.exercise(coinRulesCreateExternalPartySetupProposal, context.coinRules, {
    user,
    validator: install.validatorParty,
    context: context.context,
    inputs: walletInputs.inputs,
    createdAt,
    preapprovalExpiresAt,
    expectedDso: install.dsoParty,
  })
  spendPrice(walletInputs, bought.coinPaid, bought.transferResult)
  return { tag: 'COO_CreateExternalPartySetupProposal', value: bought }
}

function acceptProposal(
  batch: Batch,
  operation: AcceptTransferPreapprovalProposalOperation,
): CoinOperationOutcome {
  const { tx, context, walletInputs } = batch
  const { preapprovalProposalCid, expiresAt, now: createdAt } = operation
  const rejection = preapprovalRejection(walletInputs, expiresAt - createdAt)
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const argument = { context, inputs: walletInputs.inputs, createdAt, expiresAt }
  const bought = tx.exercise(transferPreapprovalProposalAccept, preapprovalProposalCid, argument)
  spendPrice(walletInputs, bought.coinPaid, bought.transferResult)
  return { tag: 'COO_AcceptTransferPreapprovalProposal', value: bought }
}

function renewPreapproval(
  batch: Batch,
  { previousApprovalCid, newExpiresAt }: RenewTransferPreapprovalOperation,
): CoinOperationOutcome {
  const { tx, context, walletInputs } = batch
  const { expiresAt } = tx.fetch(transferPreapproval, previousApprovalCid)
  const rejection = preapprovalRejection(walletInputs, newExpiresAt - expiresAt)
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const argument = { context, inputs: walletInputs.inputs, newExpiresAt }
  const bought = tx.exercise(transferPreapprovalRenew, previousApprovalCid, argument)
  spendPrice(walletInputs, bought.coinPaid, bought.transferResult)
  return { tag: 'COO_RenewTransferPreapproval', value: bought }
}

function send(batch: Batch, operation: TransferPreapprovalSendOperation): CoinOperationOutcome {
  const { tx, install, context, walletInputs } = batch
  const {
    transferPreapprovalCid,
    providerFeaturedAppRightCid: featuredAppRight,
    amount,
    description,
  } = operation
  const rejection = walletInputs.shortOf(amount)
  if (rejection !== undefined) return { tag: 'COO_Error', value: rejection }
  const sent = tx.exercise(transferPreapprovalSend, transferPreapprovalCid, {
    context: { ...context, context: { ...context.context, featuredAppRight } },
    inputs: walletInputs.inputs,
    amount,
    sender: install.endUserParty,
    description,
    meta: null,
  })
  walletInputs.spend(sent.result)
  return { tag: 'COO_TransferPreapprovalSend', value: sent }
}

/** Spends a price; at 0 the inputs stay as they are. */
function spendPrice(walletInputs: WalletInputs, coinPaid: bigint, change: Change): void {
  if (coinPaid > 0n) walletInputs.spend(change)
}

function preapprovalRejection(
  walletInputs: WalletInputs,
  durationMicros: bigint,
): InvalidTransferReason | undefined {
  const { config, round } = walletInputs.quote
  return walletInputs.shortOf(preapprovalFee(durationMicros, config, round.conversionRate))
}

function trafficRejection(
  { quote }: WalletInputs,
  { synchronizerId, trafficAmount }: Wish,
): InvalidTransferReason | undefined {
  const {
    requiredSynchronizers,
    fees: { minTopupAmount },
  } = quote.config.decentralizedSynchronizer
  const isKnown = requiredSynchronizers.includes(synchronizerId)
  if (!isKnown) return { tag: 'ITR_UnknownSynchronizer', value: { synchronizerId } }
  if (trafficAmount >= minTopupAmount) return undefined
  return {
    tag: 'ITR_InsufficientTopupAmount',
    value: { requestedTopupAmount: trafficAmount, minTopupAmount },
  }
}

function trafficCoin({ quote: { round, config } }: WalletInputs, bytes: bigint): bigint {
  const price = round.trafficPrice ?? config.decentralizedSynchronizer.fees.extraTrafficPrice
  return trafficCost(bytes, price, round.conversionRate).coin
}
