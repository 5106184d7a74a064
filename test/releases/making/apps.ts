// What apps ask of a wallet: payments, subscriptions, a name, a trade. Of most there is one that
// waits, one that was accepted and one that came to nothing.
import { eventually } from '../../support/eventually.ts'
import { at, textAt } from '../client.ts'
import { create, createdBy, exercise, FAR, FAR_MICROS, idOf, submit, submitWith } from './making.ts'
import type { Making } from './making.ts'

const PAYMENT = 'network-wallet-payments:Network.Wallet.Payment'
const SUBSCRIPTIONS = 'network-wallet-payments:Network.Wallet.Subscriptions'
const PROPOSAL = 'network-token-test-trading-app:Network.Testing.Apps.TradingApp:OTCTradeProposal'
const PING = 'network-builtin-ping:Network.Internal.Ping:Ping'
/** Who pays, whose app asks, and the user who acts for both. */
const [PAYER, APP, USER] = ['ivan', 'issuer', 'shop']
const DAY = { microseconds: '86400000000' }
const NO_META = { values: {} }

/** A subscription whose second payment waits for the app. The automations are on. */
export async function subscribe(making: Making): Promise<void> {
  await beginSubscription(making)
  await eventually(true, async () => {
    const found = await making.done(PAYER, 'GET /v0/wallet/subscriptions')
    return at(found, 'subscriptions', '0', 'state', 'payment') !== undefined
  })
}

/** A subscription whose first payment the app has. */
async function beginSubscription(making: Making): Promise<void> {
  const offered = await offerPaper(making)
  const accepted = await answer(making, 'subscription-requests', offered, 'accept')
  const { context: transferContext, disclosed } = await paymentContext(making)
  const collect = exercise({
    template: `${SUBSCRIPTIONS}:SubscriptionInitialPayment`,
    contractId: textAt(accepted, 'initial_payment_contract_id'),
    choice: 'SubscriptionInitialPayment_Collect',
    argument: { transferContext },
  })
  await submitWith(making, disclosed, USER, both(making), collect)
}

/** What waits for the payer, for the app or for the network. The automations are off. */
export async function leaveRequests(making: Making): Promise<void> {
  await askForPayment(making)
  await offerPaper(making)
  await beginSubscription(making)
  for (const how of ['accept', 'reject']) {
    await answer(making, 'app-payment-requests', await askForPayment(making), how)
    await answer(making, 'subscription-requests', await offerPaper(making), how)
  }
  await making.done(PAYER, 'POST /v0/entry/create', {
    name: `${PAYER}.unverified.nns`,
    url: 'https://names.example',
    description: 'A name that is not paid yet',
  })
  await leaveTrades(making)
  await allocate(making)
  const [initiator, responder] = both(making)
  await submit(making, USER, both(making), create(PING, { id: 'ping', initiator, responder }))
}

function both(making: Making): readonly string[] {
  return [idOf(making, PAYER), idOf(making, APP)]
}

function answer({ done }: Making, kind: string, id: string, how: string): Promise<unknown> {
  return done(PAYER, `POST /v0/wallet/${kind}/${id}/${how}`)
}

async function created(making: Making, template: string, payload: object): Promise<string> {
  const made = await submit(making, USER, both(making), create(template, payload))
  const [id = ''] = createdBy(made, template.split(':').at(-1) ?? '')
  return id
}

function askForPayment(making: Making): Promise<string> {
  const [sender, provider] = both(making)
  return created(making, `${PAYMENT}:AppPaymentRequest`, {
    sender,
    receiverAmounts: [{ receiver: provider, amount: { amount: '1.25', unit: 'CoinUnit' } }],
    provider,
    dso: making.network.dso,
    expiresAt: FAR,
    description: 'A ticket',
  })
}

/** A payment is made as early as a whole interval before it is due. */
function offerPaper(making: Making): Promise<string> {
  const [sender, receiver] = both(making)
  const { dso } = making.network
  return created(making, `${SUBSCRIPTIONS}:SubscriptionRequest`, {
    subscriptionData: { sender, receiver, provider: receiver, dso, description: 'A paper' },
    payData: {
      paymentAmount: { amount: '0.5', unit: 'CoinUnit' },
      paymentInterval: DAY,
      paymentDuration: DAY,
    },
  })
}

/** The contracts that collecting a payment refers to, and their disclosure. */
async function paymentContext({ done }: Making) {
  const [rules, rounds] = [
    await done(PAYER, 'GET /v0/scan-proxy/coin-rules'),
    await done(PAYER, 'GET /v0/scan-proxy/open-and-issuing-mining-rounds'),
  ]
  const [coinRules, openRound] = [
    at(rules, 'coin_rules', 'contract'),
    at(rounds, 'open_mining_rounds', '0', 'contract'),
  ]
  const context = {
    coinRules: textAt(coinRules, 'contract_id'),
    openMiningRound: textAt(openRound, 'contract_id'),
    featuredAppRight: null,
  }
  const disclosed = [coinRules, openRound].map((contract) => ({
    contractId: at(contract, 'contract_id'),
    templateId: at(contract, 'template_id'),
    createdEventBlob: at(contract, 'created_event_blob'),
    synchronizerId: '',
  }))
  return { context, disclosed }
}

/** A trade that is agreed on, and one that is proposed. */
async function leaveTrades(making: Making): Promise<void> {
  const [sender, receiver] = both(making)
  const instrumentId = { admin: making.network.dso, id: 'Coin' }
  const leg = { sender, receiver, amount: '2', instrumentId, meta: NO_META }
  const propose = (approvers: readonly string[]) =>
    created(making, PROPOSAL, {
      venue: receiver,
      tradeCid: null,
      transferLegs: { leg },
      approvers,
    })
  await propose(both(making).slice(0, 1))
  const initiate = exercise({
    template: PROPOSAL,
    contractId: await propose(both(making)),
    choice: 'OTCTradeProposal_InitiateSettlement',
    argument: { prepareUntil: '2099-12-31T00:00:00Z', settleBefore: FAR },
  })
  await submit(making, USER, both(making), initiate)
}

async function allocate(making: Making): Promise<void> {
  const [, app] = both(making)
  await making.done(PAYER, 'POST /v0/allocations', {
    settlement: {
      executor: app,
      settlement_ref: { id: 'trade' },
      requested_at: 0,
      allocate_before: FAR_MICROS,
      settle_before: FAR_MICROS,
    },
    transfer_leg_id: 'leg',
    transfer_leg: { receiver: app, amount: '3' },
  })
}
