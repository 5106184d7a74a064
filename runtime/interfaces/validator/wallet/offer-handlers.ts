// Legacy transfer offers: create, list, follow, accept, reject, withdraw.
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  CreateTransferOfferRequest,
  TransferOfferStatus,
} from '../../../../generated/validator/types.gen.ts'
import { WalletAppInstall } from '../../../../generated/contracts.gen.ts'
import type { TransferOffer } from '../../../../generated/contracts.gen.ts'
import { acceptedTransferOffer, installChoices, transferOffer } from '../../../contracts/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import {
  conflict,
  notFound,
  otherContent,
  PlainError,
  rejectionError,
} from '../../../economy/errors.ts'
import { contractToWire } from '../../contract-wire.ts'
import { nothing, strangerProblem, walletActs, walletLists, walletScope } from './operations.ts'
import type { ById, Subject } from './operations.ts'
import { futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import {
  earlierRequest,
  isSameRequest,
  rememberRequest,
} from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { offerRequest, offerStatus } from '../../../economy/wallets/tracking.ts'
import type { OfferTerms } from '../../../economy/wallets/tracking.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const { WalletAppInstall_CreateTransferOffer: CREATE } = WalletAppInstall.choices
const WITHDRAW_REASON = 'Withdrawn by sender'

const OFFER: Subject<TransferOffer> = {
  template: transferOffer,
  what: 'transfer offer',
  parties: ({ sender, receiver }) => ({ sender, receiver }),
}

/** Handlers of all operations on transfer offers. */
export function offerHandlers(economy: Economy) {
  const inWallet = walletScope(economy)
  const listing = walletLists(economy)
  const { acting, ending } = walletActs(economy)
  const accept = acting(
    OFFER,
    { role: 'receiver', choice: installChoices.WalletAppInstall_TransferOffer_Accept },
    (cid) => ({ cid }),
    ({ acceptedTransferOffer: cid }) => ({ accepted_offer_contract_id: cid }),
  )
  const reject = ending(OFFER, 'receiver', installChoices.WalletAppInstall_TransferOffer_Reject)
  const withdraw = acting(
    OFFER,
    { role: 'sender', choice: installChoices.WalletAppInstall_TransferOffer_Withdraw },
    (cid) => ({ cid, reason: WITHDRAW_REASON }),
    nothing,
  )
  const byBody =
    <B>(handler: (input: ById, context: Context) => B) =>
    ({ body }: { readonly body: ById['path'] }, context: Context) =>
      handler({ path: body }, context)
  return {
    createTransferOffer: inWallet(
      (wallet, { body }) => create(economy, wallet, body),
      (cid) => ({ offer_contract_id: cid }),
    ),
    listTransferOffers: listing(
      'offers',
      [transferOffer.by('sender'), transferOffer.by('receiver')],
      contractToWire,
    ),
    listAcceptedTransferOffers: listing(
      'accepted_offers',
      [acceptedTransferOffer.by('sender'), acceptedTransferOffer.by('receiver')],
      contractToWire,
    ),
    getTransferOfferStatus: inWallet(
      async ({ party }, { path }) =>
        (await offerStatus(economy.store, party, path.tracking_id)) ??
        notFound(`No transfer offer with tracking id ${path.tracking_id}`),
      (status) => status,
    ),
    acceptTransferOffer: accept,
    acceptTransferOfferByBody: byBody(accept),
    rejectTransferOffer: reject,
    rejectTransferOfferByBody: byBody(reject),
    withdrawTransferOffer: withdraw,
    withdrawTransferOfferByBody: byBody(withdraw),
  } satisfies Partial<Handlers<Context>>
}

/** The offer's id: of the earlier one where the same was asked for under its tracking id. */
async function create(
  economy: Economy,
  { party, install }: Wallet,
  request: CreateTransferOfferRequest,
): Promise<string | PlainError> {
  const terms = termsOf(request)
  if (terms instanceof PlainError) return terms
  const asked = offerRequest(party, terms)
  const used = await offerStatus(economy.store, party, terms.trackingId)
  if (used !== undefined) return earlier(economy, asked, used)
  const time = futureTime(terms.expiresAt, economy.clock.nowMicros())
  if (time instanceof PlainError) return time
  const problem = await strangerProblem(economy, terms.receiver)
  if (problem !== undefined) return problem
  const done = await verdictFor(economy, party, {
    commandId: asked.commandId,
    project: rememberRequest(asked),
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_CreateTransferOffer, install.id, terms)
        .transferOfferCid,
  })
  if (done.ok) return done.result
  return done.kind === 'duplicate' ? earlier(economy, asked) : rejectionError(done)
}

/**
 * An offer that was made otherwise, or before contents were kept, says itself what was asked for,
 * as long as it is open.
 */
async function earlier(
  { store, reader }: Pick<Economy, 'reader' | 'store'>,
  asked: RequestId,
  status?: TransferOfferStatus,
): Promise<string | PlainError> {
  const made = await earlierRequest(store, asked.commandId)
  if (made !== undefined) {
    return isSameRequest(made, asked)
      ? CREATE.result.decode(made.result).transferOfferCid
      : otherContent()
  }
  const open =
    status?.status === 'created' ? await reader.get(transferOffer, status.contract_id) : undefined
  const isSame =
    open !== undefined && offerRequest(open.payload.sender, open.payload).content === asked.content
  return isSame ? open.id : conflict('A transfer offer with this tracking id was created before')
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
