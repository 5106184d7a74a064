// What becomes of an offered subscription and of one that waits for its next payment.
// docs/payments.md
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionRequest,
} from '../../../generated/contracts.gen.ts'
import type {
  SubscriptionData,
  SubscriptionPayData,
  SubscriptionTerminated,
  TerminatedSubscription,
} from '../../../generated/contracts.gen.ts'
import { choice } from '../../engine/index.ts'
import type { Self, Tx } from '../../engine/template.ts'
import { byActor, requireActor } from '../requirements.ts'
import { lockPayment } from './payment-lock.ts'
import type { Means } from './payment-lock.ts'
import {
  payableFrom,
  ofSubscription,
  subscribers,
  subscription,
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionPayment,
  subscriptionRequest,
  terminatedSubscription,
} from './subscription-templates.ts'

const PURPOSE = 'subscription payment'

/** The sender and its wallet provider: the first payment is locked for the receiver. */
export const subscriptionRequestAcceptAndMakePayment = choice(
  subscriptionRequest,
  SubscriptionRequest.choices.SubscriptionRequest_AcceptAndMakePayment,
  {
    controllers: ({ subscriptionData: { sender } }, { walletProvider }) => [sender, walletProvider],
    run: (tx, { id: reference, payload }, means) => {
      const { senderChange, ...locked } = lockNext(tx, payload, means)
      const payment = { ...payload, ...locked, reference }
      return { subscriptionPayment: tx.create(subscriptionInitialPayment, payment), senderChange }
    },
  },
)

/** The receiver offers it no longer. */
export const subscriptionRequestWithdraw = choice(
  subscriptionRequest,
  SubscriptionRequest.choices.SubscriptionRequest_Withdraw,
  { controllers: ({ subscriptionData }) => [subscriptionData.receiver], run: terminateRequest },
)

/** The sender does not want it. */
export const subscriptionRequestReject = choice(
  subscriptionRequest,
  SubscriptionRequest.choices.SubscriptionRequest_Reject,
  { controllers: ({ subscriptionData }) => [subscriptionData.sender], run: terminateRequest },
)

/** All who signed; its state has to go with it. */
export const subscriptionArchive = choice(subscription, Subscription.choices.Subscription_Archive, {
  controllers: ofSubscription.signatories,

  run: (tx, { payload }) => terminate(tx, payload),
})

/** The sender and its wallet provider, from `paymentDuration` before the payment is due on. */
export const subscriptionIdleStateMakePayment = choice(
  subscriptionIdleState,
  SubscriptionIdleState.choices.SubscriptionIdleState_MakePayment,
  {
    controllers: ({ subscriptionData: { sender } }, { walletProvider }) => [sender, walletProvider],
    run: (tx: Tx, { payload }, means) => {
      tx.notBefore(payableFrom(payload))
      const { nextPaymentDueAt: thisPaymentDueAt, ...state } = payload
      const { reference } = tx.fetch(subscription, state.subscription)
      tx.require(
        reference === state.reference,
        `the subscription is of the request ${state.reference}`,
        () => reference,
      )
      const { senderChange, ...locked } = lockNext(tx, payload, means)
      const payment = { ...state, ...locked, thisPaymentDueAt }
      return { subscriptionPayment: tx.create(subscriptionPayment, payment), senderChange }
    },
  },
)

/** Expires a subscription whose payment is overdue; by each signatory. */
export const subscriptionIdleStateExpireSubscription = choice(
  subscriptionIdleState,
  SubscriptionIdleState.choices.SubscriptionIdleState_ExpireSubscription,
  {
    controllers: byActor,
    run: (tx: Tx, { payload }, { actor }) => {
      requireActor(tx, actor, subscribers(payload.subscriptionData))
      tx.notBefore(payload.nextPaymentDueAt)
      return tx.exercise(subscriptionArchive, payload.subscription, {})
    },
  },
)

/** The sender, unless a payment is on its way. */
export const subscriptionIdleStateCancelSubscription = choice(
  subscriptionIdleState,
  SubscriptionIdleState.choices.SubscriptionIdleState_CancelSubscription,
  {
    controllers: ({ subscriptionData }) => [subscriptionData.sender],
    run: (tx, { payload }) => tx.exercise(subscriptionArchive, payload.subscription, {}),
  },
)

interface Terms {
  readonly subscriptionData: SubscriptionData
  readonly payData: SubscriptionPayData
}

function lockNext(tx: Tx, { subscriptionData, payData }: Terms, means: Means) {
  const { dso, sender, receiver, provider } = subscriptionData
  const amounts = [{ receiver, amount: payData.paymentAmount }]
  const wish = { dso, sender, provider, amounts, purpose: PURPOSE }
  const { coinAmounts, senderChangeCoin, ...locked } = lockPayment(tx, wish, means)
  const [only] = coinAmounts
  tx.require(only !== undefined, 'the payment has an amount', () => 'none')
  return { ...locked, targetAmount: only.coinAmount, senderChange: senderChangeCoin }
}

function terminateRequest(
  tx: Tx,
  { id: reference, payload: { subscriptionData } }: Self<SubscriptionRequest>,
): SubscriptionTerminated {
  return terminate(tx, { subscriptionData, reference })
}

function terminate(
  tx: Tx,
  { subscriptionData, reference }: TerminatedSubscription,
): SubscriptionTerminated {
  const ended = { subscriptionData, reference }
  return { terminatedSubscription: tx.create(terminatedSubscription, ended) }
}
