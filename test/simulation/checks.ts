// What has to hold in the simulated network: after every round, at every poll, and of everything
// once a day.
import {
  acceptedTransferOffer,
  transferOffer,
  validatorLicense,
} from '../../runtime/contracts/index.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import { trafficLeft } from '../../runtime/economy/traffic.ts'
import { audit } from '../properties/invariants.ts'
import { ONE, times, total } from '../properties/model/arithmetic.ts'
import { readWorld } from '../properties/driver/reading.ts'
import type { Observer } from './observer.ts'
import {
  MERGE_PERIOD,
  MERGE_THRESHOLD,
  POLL,
  sendersTrustedBy,
  SWEEP_MAX,
  SWEEP_MIN,
} from './setting.ts'
import type { Cast } from './setting.ts'

/** USD a coin. */
const PRICE = ONE / 200n
/** Rounding of a sweep's two divisions, in USD. */
const SWEEP_ROUNDING = 2n

/**
 * The supply, locks, coupons, and what the store's totals say against the books: of everybody whose
 * holdings have changed since the last time.
 */
export async function checkRound(observer: Observer): Promise<readonly string[]> {
  const {
    reading: {
      economy: { reader, clock },
      book: { parties },
    },
    accounts,
    memory,
    supply,
    touched,
  } = observer
  const names = [...touched]
  touched.clear()
  const found = await Promise.all(
    names.map(async (name) => {
      const id = parties.idOf(name)
      const [unlocked, locked] = await Promise.all([
        reader.total('unlocked', id),
        reader.total('locked', id),
      ])
      const own = accounts.get(name)
      return [
        ...same(`unlocked of ${name}`, unlocked.amount, own?.unlocked),
        ...same(`locked of ${name}`, locked.amount, own?.locked),
        ...same(`unlocked holdings of ${name}`, Number(unlocked.count), own?.unlockedCount),
        ...same(`locked holdings of ${name}`, Number(locked.count), own?.lockedCount),
      ]
    }),
  )
  const sums = [...accounts.values()].map(({ unlocked, locked }) => unlocked + locked)
  return [
    ...found.flat(),
    ...same('supply', (await reader.total('supply', '')).amount, supply),
    ...same('supply against minted less burned', supply, memory.minted - memory.burned),
    ...same('supply against balances', supply, total(sums)),
    ...checkLocks(observer),
    ...expiredCoupons(observer),
    ...(await missedLiveness(observer, clock.nowMicros())),
  ]
}

/** Locks against instructions: each locked holding has one, and each has what it locks. */
function checkLocks({ backing, lockedIds }: Observer): readonly string[] {
  return [
    ...[...lockedIds].filter((id) => !backing.has(id)).map((id) => `${id} is locked for nothing`),
    ...[...backing]
      .filter(([locked]) => !lockedIds.has(locked))
      .map(([, id]) => `instruction ${id} locks nothing`),
  ]
}

/** Times since which something is as it must not stay, by its name; microseconds. */
export type Since = Map<string, bigint>

/** Checks what automations have to see to, a while after it is due at the latest. */
export async function checkPoll(
  observer: Observer,
  { cast, economies }: { readonly cast: Cast; readonly economies: readonly Economy[] },
  since: Since,
): Promise<readonly string[]> {
  const {
    reading: { economy },
  } = observer
  const now = economy.clock.nowMicros()
  const ofRounds = [...unmerged(observer), ...undelegated(observer, cast)]
  const ofPolls = [
    ...overdue(observer, cast, now),
    ...lateRounds(observer, now),
    ...(await unswept(observer, cast)),
  ]
  const lasting = new Set([...ofRounds, ...ofPolls])
  for (const what of since.keys()) if (!lasting.has(what)) since.delete(what)
  for (const what of lasting) if (!since.has(what)) since.set(what, now)
  const tooLong = (all: readonly string[], patience: bigint) =>
    all.filter((what) => now - (since.get(what) ?? now) > patience)
  const left = await Promise.all(economies.map(trafficLeft))
  return [
    ...[...tooLong(ofRounds, 2n * MERGE_PERIOD), ...tooLong(ofPolls, 2n * POLL)].map(
      (what) => `${what} for too long`,
    ),
    ...(left.every(({ base, extra }) => base + extra > 0n) ? [] : ['there is no traffic left']),
    ...(await sweptTooFar(observer, cast)),
  ]
}

function unmerged({ accounts }: Observer): readonly string[] {
  return [...accounts]
    .filter(([, { unlockedCount }]) => unlockedCount > MERGE_THRESHOLD)
    .map(([name]) => `${name} has too many holdings`)
}

/**
 * Whose delegate, who looks once a round, leaves them more coins than the one that they agreed on.
 * docs/economy-rules.md, "Minting delegations"
 */
function undelegated({ accounts }: Observer, { delegating }: Cast): readonly string[] {
  return delegating
    .filter((name) => (accounts.get(name)?.unlockedCount ?? 0) > 1)
    .map((name) => `${name} waits for its delegate`)
}

/** Contracts that are over, or that automations handle as soon as they are there. */
function overdue({ waiting }: Observer, cast: Cast, now: bigint): readonly string[] {
  return [...waiting].flatMap(([id, { what, from, to, until }]) => {
    if (until > 0n && until <= now) return [`${what} ${id} is over`]
    const isDue =
      what === 'accepted offer' ||
      what === 'traffic request' ||
      (what === 'offer' && sendersTrustedBy(cast, to).includes(from))
    return isDue ? [`${what} ${id} waits`] : []
  })
}

/** Rounds that should be in their next phase. */
function lateRounds({ rounds }: Observer, now: bigint): readonly string[] {
  return rounds
    .filter(
      ({ phase, targetClosesAt }) =>
        phase === 'summarizing' || phase === 'closed' || targetClosesAt <= now,
    )
    .map(({ number, phase }) => `round ${number} is ${phase}`)
}

/** The amount above the maximum, without what is offered already. */
async function unswept(
  { accounts, reading }: Observer,
  { shops }: Cast,
): Promise<readonly string[]> {
  const rich = shops.filter((shop) => usdOf(accounts.get(shop)?.unlocked) > SWEEP_MAX * ONE)
  const left = await Promise.all(
    rich.map(async (shop) => {
      const outstanding = await offeredBy(reading.economy, reading.book.parties.idOf(shop))
      return usdOf((accounts.get(shop)?.unlocked ?? 0n) - outstanding) > SWEEP_MAX * ONE
        ? [`${shop} is not swept`]
        : []
    }),
  )
  return left.flat()
}

async function offeredBy({ reader }: Economy, party: string): Promise<bigint> {
  const [offers, accepted] = await Promise.all([
    reader.all(transferOffer, { sender: party }),
    reader.all(acceptedTransferOffer, { sender: party }),
  ])
  return total([...offers, ...accepted].map(({ payload }) => payload.amount.amount))
}

/** Shops spend nothing, and begin with a tap of 25 USD. */
async function sweptTooFar({ accounts }: Observer, { shops }: Cast): Promise<readonly string[]> {
  return shops
    .filter(
      (shop) =>
        accounts.has(shop) &&
        usdOf(accounts.get(shop)?.unlocked) < SWEEP_MIN * ONE - SWEEP_ROUNDING,
    )
    .map((shop) => `${shop} was swept to less than the minimum`)
}

/** Every invariant of the state. docs/economy-rules.md, "Invariants" */
export async function checkDay({ reading, memory }: Observer): Promise<readonly string[]> {
  const world = await readWorld(reading)
  return audit(world, memory).map(({ invariant, what }) => `invariant ${invariant}: ${what}`)
}

/** Every operator had a record of every round that was open. */
async function missedLiveness(
  {
    reading: {
      economy: { reader },
    },
    rounds,
  }: Observer,
  now: bigint,
): Promise<readonly string[]> {
  const licenses = await reader.all(validatorLicense)
  const usable = rounds
    .filter(({ phase, opensAt }) => phase === 'open' && opensAt <= now - 2n * POLL)
    .map(({ number }) => number)
  return licenses.flatMap(({ payload: { faucetState } }) => {
    const { lastReceivedFor: last = -1n, numCouponsMissed: missed = 0n } = faucetState ?? {}
    return missed === 0n && usable.every((number) => number <= last)
      ? []
      : [`liveness is recorded up to ${last}, ${missed} missed`]
  })
}

/** Coupons of hosted parties that nobody collected in time. */
function expiredCoupons({ tally: { ends } }: Observer): readonly string[] {
  const expired = ends.get('coupon expired') ?? 0
  return expired === 0 ? [] : [`${expired} coupons expired`]
}

function usdOf(amount: bigint | undefined): bigint {
  return times(amount ?? 0n, PRICE)
}

function same<T extends bigint | number>(
  what: string,
  actual: T,
  expected: T | undefined,
): readonly string[] {
  return actual === expected ? [] : [`${what} is ${actual}, not ${expected}`]
}
