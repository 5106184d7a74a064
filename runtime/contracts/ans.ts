// The name service: its rules, what a subscription to a name pays for, and names that belong to
// parties until they expire. spec/contracts.yaml; docs/payments.md
import { AnsEntry, AnsEntryContext, AnsRules } from '../../generated/contracts.gen.ts'
import type { SubscriptionData } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coin } from './coin.ts'
import { byActor, requireActor, requireParty, timeText } from './requirements.ts'
import {
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionPayment,
  subscriptionRequest,
  terminatedSubscription,
} from './wallet/subscription-templates.ts'
import {
  subscriptionInitialPaymentCollect,
  subscriptionInitialPaymentReject,
  subscriptionPaymentCollect,
} from './wallet/subscription-payment.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

/** The rules of the name service. */
export const ansRules = defineTemplate(AnsRules, ofNetwork)

/** The name that a subscription pays for, from the request to the end of the subscription. */
export const ansEntryContext = defineTemplate(AnsEntryContext, {
  ...ofNetwork,
  signatories: (context) => [context.dso, context.user],
})

/** A name of a party. Rank: when it expires. */
export const ansEntry = defineTemplate(AnsEntry, {
  ...ofNetwork,
  signatories: (entry) => [entry.dso, entry.user],
  rank: (entry) => entry.expiresAt,
})

/** The user asks for a name: a subscription request, for the user's wallet to accept. */
export const ansRulesRequestEntry = choice(ansRules, AnsRules.choices.AnsRules_RequestEntry, {
  controllers: (_rules, { user }) => [user],
  run: (tx, { payload: { dso, config } }, { name, url, description, user }) => {
    const requestCid = tx.create(subscriptionRequest, {
      subscriptionData: {
        sender: user,
        receiver: dso,
        provider: dso,
        dso,
        description: `${config.descriptionPrefix.trimEnd()} ${JSON.stringify(name)}`,
      },
      payData: {
        paymentAmount: { amount: config.entryFee, unit: 'USDUnit' },
        paymentInterval: config.entryLifetime,
        paymentDuration: config.renewalDuration,
      },
    })
    const context = { dso, user, name, url, description, reference: requestCid }
    return { entryCid: tx.create(ansEntryContext, context), requestCid }
  },
})

/** Network and user: the first payment is burned and the entry is made. */
export const ansRulesCollectInitialEntryPayment = choice(
  ansRules,
  AnsRules.choices.AnsRules_CollectInitialEntryPayment,
  {
    controllers: ({ dso }, { user }) => [dso, user],
    run: (tx, { payload: { dso } }, { user, entryContext, paymentCid, transferContext, now }) => {
      const { subscriptionData, reference } = tx.fetch(subscriptionInitialPayment, paymentCid)
      requirePayment(tx, subscriptionData, { dso, user })
      const context = contextOf(tx, entryContext, { dso, user, reference })
      const collected = tx.exercise(subscriptionInitialPaymentCollect, paymentCid, {
        transferContext,
        now,
      })
      tx.archive(coin, collected.coin)
      const state = tx.fetch(subscriptionIdleState, collected.subscriptionState)
      const { reference: _, ...entry } = context
      const entryCid = tx.create(ansEntry, { ...entry, expiresAt: state.nextPaymentDueAt })
      return { entryCid, subscriptionStateCid: collected.subscriptionState }
    },
  },
)

/** Network and user, before the entry expires: it lasts an interval longer. */
export const ansRulesCollectEntryRenewalPayment = choice(
  ansRules,
  AnsRules.choices.AnsRules_CollectEntryRenewalPayment,
  {
    controllers: ({ dso }, { user }) => [dso, user],
    run: (
      tx,
      { payload: { dso } },
      { user, entryContext, paymentCid, entryCid, transferContext },
    ) => {
      const payment = tx.fetch(subscriptionPayment, paymentCid)
      requirePayment(tx, payment.subscriptionData, { dso, user })
      const { reference } = payment
      const context = contextOf(tx, entryContext, { dso, user, reference })
      requireEntry(tx, tx.fetch(ansEntry, entryCid), context, payment.thisPaymentDueAt)
      const collected = tx.exercise(subscriptionPaymentCollect, paymentCid, { transferContext })
      tx.archive(coin, collected.coin)
      const extension = payment.payData.paymentInterval
      const renewed = tx.exercise(ansEntryRenew, entryCid, { extension })
      return { entryCid: renewed.entryCid, subscriptionStateCid: collected.subscriptionState }
    },
  },
)

/** The network: nobody can have the name, and the user gets the coin back. */
export const ansRulesRejectEntryInitialPayment = choice(
  ansRules,
  AnsRules.choices.AnsRules_RejectEntryInitialPayment,
  {
    controllers: byNetwork,

    run: (tx, _rules, { paymentCid, transferContext }) =>
      tx.exercise(subscriptionInitialPaymentReject, paymentCid, { transferContext }),
  },
)

/** Either of the two who signed, once the subscription has ended. */
export const ansEntryContextTerminate = choice(
  ansEntryContext,
  AnsEntryContext.choices.AnsEntryContext_Terminate,
  {
    controllers: byActor,
    run: (tx: Tx, { payload }, { actor, terminatedSubscriptionCid }) => {
      requireActor(tx, actor, [payload.dso, payload.user])
      const { reference } = tx.fetch(terminatedSubscription, terminatedSubscriptionCid)
      requireReference(tx, reference, payload.reference)
      tx.archive(terminatedSubscription, terminatedSubscriptionCid)
      return {}
    },
  },
)

/** The network, with the user's authority from the context. */
export const ansEntryContextCollectInitialEntryPayment = choice(
  ansEntryContext,
  AnsEntryContext.choices.AnsEntryContext_CollectInitialEntryPayment,
  {
    controllers: byNetwork,
    run: (tx, { id: entryContext, payload: { user } }, { ansRulesCid, ...payment }) =>
      tx.exercise(ansRulesCollectInitialEntryPayment, ansRulesCid, {
        user,
        entryContext,
        ...payment,
      }),
  },
)

/** Likewise. */
export const ansEntryContextCollectEntryRenewalPayment = choice(
  ansEntryContext,
  AnsEntryContext.choices.AnsEntryContext_CollectEntryRenewalPayment,
  {
    controllers: byNetwork,
    run: (tx, { id: entryContext, payload: { user } }, { ansRulesCid, ...payment }) =>
      tx.exercise(ansRulesCollectEntryRenewalPayment, ansRulesCid, {
        user,
        entryContext,
        ...payment,
      }),
  },
)

/** The network. */
export const ansEntryContextRejectEntryInitialPayment = choice(
  ansEntryContext,
  AnsEntryContext.choices.AnsEntryContext_RejectEntryInitialPayment,
  {
    controllers: byNetwork,
    run: (tx, { payload: { reference } }, { ansRulesCid, ...payment }) => {
      const rejected = tx.fetch(subscriptionInitialPayment, payment.paymentCid)
      requireReference(tx, rejected.reference, reference)
      return tx.exercise(ansRulesRejectEntryInitialPayment, ansRulesCid, payment)
    },
  },
)

/** Either of the two who signed removes a name that is over. */
export const ansEntryExpire = choice(ansEntry, AnsEntry.choices.AnsEntry_Expire, {
  controllers: byActor,
  run: (tx: Tx, { payload: { dso, user, expiresAt } }, { actor }) => {
    requireActor(tx, actor, [dso, user])
    tx.notBefore(expiresAt)
    return {}
  },
})

/** Both who signed: the name lasts longer. */
export const ansEntryRenew = choice(ansEntry, AnsEntry.choices.AnsEntry_Renew, {
  controllers: ({ dso, user }) => [dso, user],

  run: (tx: Tx, { payload }, { extension }) => {
    tx.require(extension > 0n, 'the extension is above 0', () => `${extension}`)
    const expiresAt = payload.expiresAt + extension
    return { entryCid: tx.create(ansEntry, { ...payload, expiresAt }) }
  },
})

function requirePayment(
  tx: Tx,
  { provider, sender }: SubscriptionData,
  { dso, user }: Pick<AnsEntryContext, 'dso' | 'user'>,
): void {
  requireParty(tx, 'the provider of the subscription', provider, dso)
  requireParty(tx, 'the sender of the payment', sender, user)
}

function contextOf(
  tx: Tx,
  contextCid: string,
  expected: Pick<AnsEntryContext, 'dso' | 'user' | 'reference'>,
): AnsEntryContext {
  const context = tx.fetch(ansEntryContext, contextCid)
  requireParty(tx, 'the network party of the entry', context.dso, expected.dso)
  requireParty(tx, 'the user of the entry', context.user, expected.user)
  requireReference(tx, context.reference, expected.reference)
  return context
}

function requireReference(tx: Tx, given: string, expected: string): void {
  tx.require(given === expected, `the subscription request is ${expected}`, () => given)
}

/** Requires the entry of the subscription, in time. */
function requireEntry(tx: Tx, entry: AnsEntry, context: AnsEntryContext, dueAt: bigint): void {
  requireParty(tx, 'the network party of the entry', entry.dso, context.dso)
  requireParty(tx, 'the user of the entry', entry.user, context.user)
  tx.require(entry.name === context.name, `the name is ${context.name}`, () => entry.name)
  tx.require(entry.expiresAt === dueAt, `the entry expires at ${timeText(dueAt)}`, () =>
    timeText(entry.expiresAt),
  )
  tx.before(entry.expiresAt)
}
