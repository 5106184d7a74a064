// What a transfer takes: coins with their initial amount, coupons with what their issuing round
// gives for them. Left to right; the same contract twice is found archived the second time.
// docs/economy-rules.md, "Transfers"
import type {
  AppRewardCoupon,
  Coin,
  CoinRules,
  DevelopmentFundCoupon,
  ExpiringAmount,
  IssuingMiningRound,
  OpenMiningRound,
  TransferContext,
  TransferInput,
  UnclaimedActivityRecord,
} from '../../generated/contracts.gen.ts'
import { add, decimalOf, multiply } from '../engine/decimal.ts'
import type { Template, Tx } from '../engine/template.ts'
import { configOf } from './coin-rules.ts'
import { coin } from './coin.ts'
import {
  appRewardCoupon,
  ownerOf,
  svRewardCoupon,
  unclaimedActivityRecord,
  validatorRewardCoupon,
} from './coupons.ts'
import { developmentFundCoupon } from './development-fund.ts'
import { normalisedAmount } from './fees.ts'
import { validatorLivenessActivityRecord } from './licence.ts'
import { issuingRoundInUse, openRoundInUse } from './round-use.ts'
import { validatorRight } from './validator-right.ts'
import { requireParty } from './requirements.ts'

/** Sender, rules and rounds of a transfer's inputs. */
export interface InputScope {
  readonly rules: CoinRules
  readonly sender: string
  readonly context: TransferContext
  readonly round: OpenMiningRound
  /** Issuing rounds that were looked at, by number. */
  readonly issuing: Map<bigint, IssuingMiningRound>
}

type Tag = TransferInput['tag']

/**
 * What inputs bring, by kind; of coins also what they were worth as of round 0, and their rates.
 */
export interface InputSums {
  readonly total: bigint
  readonly byTag: Readonly<Record<Tag, bigint>>
  readonly normalised: bigint
  readonly rates: bigint
}

interface Taken {
  readonly amount: bigint
  readonly held?: ExpiringAmount
}

interface InputKind {
  read(tx: Tx, scope: InputScope, contractId: string): Taken
  archive(tx: Tx, contractId: string): void
}

/** The round must be open and of the rules' network. */
export function inputScope(
  tx: Tx,
  rules: CoinRules,
  sender: string,
  context: TransferContext,
): InputScope {
  return {
    rules,
    sender,
    context,
    round: openRoundInUse(tx, rules.dso, context.openMiningRound),
    issuing: new Map(),
  }
}

/** The value of the inputs; they stay. */
export function valueInputs(
  tx: Tx,
  scope: InputScope,
  inputs: readonly TransferInput[],
): InputSums {
  return addUp(inputs, ({ tag, value }) => kinds[tag].read(tx, scope, value))
}

/** The value of the inputs; they are archived. */
export function takeInputs(tx: Tx, scope: InputScope, inputs: readonly TransferInput[]): InputSums {
  return addUp(inputs, ({ tag, value }) => {
    const taken = kinds[tag].read(tx, scope, value)
    kinds[tag].archive(tx, value)
    return taken
  })
}

function addUp(inputs: readonly TransferInput[], take: (input: TransferInput) => Taken): InputSums {
  let [total, normalised, rates] = [0n, 0n, 0n]
  const byTag: Record<Tag, bigint> = { ...NOTHING }
  for (const input of inputs) {
    const { amount, held } = take(input)
    total = add(total, amount)
    byTag[input.tag] = add(byTag[input.tag], amount)
    if (held === undefined) continue
    normalised = add(normalised, normalisedAmount(held))
    rates = add(rates, held.ratePerRound.rate)
  }
  return { total, byTag, normalised, rates }
}

const NOTHING: Readonly<Record<Tag, bigint>> = {
  InputCoin: 0n,
  InputAppRewardCoupon: 0n,
  InputValidatorRewardCoupon: 0n,
  InputSvRewardCoupon: 0n,
  InputValidatorLivenessActivityRecord: 0n,
  InputUnclaimedActivityRecord: 0n,
  InputDevelopmentFundCoupon: 0n,
}

function inputKind<T extends { readonly dso: string }>(
  template: Template<T>,
  owner: (payload: T) => string,
  read: (tx: Tx, scope: InputScope, payload: T) => Taken,
): InputKind {
  return {
    read: (tx: Tx, scope, contractId) => {
      const payload = tx.fetch(template, contractId)
      requireParty(tx, 'the network party of the input', payload.dso, scope.rules.dso)
      requireParty(tx, 'the owner of the input', owner(payload), scope.sender)
      return read(tx, scope, payload)
    },
    archive: (tx, contractId) => tx.archive(template, contractId),
  }
}

const kinds: Readonly<Record<Tag, InputKind>> = {
  InputCoin: inputKind(
    coin,
    ({ owner }) => owner,
    (_tx, _scope, { amount }: Coin) => {
      return { amount: amount.initialAmount, held: amount }
    },
  ),
  InputAppRewardCoupon: inputKind(appRewardCoupon, ownerOf, readAppCoupon),
  InputValidatorRewardCoupon: {
    read: readValidatorCoupon,
    archive: (tx, contractId) => tx.archive(validatorRewardCoupon, contractId),
  },
  InputSvRewardCoupon: inputKind(
    svRewardCoupon,
    ({ beneficiary }) => beneficiary,
    (tx, scope, { round, weight }) => {
      return {
        amount: multiply(
          decimalOf(weight),
          issuingRound(tx, scope, round).issuancePerSvRewardCoupon,
        ),
      }
    },
  ),
  InputValidatorLivenessActivityRecord: inputKind(
    validatorLivenessActivityRecord,
    ({ validator }) => validator,
    (tx, scope, { round }) => ({
      amount: issuingRound(tx, scope, round).optIssuancePerValidatorFaucetCoupon ?? 0n,
    }),
  ),
  InputUnclaimedActivityRecord: inputKind(
    unclaimedActivityRecord,
    ({ beneficiary }) => beneficiary,
    readRecord,
  ),
  InputDevelopmentFundCoupon: inputKind(
    developmentFundCoupon,
    ({ beneficiary }) => beneficiary,
    readFundCoupon,
  ),
}

function readAppCoupon(
  tx: Tx,
  scope: InputScope,
  { round, amount, featured }: AppRewardCoupon,
): Taken {
  const issuing = issuingRound(tx, scope, round)
  const rate = featured
    ? issuing.issuancePerFeaturedAppRewardCoupon
    : issuing.issuancePerUnfeaturedAppRewardCoupon
  return { amount: multiply(amount, rate) }
}

function readValidatorCoupon(tx: Tx, scope: InputScope, contractId: string): Taken {
  const { dso, user, round, amount } = tx.fetch(validatorRewardCoupon, contractId)
  requireParty(tx, 'the network party of the input', dso, scope.rules.dso)
  requireValidatorRight(tx, scope, user)
  return {
    amount: multiply(amount, issuingRound(tx, scope, round).issuancePerValidatorRewardCoupon),
  }
}

function requireValidatorRight(tx: Tx, { rules, sender, context }: InputScope, user: string): void {
  const [, rightCid] = context.validatorRights.find(([party]) => party === user) ?? []
  tx.require(rightCid !== undefined, `the context has a validator right of ${user}`, () => 'none')
  const right = tx.fetch(validatorRight, rightCid)
  requireParty(tx, 'the network party of the validator right', right.dso, rules.dso)
  requireParty(tx, 'the user of the validator right', right.user, user)
  requireParty(tx, 'the validator of the validator right', right.validator, sender)
}

function readRecord(
  tx: Tx,
  _scope: InputScope,
  { amount, expiresAt }: UnclaimedActivityRecord,
): Taken {
  tx.before(expiresAt)
  return { amount }
}

function readFundCoupon(tx: Tx, { rules }: InputScope, coupon: DevelopmentFundCoupon): Taken {
  const isBarred =
    configOf(rules).developmentFundManagerBlacklist?.includes(coupon.fundManager) ?? false
  tx.require(!isBarred, `the fund manager ${coupon.fundManager} is not barred`, () => 'one who is')
  if (coupon.mintAfter !== null) tx.notBefore(coupon.mintAfter)
  tx.before(coupon.expiresAt)
  return { amount: coupon.amount }
}

function issuingRound(
  tx: Tx,
  { rules, context, issuing }: InputScope,
  round: bigint,
): IssuingMiningRound {
  const known = issuing.get(round)
  if (known !== undefined) return known
  const [, contractId] = context.issuingMiningRounds.find(([number]) => number === round) ?? []
  if (contractId === undefined) {
    return tx.abort({
      id: '',
      category: 'argument',
      message: `The context did not contain issuing mining round ${round}`,
    })
  }
  const found = issuingRoundInUse(tx, rules.dso, contractId)
  tx.require(
    found.round === round,
    `the issuing round is ${round}, as the coupon has it`,
    () => `${found.round}`,
  )
  issuing.set(round, found)
  return found
}
