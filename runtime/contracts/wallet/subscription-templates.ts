// Contracts of a subscription, from the offer to its end: all of them signed by sender, receiver
// and provider. docs/payments.md
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from '../../../generated/contracts.gen.ts'
import type { SubscriptionData, SubscriptionPayData } from '../../../generated/contracts.gen.ts'
import { defineTemplate } from '../../engine/index.ts'
import { isPayable } from './payment-lock.ts'

/** Signatories of everything that belongs to a subscription. */
export function subscribers({ sender, receiver, provider }: SubscriptionData): readonly string[] {
  return [sender, receiver, provider]
}

interface OfSubscription {
  readonly subscriptionData: SubscriptionData
}

/** Rules of everything that belongs to a subscription. */
export const ofSubscription = {
  signatories: ({ subscriptionData }: OfSubscription) => subscribers(subscriptionData),
  issuer: ({ subscriptionData }: OfSubscription) => subscriptionData.dso,
  keys: ({ subscriptionData }: OfSubscription) => subscriptionData,
}

/** A subscription that the user may accept. */
export const subscriptionRequest = defineTemplate(SubscriptionRequest, {
  ...ofSubscription,
  ensure: ({ payData }) => isValid(payData),
})

/** The first payment. Rank: when its lock expires. */
export const subscriptionInitialPayment = defineTemplate(SubscriptionInitialPayment, {
  ...ofSubscription,
  ensure: ({ payData }) => isValid(payData),
  rank: ({ lockExpiresAt }) => lockExpiresAt,
})

/** The same from the first payment to the end. */
export const subscription = defineTemplate(Subscription, ofSubscription)

/** Waits for the next payment. Rank: from when on that can be made. */
export const subscriptionIdleState = defineTemplate(SubscriptionIdleState, {
  ...ofSubscription,
  ensure: ({ payData }) => isValid(payData),
  keys: ({ subscriptionData, subscription: of }) => ({ ...subscriptionData, subscription: of }),
  rank: (state) => payableFrom(state),
})

/** A later payment. Rank: when its lock expires. */
export const subscriptionPayment = defineTemplate(SubscriptionPayment, {
  ...ofSubscription,
  ensure: ({ payData }) => isValid(payData),
  keys: ({ subscriptionData, subscription: of }) => ({ ...subscriptionData, subscription: of }),
  rank: ({ lockExpiresAt }) => lockExpiresAt,
})

/** Says that a subscription has ended, until the app archives it. */
export const terminatedSubscription = defineTemplate(TerminatedSubscription, ofSubscription)

/**
 * When the next payment can be made at the earliest: never more than an interval before it is due,
 * or an app could have the wallet pay for years at once.
 */
export function payableFrom({ nextPaymentDueAt, payData }: SubscriptionIdleState): bigint {
  const { paymentDuration, paymentInterval } = payData
  const ahead = paymentDuration < paymentInterval ? paymentDuration : paymentInterval
  const from = nextPaymentDueAt - ahead
  return from > 0n ? from : 0n
}

/** Amount, interval and duration are above 0. */
function isValid(payData: SubscriptionPayData): boolean {
  const { paymentAmount, paymentInterval, paymentDuration } = payData
  return isPayable(paymentAmount) && paymentInterval > 0n && paymentDuration > 0n
}
