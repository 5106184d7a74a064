// Operations of a batch that lock coin for an app or a subscription. docs/payments.md
import type {
  AppPaymentOperation,
  CoinOperationOutcome,
  PaymentAmount,
  SubscriptionAcceptOperation,
  SubscriptionPaymentOperation,
} from '../../../generated/contracts.gen.ts'
import { sum } from '../../engine/decimal.ts'
import { appPaymentRequest, appPaymentRequestAccept } from './app-payment.ts'
import {
  subscriptionIdleStateMakePayment,
  subscriptionRequestAcceptAndMakePayment,
} from './subscription.ts'
import { subscriptionIdleState, subscriptionRequest } from './subscription-templates.ts'
import type { Means } from './payment-lock.ts'
import type { Batch } from './wallet-inputs.ts'

/** Accepts an app's request. */
export function makeAppPayment(
  batch: Batch,
  { appPaymentRequestCid, now }: AppPaymentOperation,
): CoinOperationOutcome {
  const { tx, walletInputs } = batch
  const { receiverAmounts } = tx.fetch(appPaymentRequest, appPaymentRequestCid)
  const short = shortOf(
    batch,
    receiverAmounts.map(({ amount }) => amount),
  )
  if (short !== undefined) return short
  const accepted = tx.exercise(appPaymentRequestAccept, appPaymentRequestCid, meansOf(batch, now))
  walletInputs.spendInto(accepted.senderChangeCoin)
  return { tag: 'COO_AcceptedAppPayment', value: accepted }
}

/** Accepts a subscription with its first payment. */
export function acceptSubscription(
  batch: Batch,
  { subscriptionRequestCid, now }: SubscriptionAcceptOperation,
): CoinOperationOutcome {
  const { tx, walletInputs } = batch
  const { payData } = tx.fetch(subscriptionRequest, subscriptionRequestCid)
  const short = shortOf(batch, [payData.paymentAmount])
  if (short !== undefined) return short
  const paid = tx.exercise(
    subscriptionRequestAcceptAndMakePayment,
    subscriptionRequestCid,
    meansOf(batch, now),
  )
  walletInputs.spendInto(paid.senderChange)
  return { tag: 'COO_SubscriptionInitialPayment', value: paid }
}

/** Makes the next payment of a subscription. */
export function makeSubscriptionPayment(
  batch: Batch,
  { subscriptionStateCid, now }: SubscriptionPaymentOperation,
): CoinOperationOutcome {
  const { tx, walletInputs } = batch
  const { payData } = tx.fetch(subscriptionIdleState, subscriptionStateCid)
  const short = shortOf(batch, [payData.paymentAmount])
  if (short !== undefined) return short
  const paid = tx.exercise(
    subscriptionIdleStateMakePayment,
    subscriptionStateCid,
    meansOf(batch, now),
  )
  walletInputs.spendInto(paid.senderChange)
  return { tag: 'COO_SubscriptionPayment', value: paid }
}

function shortOf(
  { walletInputs }: Batch,
  amounts: readonly PaymentAmount[],
): CoinOperationOutcome | undefined {
  const cost = sum(amounts.map((amount) => walletInputs.inCoin(amount)))
  const value = walletInputs.shortOf(cost)
  return value && { tag: 'COO_Error', value }
}

function meansOf({ install, context, walletInputs: { inputs } }: Batch, now: bigint): Means {
  return { inputs, context, walletProvider: install.validatorParty, now }
}
