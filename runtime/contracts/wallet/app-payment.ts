// Payments for apps: an app asks, the user's wallet locks the coin, the app collects it and
// delivers in the same transaction, or the coin goes back. docs/payments.md
import {
  AcceptedAppPayment,
  AppPaymentRequest,
  TerminatedAppPayment,
} from '../../../generated/contracts.gen.ts'
import type { AppPaymentTerminated } from '../../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../../engine/index.ts'
import type { Self, Tx } from '../../engine/template.ts'
import { byActor, requireActor } from '../requirements.ts'
import { expirePayment, giveBack, isPayable, lockPayment, payOut } from './payment-lock.ts'
import { ofNetwork } from '../of-network.ts'

const PURPOSE = 'app payment'

/** Rank: expiry. */
export const appPaymentRequest = defineTemplate(AppPaymentRequest, {
  ...ofNetwork,
  signatories: (request) => partiesOfRequest(request),
  ensure: ({ receiverAmounts }) =>
    receiverAmounts.length > 0 && receiverAmounts.every(({ amount }) => isPayable(amount)),
  rank: ({ expiresAt }) => expiresAt,
})

/** Rank: when the lock expires. */
export const acceptedAppPayment = defineTemplate(AcceptedAppPayment, {
  ...ofNetwork,
  signatories: (payment) => partiesOfPayment(payment),
  rank: ({ lockExpiresAt }) => lockExpiresAt,
})

/** Says that a payment came to nothing, until the app archives it. */
export const terminatedAppPayment = defineTemplate(TerminatedAppPayment, {
  signatories: ({ sender, provider, receivers }) => [sender, provider, ...receivers],
})

/** Expires a request, from expiry on; by each signatory. */
export const appPaymentRequestExpire = choice(
  appPaymentRequest,
  AppPaymentRequest.choices.AppPaymentRequest_Expire,
  {
    controllers: byActor,
    run: (tx: Tx, self, { actor }) => {
      requireActor(tx, actor, partiesOfRequest(self.payload))
      tx.notBefore(self.payload.expiresAt)
      return terminateRequest(tx, self)
    },
  },
)

/** The sender and its wallet provider, before expiry: the coin is locked for the receivers. */
export const appPaymentRequestAccept = choice(
  appPaymentRequest,
  AppPaymentRequest.choices.AppPaymentRequest_Accept,
  {
    controllers: ({ sender }, { walletProvider }) => [sender, walletProvider],
    run: (tx, { id: reference, payload }, means) => {
      tx.before(payload.expiresAt)
      const { sender, provider, dso, receiverAmounts: amounts } = payload
      const wish = { dso, sender, provider, amounts, purpose: PURPOSE }
      const { coinAmounts, senderChangeCoin, ...locked } = lockPayment(tx, wish, means)
      const acceptedPayment = tx.create(acceptedAppPayment, {
        sender,
        coinReceiverAmounts: coinAmounts,
        provider,
        dso,
        reference,
        ...locked,
      })
      return { acceptedPayment, senderChangeCoin }
    },
  },
)

/** All receivers together. */
export const appPaymentRequestWithdraw = choice(
  appPaymentRequest,
  AppPaymentRequest.choices.AppPaymentRequest_Withdraw,
  {
    controllers: (request) => [...new Set(receiversOf(request.receiverAmounts))],
    run: terminateRequest,
  },
)

/** The sender does not pay. */
export const appPaymentRequestReject = choice(
  appPaymentRequest,
  AppPaymentRequest.choices.AppPaymentRequest_Reject,
  { controllers: ({ sender }) => [sender], run: terminateRequest },
)

/** Sender, provider and receivers: the app delivers in the same transaction. */
export const acceptedAppPaymentCollect = choice(
  acceptedAppPayment,
  AcceptedAppPayment.choices.AcceptedAppPayment_Collect,
  {
    controllers: partiesOfPayment,

    run: (tx, { payload }, { context }) => {
      const { coinReceiverAmounts: coinAmounts, ...payment } = payload
      const coins = payOut(tx, { ...payment, coinAmounts }, context)
      return { receiverCoins: zip(receiversOf(coinAmounts), coins) }
    },
  },
)

/** All receivers together: the sender gets the coin back. */
export const acceptedAppPaymentReject = choice(
  acceptedAppPayment,
  AcceptedAppPayment.choices.AcceptedAppPayment_Reject,
  {
    controllers: ({ coinReceiverAmounts }) => [...new Set(receiversOf(coinReceiverAmounts))],
    run: (tx, { payload }) => {
      terminatePayment(tx, payload)
      return { coin: giveBack(tx, payload.lockedCoin) }
    },
  },
)

/** The sender takes the coin back once the lock has expired. */
export const acceptedAppPaymentExpire = choice(
  acceptedAppPayment,
  AcceptedAppPayment.choices.AcceptedAppPayment_Expire,
  {
    controllers: ({ sender }) => [sender],
    run: (tx, { payload }, { expireLock }) => {
      terminatePayment(tx, payload)
      return { coin: expirePayment(tx, payload, expireLock) }
    },
  },
)

function partiesOfRequest({ sender, provider, receiverAmounts }: AppPaymentRequest) {
  return [sender, ...receiversOf(receiverAmounts), provider]
}

function partiesOfPayment({ sender, provider, coinReceiverAmounts }: AcceptedAppPayment) {
  return [sender, provider, ...receiversOf(coinReceiverAmounts)]
}

function receiversOf(amounts: readonly { readonly receiver: string }[]): readonly string[] {
  return amounts.map(({ receiver }) => receiver)
}

function zip(
  parties: readonly string[],
  contractIds: readonly string[],
): readonly (readonly [party: string, contractId: string])[] {
  return parties.flatMap((party, index) => {
    const contractId = contractIds[index]
    return contractId === undefined ? [] : [[party, contractId] as const]
  })
}

function terminateRequest(
  tx: Tx,
  { id: reference, payload: { sender, provider, receiverAmounts } }: Self<AppPaymentRequest>,
): AppPaymentTerminated {
  const receivers = receiversOf(receiverAmounts)
  const terminated = { sender, provider, receivers, reference }
  return { terminatedAppPayment: tx.create(terminatedAppPayment, terminated) }
}

function terminatePayment(tx: Tx, payment: AcceptedAppPayment): void {
  const { sender, provider, reference, coinReceiverAmounts } = payment
  const receivers = receiversOf(coinReceiverAmounts)
  tx.create(terminatedAppPayment, { sender, provider, receivers, reference })
}
