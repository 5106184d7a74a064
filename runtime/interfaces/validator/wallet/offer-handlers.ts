// Legacy transfer offers: create, list, follow, accept, reject, withdraw. domain/wire.md §1.1,
// §1.2; domain/behaviour.md §4
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  CreateTransferOfferRequest,
  TransferOfferStatus,
} from '../../../../generated/validator/types.gen.ts'
import { WalletAppInstall } from '../../../../generated/contracts.gen.ts'
import type { TransferOffer } from '../../../../generated/contracts.gen.ts'
import { acceptedTransferOffer, installChoices, transferOffer } from '../../../contracts/index.ts'
import type { Tx } from '../../../engine/index.ts'
import { isKnown } from '../../../economy/hosting.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import {
  badRequest,
  conflict,
  notFound,
  otherContent,
  PlainError,
  rejectionError,
} from '../../../economy/errors.ts'
import { listOf } from './owned-contracts.ts'
import { nextPage } from '../lists.ts'
import { contractIdOf, futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import {
  earlierRequest,
  isSameRequest,
  rememberRequest,
} from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { offerRequest, offerStatus } from '../../../economy/wallets/tracking.ts'
import type { OfferTerms } from '../../../economy/wallets/tracking.ts'
import { walletScope } from './wallet-scope.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const { WalletAppInstall_CreateTransferOffer: CREATE } = WalletAppInstall.choices
const WITHDRAW_REASON = 'Withdrawn by sender'

type OfferHandlers = Pick<
  Handlers<Context>,
  | 'createTransferOffer'
  | 'listTransferOffers'
  | 'getTransferOfferStatus'
  | 'listAcceptedTransferOffers'
  | 'acceptTransferOffer'
  | 'rejectTransferOffer'
  | 'withdrawTransferOffer'
  | 'acceptTransferOfferByBody'
  | 'rejectTransferOfferByBody'
  | 'withdrawTransferOfferByBody'
>

/** Handlers of all operations on transfer offers. */
export function offerHandlers(economy: Economy): OfferHandlers {
  const inWallet = walletScope(economy)
  const offers = new Offers(economy)
  const accepted = (cid: string) => ({ accepted_offer_contract_id: cid })
  return {
    createTransferOffer: inWallet(
      (wallet, { body }) => offers.create(wallet, body),
      (cid) => ({ offer_contract_id: cid }),
    ),
    listTransferOffers: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(economy, [transferOffer.by('sender'), transferOffer.by('receiver')], party, {
          ...query,
          signal,
        }),
      ({ contracts, ...more }) => ({ offers: contracts, ...nextPage(more) }),
    ),
    listAcceptedTransferOffers: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(
          economy,
          [acceptedTransferOffer.by('sender'), acceptedTransferOffer.by('receiver')],
          party,
          { ...query, signal },
        ),
      ({ contracts, ...more }) => ({ accepted_offers: contracts, ...nextPage(more) }),
    ),
    getTransferOfferStatus: inWallet(
      async ({ party }, { path }) =>
        (await offerStatus(economy.store, party, path.tracking_id)) ??
        notFound(`No transfer offer with tracking id ${path.tracking_id}`),
      (status) => status,
    ),
    acceptTransferOffer: inWallet(
      (wallet, { path }) => offers.accept(wallet, contractIdOf(path.contract_id)),
      accepted,
    ),
    acceptTransferOfferByBody: inWallet(
      (wallet, { body }) => offers.accept(wallet, contractIdOf(body.contract_id)),
      accepted,
    ),
    rejectTransferOffer: inWallet(
      (wallet, { path }) => offers.reject(wallet, contractIdOf(path.contract_id)),
      nothing,
    ),
    rejectTransferOfferByBody: inWallet(
      (wallet, { body }) => offers.reject(wallet, contractIdOf(body.contract_id)),
      nothing,
    ),
    withdrawTransferOffer: inWallet(
      (wallet, { path }) => offers.withdraw(wallet, contractIdOf(path.contract_id)),
      nothing,
    ),
    withdrawTransferOfferByBody: inWallet(
      (wallet, { body }) => offers.withdraw(wallet, contractIdOf(body.contract_id)),
      nothing,
    ),
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

  /**
   * Answers the offer's id: of the earlier one where the same was asked for under its tracking id.
   */
  async create(
    { party, install }: Wallet,
    request: CreateTransferOfferRequest,
  ): Promise<string | PlainError> {
    const terms = termsOf(request)
    if (terms instanceof PlainError) return terms
    const asked = offerRequest(party, terms)
    const used = await offerStatus(this.#economy.store, party, terms.trackingId)
    if (used !== undefined) return this.#earlier(asked, used)
    const problem = await this.#problemOf(terms)
    if (problem !== undefined) return problem
    const done = await verdictFor(this.#economy, party, {
      commandId: asked.commandId,
      project: rememberRequest(asked),
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_CreateTransferOffer, install.id, terms)
          .transferOfferCid,
    })
    if (done.ok) return done.result
    return done.kind === 'duplicate' ? this.#earlier(asked) : rejectionError(done)
  }

  /** Answers the id of the accepted offer. */
  accept(wallet: Wallet, cid: string): Promise<string | PlainError> {
    return this.#act(
      wallet,
      cid,
      'receiver',
      (tx) =>
        tx.exercise(installChoices.WalletAppInstall_TransferOffer_Accept, wallet.install.id, {
          cid,
        }).acceptedTransferOffer,
    )
  }

  reject(wallet: Wallet, cid: string): Promise<unknown> {
    return this.#act(wallet, cid, 'receiver', (tx) =>
      tx.exercise(installChoices.WalletAppInstall_TransferOffer_Reject, wallet.install.id, { cid }),
    )
  }

  withdraw(wallet: Wallet, cid: string): Promise<unknown> {
    return this.#act(wallet, cid, 'sender', (tx) =>
      tx.exercise(installChoices.WalletAppInstall_TransferOffer_Withdraw, wallet.install.id, {
        cid,
        reason: WITHDRAW_REASON,
      }),
    )
  }

  /**
   * What somebody else's offer and one that is not there have in common is all that a stranger
   * learns.
   */
  async #act<R>(
    wallet: Wallet,
    cid: string,
    side: 'sender' | 'receiver',
    run: (tx: Tx) => R,
  ): Promise<R | PlainError> {
    const offer = await this.#economy.reader.get(transferOffer, cid)
    if (offer === undefined || !isStakeholder(offer.payload, wallet.party))
      return notFound(`No transfer offer with contract id ${cid}`)
    if (offer.payload[side] !== wallet.party)
      return badRequest(`Only the ${side} of the offer may do this`)
    const done = await verdictFor(this.#economy, wallet.party, { run })
    return done.ok ? done.result : rejectionError(done, cid)
  }

  /**
   * An offer that was made otherwise, or before contents were kept, says itself what was asked for,
   * as long as it is open.
   */
  async #earlier(asked: RequestId, status?: TransferOfferStatus): Promise<string | PlainError> {
    const made = await earlierRequest(this.#economy.store, asked.commandId)
    if (made !== undefined) {
      return isSameRequest(made, asked)
        ? CREATE.result.decode(made.result).transferOfferCid
        : otherContent()
    }
    const open =
      status?.status === 'created'
        ? await this.#economy.reader.get(transferOffer, status.contract_id)
        : undefined
    const isSame =
      open !== undefined &&
      offerRequest(open.payload.sender, open.payload).content === asked.content
    return isSame ? open.id : conflict('A transfer offer with this tracking id was created before')
  }

  async #problemOf({ expiresAt, receiver }: OfferTerms): Promise<PlainError | undefined> {
    const time = futureTime(expiresAt, this.#economy.clock.nowMicros())
    if (time instanceof PlainError) return time
    const known = await isKnown(this.#economy, receiver)
    return known ? undefined : badRequest(`No party ${receiver} is known`)
  }
}

/** 400 for what cannot be offered at any time. */
function termsOf(request: CreateTransferOfferRequest): OfferTerms | PlainError {
  const {
    receiver_party_id: receiver,
    description,
    expires_at: expiresAt,
    tracking_id: trackingId,
  } = request
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  const problem = textProblem(receiver, description, trackingId)
  return (
    problem ?? {
      receiver,
      amount: { amount, unit: 'CoinUnit' },
      description,
      expiresAt,
      trackingId,
    }
  )
}

function isStakeholder({ sender, receiver }: TransferOffer, party: string): boolean {
  return sender === party || receiver === party
}
