// Paying the network: the payer's inputs become the price and the change, and the price is
// archived. docs/economy-rules.md, "Burns"
import type {
  CoinRules,
  Metadata,
  OpenMiningRound,
  TransferContext,
  TransferInput,
  TransferResult,
  TransferSummary,
} from '../../generated/contracts.gen.ts'
import { subtract } from '../engine/decimal.ts'
import type { Tx } from '../engine/template.ts'
import { coin } from './coin.ts'
import { validatorRewardCoupon } from './coupons.ts'
import { normalisedAmount } from './fees.ts'
import { amountEntries, kindMetadata, mergeMetadata } from './metadata.ts'
import { metaKeys } from './names.ts'
import { executeTransfer, expiringAmount, outputTo } from './transfer.ts'

/** A price, and what it is paid from. */
export interface Payment {
  readonly payer: string
  readonly inputs: readonly TransferInput[]
  readonly context: TransferContext
  /** The price in coin. At 0 nothing happens and the inputs stay. */
  readonly price: bigint
  /** The reason of the payment, for its metadata. */
  readonly reason: string
}

/**
 * Takes the price and gives the change back; the payer earns a validator coupon of the price
 * (docs/economy-rules.md, "Burns"). Needs the authority of network and payer; `round` is the
 * context's. Aborts as a transfer does.
 */
export function splitAndBurn(
  tx: Tx,
  rules: CoinRules,
  round: OpenMiningRound,
  payment: Payment,
): TransferResult {
  const { payer, inputs, price, reason } = payment
  if (price === 0n) return nothingPaid(round, reason)
  const outputs = [outputTo(payer, price)]
  const transfer = { sender: payer, provider: payer, inputs, outputs, beneficiaries: null }
  const result = executeTransfer(tx, rules, transfer, {
    ...payment.context,
    featuredAppRight: null,
  })
  for (const { value } of result.createdCoins) tx.archive(coin, value)
  tx.create(validatorRewardCoupon, {
    dso: rules.dso,
    user: payer,
    amount: price,
    round: round.round,
  })
  const summary = withoutBurned(result.summary, payer, round, price)
  return { ...result, createdCoins: [], summary, meta: burnMetadata(result.meta, price, reason) }
}

function burnMetadata(meta: Metadata, price: bigint, reason: string): Metadata {
  return mergeMetadata(meta, kindMetadata('burn', reason), {
    values: new Map(amountEntries([[metaKeys().burned, price]])),
  })
}

/** The price was an output to the payer, who no longer has it. */
function withoutBurned(
  summary: TransferSummary,
  payer: string,
  round: OpenMiningRound,
  price: bigint,
): TransferSummary {
  const burned = expiringAmount(round, price)
  return {
    ...summary,
    balanceChanges: summary.balanceChanges.map(([party, change]) => [
      party,
      party !== payer
        ? change
        : {
            changeToInitialAmountAsOfRoundZero: subtract(
              change.changeToInitialAmountAsOfRoundZero,
              normalisedAmount(burned),
            ),
            changeToHoldingFeesRate: subtract(
              change.changeToHoldingFeesRate,
              burned.ratePerRound.rate,
            ),
          },
    ]),
  }
}

function nothingPaid({ round, conversionRate }: OpenMiningRound, reason: string): TransferResult {
  const summary: TransferSummary = {
    inputAppRewardAmount: 0n,
    inputValidatorRewardAmount: 0n,
    inputValidatorFaucetAmount: 0n,
    inputSvRewardAmount: 0n,
    inputUnclaimedActivityRecordAmount: 0n,
    inputDevelopmentFundAmount: 0n,
    inputCoinAmount: 0n,
    balanceChanges: [],
    holdingFees: 0n,
    outputFees: [],
    senderChangeFee: 0n,
    senderChangeAmount: 0n,
    conversionRate,
  }
  const meta = kindMetadata('burn', reason)
  return { round, summary, createdCoins: [], senderChangeCoin: null, meta }
}
