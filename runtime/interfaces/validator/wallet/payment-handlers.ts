// Payments that apps ask a wallet for, and subscriptions. docs/payments.md
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { Subscription as WireSubscription } from '../../../../generated/validator/types.gen.ts'
import type {
  AppPaymentRequest,
  CoinOperation,
  CoinOperationOutcome,
  Subscription,
  SubscriptionData,
  SubscriptionIdleState,
  SubscriptionRequest,
} from '../../../../generated/contracts.gen.ts'
import {
  acceptedAppPayment,
  appPaymentRequest,
  installChoices,
  subscription,
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionPayment,
  subscriptionRequest,
} from '../../../contracts/index.ts'
import type { Contract } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { PlainError, treasuryError } from '../../../economy/errors.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { contractToWire, contractWithState } from '../../contract-wire.ts'
import type { Context } from '../../reply.ts'
import { listed, underKeys } from '../lists.ts'
import type { ListQuery, WireList } from '../lists.ts'
import { contractFor, listBody, walletActs, walletLists, walletScope } from './operations.ts'
import type { Subject } from './operations.ts'

const partiesOf = ({ subscriptionData }: { readonly subscriptionData: SubscriptionData }) => {
  const { sender, receiver, provider } = subscriptionData
  return { sender, receiver, provider }
}

const APP_REQUEST: Subject<AppPaymentRequest> = {
  template: appPaymentRequest,
  what: 'payment request',
  parties: ({ sender, provider, receiverAmounts }) => ({
    sender,
    provider,
    receiver: receiverAmounts.map(({ receiver }) => receiver),
  }),
}

const SUBSCRIPTION_REQUEST: Subject<SubscriptionRequest> = {
  template: subscriptionRequest,
  what: 'subscription request',
  parties: partiesOf,
}

const IDLE_STATE: Subject<SubscriptionIdleState> = {
  template: subscriptionIdleState,
  what: 'idle subscription',
  parties: partiesOf,
}

/** Handlers of payments that apps ask for. */
export function appPaymentHandlers(economy: Economy, treasury: Treasury) {
  const inWallet = walletScope(economy)
  const listing = walletLists(economy)
  const { ending } = walletActs(economy)
  return {
    listAppPaymentRequests: listing(
      'payment_requests',
      [appPaymentRequest.by('sender')],
      contractWithState,
    ),
    listAcceptedAppPayments: listing(
      'accepted_app_payments',
      [acceptedAppPayment.by('sender')],
      contractWithState,
    ),
    getAppPaymentRequest: inWallet(
      ({ party }, { path }) =>
        contractFor(economy, party, APP_REQUEST, contractIdOf(path.contract_id), 'sender'),
      contractWithState,
    ),
    acceptAppPaymentRequest: inWallet(
      async (wallet, { path }) => {
        const appPaymentRequestCid = contractIdOf(path.contract_id)
        const paid = await pay({ economy, treasury }, wallet, APP_REQUEST, appPaymentRequestCid, {
          tag: 'CO_AppPayment',
          value: { appPaymentRequestCid, now: economy.clock.nowMicros() },
        })
        return paid instanceof PlainError ? paid : acceptedPaymentOf(paid)
      },
      (cid) => ({ accepted_payment_contract_id: cid }),
    ),
    rejectAppPaymentRequest: ending(
      APP_REQUEST,
      'sender',
      installChoices.WalletAppInstall_AppPaymentRequest_Reject,
    ),
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of subscriptions. */
export function subscriptionHandlers(economy: Economy, treasury: Treasury) {
  const inWallet = walletScope(economy)
  const listing = walletLists(economy)
  const { ending } = walletActs(economy)
  return {
    listSubscriptionRequests: listing(
      'subscription_requests',
      [subscriptionRequest.by('sender')],
      contractToWire,
    ),
    listSubscriptionInitialPayments: listing(
      'initial_payments',
      [subscriptionInitialPayment.by('sender')],
      contractToWire,
    ),
    listSubscriptions: inWallet(
      ({ party }, { query }, { signal }) => subscriptionsOf(economy, party, { ...query, signal }),
      (list) => listBody('subscriptions', list),
    ),
    getSubscriptionRequest: inWallet(
      ({ party }, { path }) =>
        contractFor(economy, party, SUBSCRIPTION_REQUEST, contractIdOf(path.contract_id), 'sender'),
      contractToWire,
    ),
    acceptSubscriptionRequest: inWallet(
      async (wallet, { path }) => {
        const subscriptionRequestCid = contractIdOf(path.contract_id)
        const services = { economy, treasury }
        const paid = await pay(services, wallet, SUBSCRIPTION_REQUEST, subscriptionRequestCid, {
          tag: 'CO_SubscriptionAcceptAndMakeInitialPayment',
          value: { subscriptionRequestCid, now: economy.clock.nowMicros() },
        })
        return paid instanceof PlainError ? paid : initialPaymentOf(paid)
      },
      (cid) => ({ initial_payment_contract_id: cid }),
    ),
    rejectSubscriptionRequest: ending(
      SUBSCRIPTION_REQUEST,
      'sender',
      installChoices.WalletAppInstall_SubscriptionRequest_Reject,
    ),
    cancelSubscriptionRequest: ending(
      IDLE_STATE,
      'sender',
      installChoices.WalletAppInstall_SubscriptionIdleState_CancelSubscription,
    ),
  } satisfies Partial<Handlers<Context>>
}

/** Pays in its turn among the wallet's payments. */
async function pay<T>(
  { economy, treasury }: { readonly economy: Economy; readonly treasury: Treasury },
  { party }: Wallet,
  subject: Subject<T>,
  cid: string,
  operation: CoinOperation,
): Promise<CoinOperationOutcome | PlainError> {
  const request = await contractFor(economy, party, subject, cid, 'sender')
  if (request instanceof PlainError) return request
  const done = await treasury.enqueue(party, operation)
  return done.ok ? done.outcome : treasuryError(done, cid)
}

function acceptedPaymentOf(outcome: CoinOperationOutcome): string {
  if (outcome.tag === 'COO_AcceptedAppPayment') return outcome.value.acceptedPayment
  throw new Error(`an accepted payment came to ${outcome.tag}`)
}

function initialPaymentOf(outcome: CoinOperationOutcome): string {
  if (outcome.tag === 'COO_SubscriptionInitialPayment') return outcome.value.subscriptionPayment
  throw new Error(`an accepted subscription came to ${outcome.tag}`)
}

/** Each with its state; one whose state has just changed is left out. */
function subscriptionsOf(
  economy: Economy,
  party: string,
  query: ListQuery,
): Promise<WireList<WireSubscription> | PlainError> {
  const read = underKeys(economy.reader, [subscription.by('sender')], party)
  return listed(
    economy,
    async (slice) => {
      const page = await read(slice)
      return Promise.all(
        page.map(async (contract) => ({ ...contract, state: await stateOf(economy, contract) })),
      )
    },
    ({ state, ...contract }) => state && { subscription: contractToWire(contract), state },
    query,
  )
}

async function stateOf(
  { reader }: Pick<Economy, 'reader'>,
  { id }: Contract<Subscription>,
): Promise<WireSubscription['state'] | undefined> {
  const of = { subscription: id }
  const [idle] = await reader.active(subscriptionIdleState, of, { limit: 1 })
  if (idle !== undefined) return { idle: contractToWire(idle) }
  const [payment] = await reader.active(subscriptionPayment, of, { limit: 1 })
  return payment && { payment: contractToWire(payment) }
}
