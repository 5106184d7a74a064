// Legacy transfer offers: create, list, follow, accept, reject, withdraw. domain/wire.md §1.1, §1.2; domain/behaviour.md §4
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import type { CreateTransferOfferRequest } from '../../../generated/validator/types.gen.ts'
import type { TransferOffer } from '../../../generated/contracts.gen.ts'
import {
  acceptedTransferOffer, transferOffer, walletAppInstallCreateTransferOffer, walletAppInstallTransferOfferAccept,
  walletAppInstallTransferOfferReject, walletAppInstallTransferOfferWithdraw,
} from '../../contracts/index.ts'
import type { Contract, Template, Tx } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import type { Context } from '../reply.ts'
import { contractToWire } from '../contract-wire.ts'
import { badRequest, conflict, notFound, PlainError, refusalError } from './errors.ts'
import { contractIdOf, futureTime, payableAmount, textFault } from './parse.ts'
import { offerStatus, trackedCommandId } from './tracking.ts'
import { submitFor, walletScope } from './wallets.ts'
import type { Wallet } from './wallets.ts'

const WITHDRAW_REASON = 'Withdrawn by sender'

type OfferHandlers = Pick<
  Handlers<Context>,
  | 'createTransferOffer' | 'listTransferOffers' | 'getTransferOfferStatus' | 'listAcceptedTransferOffers'
  | 'acceptTransferOffer' | 'rejectTransferOffer' | 'withdrawTransferOffer'
  | 'acceptTransferOfferByBody' | 'rejectTransferOfferByBody' | 'withdrawTransferOfferByBody'
>

/** Handlers of all operations on transfer offers. */
export function offerHandlers(economy: Economy): OfferHandlers {
  const inWallet = walletScope(economy)
  const offers = new Offers(economy)
  const accepted = (cid: string) => ({ accepted_offer_contract_id: cid })
  return {
    createTransferOffer: inWallet(
      (wallet, { body }) => offers.create(wallet, body), (cid) => ({ offer_contract_id: cid })),
    listTransferOffers: inWallet(
      ({ party }) => offers.of(transferOffer, party), (found) => ({ offers: found.map(contractToWire) })),
    listAcceptedTransferOffers: inWallet(
      ({ party }) => offers.of(acceptedTransferOffer, party), (found) => ({ accepted_offers: found.map(contractToWire) })),
    getTransferOfferStatus: inWallet(async ({ party }, { path }) =>
      await offerStatus(economy.store, party, path.tracking_id) ?? notFound(`No transfer offer with tracking id ${path.tracking_id}`),
    (status) => status),
    acceptTransferOffer: inWallet((wallet, { path }) => offers.accept(wallet, contractIdOf(path.contract_id)), accepted),
    acceptTransferOfferByBody: inWallet((wallet, { body }) => offers.accept(wallet, contractIdOf(body.contract_id)), accepted),
    rejectTransferOffer: inWallet((wallet, { path }) => offers.reject(wallet, contractIdOf(path.contract_id)), nothing),
    rejectTransferOfferByBody: inWallet((wallet, { body }) => offers.reject(wallet, contractIdOf(body.contract_id)), nothing),
    withdrawTransferOffer: inWallet((wallet, { path }) => offers.withdraw(wallet, contractIdOf(path.contract_id)), nothing),
    withdrawTransferOfferByBody: inWallet((wallet, { body }) => offers.withdraw(wallet, contractIdOf(body.contract_id)), nothing),
  }
}

function nothing(): undefined {
  return undefined
}

class Offers {
  readonly #economy: Economy

  constructor(economy: Economy) {
    this.#economy = economy
  }

  /** Answers the offer's id. */
  async create(wallet: Wallet, request: CreateTransferOfferRequest): Promise<string | PlainError> {
    const terms = await this.#terms(request)
    if (terms instanceof PlainError) return terms
    const { party, install } = wallet
    const { tracking_id: trackingId } = request
    if (await offerStatus(this.#economy.store, party, trackingId) !== undefined) return usedBefore(trackingId)
    const done = await submitFor(this.#economy, party, {
      commandId: trackedCommandId('transfer-offer', party, trackingId),
      run: (tx) => tx.exercise(walletAppInstallCreateTransferOffer, install.id, terms).transferOfferCid,
    })
    if (done.ok) return done.result
    return done.kind === 'duplicate' ? usedBefore(trackingId) : refusalError(done)
  }

  /** Those that the party sent or received, oldest first. */
  async of<T>(template: Template<T>, party: string): Promise<readonly Contract<T>[]> {
    const { reader } = this.#economy
    const [sent, received] = await Promise.all([reader.all(template, [1, party]), reader.all(template, [2, party])])
    const all = new Map([...sent, ...received].map((offer) => [offer.id, offer]))
    return [...all.values()].toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1))
  }

  /** Answers the id of the accepted offer. */
  accept(wallet: Wallet, cid: string): Promise<string | PlainError> {
    return this.#act(wallet, cid, 'receiver', (tx) =>
      tx.exercise(walletAppInstallTransferOfferAccept, wallet.install.id, { cid }).acceptedTransferOffer)
  }

  reject(wallet: Wallet, cid: string): Promise<unknown> {
    return this.#act(wallet, cid, 'receiver', (tx) => tx.exercise(walletAppInstallTransferOfferReject, wallet.install.id, { cid }))
  }

  withdraw(wallet: Wallet, cid: string): Promise<unknown> {
    return this.#act(wallet, cid, 'sender', (tx) =>
      tx.exercise(walletAppInstallTransferOfferWithdraw, wallet.install.id, { cid, reason: WITHDRAW_REASON }))
  }

  /** What somebody else's offer and one that is not there have in common is all that a stranger learns. */
  async #act<R>(wallet: Wallet, cid: string, side: 'sender' | 'receiver', run: (tx: Tx) => R): Promise<R | PlainError> {
    const offer = await this.#economy.reader.get(transferOffer, cid)
    if (offer === undefined || !isStakeholder(offer.payload, wallet.party)) return notFound(`No transfer offer with contract id ${cid}`)
    if (offer.payload[side] !== wallet.party) return badRequest(`Only the ${side} of the offer may do this`)
    const done = await submitFor(this.#economy, wallet.party, { run })
    return done.ok ? done.result : refusalError(done, cid)
  }

  async #terms(request: CreateTransferOfferRequest) {
    const { receiver_party_id: receiver, description, expires_at, tracking_id: trackingId } = request
    const amount = payableAmount(request.amount)
    if (amount instanceof PlainError) return amount
    const expiresAt = futureTime(expires_at, this.#economy.clock.nowMicros())
    if (expiresAt instanceof PlainError) return expiresAt
    const fault = textFault(receiver, description, trackingId)
    if (fault !== undefined) return fault
    const [known] = await this.#economy.store.parties.get([receiver])
    if (known === undefined) return badRequest(`No party ${receiver} is known`)
    return { receiver, amount: { amount, unit: 'CoinUnit' as const }, description, expiresAt, trackingId }
  }
}

function isStakeholder({ sender, receiver }: TransferOffer, party: string): boolean {
  return sender === party || receiver === party
}

function usedBefore(trackingId: string): PlainError {
  return conflict(`A transfer offer with tracking id ${trackingId} was created before`)
}
