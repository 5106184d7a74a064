// The one way in which coins move: inputs, outputs, change. Also which inputs the treasury takes.
// docs/economy-rules.md, "Transfers" and "Treasury"
import { total } from './arithmetic.ts'
import { holdingRate, leadingCoins } from './formulas.ts'
import type { Change, Check, Moved } from './plan.ts'
import { FOREIGN, nameOf } from './plan.ts'
import { chosenRound, mintingRound, mintValue } from './rounds.ts'
import type { Coin, Coupon, Economy, Round } from './state.ts'
import { allOf, coinsOf, get } from './state.ts'

/**
 * `treasury`: as the wallet selects, with rewards; `all`: every unlocked coin and every lock that
 * has expired.
 */
export type InputChoice = 'treasury' | 'all' | readonly string[]

export interface Inputs {
  readonly coins: readonly Coin[]
  readonly coupons: readonly Coupon[]
  readonly checks: readonly Check[]
}

export interface Output {
  readonly owner: string
  readonly amount: bigint
  readonly lockedUntil: bigint | null
}

/** Payer and inputs. */
export interface Payment {
  readonly sender: string
  readonly inputs: Inputs
  readonly round: Round
}

/** A transfer before it is a change. */
export interface Transfer {
  readonly change: Change
  readonly coins: readonly Coin[]
  readonly moved: Moved
}

/** The inputs that a choice of them comes to, with what must hold of them. */
export function inputsOf(economy: Economy, sender: string, choice: InputChoice): Inputs {
  if (choice === 'treasury') return { ...selected(economy, sender), checks: [] }
  if (choice === 'all')
    return {
      coins: spendable(economy, sender),
      coupons: [],
      checks: countCheck(economy, spendable(economy, sender)),
    }
  const coins = choice.flatMap((id) => get(economy, 'coin', id) ?? [])
  const isLive = ({ lockedUntil }: Coin) => lockedUntil !== null && economy.now < lockedUntil
  return {
    coins,
    coupons: [],
    checks: [
      [coins.length === choice.length, 'not-found', 'invalid'],
      [new Set(choice).size === choice.length, 'not-found', 'requirement', 'invalid'],
      [coins.every(({ owner }) => owner === sender), ...FOREIGN, 'requirement'],
      [!coins.some(isLive), 'requirement', 'too-early', 'not-found'],
      [choice.length <= economy.config.maxInputs, 'too-many-inputs', 'invalid'],
      [choice.length > 0, 'requirement', 'insufficient-funds', 'invalid'],
    ],
  }
}

/**
 * The same for choices that take coins as they are: one with a lock is none, even where the lock is
 * over.
 */
export function unlockedInputsOf(economy: Economy, sender: string, choice: InputChoice): Inputs {
  if (choice === 'treasury') return inputsOf(economy, sender, choice)
  const unlocked = coinsOf(economy, sender).filter(isUnlocked)
  if (choice === 'all')
    return { coins: unlocked, coupons: [], checks: countCheck(economy, unlocked) }
  const inputs = inputsOf(economy, sender, choice)
  return {
    ...inputs,
    checks: [...inputs.checks, [inputs.coins.every(isUnlocked), 'not-found', 'invalid']],
  }
}

function isUnlocked({ lockedUntil }: Coin): boolean {
  return lockedUntil === null
}

/** Unlocked coins, and locked ones whose lock has expired. */
export function spendable(economy: Economy, party: string): readonly Coin[] {
  return coinsOf(economy, party).filter(
    ({ lockedUntil }) => lockedUntil === null || lockedUntil <= economy.now,
  )
}

/** Worth of the inputs in the round maps of now. */
export function worth(economy: Economy, { coins, coupons }: Inputs): bigint {
  return total(coins.map(({ amount }) => amount)) + mintOf(economy, coupons)
}

/** The sum that minting these coupons now yields. */
export function mintOf(economy: Economy, coupons: readonly Coupon[]): bigint {
  return total(coupons.map((coupon) => valueNow(economy, coupon)))
}

/**
 * A transfer whose inputs are worth enough; `burn` goes out of the world. Coins are named from
 * `place` on.
 */
export function transfer(
  economy: Economy,
  payment: Payment,
  outputs: readonly Output[],
  burn = 0n,
  place = 0,
): Transfer {
  const { sender, inputs, round } = payment
  const spent = total(outputs.map(({ amount }) => amount)) + burn
  const change = worth(economy, inputs) - spent
  const paid: readonly Output[] =
    change > 0n ? [...outputs, { owner: sender, amount: change, lockedUntil: null }] : outputs
  const coins = paid.map((output, index) => coinOf(economy, round, output, place + index))
  const minted = mintOf(economy, inputs.coupons)
  const moved: Moved = {
    sender,
    inputs: inputs.coins.map(({ amount }) => amount),
    outputs: [...outputs.map(({ amount }) => amount), ...(burn > 0n ? [burn] : [])],
    change,
    minted,
    burned: burn,
    round: round.number,
  }
  const consume = [...inputs.coins, ...inputs.coupons].map(({ id }) => id)
  return { change: { consume, create: coins, minted, burned: burn, moved }, coins, moved }
}

/** A coin in the terms of a round. */
export function coinOf(
  economy: Economy,
  round: Round,
  { owner, amount, lockedUntil }: Output,
  place: number,
): Coin {
  const rate = holdingRate(round.price, economy.config.holdingFeeUsd)
  return {
    kind: 'coin',
    id: nameOf(economy, place),
    owner,
    amount,
    createdRound: round.number,
    rate,
    lockedUntil,
  }
}

/** The round that is used and the check that there is one. */
export function roundNow(economy: Economy): {
  readonly round: Round | undefined
  readonly check: Check
} {
  const round = chosenRound(economy)
  return { round, check: [round !== undefined, 'no-round'] }
}

/** Coupons that the party may mint now, soonest to expire first, then the most valuable. */
export function mintable(economy: Economy, party: string): readonly Coupon[] {
  const own = allOf(economy, 'coupon').filter((coupon) => collectorOf(economy, coupon) === party)
  const open = own.filter(({ round }) => mintingRound(economy, round) !== undefined)
  return open.toSorted(
    (a, b) => compare(a.round, b.round) || compare(valueNow(economy, b), valueNow(economy, a)),
  )
}

/** Party that mints a coupon: the operator has the right to validator rewards of all its users. */
export function collectorOf(economy: Economy, coupon: Coupon): string {
  return coupon.of === 'validator' ? economy.config.operator : coupon.beneficiary
}

function selected(
  economy: Economy,
  party: string,
): { readonly coins: readonly Coin[]; readonly coupons: readonly Coupon[] } {
  const { maxInputs } = economy.config
  const unlocked = coinsOf(economy, party).filter(isUnlocked)
  const coins = unlocked.toReversed().toSorted((a, b) => compare(b.amount, a.amount))
  const coupons = mintable(economy, party)
  const lead = leadingCoins(coins.length, coupons.length, maxInputs)
  const all = [...coins.slice(0, lead), ...coupons, ...coins.slice(lead)].slice(0, maxInputs)
  return {
    coins: all.filter((one) => one.kind === 'coin'),
    coupons: all.filter((one) => one.kind === 'coupon'),
  }
}

function countCheck(economy: Economy, coins: readonly Coin[]): readonly Check[] {
  return [
    [coins.length <= economy.config.maxInputs, 'too-many-inputs', 'invalid'],
    [coins.length > 0, 'requirement', 'insufficient-funds', 'invalid'],
  ]
}

function valueNow(economy: Economy, coupon: Coupon): bigint {
  const round = mintingRound(economy, coupon.round)
  return round === undefined ? 0n : mintValue(round, coupon)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
