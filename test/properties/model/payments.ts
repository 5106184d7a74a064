// One-step sends, preapprovals, traffic, taps, rewards and dust. docs/economy-rules.md
import { amountOf, ONE, over, Overflow, total } from './arithmetic.ts'
import type {
  BuyTrafficAction,
  PartyAction,
  PlainAction,
  PreapproveAction,
  RenewAction,
  SendAction,
  TapAction,
} from './actions.ts'
import { DAY, isDust, preapprovalFee, tapCoins, trafficCost } from './formulas.ts'
import type { Change, Check, Plan } from './plan.ts'
import { FOREIGN, judge, nameOf, refuse } from './plan.ts'
import { roundsIn } from './rounds.ts'
import type { Coupon, Economy, Preapproval, Round, Traffic } from './state.ts'
import { allOf, get } from './state.ts'
import type { InputChoice, Output } from './transfer.ts'
import {
  coinOf,
  inputsOf,
  mintOf,
  roundNow,
  transfer,
  unlockedInputsOf,
  worth,
} from './transfer.ts'

const NO_TRAFFIC: Traffic = { bytes: 0n, purchases: 0n, coins: 0n, usd: 0n }
const NO_CHANGE: Change = { consume: [], create: [] }

/** Coin from nothing, on the development network. */
export function tap(economy: Economy, { actor, amount: text, commandId }: TapAction): Plan {
  const usd = amountOf(text)
  if (usd === undefined) return refuse('invalid')
  const { round, check } = roundNow(economy)
  if (round === undefined) return judge([check], () => NO_CHANGE)
  if (usd <= 0n) return refuse('requirement', 'invalid')
  const isUnused = unusedCheck(economy, 'tap', actor, commandId)
  const amount = priced(() => tapCoins(usd, round.price))
  if (amount === undefined)
    return judge([[false, 'requirement', 'invalid'], isUnused], () => NO_CHANGE)
  const plan = judge([isUnused], () => {
    const output = { owner: actor, amount, lockedUntil: null }
    return {
      consume: [],
      create: [coinOf(economy, round, output, 0)],
      minted: output.amount,
      also: use('tap', actor, commandId),
    }
  })
  return plan.ok && (plan.change.minted ?? 0n) > economy.config.tapLimit
    ? refuse('requirement', 'invalid')
    : plan
}

/** A payment to a receiver with a preapproval, in one step. */
export function send(economy: Economy, action: SendAction): Plan {
  const { actor, receiver, commandId } = action
  const approval = preapprovalOf(economy, receiver)
  if (approval === undefined) return refuse('not-found', 'invalid')
  const isLive: Check = [economy.now < approval.expiresAt, 'too-late', 'requirement', 'not-found']
  const amount = amountOf(action.amount)
  if (amount === undefined) return judge([[false, 'invalid'], isLive], () => NO_CHANGE)
  const checks: readonly Check[] = [
    isLive,
    [amount > 0n, 'requirement', 'invalid'],
    unusedCheck(economy, 'send', actor, commandId),
  ]
  const output = { owner: receiver, amount, lockedUntil: null }
  return pay(
    economy,
    { payer: actor, inputs: action.inputs, checks, outputs: [output], opensLocks: true },
    ({ round, place }) => ({
      create: featuredReward(economy, approval.provider, round, place),
      also: use('send', actor, commandId),
    }),
  )
}

/** The preapproval that a sender to this party finds: the newest. */
export function preapprovalOf(economy: Economy, receiver: string): Preapproval | undefined {
  return allOf(economy, 'preapproval').findLast((one) => one.receiver === receiver)
}

/** A preapproval for a receiver, paid by the actor. */
export function preapprove(
  economy: Economy,
  { actor, receiver, expiresAt, inputs }: PreapproveAction,
): Plan {
  const { now, config } = economy
  const checks: readonly Check[] = [
    [now < expiresAt, 'requirement', 'too-late'],
    [actor === config.operator, ...FOREIGN, 'requirement'],
    [(preapprovalOf(economy, receiver)?.expiresAt ?? now) <= now, 'duplicate'],
  ]
  return pay(
    economy,
    { payer: actor, inputs, checks, cost: fee(economy, expiresAt - now) },
    ({ place }) => {
      const terms = { receiver, provider: actor, validFrom: now, lastRenewedAt: now, expiresAt }
      return { create: [{ kind: 'preapproval', id: nameOf(economy, place), ...terms }] }
    },
  )
}

/** A longer preapproval instead of one that is live. */
export function renew(economy: Economy, { actor, id, expiresAt, inputs }: RenewAction): Plan {
  const found = get(economy, 'preapproval', id)
  if (found === undefined) return refuse('not-found')
  const checks: readonly Check[] = [
    [found.provider === actor, ...FOREIGN],
    [economy.now < found.expiresAt, 'too-late', 'requirement'],
    [expiresAt > found.expiresAt, 'requirement', 'invalid'],
  ]
  return pay(
    economy,
    { payer: actor, inputs, checks, cost: fee(economy, expiresAt - found.expiresAt) },
    ({ place }) => ({
      consume: [id],
      create: [{ ...found, id: nameOf(economy, place), lastRenewedAt: found.expiresAt, expiresAt }],
    }),
  )
}

/** Cancel and expire. */
export function endPreapproval(economy: Economy, { kind, actor, id }: PlainAction): Plan {
  const found = get(economy, 'preapproval', id)
  if (found === undefined) return refuse('not-found')
  const isOver = economy.now >= found.expiresAt
  const checks: readonly Check[] =
    kind === 'preapproval-cancel'
      ? [
          [[found.receiver, found.provider].includes(actor), ...FOREIGN],
          [!isOver, 'too-late', 'requirement'],
        ]
      : [
          [actor === economy.config.network, ...FOREIGN],
          [isOver, 'too-early', 'requirement'],
        ]
  return judge(checks, () => ({ consume: [id], create: [] }))
}

/** Burns coin for a member's traffic. */
export function buyTraffic(economy: Economy, action: BuyTrafficAction): Plan {
  const { actor, member, synchronizer, bytes } = action
  const { config } = economy
  const checks: readonly Check[] = [
    [bytes > 0n, 'invalid', 'requirement', 'insufficient-topup'],
    [bytes >= config.minTopupBytes, 'insufficient-topup'],
    [synchronizer === config.synchronizer, 'unknown-synchronizer', 'invalid'],
  ]
  const cost = (round: Round) => trafficCost(bytes, config.trafficUsdPerMegabyte, round.price).coins
  return pay(economy, { payer: actor, inputs: action.inputs, checks, cost }, ({ round }) => ({
    also: ({ traffic }) => {
      const { usd, coins } = trafficCost(bytes, config.trafficUsdPerMegabyte, round.price)
      const before = traffic.get(member) ?? NO_TRAFFIC
      traffic.set(member, {
        bytes: before.bytes + bytes,
        purchases: before.purchases + 1n,
        coins: before.coins + coins,
        usd: before.usd + usd,
      })
    },
  }))
}

/** Merges coins and mints rewards; nothing happens where there is nothing to do. */
export function collect(economy: Economy, { actor }: PartyAction): Plan {
  const inputs = inputsOf(economy, actor, 'treasury')
  if (mintOf(economy, inputs.coupons) <= 0n && inputs.coins.length <= 1)
    return { ok: true, change: NO_CHANGE }
  return pay(economy, { payer: actor, inputs: 'treasury', checks: [], isMerge: true }, () => ({}))
}

/** A record of the operator's activity in the earliest usable round without one. */
export function recordLiveness(economy: Economy, { actor }: PartyAction): Plan {
  const license = economy.licenses.get(actor)
  const last = license?.last ?? -1n
  const usable = roundsIn(economy, 'open').filter(
    ({ number, opensAt }) => opensAt <= economy.now && number > last,
  )
  const [round] = usable.toSorted((a, b) => Number(a.opensAt - b.opensAt))
  if (actor !== economy.config.operator) return refuse(...FOREIGN)
  if (round === undefined) return { ok: true, change: NO_CHANGE }
  const { number } = round
  const record: Coupon = {
    kind: 'coupon',
    id: nameOf(economy, 0),
    of: 'liveness',
    featured: false,
    beneficiary: actor,
    amount: ONE,
    round: number,
  }
  const missed = license === undefined ? 0n : license.missed + number - license.last - 1n
  const next = {
    first: license?.first ?? number,
    last: number,
    missed,
    received: (license?.received ?? 0n) + 1n,
  }
  return {
    ok: true,
    change: { consume: [], create: [record], also: ({ licenses }) => licenses.set(actor, next) },
  }
}

/** The network takes a holding that its fee has eaten. */
export function expireDust(economy: Economy, { actor, id }: PlainAction): Plan {
  const coin = get(economy, 'coin', id)
  if (coin === undefined) return refuse('not-found')
  const { round, check } = roundNow(economy)
  const isExpired =
    round !== undefined && isDust(coin.amount, coin.createdRound, coin.rate, round.number)
  const checks: readonly Check[] = [
    [actor === economy.config.network, ...FOREIGN],
    [isExpired, 'requirement', 'too-early'],
    check,
  ]
  return judge(checks, () => ({ consume: [id], create: [], burned: coin.amount, isSilent: true }))
}

interface Paying {
  readonly payer: string
  readonly inputs: InputChoice
  readonly checks: readonly Check[]
  /** Coins to burn. */
  readonly cost?: (round: Round) => bigint
  readonly outputs?: readonly Output[]
  /** A transfer of the token standard, which takes coins whose lock is over. */
  readonly opensLocks?: boolean
  /** Inputs are merged even where nothing is to be paid. */
  readonly isMerge?: boolean
}

interface Paid {
  readonly round: Round
  /** Number of the next contract in this change. */
  readonly place: number
}

function pay(economy: Economy, paying: Paying, more: (paid: Paid) => Partial<Change>): Plan {
  const { payer, checks, outputs = [] } = paying
  const { round, check } = roundNow(economy)
  if (round === undefined) return judge([...checks, check], () => NO_CHANGE)
  const cost = paying.cost?.(round) ?? 0n
  if (cost === 0n && outputs.length === 0 && paying.isMerge !== true) {
    return judge(checks, () => ({ ...NO_CHANGE, ...more({ round, place: 0 }) }))
  }
  const inputs = (paying.opensLocks === true ? inputsOf : unlockedInputsOf)(
    economy,
    payer,
    paying.inputs,
  )
  const needed = cost + total(outputs.map(({ amount }) => amount))
  return judge(
    [...checks, ...inputs.checks, [worth(economy, inputs) >= needed, 'insufficient-funds']],
    () => {
      const { change } = transfer(economy, { sender: payer, inputs, round }, outputs, cost)
      const coupons = burnReward(economy, payer, cost, round, change.create.length)
      const created = [...change.create, ...coupons]
      const rest = more({ round, place: created.length })
      return {
        ...change,
        ...rest,
        consume: [...(rest.consume ?? []), ...change.consume],
        create: [...created, ...(rest.create ?? [])],
      }
    },
  )
}

/** The coupon of a burn, in the payer's name. docs/economy-rules.md, "Burns" */
function burnReward(
  economy: Economy,
  payer: string,
  amount: bigint,
  round: Round,
  place: number,
): readonly Coupon[] {
  if (amount <= 0n) return []
  const id = nameOf(economy, place)
  return [
    {
      kind: 'coupon',
      id,
      of: 'validator',
      featured: false,
      beneficiary: payer,
      amount,
      round: round.number,
    },
  ]
}

/** The coupon of a featured transfer, at once. docs/economy-rules.md, "Featured transfers" */
function featuredReward(
  economy: Economy,
  provider: string,
  round: Round,
  place: number,
): readonly Coupon[] {
  const { featured, extraFeaturedUsd } = economy.config
  if (!featured.has(provider)) return []
  const amount = over(extraFeaturedUsd, round.price)
  return [
    {
      kind: 'coupon',
      id: nameOf(economy, place),
      of: 'app',
      featured: true,
      beneficiary: provider,
      amount,
      round: round.number,
    },
  ]
}

function fee(economy: Economy, duration: bigint): (round: Round) => bigint {
  const { preapprovalBase, preapprovalUsdPerDay } = economy.config
  return ({ price }) => preapprovalFee(duration, preapprovalBase, preapprovalUsdPerDay, price)
}

/** Undefined where it is beyond all decimals. */
function priced(price: () => bigint): bigint | undefined {
  try {
    return price()
  } catch (error) {
    if (error instanceof Overflow) return undefined
    throw error
  }
}

function unusedCheck(
  economy: Economy,
  operation: string,
  actor: string,
  commandId: string | null,
): Check {
  const used =
    commandId === null ? undefined : economy.commandIds.get(`${operation}\n${actor}\n${commandId}`)
  return [used === undefined || economy.now >= used + DAY, 'duplicate']
}

function use(
  operation: string,
  actor: string,
  commandId: string | null,
): (economy: Economy) => void {
  return ({ commandIds, now }) => {
    if (commandId !== null) commandIds.set(`${operation}\n${actor}\n${commandId}`, now)
  }
}
