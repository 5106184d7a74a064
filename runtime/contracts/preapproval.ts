// A receiver takes transfers without being asked, through the provider who paid for it.
// docs/economy-rules.md, "Preapprovals"
import { CoinRules, TransferPreapproval } from '../../generated/contracts.gen.ts'
import type {
  TransferPreapproval_Send,
  TransferPreapprovalBought,
  TransferPreapprovalSent,
  TransferResult,
} from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Self, Tx } from '../engine/template.ts'
import { splitAndBurn } from './burn.ts'
import type { Payment } from './burn.ts'
import { coinRules, configOf, fetchCoinRules } from './coin-rules.ts'
import { preapprovalFee } from './fees.ts'
import { mergeMetadata, reasonMetadata } from './metadata.ts'
import { openRoundInUse } from './round-use.ts'
import { outputTo, payBy } from './transfer.ts'
import { requireParty, requireActor, timeText } from './requirements.ts'
import { byNetwork, ofNetwork } from './of-network.ts'

const { choices } = TransferPreapproval

/** Rank: expiry. */
export const transferPreapproval = defineTemplate(TransferPreapproval, {
  ...ofNetwork,
  signatories: ({ receiver, provider, dso }) => [receiver, provider, dso],
  ensure: ({ validFrom, lastRenewedAt, expiresAt }) =>
    expiresAt > validFrom && lastRenewedAt >= validFrom,
  rank: ({ expiresAt }) => (expiresAt > 0n ? expiresAt : 0n),
})

/** The payment for a preapproval; `coinPaid` is at scale 10. */
export interface PreapprovalPayment {
  readonly transferResult: TransferResult
  readonly coinPaid: bigint
}

/** Burns the fee for `durationMicros` out of the payer's inputs; nothing where it is free. */
export function payForPreapproval(
  tx: Tx,
  rules: CoinRules,
  durationMicros: bigint,
  payment: Omit<Payment, 'price'>,
): PreapprovalPayment {
  const round = openRoundInUse(tx, rules.dso, payment.context.openMiningRound)
  const price = preapprovalFee(durationMicros, configOf(rules), round.conversionRate)
  return { transferResult: splitAndBurn(tx, rules, round, { ...payment, price }), coinPaid: price }
}

function bought(
  transferPreapprovalCid: string,
  payment: PreapprovalPayment,
): TransferPreapprovalBought {
  const { transferResult, coinPaid } = payment
  return { transferPreapprovalCid, transferResult, coinPaid, meta: transferResult.meta }
}

/** Provider and receiver make a preapproval, which the provider pays for. */
export const coinRulesCreateTransferPreapproval = choice(
  coinRules,
  CoinRules.choices.CoinRules_CreateTransferPreapproval,
  {
    controllers: (_rules, { receiver, provider }) => [provider, receiver],
    run: (
      tx: Tx,
      { payload: rules },
      { receiver, provider, context, inputs, createdAt, expiresAt, expectedDso },
    ) => {
      requireParty(tx, 'the expected network party', expectedDso, rules.dso)
      tx.notBefore(createdAt)
      tx.before(expiresAt)
      const paid = payForPreapproval(tx, rules, expiresAt - createdAt, {
        payer: provider,
        inputs,
        context,
        reason: 'create TransferPreapproval',
      })
      const valid = { validFrom: createdAt, lastRenewedAt: createdAt, expiresAt }
      return bought(
        tx.create(transferPreapproval, { dso: rules.dso, receiver, provider, ...valid }),
        paid,
      )
    },
  },
)

/** The provider pays for more time. */
export const transferPreapprovalRenew = choice(
  transferPreapproval,
  choices.TransferPreapproval_Renew,
  {
    controllers: ({ provider }) => [provider],
    run: (tx: Tx, { payload }, { context, inputs, newExpiresAt }) => {
      const { dso, provider, expiresAt } = payload
      tx.before(expiresAt)
      tx.require(
        newExpiresAt > expiresAt,
        `the new expiry is after the old one, ${timeText(expiresAt)}`,
        () => timeText(newExpiresAt),
      )
      const rules = fetchCoinRules(tx, dso, context.coinRules)
      const reason = 'renew TransferPreapproval'
      const payment = { payer: provider, inputs, context: context.context, reason }
      const paid = payForPreapproval(tx, rules, newExpiresAt - expiresAt, payment)
      const renewed = { ...payload, lastRenewedAt: expiresAt, expiresAt: newExpiresAt }
      const { receiver } = payload
      return { ...bought(tx.create(transferPreapproval, renewed), paid), receiver, provider }
    },
  },
)

/** Receiver or provider ends a preapproval before its time. */
export const transferPreapprovalCancel = choice(
  transferPreapproval,
  choices.TransferPreapproval_Cancel,
  {
    controllers: (_preapproval, { p }) => [p],
    run: (tx: Tx, { payload: { receiver, provider, expiresAt } }, { p }) => {
      requireActor(tx, p, [receiver, provider])
      tx.before(expiresAt)
      return {}
    },
  },
)

/** The network removes a preapproval that is over. */
export const transferPreapprovalExpire = choice(
  transferPreapproval,
  choices.TransferPreapproval_Expire,
  {
    controllers: byNetwork,
    run: (tx, { payload }) => {
      tx.notBefore(payload.expiresAt)
      return {}
    },
  },
)

/** One step: the sender alone, with the receiver's authority out of the preapproval. */
export const transferPreapprovalSend = choice(
  transferPreapproval,
  choices.TransferPreapproval_Send,
  {
    controllers: (_preapproval, { sender }) => [sender],
    run: send,
  },
)

type Sending = TransferPreapproval_Send

function send(
  tx: Tx,
  { payload }: Self<TransferPreapproval>,
  argument: Sending,
): TransferPreapprovalSent {
  const { dso, receiver, provider, expiresAt } = payload
  const { context, inputs, amount, sender, description } = argument
  tx.before(expiresAt)
  const meta = mergeMetadata(argument.meta, reasonMetadata(description))
  const outputs = [outputTo(receiver, amount, meta)]
  const result = payBy(tx, context, dso, { sender, provider, inputs, outputs })
  return { result, meta: mergeMetadata(meta, result.meta) }
}
