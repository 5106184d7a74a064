// Payments of subscriptions that are locked: collected, rejected or expired. docs/payments.md
import {
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from '../../../generated/contracts.gen.ts'
import type { AppTransferContext } from '../../../generated/contracts.gen.ts'
import { choice } from '../../engine/index.ts'
import type { Tx } from '../../engine/template.ts'
import { takeNow } from '../now.ts'
import { coinRulesQuote } from '../quote.ts'
import { byActor, requireActor, timeText } from '../requirements.ts'
import { expirePayment, giveBack, payOut, transferContextOf } from './payment-lock.ts'
import {
  ofSubscription,
  subscribers,
  subscription,
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionPayment,
  terminatedSubscription,
} from './subscription-templates.ts'

/** Sender, receiver and provider: the subscription begins. */
export const subscriptionInitialPaymentCollect = choice(
  subscriptionInitialPayment,
  SubscriptionInitialPayment.choices.SubscriptionInitialPayment_Collect,
  {
    controllers: ofSubscription.signatories,

    run: (tx, { payload }, { transferContext, now }) => {
      const { subscriptionData, payData, reference } = payload
      const from = paidAt(tx, payload, transferContext, now)
      const begun = tx.create(subscription, { subscriptionData, reference })
      const subscriptionState = tx.create(subscriptionIdleState, {
        subscription: begun,
        subscriptionData,
        payData,
        nextPaymentDueAt: from + payData.paymentInterval,
        reference,
      })
      const coin = collect(tx, payload, transferContext)
      return { subscription: begun, subscriptionState, coin }
    },
  },
)

/** The receiver wants no such subscription: the sender gets the coin back. */
export const subscriptionInitialPaymentReject = choice(
  subscriptionInitialPayment,
  SubscriptionInitialPayment.choices.SubscriptionInitialPayment_Reject,
  {
    controllers: ({ subscriptionData }) => [subscriptionData.receiver],
    run: (tx, { payload }) => {
      terminate(tx, payload)
      return { coin: giveBack(tx, payload.lockedCoin) }
    },
  },
)

/** Expires a payment that nobody collected, once the lock has expired; by each signatory. */
export const subscriptionInitialPaymentExpire = choice(
  subscriptionInitialPayment,
  SubscriptionInitialPayment.choices.SubscriptionInitialPayment_Expire,
  {
    controllers: byActor,
    run: (tx: Tx, { payload }, { actor, expireLock }) => {
      requireActor(tx, actor, subscribers(payload.subscriptionData))
      terminate(tx, payload)
      return { coin: expirePayment(tx, payload, expireLock) }
    },
  },
)

/** Sender, receiver and provider: the next payment is due an interval after this one was. */
export const subscriptionPaymentCollect = choice(
  subscriptionPayment,
  SubscriptionPayment.choices.SubscriptionPayment_Collect,
  {
    controllers: ofSubscription.signatories,

    run: (tx, { payload }, { transferContext }) => {
      const dueAt = payload.thisPaymentDueAt + payload.payData.paymentInterval
      const subscriptionState = waitUntil(tx, payload, dueAt)
      return { subscriptionState, coin: collect(tx, payload, transferContext) }
    },
  },
)

/** The receiver does not take this payment: the subscription waits for it as before. */
export const subscriptionPaymentReject = choice(
  subscriptionPayment,
  SubscriptionPayment.choices.SubscriptionPayment_Reject,
  {
    controllers: ({ subscriptionData }) => [subscriptionData.receiver],
    run: (tx, { payload }) => ({
      subscriptionState: waitUntil(tx, payload, payload.thisPaymentDueAt),
      coin: giveBack(tx, payload.lockedCoin),
    }),
  },
)

/** Expires a payment that nobody collected, once the lock has expired; by each signatory. */
export const subscriptionPaymentExpire = choice(
  subscriptionPayment,
  SubscriptionPayment.choices.SubscriptionPayment_Expire,
  {
    controllers: byActor,
    run: (tx: Tx, { payload }, { actor, expireLock }) => {
      requireActor(tx, actor, subscribers(payload.subscriptionData))
      return {
        subscriptionState: waitUntil(tx, payload, payload.thisPaymentDueAt),
        coin: expirePayment(tx, payload, expireLock),
      }
    },
  },
)

type Locked = Pick<SubscriptionPayment, 'subscriptionData' | 'lockedCoin' | 'targetAmount'>

/** Answers the receiver's coin. */
function collect(
  tx: Tx,
  { subscriptionData, lockedCoin, targetAmount: coinAmount }: Locked,
  context: AppTransferContext,
): string {
  const { dso, sender, receiver, provider } = subscriptionData
  const coinAmounts = [{ receiver, coinAmount }]
  const [coin] = payOut(tx, { dso, sender, provider, lockedCoin, coinAmounts }, context)
  tx.require(coin !== undefined, 'the transfer creates one coin', () => 'none')
  return coin
}

/**
 * The time of collection; where the argument does not say it, when the round had opened. It is not
 * before that either: an app that said so would be paid for a time before the subscription.
 */
function paidAt(
  tx: Tx,
  { subscriptionData: { dso, sender } }: SubscriptionInitialPayment,
  context: AppTransferContext,
  now: bigint | null,
): bigint {
  const { opensAt } = tx.exercise(coinRulesQuote, context.coinRules, {
    payer: sender,
    inputs: [],
    context: transferContextOf(context),
    expectedDso: dso,
  }).round
  if (now === null) return opensAt
  takeNow(tx, now)
  tx.require(now >= opensAt, `now is not before ${timeText(opensAt)}`, () => timeText(now))
  return now
}

function waitUntil(tx: Tx, payment: SubscriptionPayment, nextPaymentDueAt: bigint): string {
  const { subscription: of, subscriptionData, payData, reference } = payment
  return tx.create(subscriptionIdleState, {
    subscription: of,
    subscriptionData,
    payData,
    nextPaymentDueAt,
    reference,
  })
}

function terminate(
  tx: Tx,
  {
    subscriptionData,
    reference,
  }: Pick<SubscriptionInitialPayment, 'subscriptionData' | 'reference'>,
): void {
  tx.create(terminatedSubscription, { subscriptionData, reference })
}
