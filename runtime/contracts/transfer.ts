// The transfer: inputs into outputs, the rest back to the sender as one coin, coupons minted on the
// way. No fee is charged. docs/economy-rules.md, "Transfers"
import { CoinRules } from '../../generated/contracts.gen.ts'
import type {
  BalanceChange,
  CreatedCoin,
  ExpiringAmount,
  Metadata,
  OpenMiningRound,
  PaymentTransferContext,
  TimeLock,
  Transfer,
  TransferConfig,
  TransferContext,
  TransferInput,
  TransferOutput,
  TransferResult,
  TransferSummary,
} from '../../generated/contracts.gen.ts'
import { add, DECIMAL_ONE, multiply, subtract, sum, formatDecimal } from '../engine/decimal.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { coin } from './coin.ts'
import { validatorRewardCoupon } from './coupons.ts'
import { featuredAppRight, featuredAppRightRewardActivity } from './featured-app.ts'
import { normalisedAmount, scaledHoldingRate } from './fees.ts'
import { lockedCoin } from './locked-coin.ts'
import { amountEntries } from './metadata.ts'
import { metaKeys } from './names.ts'
import {
  insufficientFunds,
  maximumInputsExceeded,
  maximumOutputsExceeded,
} from './transfer-aborts.ts'
import { inputScope, takeInputs } from './transfer-inputs.ts'
import type { InputScope, InputSums } from './transfer-inputs.ts'
import { requireParty, requirePositive } from './requirements.ts'

type CreatedAmount = readonly [party: string, amount: ExpiringAmount]

/**
 * The body of a transfer, for choices that have the authority of the network, the sender, the
 * provider, all receivers and all lock holders. Aborts with `maximum-inputs-exceeded`,
 * `maximum-outputs-exceeded` and `insufficient-funds`, checked in that order.
 */
export function executeTransfer(
  tx: Tx,
  rules: CoinRules,
  transfer: Transfer,
  context: TransferContext,
): TransferResult {
  const { sender, outputs } = transfer
  const scope = inputScope(tx, rules, sender, context)
  requireLimits(tx, transfer, scope.round.transferConfigUsd)
  for (const output of outputs) requireOutput(tx, output, scope.round.transferConfigUsd)
  const taken = takeInputs(tx, scope, transfer.inputs)
  const change = subtract(taken.total, sum(outputs.map(({ amount }) => amount)))
  if (change < 0n) tx.abort(insufficientFunds(-change))
  const createdCoins = outputs.map((output) => createOutput(tx, scope, output))
  const senderChangeCoin = change === 0n ? null : createCoin(tx, scope, sender, change)
  rewardProvider(tx, scope, transfer)
  const summary = summarise(scope, transfer, taken, change)
  const meta = transferMetadata(transfer, summary)
  return { round: scope.round.round, summary, createdCoins, senderChangeCoin, meta }
}

/** The amount of a new holding of `initialAmount`, created in `round`. */
export function expiringAmount(round: OpenMiningRound, initialAmount: bigint): ExpiringAmount {
  const rate = scaledHoldingRate(round.transferConfigUsd.holdingFee.rate, round.conversionRate)
  return { initialAmount, createdAt: round.round, ratePerRound: { rate } }
}

/** Everybody whose coins come, go or are locked. */
function transferControllers({ sender, provider, outputs }: Transfer): readonly string[] {
  const others = outputs.flatMap(({ receiver, lock }) => [receiver, ...(lock?.holders ?? [])])
  return [...new Set([sender, provider, ...others])]
}

/** Pays from inputs to outputs; all whose coins come, go or are locked agree. */
export const coinRulesTransfer = choice(coinRules, CoinRules.choices.CoinRules_Transfer, {
  controllers: (_rules, { transfer }) => transferControllers(transfer),
  run: (tx: Tx, { payload }, { transfer, context, expectedDso }) => {
    requireParty(tx, 'the expected network party', expectedDso, payload.dso)
    return executeTransfer(tx, payload, transfer, context)
  },
})

/**
 * The transfer that completes a legacy offer: unfeatured, and with a validator coupon where the
 * rules give one.
 */
export const coinRulesLegacyTransfer = choice(
  coinRules,
  CoinRules.choices.CoinRules_LegacyTransfer,
  {
    controllers: (_rules, { transfer }) => transferControllers(transfer),
    run: (tx: Tx, { payload }, { transfer, context, expectedDso }) => {
      requireParty(tx, 'the expected network party', expectedDso, payload.dso)
      const result = executeTransfer(tx, payload, transfer, { ...context, featuredAppRight: null })
      rewardLegacySender(tx, payload, transfer, result.round)
      return result
    },
  },
)

/** Pays by the rules that a payment's context names, with no beneficiaries besides the provider. */
export function payBy(
  tx: Tx,
  { coinRules: rulesCid, context }: PaymentTransferContext,
  expectedDso: string,
  transfer: Omit<Transfer, 'beneficiaries'>,
): TransferResult {
  const argument = { transfer: { ...transfer, beneficiaries: null }, context, expectedDso }
  return tx.exercise(coinRulesTransfer, rulesCid, argument)
}

/** What a receiver gets, who bears no fee. */
export function outputTo(
  receiver: string,
  amount: bigint,
  meta: Metadata | null = null,
  lock: TimeLock | null = null,
): TransferOutput {
  return { receiver, receiverFeeRatio: 0n, amount, lock, meta }
}

/** A coin as an input. */
export function inputOf(value: string): TransferInput {
  return { tag: 'InputCoin', value }
}

function rewardLegacySender(
  tx: Tx,
  rules: CoinRules,
  { sender, outputs }: Transfer,
  round: bigint,
): void {
  const sent = sum(
    outputs.filter(({ receiver }) => receiver !== sender).map(({ amount }) => amount),
  )
  const amount = multiply(sent, configOf(rules).legacyTransferRewardRate ?? 0n)
  if (amount > 0n) tx.create(validatorRewardCoupon, { dso: rules.dso, user: sender, amount, round })
}

function requireLimits(
  tx: Tx,
  { inputs, outputs }: Transfer,
  { maxNumInputs, maxNumOutputs }: TransferConfig,
): void {
  if (BigInt(inputs.length) > maxNumInputs)
    tx.abort(maximumInputsExceeded(inputs.length, maxNumInputs))
  if (BigInt(outputs.length) > maxNumOutputs)
    tx.abort(maximumOutputsExceeded(outputs.length, maxNumOutputs))
}

function requireOutput(tx: Tx, output: TransferOutput, limits: TransferConfig): void {
  const { receiver, receiverFeeRatio, amount, lock } = output
  requirePositive(tx, 'the amount of an output', amount)
  const isRatio = receiverFeeRatio >= 0n && receiverFeeRatio <= DECIMAL_ONE
  tx.require(isRatio, "the receiver's share of fees is from 0 to 1", () =>
    formatDecimal(receiverFeeRatio),
  )
  if (lock === null) return
  const holders = holdersOf(lock, receiver).length
  tx.require(
    BigInt(holders) <= limits.maxNumLockHolders,
    `a lock has at most ${limits.maxNumLockHolders} holders`,
    () => `${holders}`,
  )
  tx.before(lock.expiresAt)
}

/** Each once, sorted, without the owner, who need not hold its own lock. */
function holdersOf(lock: TimeLock, owner: string): readonly string[] {
  return [...new Set(lock.holders)].filter((holder) => holder !== owner).sort()
}

function createCoin(tx: Tx, { rules, round }: InputScope, owner: string, amount: bigint): string {
  return tx.create(coin, { dso: rules.dso, owner, amount: expiringAmount(round, amount) })
}

function createOutput(
  tx: Tx,
  scope: InputScope,
  { receiver, amount, lock }: TransferOutput,
): CreatedCoin {
  if (lock === null)
    return { tag: 'TransferResultCoin', value: createCoin(tx, scope, receiver, amount) }
  const held = {
    dso: scope.rules.dso,
    owner: receiver,
    amount: expiringAmount(scope.round, amount),
  }
  const holders = holdersOf(lock, receiver)
  return {
    tag: 'TransferResultLockedCoin',
    value: tx.create(lockedCoin, { coin: held, lock: { ...lock, holders } }),
  }
}

function rewardProvider(
  tx: Tx,
  { rules, context }: InputScope,
  { provider, beneficiaries }: Transfer,
): void {
  const rightCid = context.featuredAppRight
  if (rightCid === null) return
  const right = tx.fetch(featuredAppRight, rightCid)
  requireParty(tx, 'the network party of the featured right', right.dso, rules.dso)
  requireParty(tx, 'the provider of the featured right', right.provider, provider)
  tx.exercise(featuredAppRightRewardActivity, rightCid, {
    openRoundCid: context.openMiningRound,
    beneficiaries,
  })
}

function summarise(
  scope: InputScope,
  transfer: Transfer,
  { byTag, ...taken }: InputSums,
  change: bigint,
): TransferSummary {
  const faucets = byTag.InputValidatorLivenessActivityRecord
  return {
    inputAppRewardAmount: byTag.InputAppRewardCoupon,
    inputValidatorRewardAmount: add(byTag.InputValidatorRewardCoupon, faucets),
    inputValidatorFaucetAmount: faucets,
    inputSvRewardAmount: byTag.InputSvRewardCoupon,
    inputUnclaimedActivityRecordAmount: byTag.InputUnclaimedActivityRecord,
    inputDevelopmentFundAmount: byTag.InputDevelopmentFundCoupon,
    inputCoinAmount: byTag.InputCoin,
    balanceChanges: balanceChanges(transfer.sender, taken, createdAmounts(scope, transfer, change)),
    holdingFees: 0n,
    outputFees: transfer.outputs.map(() => 0n),
    senderChangeFee: 0n,
    senderChangeAmount: change,
    conversionRate: scope.round.conversionRate,
  }
}

function createdAmounts(
  { round }: InputScope,
  { sender, outputs }: Transfer,
  change: bigint,
): readonly CreatedAmount[] {
  const created = outputs.map(({ receiver, amount }): CreatedAmount => [
    receiver,
    expiringAmount(round, amount),
  ])
  return change === 0n ? created : [...created, [sender, expiringAmount(round, change)]]
}

function balanceChanges(
  sender: string,
  taken: Pick<InputSums, 'normalised' | 'rates'>,
  created: readonly CreatedAmount[],
): TransferSummary['balanceChanges'] {
  const changes = new Map([[sender, balanceChange(-taken.normalised, -taken.rates)]])
  for (const [party, amount] of created) {
    const before = changes.get(party) ?? balanceChange(0n, 0n)
    changes.set(
      party,
      balanceChange(
        add(before.changeToInitialAmountAsOfRoundZero, normalisedAmount(amount)),
        add(before.changeToHoldingFeesRate, amount.ratePerRound.rate),
      ),
    )
  }
  // Maps are in the order of their keys.
  return [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
}

function balanceChange(
  changeToInitialAmountAsOfRoundZero: bigint,
  changeToHoldingFeesRate: bigint,
): BalanceChange {
  return { changeToInitialAmountAsOfRoundZero, changeToHoldingFeesRate }
}

function transferMetadata({ sender, outputs }: Transfer, summary: TransferSummary): Metadata {
  const staysHere = outputs.every(({ receiver, lock }) => {
    return receiver === sender && (lock?.holders ?? []).every((holder) => holder === sender)
  })
  return {
    values: new Map([
      [metaKeys().txKind, staysHere ? 'merge-split' : 'transfer'],
      ...(staysHere ? [] : [[metaKeys().sender, sender] as const]),
      ...amountEntries([
        [metaKeys().appRewards, summary.inputAppRewardAmount],
        [metaKeys().validatorRewards, summary.inputValidatorRewardAmount],
        [metaKeys().svRewards, summary.inputSvRewardAmount],
        [metaKeys().unclaimedActivityRecords, summary.inputUnclaimedActivityRecordAmount],
        [metaKeys().developmentFund, summary.inputDevelopmentFundAmount],
      ]),
    ]),
  }
}
