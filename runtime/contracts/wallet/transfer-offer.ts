// Legacy offers: nothing is locked, the receiver accepts, the sender's side completes.
// docs/economy-rules.md, "Legacy offers"
import { AcceptedTransferOffer, TransferOffer } from '../../../generated/contracts.gen.ts'
import type {
  PaymentAmount,
  PaymentTransferContext,
  TransferOfferEnded,
} from '../../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../../engine/index.ts'
import type { Tx } from '../../engine/template.ts'
import { usdToCoin } from '../fees.ts'
import { coinRulesQuote } from '../quote.ts'
import { coinRulesLegacyTransfer, outputTo } from '../transfer.ts'
import { isShort } from './text.ts'
import { byActor, requireActor } from '../requirements.ts'
import { ofNetwork } from '../of-network.ts'

type Offer = Pick<
  AcceptedTransferOffer,
  'sender' | 'receiver' | 'trackingId' | 'expiresAt' | 'amount'
>

/** Rank: expiry. */
export const transferOffer = defineTemplate(TransferOffer, {
  ...ofNetwork,
  signatories: (offer) => [offer.sender],
  observers: (offer) => [offer.receiver],
  ensure: (offer) => isPayable(offer) && isShort(offer.description),
  rank: (offer) => offer.expiresAt,
})

/** Rank: expiry. */
export const acceptedTransferOffer = defineTemplate(AcceptedTransferOffer, {
  ...ofNetwork,
  signatories: (offer) => [offer.sender, offer.receiver],
  ensure: (offer) => isPayable(offer),
  rank: (offer) => offer.expiresAt,
})

/** The receiver, before expiry. */
export const transferOfferAccept = choice(
  transferOffer,
  TransferOffer.choices.TransferOffer_Accept,
  {
    controllers: (offer) => [offer.receiver],
    run: (tx, { payload: { description: _, ...accepted } }) => {
      tx.before(accepted.expiresAt)
      return { acceptedTransferOffer: tx.create(acceptedTransferOffer, accepted) }
    },
  },
)

/** The receiver, at any time. */
export const transferOfferReject = choice(
  transferOffer,
  TransferOffer.choices.TransferOffer_Reject,
  {
    controllers: (offer) => [offer.receiver],
    run: (_tx, { payload }) => ended(payload, null),
  },
)

/** The sender, at any time. */
export const transferOfferWithdraw = choice(
  transferOffer,
  TransferOffer.choices.TransferOffer_Withdraw,
  {
    controllers: (offer) => [offer.sender],

    run: (_tx, { payload }, { reason }) => ended(payload, reason),
  },
)

/** Sender or receiver, from expiry on. */
export const transferOfferExpire = choice(
  transferOffer,
  TransferOffer.choices.TransferOffer_Expire,
  {
    controllers: byActor,
    run: (tx, { payload }, { actor }) => expire(tx, payload, actor),
  },
)

/**
 * Sender and the sender's wallet provider, before expiry; pays out of the inputs. Never featured.
 */
export const acceptedTransferOfferComplete = choice(
  acceptedTransferOffer,
  AcceptedTransferOffer.choices.AcceptedTransferOffer_Complete,
  {
    controllers: (offer, { walletProvider }) => [offer.sender, walletProvider],
    run: (tx: Tx, { payload }, { inputs, context, walletProvider }) => {
      tx.before(payload.expiresAt)
      const { sender, receiver, dso } = payload
      const amount = coinAmount(tx, payload, context)
      const outputs = [outputTo(receiver, amount)]
      const transferResult = tx.exercise(coinRulesLegacyTransfer, context.coinRules, {
        transfer: { sender, provider: walletProvider, inputs, outputs, beneficiaries: null },
        context: context.context,
        expectedDso: dso,
      })
      const [created] = transferResult.createdCoins
      tx.require(created !== undefined, "the transfer creates the receiver's coin", () => 'none')
      return {
        trackingInfo: trackingInfo(payload),
        transferResult,
        receiverCoin: created.value,
        senderChangeCoin: transferResult.senderChangeCoin,
      }
    },
  },
)

/** The sender, at any time: how a completion ends that cannot be paid. */
export const acceptedTransferOfferAbort = choice(
  acceptedTransferOffer,
  AcceptedTransferOffer.choices.AcceptedTransferOffer_Abort,
  {
    controllers: (offer) => [offer.sender],
    run: (_tx, { payload }, { reason }) => ended(payload, reason),
  },
)

/** The receiver, at any time. */
export const acceptedTransferOfferWithdraw = choice(
  acceptedTransferOffer,
  AcceptedTransferOffer.choices.AcceptedTransferOffer_Withdraw,
  {
    controllers: (offer) => [offer.receiver],
    run: (_tx, { payload }, { reason }) => ended(payload, reason),
  },
)

/** Sender or receiver, from expiry on. */
export const acceptedTransferOfferExpire = choice(
  acceptedTransferOffer,
  AcceptedTransferOffer.choices.AcceptedTransferOffer_Expire,
  {
    controllers: byActor,
    run: (tx, { payload }, { actor }) => expire(tx, payload, actor),
  },
)

/**
 * The amount in coin: USD at the price of the context's round. `ExtUnit` is refused at creation.
 */
export function inCoin(amount: PaymentAmount, conversionRate: bigint): bigint {
  return amount.unit === 'USDUnit' ? usdToCoin(amount.amount, conversionRate) : amount.amount
}

function coinAmount(
  tx: Tx,
  { amount, sender, dso }: AcceptedTransferOffer,
  context: PaymentTransferContext,
): bigint {
  if (amount.unit === 'CoinUnit') return amount.amount
  const quote = { payer: sender, inputs: [], context: context.context, expectedDso: dso }
  return inCoin(amount, tx.exercise(coinRulesQuote, context.coinRules, quote).round.conversionRate)
}

function expire(tx: Tx, offer: Offer, actor: string): TransferOfferEnded {
  requireActor(tx, actor, [offer.sender, offer.receiver])
  tx.notBefore(offer.expiresAt)
  return ended(offer, null)
}

function ended(offer: Offer, reason: string | null): TransferOfferEnded {
  return { trackingInfo: trackingInfo(offer), reason }
}

function trackingInfo({ trackingId, sender, receiver }: Offer): TransferOfferEnded['trackingInfo'] {
  return { trackingId, sender, receiver }
}

function isPayable({ amount, trackingId }: Offer): boolean {
  return amount.amount > 0n && amount.unit !== 'ExtUnit' && isShort(trackingId)
}
