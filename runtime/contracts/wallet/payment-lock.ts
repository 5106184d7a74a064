// Coin that a payment locks before its receivers collect it: how it is locked, paid out and given
// back. Shared by payments for apps and by subscriptions. docs/payments.md
import type {
  AppTransferContext,
  OpenMiningRound,
  PaymentAmount,
  PaymentTransferContext,
  ReceiverCoinAmount,
  TransferInput,
} from '../../../generated/contracts.gen.ts'
import { sum } from '../../engine/decimal.ts'
import type { Tx } from '../../engine/template.ts'
import { lockedCoinOwnerExpireLock, lockedCoinUnlock } from '../locked-coin.ts'
import { takeNow } from '../now.ts'
import { coinRulesQuote } from '../quote.ts'
import { inputOf, outputTo, payBy } from '../transfer.ts'
import { inCoin } from './transfer-offer.ts'

/** Inputs that the sender's wallet brings along to pay. */
export interface Means {
  readonly inputs: readonly TransferInput[]
  readonly context: PaymentTransferContext
  readonly walletProvider: string
  /** The time, as in `takeNow`; null where it is not said. */
  readonly now: bigint | null
}

/** Payer, payee and amount, as the request has them. */
export interface Wish {
  readonly dso: string
  readonly sender: string
  readonly provider: string
  readonly amounts: readonly { readonly receiver: string; readonly amount: PaymentAmount }[]
  /** The lock's text, for people who see the locked coin. */
  readonly purpose: string
}

/** The locked coin, and the change of the inputs. */
export interface LockedPayment {
  readonly lockedCoin: string
  readonly coinAmounts: readonly ReceiverCoinAmount[]
  readonly round: bigint
  readonly lockExpiresAt: bigint
  readonly senderChangeCoin: string | null
}

/**
 * Locks the sum of the amounts for provider and receivers until the open round's target time of
 * closing, and for a tick at least where the time is said; USD become coin at the round's price.
 * Needs the authority of all of them and of the wallet provider. Aborts as a transfer does.
 */
export function lockPayment(
  tx: Tx,
  { dso, sender, provider, amounts, purpose }: Wish,
  { inputs, context, walletProvider, now }: Means,
): LockedPayment {
  const { round } = tx.exercise(coinRulesQuote, context.coinRules, {
    payer: sender,
    inputs: [],
    context: context.context,
    expectedDso: dso,
  })
  const coinAmounts = amounts.map(({ receiver, amount }) => ({
    receiver,
    coinAmount: inCoin(amount, round.conversionRate),
  }))
  const holders = [provider, ...amounts.map(({ receiver }) => receiver)]
  const lockExpiresAt = lockEnd(tx, round, now)
  const amount = sum(coinAmounts.map(({ coinAmount }) => coinAmount))
  const lock = { holders, expiresAt: lockExpiresAt, optContext: purpose }
  const outputs = [outputTo(sender, amount, null, lock)]
  const result = payBy(tx, context, dso, { sender, provider: walletProvider, inputs, outputs })
  const [locked] = result.createdCoins
  tx.require(locked !== undefined, 'the payment locks one coin', () => 'none')
  return {
    lockedCoin: locked.value,
    coinAmounts,
    round: result.round,
    lockExpiresAt,
    senderChangeCoin: result.senderChangeCoin,
  }
}

function lockEnd(
  tx: Tx,
  { targetClosesAt, tickDuration }: OpenMiningRound,
  now: bigint | null,
): bigint {
  if (now === null) return targetClosesAt
  takeNow(tx, now)
  const aTickLater = now + tickDuration
  return aTickLater > targetClosesAt ? aTickLater : targetClosesAt
}

/** A collection: who collects which amount from which coin. */
export interface Collection {
  readonly dso: string
  readonly sender: string
  readonly provider: string
  readonly lockedCoin: string
  readonly coinAmounts: readonly ReceiverCoinAmount[]
}

/**
 * Unlocks the coin and pays it out, in the order of the amounts. The provider provides the transfer
 * and earns where the context has its featured right. Answers the receivers' coins.
 */
export function payOut(
  tx: Tx,
  { dso, sender, provider, lockedCoin, coinAmounts }: Collection,
  context: AppTransferContext,
): readonly string[] {
  const unlocked = tx.exercise(lockedCoinUnlock, lockedCoin, {}).coin
  const payment = { coinRules: context.coinRules, context: transferContextOf(context) }
  const result = payBy(tx, payment, dso, {
    sender,
    provider,
    inputs: [inputOf(unlocked)],
    outputs: coinAmounts.map(({ receiver, coinAmount }) => outputTo(receiver, coinAmount)),
  })
  return result.createdCoins.map(({ value }) => value)
}

/** The context for a transfer that takes coins only. */
export function transferContextOf({ openMiningRound, featuredAppRight }: AppTransferContext) {
  return { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight }
}

/** Gives the coin back before its lock has expired. Answers the sender's coin. */
export function giveBack(tx: Tx, lockedCoin: string): string {
  return tx.exercise(lockedCoinUnlock, lockedCoin, {}).coin
}

/**
 * Gives the coin back once its lock has expired. `expireLock` is false where the sender has taken
 * it back before, and null is true. Answers the sender's coin, or null where it had it already.
 */
export function expirePayment(
  tx: Tx,
  { lockedCoin, lockExpiresAt }: { readonly lockedCoin: string; readonly lockExpiresAt: bigint },
  expireLock: boolean | null,
): string | null {
  if (expireLock ?? true) return tx.exercise(lockedCoinOwnerExpireLock, lockedCoin, {}).coin
  tx.notBefore(lockExpiresAt)
  return null
}

/** Whether an amount can be paid at all. */
export function isPayable({ amount, unit }: PaymentAmount): boolean {
  return amount > 0n && unit !== 'ExtUnit'
}
