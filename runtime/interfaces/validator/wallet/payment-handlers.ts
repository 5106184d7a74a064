// Payments that apps ask a wallet for, and subscriptions. docs/payments.md
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { Subscription as WireSubscription } from '../../../../generated/validator/types.gen.ts'
import type {
  CoinOperation,
  CoinOperationOutcome,
  Subscription,
  SubscriptionData,
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
import type { Contract, Template, TemplateKey, Tx } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { PlainError, rejectionError, treasuryError } from '../../../economy/errors.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { contractToWire, contractWithState } from '../../contract-wire.ts'
import type { Context } from '../../reply.ts'
import { listed, nextPage, underKey } from '../lists.ts'
import type { ListQuery, WireList } from '../lists.ts'
import { actedOn, listOf } from './owned-contracts.ts'
import { walletScope } from './wallet-scope.ts'

type PaymentHandlers = Pick<
  Handlers<Context>,
  | 'listAppPaymentRequests'
  | 'getAppPaymentRequest'
  | 'acceptAppPaymentRequest'
  | 'rejectAppPaymentRequest'
  | 'listAcceptedAppPayments'
>
type SubscriptionHandlers = Pick<
  Handlers<Context>,
  | 'listSubscriptionRequests'
  | 'getSubscriptionRequest'
  | 'acceptSubscriptionRequest'
  | 'rejectSubscriptionRequest'
  | 'cancelSubscriptionRequest'
  | 'listSubscriptionInitialPayments'
  | 'listSubscriptions'
>

/** What a wallet may do about a contract that asks it to pay. */
interface Payable<T> {
  readonly template: Template<T>
  /** For people. */
  readonly what: string
  readonly senderOf: (payload: T) => string
  readonly stakeholders: (payload: T) => readonly string[]
}

const partiesOf = ({ sender, receiver, provider }: SubscriptionData) => [sender, receiver, provider]

const APP_REQUEST: Payable<ReturnType<typeof appPaymentRequest.open>> = {
  template: appPaymentRequest,
  what: 'payment request',
  senderOf: ({ sender }) => sender,
  stakeholders: ({ sender, provider, receiverAmounts }) => [
    sender,
    provider,
    ...receiverAmounts.map(({ receiver }) => receiver),
  ],
}

const SUBSCRIPTION_REQUEST: Payable<ReturnType<typeof subscriptionRequest.open>> = {
  template: subscriptionRequest,
  what: 'subscription request',
  senderOf: ({ subscriptionData }) => subscriptionData.sender,
  stakeholders: ({ subscriptionData }) => partiesOf(subscriptionData),
}

const IDLE_STATE: Payable<ReturnType<typeof subscriptionIdleState.open>> = {
  template: subscriptionIdleState,
  what: 'idle subscription',
  senderOf: ({ subscriptionData }) => subscriptionData.sender,
  stakeholders: ({ subscriptionData }) => partiesOf(subscriptionData),
}

/** Handlers of payments that apps ask for. */
export function appPaymentHandlers(economy: Economy, treasury: Treasury): PaymentHandlers {
  const inWallet = walletScope(economy)
  const payments = new Payments(economy, treasury)
  return {
    listAppPaymentRequests: inWallet(
      ({ party }, { query }, { signal }) =>
        statesOf(economy, appPaymentRequest.by('sender'), party, { ...query, signal }),
      ({ contracts, ...more }) => ({ payment_requests: contracts, ...nextPage(more) }),
    ),
    listAcceptedAppPayments: inWallet(
      ({ party }, { query }, { signal }) =>
        statesOf(economy, acceptedAppPayment.by('sender'), party, { ...query, signal }),
      ({ contracts, ...more }) => ({ accepted_app_payments: contracts, ...nextPage(more) }),
    ),
    getAppPaymentRequest: inWallet(
      (wallet, { path }) => payments.get(wallet, APP_REQUEST, contractIdOf(path.contract_id)),
      contractWithState,
    ),
    acceptAppPaymentRequest: inWallet(
      async (wallet, { path }) => {
        const appPaymentRequestCid = contractIdOf(path.contract_id)
        const paid = await payments.pay(wallet, APP_REQUEST, appPaymentRequestCid, {
          tag: 'CO_AppPayment',
          value: { appPaymentRequestCid, now: economy.clock.nowMicros() },
        })
        return paid instanceof PlainError ? paid : acceptedPaymentOf(paid)
      },
      (cid) => ({ accepted_payment_contract_id: cid }),
    ),
    rejectAppPaymentRequest: inWallet((wallet, { path }) => {
      const cid = contractIdOf(path.contract_id)
      return payments.end(wallet, APP_REQUEST, cid, (tx) =>
        tx.exercise(installChoices.WalletAppInstall_AppPaymentRequest_Reject, wallet.install.id, {
          cid,
        }),
      )
    }, nothing),
  }
}

/** Handlers of subscriptions. */
export function subscriptionHandlers(economy: Economy, treasury: Treasury): SubscriptionHandlers {
  const inWallet = walletScope(economy)
  const payments = new Payments(economy, treasury)
  return {
    listSubscriptionRequests: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(economy, [subscriptionRequest.by('sender')], party, { ...query, signal }),
      ({ contracts, ...more }) => ({ subscription_requests: contracts, ...nextPage(more) }),
    ),
    listSubscriptionInitialPayments: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(economy, [subscriptionInitialPayment.by('sender')], party, { ...query, signal }),
      ({ contracts, ...more }) => ({ initial_payments: contracts, ...nextPage(more) }),
    ),
    listSubscriptions: inWallet(
      ({ party }, { query }, { signal }) => subscriptionsOf(economy, party, { ...query, signal }),
      ({ contracts, ...more }) => ({ subscriptions: contracts, ...nextPage(more) }),
    ),
    getSubscriptionRequest: inWallet(
      (wallet, { path }) =>
        payments.get(wallet, SUBSCRIPTION_REQUEST, contractIdOf(path.contract_id)),
      contractToWire,
    ),
    acceptSubscriptionRequest: inWallet(
      async (wallet, { path }) => {
        const subscriptionRequestCid = contractIdOf(path.contract_id)
        const paid = await payments.pay(wallet, SUBSCRIPTION_REQUEST, subscriptionRequestCid, {
          tag: 'CO_SubscriptionAcceptAndMakeInitialPayment',
          value: { subscriptionRequestCid, now: economy.clock.nowMicros() },
        })
        return paid instanceof PlainError ? paid : initialPaymentOf(paid)
      },
      (cid) => ({ initial_payment_contract_id: cid }),
    ),
    rejectSubscriptionRequest: inWallet((wallet, { path }) => {
      const cid = contractIdOf(path.contract_id)
      return payments.end(wallet, SUBSCRIPTION_REQUEST, cid, (tx) =>
        tx.exercise(installChoices.WalletAppInstall_SubscriptionRequest_Reject, wallet.install.id, {
          cid,
        }),
      )
    }, nothing),
    cancelSubscriptionRequest: inWallet((wallet, { path }) => {
      const cid = contractIdOf(path.contract_id)
      return payments.end(wallet, IDLE_STATE, cid, (tx) =>
        tx.exercise(
          installChoices.WalletAppInstall_SubscriptionIdleState_CancelSubscription,
          wallet.install.id,
          { cid },
        ),
      )
    }, nothing),
  }
}

class Payments {
  readonly #economy: Economy
  readonly #treasury: Treasury

  constructor(economy: Economy, treasury: Treasury) {
    this.#economy = economy
    this.#treasury = treasury
  }

  /** 404 for strangers, 400 for who is not to pay. */
  get<T>(
    { party }: Wallet,
    { template, what, senderOf, stakeholders }: Payable<T>,
    cid: string,
  ): Promise<Contract<T> | PlainError> {
    return actedOn(this.#economy, template, cid, {
      what,
      party,
      role: 'sender',
      roleOf: senderOf,
      stakeholders,
    })
  }

  /** In its turn among the wallet's payments. */
  async pay<T>(
    wallet: Wallet,
    payable: Payable<T>,
    cid: string,
    operation: CoinOperation,
  ): Promise<CoinOperationOutcome | PlainError> {
    const request = await this.get(wallet, payable, cid)
    if (request instanceof PlainError) return request
    const done = await this.#treasury.enqueue(wallet.party, operation)
    return done.ok ? done.outcome : treasuryError(done, cid)
  }

  async end<T>(
    wallet: Wallet,
    payable: Payable<T>,
    cid: string,
    run: (tx: Tx) => unknown,
  ): Promise<unknown> {
    const request = await this.get(wallet, payable, cid)
    if (request instanceof PlainError) return request
    const done = await verdictFor(this.#economy, wallet.party, { run })
    return done.ok ? done.result : rejectionError(done, cid)
  }
}

function nothing(): undefined {
  return undefined
}

function acceptedPaymentOf(outcome: CoinOperationOutcome): string {
  if (outcome.tag === 'COO_AcceptedAppPayment') return outcome.value.acceptedPayment
  throw new Error(`an accepted payment came to ${outcome.tag}`)
}

function initialPaymentOf(outcome: CoinOperationOutcome): string {
  if (outcome.tag === 'COO_SubscriptionInitialPayment') return outcome.value.subscriptionPayment
  throw new Error(`an accepted subscription came to ${outcome.tag}`)
}

/** The party's under a key, each with where it is. */
function statesOf<T>(economy: Economy, key: TemplateKey<T>, party: string, query: ListQuery) {
  return listed(
    economy,
    underKey(economy.reader, key, party),
    (contract) => contractWithState(contract),
    query,
  )
}

/** Each with its state; one whose state has just changed is left out. */
function subscriptionsOf(
  economy: Economy,
  party: string,
  query: ListQuery,
): Promise<WireList<WireSubscription> | PlainError> {
  const read = underKey(economy.reader, subscription.by('sender'), party)
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
