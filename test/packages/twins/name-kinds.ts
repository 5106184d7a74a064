// Kinds of random commands on names: the request, which is a subscription, its payments, and the
// names themselves.
import { member } from '../../../runtime/host/member.ts'
import { DSO, SECOND } from '../../support/ledger.ts'
import type { CoinWorld, Kind, Kinds } from './coin-world.ts'
import { on, texts, user } from './coin-kinds.ts'
import { appContext, paymentFollowing } from './payment-kinds.ts'
import type { Twin } from './twin-ledgers.ts'

const minutes = (count: bigint): object => ({ microseconds: String(count * 60n * SECOND) })

const rules: Kind = (world) => {
  if (world.all('AnsRules').length > 0) return undefined
  const config = {
    renewalDuration: minutes(10n),
    entryLifetime: minutes(30n),
    entryFee: '1.0000000000',
    descriptionPrefix: 'name:',
  }
  return {
    create: 'AnsRules',
    actAs: [DSO],
    payloads: [{ dso: DSO, config }],
    released: [{ dso: DSO, config: { ...config, descriptionPrefix: 'name: ' } }],
  }
}

const request = on('AnsRules', 'AnsRules_RequestEntry', (_of, _world, draw) => {
  const asking = user(draw)
  return {
    actAs: [asking],
    argument: {
      name: `name-${draw.below(3)}`,
      url: 'https://example.org',
      description: 'a name',
      user: asking,
    },
  }
})

/** The payment of a name, if there is one. */
const paidBy = (world: CoinWorld, context: Twin, template: string): Twin | undefined =>
  world
    .all(template)
    .find(({ payload }) => member(payload, 'reference') === member(context.payload, 'reference'))

const collect = (choice: string, template: string, isRenewal = false): Kind =>
  on('AnsEntryContext', choice, (of, world, draw) => {
    const payment = paidBy(world, of, template)
    const entry = world
      .all('AnsEntry')
      .find(({ payload }) => member(payload, 'name') === member(of.payload, 'name'))
    const [ansRules] = world.all('AnsRules')
    if (payment === undefined || (isRenewal && entry === undefined)) return undefined
    return {
      actAs: [DSO],
      argument: {
        paymentCid: payment.label,
        ...(isRenewal && { entryCid: entry?.label }),
        ...(choice.includes('Initial') && !choice.includes('Reject') && { now: world.at(0n) }),
        transferContext: appContext(world, draw),
        ansRulesCid: ansRules?.label,
      },
    }
  })

const terminate = on('AnsEntryContext', 'AnsEntryContext_Terminate', (of, world, draw) => {
  const ended = draw.rarely(4)
    ? draw.one(world.all('TerminatedSubscription'))
    : paidBy(world, of, 'TerminatedSubscription')
  const [actor = ''] = texts(draw.rarely(2) ? DSO : member(of.payload, 'user'))
  return ended && { actAs: [actor], argument: { actor, terminatedSubscriptionCid: ended.label } }
})

const expireEntry = on('AnsEntry', 'AnsEntry_Expire', ({ payload }, _world, draw) => {
  const [actor = ''] = texts(draw.rarely(2) ? DSO : member(payload, 'user'))
  return { actAs: [actor], argument: { actor } }
})

const renewEntry = on('AnsEntry', 'AnsEntry_Renew', ({ payload }, _world, draw) => ({
  actAs: texts(DSO, member(payload, 'user')),
  argument: { extension: minutes(BigInt(draw.below(5)) * 10n) },
}))

const OF_SUBSCRIPTIONS = ['Subscription', 'expireFirst', 'makePayment', 'expireNext']

/** Kinds of names that need nothing but the network and coins. */
export const nameStarting: Kinds = { rules, request }

/** Kinds about what those have made. */
export const nameFollowing: Kinds = {
  ...Object.fromEntries(
    Object.entries(paymentFollowing).filter(([name]) =>
      OF_SUBSCRIPTIONS.some((one) => name.endsWith(one)),
    ),
  ),
  collectEntry: collect('AnsEntryContext_CollectInitialEntryPayment', 'SubscriptionInitialPayment'),
  rejectEntry: collect('AnsEntryContext_RejectEntryInitialPayment', 'SubscriptionInitialPayment'),
  renewByPayment: collect(
    'AnsEntryContext_CollectEntryRenewalPayment',
    'SubscriptionPayment',
    true,
  ),
  terminate,
  expireEntry,
  renewEntry,
}
