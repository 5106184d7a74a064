// Faults planted in the twin, by the ids of faults.ts: what a broken engine, contract or projection
// would show. They test the invariants, not the engine; the driver plants the same ids in the real
// one.
import type { Action } from './model/actions.ts'
import { total } from './model/arithmetic.ts'
import type { Change, Plan } from './model/plan.ts'
import { coinOf, collectorOf } from './model/transfer.ts'
import { chosenRound, roundsIn } from './model/rounds.ts'
import { statusKey } from './model/offers.ts'
import type { Coin, Economy, Entity } from './model/state.ts'
import { allOf, get } from './model/state.ts'
import type { Twist } from './twin.ts'
import type { UpdateView } from './world.ts'

const ALL: readonly (readonly [id: string, twist: Twist])[] = [
  [
    'no-conditional-write',
    { show: (update, action) => (action.kind === 'collect' ? again(update) : update) },
  ],
  [
    'half-commit',
    {
      plan: (plan, action) =>
        plan.ok && action.kind === 'send' ? changed(plan, { create: [] }) : plan,
    },
  ],
  [
    'lost-total',
    {
      parties: (all) =>
        all.map((one) => (one.coins > 3 ? { ...one, unlocked: one.unlocked - 1n } : one)),
    },
  ],
  [
    'offset-gap',
    {
      show: (update) => (update.offset > 20n ? { ...update, offset: update.offset + 1n } : update),
    },
  ],
  [
    'record-time-stands',
    { show: (update) => (update.offset > 20n ? { ...update, recordTime: 1n } : update) },
  ],
  ['unchecked-controller', { plan: asOwner }],
  ['dedup-ignored', { plan: withoutMemory }],
  ['abort-keeps-writes', { plan: fundsUnchecked }],
  [
    'tap-rounds-down',
    {
      plan: (plan, action) =>
        action.kind === 'tap' ? coinsOf(plan, (coin) => less(coin, 1n)) : plan,
    },
  ],
  ['cost-rounds-up', { show: withCost((coins) => coins + 1n) }],
  ['mint-rounds-up', { show: withMint((amount) => amount + 1n) }],
  [
    'lost-lock',
    { plan: (plan, action) => (action.kind === 'instruct' ? coinsOf(plan, unlock) : plan) },
  ],
  [
    'lock-too-small',
    {
      plan: (plan, action) =>
        action.kind === 'instruct'
          ? coinsOf(plan, (coin) => (isLocked(coin) ? less(coin, 1n) : coin))
          : plan,
    },
  ],
  [
    'wrong-change',
    {
      plan: (plan, action) =>
        action.kind === 'send'
          ? coinsOf(plan, (coin, index) => (index === 1 ? less(coin, -1n) : coin))
          : plan,
    },
  ],
  ['zero-change', { plan: zeroChange }],
  ['expired-accepted', { plan: late('instruction-accept', (at) => at - 1n) }],
  ['early-expiry', { plan: late('instruction-expire', (at) => at) }],
  ['reject-pays-receiver', { plan: paysReceiver }],
  [
    'accept-pays-less',
    {
      plan: (plan, action) =>
        action.kind === 'instruction-accept' ? coinsOf(plan, (coin) => less(coin, 1n)) : plan,
    },
  ],
  ['too-many-inputs', { show: withInputs }],
  ['burn-kept', { plan: burnKept }],
  ['coupon-kept', { plan: couponKept }],
  ['stale-round', { show: staleRound }],
  [
    'four-rounds',
    {
      world: (world) => ({
        ...world,
        rounds: world.rounds.map((round) => ({ ...round, phase: 'open' })),
      }),
    },
  ],
  ['renewal-shortens', { show: withShorterRenewal }],
  ['tracking-reused', { plan: withoutStatus }],
  [
    'status-back',
    {
      show: (update) => ({
        ...update,
        statuses: update.statuses.map(({ key }) => ({ key, status: 'created' })),
      }),
    },
  ],
  [
    'history-doubles',
    {
      show: (update) => ({ ...update, entries: [...update.entries, ...update.entries.slice(-1)] }),
    },
  ],
  [
    'history-lost',
    {
      show: (update) =>
        update.offset > 20n ? { ...update, entries: update.entries.slice(0, -1) } : update,
    },
  ],
  [
    'traffic-lost',
    {
      world: (world) => ({
        ...world,
        trafficTargets: new Map([...world.traffic.keys()].map((member) => [member, 200_000n])),
      }),
    },
  ],
  ['live-dust', { plan: liveDust }],
]

/** Twists by fault id. */
export const TWISTS: ReadonlyMap<string, Twist> = new Map(ALL)

function changed(plan: Plan, part: Partial<Change>): Plan {
  return plan.ok ? { ok: true, change: { ...plan.change, ...part } } : plan
}

function coinsOf(plan: Plan, alter: (coin: Coin, index: number) => Coin): Plan {
  if (!plan.ok) return plan
  const create = plan.change.create.map((entity: Entity, index) =>
    entity.kind === 'coin' ? alter(entity, index) : entity,
  )
  return changed(plan, { create })
}

function less(coin: Coin, by: bigint): Coin {
  return { ...coin, amount: coin.amount - by }
}

function unlock(coin: Coin): Coin {
  return { ...coin, lockedUntil: null }
}

function isLocked({ lockedUntil }: Coin): boolean {
  return lockedUntil !== null
}

function again(update: UpdateView): UpdateView {
  return { ...update, consumed: [...update.consumed, ...update.consumed] }
}

function asOwner(plan: Plan, action: Action, economy: Economy): Plan {
  if (plan.ok || action.kind !== 'reclaim') return plan
  const coin = get(economy, 'coin', action.id)
  if (coin === undefined) return plan
  return {
    ok: true,
    change: {
      consume: [coin.id],
      create: [{ ...coin, id: `model-${economy.serial}`, owner: action.actor, lockedUntil: null }],
    },
  }
}

function withoutMemory(plan: Plan, action: Action, economy: Economy): Plan {
  if (plan.ok || action.kind !== 'tap' || !plan.reasons.includes('duplicate')) return plan
  return tapped(economy, action.actor)
}

function fundsUnchecked(plan: Plan, action: Action, economy: Economy): Plan {
  return plan.ok || action.kind !== 'self-transfer' || !plan.reasons.includes('insufficient-funds')
    ? plan
    : tapped(economy, action.actor)
}

function tapped(economy: Economy, owner: string): Plan {
  const round = chosenRound(economy)
  if (round === undefined) return { ok: false, reasons: ['no-round'] }
  return {
    ok: true,
    change: {
      consume: [],
      create: [coinOf(economy, round, { owner, amount: 1n, lockedUntil: null }, 0)],
      minted: 1n,
    },
  }
}

function withCost(alter: (coins: bigint) => bigint): NonNullable<Twist['show']> {
  return (update) => ({
    ...update,
    trafficBought: update.trafficBought.map((one) => ({ ...one, coins: alter(one.coins) })),
  })
}

function withMint(alter: (amount: bigint) => bigint): NonNullable<Twist['show']> {
  return (update) => ({
    ...update,
    couponsMinted: update.couponsMinted.map((one) => ({ ...one, amount: alter(one.amount) })),
  })
}

function withInputs(update: UpdateView): UpdateView {
  const grow = (inputs: readonly bigint[]) => [...inputs, ...Array.from({ length: 100 }, () => 0n)]
  return {
    ...update,
    transfers: update.transfers.map((one) => ({ ...one, inputs: grow(one.inputs) })),
  }
}

function withShorterRenewal(update: UpdateView): UpdateView {
  const shorten = ({ before, after }: UpdateView['renewals'][number]) => ({
    before,
    after: { ...after, expiresAt: before.expiresAt },
  })
  return { ...update, renewals: update.renewals.map(shorten) }
}

function staleRound(update: UpdateView, _: Action, economy: Economy): UpdateView {
  const oldest = roundsIn(economy, 'open')[0]?.number ?? 0n
  return { ...update, transfers: update.transfers.map((one) => ({ ...one, round: oldest })) }
}

function zeroChange(plan: Plan, action: Action, economy: Economy): Plan {
  const round = chosenRound(economy)
  if (
    !plan.ok ||
    round === undefined ||
    action.kind !== 'self-transfer' ||
    plan.change.create.length > 1
  )
    return plan
  const zero = coinOf(economy, round, { owner: action.actor, amount: 0n, lockedUntil: null }, 1)
  return changed(plan, { create: [...plan.change.create, zero] })
}

/** Lets the action happen at any time, as if the clock stood where it may. */
function late(
  kind: 'instruction-accept' | 'instruction-expire',
  clock: (executeBefore: bigint) => bigint,
): NonNullable<Twist['plan']> {
  return (plan, action, economy) => {
    if (
      plan.ok ||
      action.kind !== kind ||
      !plan.reasons.some((reason) => reason === 'too-late' || reason === 'too-early')
    )
      return plan
    const found = get(economy, 'instruction', action.id)
    const locked = found === undefined ? undefined : get(economy, 'coin', found.locked)
    if (found === undefined || locked === undefined || clock(found.executeBefore) < 0n) return plan
    const owner = kind === 'instruction-accept' ? found.receiver : found.sender
    const coin: Coin = { ...locked, id: `model-${economy.serial}`, owner, lockedUntil: null }
    return { ok: true, change: { consume: [found.id, locked.id], create: [coin] } }
  }
}

function paysReceiver(plan: Plan, action: Action): Plan {
  return action.kind === 'instruction-reject'
    ? coinsOf(plan, (coin) => ({ ...coin, owner: action.actor }))
    : plan
}

function burnKept(plan: Plan, action: Action, economy: Economy): Plan {
  const round = chosenRound(economy)
  if (!plan.ok || round === undefined || action.kind !== 'buy-traffic') return plan
  const { create, burned = 0n } = plan.change
  const kept = coinOf(
    economy,
    round,
    { owner: action.actor, amount: burned, lockedUntil: null },
    create.length,
  )
  return changed(plan, { create: [...create, kept] })
}

function couponKept(plan: Plan, action: Action, economy: Economy): Plan {
  if (!plan.ok || action.kind !== 'collect') return plan
  const own = allOf(economy, 'coupon').filter(
    (coupon) => collectorOf(economy, coupon) === action.actor,
  )
  const coupons = new Set(own.map(({ id }) => id))
  return changed(plan, { consume: plan.change.consume.filter((id) => !coupons.has(id)) })
}

function withoutStatus(plan: Plan, action: Action, economy: Economy): Plan {
  if (plan.ok || action.kind !== 'offer' || !plan.reasons.includes('duplicate')) return plan
  const { actor: sender, receiver, expiresAt, trackingId } = action
  const id = `model-${economy.serial}`
  const also = () => economy.statuses.set(statusKey(sender, trackingId), 'created')
  return {
    ok: true,
    change: {
      consume: [],
      create: [{ kind: 'offer', id, sender, receiver, amount: 1n, expiresAt, trackingId }],
      also,
    },
  }
}

function liveDust(plan: Plan, action: Action, economy: Economy): Plan {
  if (plan.ok || action.kind !== 'dust-expire' || action.actor !== economy.config.network)
    return plan
  const coin = get(economy, 'coin', action.id)
  return coin === undefined
    ? plan
    : {
        ok: true,
        change: { consume: [coin.id], create: [], burned: total([coin.amount]), isSilent: true },
      }
}
