// Kinds of random commands on payments for apps, subscriptions, and what a wallet's install does
// for its user.
import { member } from '../../../runtime/host/member.ts'
import { list } from '../../interfaces/ledger-kit.ts'
import { DAY, DSO, SECOND } from '../../support/ledger.ts'
import { APP, VALIDATOR } from './coin-world.ts'
import type { CoinWorld, Kind, Kinds } from './coin-world.ts'
import { on, texts, user } from './coin-kinds.ts'
import type { Draw } from './draw.ts'
import type { Command, Twin } from './twin-ledgers.ts'

const MINUTE = 60n * SECOND
const soon = (world: CoinWorld, draw: Draw): string => world.at(BigInt(draw.below(6)) * 5n * MINUTE)
const amount = (draw: Draw): object => ({
  amount: draw.amount(),
  unit: draw.rarely(3) ? 'USDUnit' : 'CoinUnit',
})
const interval = (micros: bigint): object => ({ microseconds: String(micros) })

/** The context in which an app collects. */
export const appContext = (world: CoinWorld, draw: Draw): object => {
  const { openMiningRound, featuredAppRight } = Object(
    world.context(draw, APP, draw.rarely(2) ? APP : undefined),
  )
  return { coinRules: world.rules.label, openMiningRound, featuredAppRight }
}

/** Means that the sender's wallet brings along. */
const means = (world: CoinWorld, draw: Draw, payer: string): object => ({
  inputs: world.inputs(draw, payer),
  context: world.payment(draw, payer),
  walletProvider: VALIDATOR,
  now: world.at(0n),
})

const payment: Kind = (world, draw) => {
  const sender = user(draw)
  const receiverAmounts = Array.from({ length: draw.below(2) + 1 }, () => ({
    receiver: user(draw),
    amount: amount(draw),
  }))
  const payload = {
    sender,
    receiverAmounts,
    provider: APP,
    dso: DSO,
    expiresAt: soon(world, draw),
    description: 'a game',
  }
  const actAs = texts(sender, APP, ...receiverAmounts.map(({ receiver }) => receiver))
  return { create: 'AppPaymentRequest', actAs, payloads: [payload] }
}

const receiversOf = ({ payload }: Twin): readonly unknown[] =>
  list(member(payload, 'receiverAmounts') ?? member(payload, 'coinReceiverAmounts')).map((each) =>
    member(each, 'receiver'),
  )
const senderOf = ({ payload }: Twin): string => String(member(payload, 'sender'))

const acceptPayment = on('AppPaymentRequest', 'AppPaymentRequest_Accept', (of, world, draw) => ({
  actAs: texts(senderOf(of), VALIDATOR),
  argument: means(world, draw, senderOf(of)),
}))

const endPayment = (choice: string): Kind =>
  on('AppPaymentRequest', choice, (of) => ({
    actAs: choice.endsWith('Withdraw') ? texts(...receiversOf(of)) : [senderOf(of)],
    argument: choice.endsWith('Expire') ? { actor: senderOf(of) } : {},
  }))

const ofAccepted = (choice: string): Kind =>
  on('AcceptedAppPayment', choice, (of, world, draw) => ({
    actAs: choice.endsWith('Expire')
      ? [senderOf(of)]
      : texts(...receiversOf(of), ...(choice.endsWith('Collect') ? [senderOf(of), APP] : [])),
    argument: {
      context: appContext(world, draw),
      ...(choice.endsWith('Expire') && { expireLock: true }),
    },
  }))

const subscribe: Kind = (_world, draw) => {
  const [sender, receiver] = [user(draw), user(draw)]
  const payload = {
    subscriptionData: { sender, receiver, provider: APP, dso: DSO, description: 'news' },
    payData: {
      paymentAmount: amount(draw),
      paymentInterval: interval(BigInt(draw.below(3) + 1) * 10n * MINUTE),
      paymentDuration: interval(5n * MINUTE),
    },
  }
  return {
    create: 'SubscriptionRequest',
    actAs: texts(sender, receiver, APP),
    payloads: [payload],
  }
}

function dataOf({ payload }: Twin): Readonly<Record<'sender' | 'receiver' | 'provider', string>> {
  const data = member(payload, 'subscriptionData')
  const [sender, receiver, provider] = ['sender', 'receiver', 'provider'].map((name) =>
    String(member(data, name)),
  )
  return { sender: sender ?? '', receiver: receiver ?? '', provider: provider ?? '' }
}

/** A choice of the subscriber and their wallet. */
const pay = (template: string, choice: string): Kind =>
  on(template, choice, (of, world, draw) => ({
    actAs: texts(dataOf(of).sender, VALIDATOR),
    argument: means(world, draw, dataOf(of).sender),
  }))

const ofSubscription = (
  template: string,
  choice: string,
  by: readonly ('sender' | 'receiver' | 'provider')[],
  argument: (world: CoinWorld, draw: Draw, actor: string) => object = () => ({}),
): Kind =>
  on(template, choice, (of, world, draw) => {
    const actAs = texts(...by.map((name) => dataOf(of)[name]))
    return { actAs, argument: argument(world, draw, actAs[0] ?? '') }
  })

const collecting = (world: CoinWorld, draw: Draw): object => ({
  transferContext: appContext(world, draw),
  now: world.at(0n),
})
const returning = (world: CoinWorld, draw: Draw, actor: string): object => ({
  actor,
  transferContext: appContext(world, draw),
  expireLock: true,
})
const everybody = ['sender', 'receiver', 'provider'] as const

const install: Kind = (_world, draw) => {
  const endUserParty = user(draw)
  return {
    create: 'WalletAppInstall',
    actAs: texts(endUserParty, VALIDATOR),
    payloads: [
      { dsoParty: DSO, validatorParty: VALIDATOR, endUserName: endUserParty, endUserParty },
    ],
  }
}

const userOf = ({ payload }: Twin): string => String(member(payload, 'endUserParty'))

/** A choice of an install about a contract of its user, whose name the packages have as `as`. */
const byInstall = (
  choice: string,
  make: (
    of: Twin,
    world: CoinWorld,
    draw: Draw,
  ) => Pick<Command, 'argument' | 'released'> | undefined,
): Kind =>
  on('WalletAppInstall', choice, (of, world, draw) => {
    const made = make(of, world, draw)
    return made && { actAs: [VALIDATOR], ...made }
  })

const forwarded = (choice: string, template: string, more: object = {}, as = 'cid'): Kind =>
  byInstall(choice, (_of, world, draw) => {
    const label = draw.one(world.all(template))?.label
    return label === undefined
      ? undefined
      : {
          argument: { cid: label, ...more },
          released: { argument: { [as]: label, ...more } },
        }
  })

const offerByInstall = byInstall('WalletAppInstall_CreateTransferOffer', (_of, world, draw) => ({
  argument: {
    receiver: user(draw),
    amount: amount(draw),
    description: 'thanks',
    expiresAt: soon(world, draw),
    trackingId: 'offer',
  },
}))

const trafficByInstall = byInstall(
  'WalletAppInstall_CreateBuyTrafficRequest',
  (_of, world, draw) => ({
    argument: {
      memberId: 'PAR::node::12',
      synchronizerId: 'net::12',
      migrationId: '0',
      trafficAmount: String((draw.below(3) + 1) * 150_000),
      expiresAt: soon(world, draw),
      trackingId: 'traffic',
    },
  }),
)

const MERGE = 'CO_MergeTransferInputs'

/** An operation in our form and in the packages'. */
type Pair = readonly [object, object]

/** An operation of a batch; undefined where there is nothing that it could be about. */
function operation(world: CoinWorld, draw: Draw): Pair | undefined {
  const now = { now: world.at(0n) }
  const same = (tag: string, value: object, more: object = {}): Pair => [
    { tag, value: { ...value, ...more } },
    { tag, value },
  ]
  const about = (tag: string, name: string, template: string, more: object = {}): Pair[] =>
    world.all(template).map(({ label: value }) => [
      { tag, value: { [name]: value, ...more } },
      { tag, value },
    ])
  const traffic = {
    trafficAmount: '150000',
    memberId: 'PAR::node::12',
    synchronizerId: 'net::12',
    migrationId: '0',
    minTopupInterval: interval(0n),
  }
  const setUp = {
    externalParty: user(draw),
    preapprovalExpiresAt: world.at(BigInt(draw.below(120)) * DAY),
  }
  return draw.one([
    same(MERGE, {}),
    same('CO_Tap', { tapAmount: draw.amount() }),
    same('CO_CreateExternalPartySetupProposal', setUp, now),
    ...world
      .all('ValidatorTopUpState')
      .map(({ label }) => same('CO_BuyMemberTraffic', { ...traffic, topupStateCid: label }, now)),
    ...about('CO_CompleteAcceptedTransfer', 'acceptedTransferOfferCid', 'AcceptedTransferOffer'),
    ...about('CO_AppPayment', 'appPaymentRequestCid', 'AppPaymentRequest', now),
    ...about(
      'CO_SubscriptionAcceptAndMakeInitialPayment',
      'subscriptionRequestCid',
      'SubscriptionRequest',
      now,
    ),
    ...about('CO_SubscriptionMakePayment', 'subscriptionStateCid', 'SubscriptionIdleState', now),
    ...world
      .all('BuyTrafficRequest')
      .map(({ label }) => same('CO_CompleteBuyTrafficRequest', { trafficRequestCid: label })),
    ...world.all('TransferPreapproval').flatMap(({ label }) => [
      same('CO_RenewTransferPreapproval', {
        previousApprovalCid: label,
        newExpiresAt: world.at(BigInt(draw.below(200)) * DAY),
      }),
      same('CO_TransferPreapprovalSend', {
        transferPreapprovalCid: label,
        providerFeaturedAppRightCid: null,
        amount: draw.amount(),
        description: null,
      }),
    ]),
  ])
}

/** The state of a validator’s purchases of traffic. */
const topUp: Kind = (world) =>
  world.all('ValidatorTopUpState').length > 0
    ? undefined
    : {
        create: 'ValidatorTopUpState',
        actAs: [VALIDATOR],
        payloads: [
          {
            dso: DSO,
            validator: VALIDATOR,
            memberId: 'PAR::node::12',
            synchronizerId: 'net::12',
            migrationId: '0',
            lastPurchasedAt: world.at(-DAY),
          },
        ],
      }

const batch = byInstall('WalletAppInstall_ExecuteBatch', (of, world, draw) => {
  const inputs = draw.some(world.coins(userOf(of)), 4)
  const operations = [operation(world, draw)].filter((one) => one !== undefined)
  // A lone coin is merged already; the packages make it anew.
  if (inputs.length === 1 && operations.some(([own]) => member(own, 'tag') === MERGE))
    return undefined
  const common = {
    context: world.payment(draw, userOf(of)),
    inputs: inputs.map(({ label }) => ({ tag: 'InputCoin', value: label })),
  }
  return {
    argument: { ...common, operations: operations.map(([own]) => own) },
    released: { argument: { ...common, operations: operations.map(([, other]) => other) } },
  }
})

/** Kinds of payments that need nothing but the network and coins. */
export const paymentStarting: Kinds = { payment, subscribe, install, topUp }

/** Kinds about what those have made. */
export const paymentFollowing: Kinds = {
  acceptPayment,
  rejectPayment: endPayment('AppPaymentRequest_Reject'),
  withdrawPayment: endPayment('AppPaymentRequest_Withdraw'),
  expirePayment: endPayment('AppPaymentRequest_Expire'),
  collectPayment: ofAccepted('AcceptedAppPayment_Collect'),
  rejectAccepted: ofAccepted('AcceptedAppPayment_Reject'),
  expireAccepted: ofAccepted('AcceptedAppPayment_Expire'),
  acceptSubscription: pay('SubscriptionRequest', 'SubscriptionRequest_AcceptAndMakePayment'),
  withdrawSubscription: ofSubscription('SubscriptionRequest', 'SubscriptionRequest_Withdraw', [
    'receiver',
  ]),
  rejectSubscription: ofSubscription('SubscriptionRequest', 'SubscriptionRequest_Reject', [
    'sender',
  ]),
  collectFirst: ofSubscription(
    'SubscriptionInitialPayment',
    'SubscriptionInitialPayment_Collect',
    everybody,
    collecting,
  ),
  rejectFirst: ofSubscription(
    'SubscriptionInitialPayment',
    'SubscriptionInitialPayment_Reject',
    ['receiver'],
    (world, draw) => ({ transferContext: appContext(world, draw) }),
  ),
  expireFirst: ofSubscription(
    'SubscriptionInitialPayment',
    'SubscriptionInitialPayment_Expire',
    ['sender'],
    returning,
  ),
  makePayment: pay('SubscriptionIdleState', 'SubscriptionIdleState_MakePayment'),
  expireSubscription: ofSubscription(
    'SubscriptionIdleState',
    'SubscriptionIdleState_ExpireSubscription',
    ['sender'],
    (_world, _draw, actor) => ({ actor }),
  ),
  cancelSubscription: ofSubscription(
    'SubscriptionIdleState',
    'SubscriptionIdleState_CancelSubscription',
    ['sender'],
  ),
  collectNext: ofSubscription(
    'SubscriptionPayment',
    'SubscriptionPayment_Collect',
    everybody,
    (world, draw) => ({ transferContext: appContext(world, draw) }),
  ),
  rejectNext: ofSubscription(
    'SubscriptionPayment',
    'SubscriptionPayment_Reject',
    ['receiver'],
    (world, draw) => ({ transferContext: appContext(world, draw) }),
  ),
  expireNext: ofSubscription(
    'SubscriptionPayment',
    'SubscriptionPayment_Expire',
    ['sender'],
    returning,
  ),
  batch,
  offerByInstall,
  trafficByInstall,
  acceptByInstall: forwarded('WalletAppInstall_TransferOffer_Accept', 'TransferOffer'),
  withdrawByInstall: forwarded('WalletAppInstall_TransferOffer_Withdraw', 'TransferOffer', {
    reason: 'why',
  }),
  rejectByInstall: forwarded('WalletAppInstall_TransferOffer_Reject', 'TransferOffer'),
  abortByInstall: forwarded(
    'WalletAppInstall_AcceptedTransferOffer_Abort',
    'AcceptedTransferOffer',
    { reason: 'why' },
  ),
  cancelByInstall: forwarded(
    'WalletAppInstall_BuyTrafficRequest_Cancel',
    'BuyTrafficRequest',
    { reason: 'why' },
    'requestCid',
  ),
  rejectPaymentByInstall: forwarded(
    'WalletAppInstall_AppPaymentRequest_Reject',
    'AppPaymentRequest',
  ),
  rejectSubscriptionByInstall: forwarded(
    'WalletAppInstall_SubscriptionRequest_Reject',
    'SubscriptionRequest',
  ),
  cancelSubscriptionByInstall: forwarded(
    'WalletAppInstall_SubscriptionIdleState_CancelSubscription',
    'SubscriptionIdleState',
  ),
  featureByInstall: byInstall('WalletAppInstall_FeaturedAppRights_SelfGrant', (_of, world) => ({
    argument: { coinRulesCid: world.rules.label },
  })),
}
