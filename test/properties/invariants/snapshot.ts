// What holds of a full reading at any time. Each answers a sentence per violation. Numbers
// are those of the reports.
import { amountOf, textOf, total } from '../model/arithmetic.ts'
import { displayFee, isDust } from '../model/formulas.ts'
import { timeToLive } from '../model/rounds.ts'
import type { Round } from '../model/state.ts'
import type { Holding, PartyView, World } from '../world.ts'
import type { Memory } from './memory.ts'

/** 1: a balance is the sum of the holdings it counts. */
export function balancesAreSums({ parties, holdings }: World): readonly string[] {
  return parties.flatMap(({ party, unlocked, locked, coins }) => {
    const own = holdings.filter(({ owner }) => owner === party)
    return [
      ...same(`${party} unlocked`, unlocked, sumOf(own.filter(isUnlocked))),
      ...same(`${party} locked`, locked, sumOf(own.filter((holding) => !isUnlocked(holding)))),
      ...same(`${party} count of holdings`, BigInt(coins), BigInt(own.length)),
    ]
  })
}

/** 2: total holdings are unlocked and locked together, and nobody outside the parties holds any. */
export function totalIsBoth({ parties, holdings, supply }: World): readonly string[] {
  const balances = total(parties.map(({ unlocked, locked }) => unlocked + locked))
  return [
    ...same('balances against supply', balances, supply),
    ...same('holdings against supply', sumOf(holdings), supply),
  ]
}

/** 3: what exists was minted and not burned. */
export function supplyIsMintedLessBurned(
  { supply }: World,
  { minted, burned }: Memory,
): readonly string[] {
  return same('supply', supply, minted - burned)
}

/** 6: every holding is worth something and is shown with ten places. */
export function amountsArePositive({ holdings }: World): readonly string[] {
  return holdings.flatMap(({ id, amount, amountText }) => [
    ...unless(amount > 0n, `${id} is worth ${amount}`),
    ...unless(
      amountOf(amountText) === amount && textOf(amount) === amountText,
      `${id} is shown as ${amountText}`,
    ),
  ])
}

/** 9: an instruction has its locked holding, unless time is up or the holding was dust. */
export function instructionsAreBacked(
  { instructions, holdings, now }: World,
  { dusted }: Memory,
): readonly string[] {
  const locked = new Set(holdings.filter((holding) => !isUnlocked(holding)).map(({ id }) => id))
  return instructions
    .filter((one) => !locked.has(one.locked) && now < one.executeBefore && !dusted.has(one.locked))
    .map(({ id }) => `${id} locks nothing`)
}

/**
 * 10: a locked holding backs one live instruction at most; and, until its lock is over, one at
 * least.
 */
export function locksAreOwned({ instructions, holdings, now }: World): readonly string[] {
  const backed = Map.groupBy(instructions, ({ locked }) => locked)
  const isLive = ({ lockedUntil }: Holding) => lockedUntil !== null && now < lockedUntil
  return [
    ...[...backed]
      .filter(([, users]) => users.length > 1)
      .map(([id]) => `${id} backs several instructions`),
    ...holdings
      .filter((holding) => isLive(holding) && !backed.has(holding.id))
      .map(({ id }) => `${id} is locked for nothing`),
  ]
}

/** 11: what is locked is the amount of the transfer, the sender's, until its deadline. */
export function locksHoldTheAmount({ instructions, holdings }: World): readonly string[] {
  const byId = new Map(holdings.map((holding) => [holding.id, holding]))
  return instructions.flatMap(({ id, locked, amount, sender, executeBefore }) => {
    const holding = byId.get(locked)
    if (holding === undefined) return []
    const isRight =
      holding.amount === amount && holding.owner === sender && holding.lockedUntil === executeBefore
    return unless(
      isRight,
      `${id} over ${amount} of ${sender} locks ${holding.amount} of ${holding.owner}`,
    )
  })
}

/** 16: no instruction is longer than it may be. */
export function instructionsAreShort({ instructions, config }: World): readonly string[] {
  return instructions
    .filter(
      ({ requestedAt, executeBefore }) =>
        executeBefore - requestedAt > config.maxTtl || executeBefore <= requestedAt,
    )
    .map(
      ({ id, requestedAt, executeBefore }) => `${id} runs from ${requestedAt} to ${executeBefore}`,
    )
}

/** 19: no two live offers of a sender under one tracking id. */
export function trackingIdsAreUnique({ offers }: World): readonly string[] {
  const groups = Map.groupBy(offers, ({ sender, trackingId }) => `${sender} ${trackingId}`)
  return [...groups]
    .filter(([, same]) => same.length > 1)
    .map(([key]) => `${key} has several offers`)
}

/** 20: what is live says so, in its status. */
export function liveOffersAreOpen({ offers, statuses }: World): readonly string[] {
  return offers.flatMap(({ sender, trackingId, id }) => {
    const status = statuses.get(`${sender}\n${trackingId}`)
    return unless(status === 'created' || status === 'accepted', `${id} is live and ${status}`)
  })
}

/** 23: times of a preapproval are in order. */
export function preapprovalsAreInOrder({ preapprovals }: World): readonly string[] {
  return preapprovals
    .filter(
      ({ validFrom, lastRenewedAt, expiresAt }) =>
        validFrom > lastRenewedAt || lastRenewedAt >= expiresAt,
    )
    .map(({ id }) => `${id} has its times out of order`)
}

/**
 * 25: no pool of a round gave more than it had. Two rates are rounded by half a unit each and count
 * per unit of weight, each coupon's product is rounded once more; and the first of a tranche's
 * roundings counts one over its cap, which is 0.0285 for the faucet at the highest price of the
 * commands.
 */
export function poolsAreNotOverdrawn(
  { rounds }: World,
  { mintedOf, slackOf }: Memory,
): readonly string[] {
  return rounds.flatMap(({ number, issuance }) => {
    if (issuance === null) return []
    const key = (of: string) => `${number}\n${of}`
    const taken = (of: string) => mintedOf.get(key(of)) ?? 0n
    const rounding = (of: string) => 40n + 2n * (slackOf.get(key(of)) ?? 0n)
    return [
      ...unless(
        taken('app') <= issuance.appPool + rounding('app'),
        `apps of round ${number} minted ${taken('app')}`,
      ),
      ...unless(
        taken('validator') + taken('liveness') <=
          issuance.validatorPool + rounding('validator') + rounding('liveness'),
        `validators of round ${number} minted ${taken('validator') + taken('liveness')}`,
      ),
    ]
  })
}

/** 27: what a validator missed is what it could have had without what it got. */
export function livenessAddsUp({ licenses, coupons }: World): readonly string[] {
  const records = coupons.filter(({ of }) => of === 'liveness')
  const groups = Map.groupBy(records, ({ beneficiary, round }) => `${beneficiary} ${round}`)
  return [
    ...[...groups].filter(([, all]) => all.length > 1).map(([key]) => `${key} has several records`),
    ...[...licenses].flatMap(([party, { first, last, missed, received }]) =>
      same(`${party} missed`, missed, last - first + 1n - received),
    ),
  ]
}

/**
 * 28: three open rounds with consecutive numbers, opening one after another, and no number twice.
 */
export function roundsAreInOrder({ rounds }: World): readonly string[] {
  const open = inPhase(rounds, 'open')
  const pairs = open.slice(1).map((round, index) => [open[index], round] as const)
  return [
    ...same('open rounds', BigInt(open.length), 3n),
    ...same(
      'round numbers',
      BigInt(new Set(rounds.map(({ number }) => number)).size),
      BigInt(rounds.length),
    ),
    ...pairs
      .filter(([a, b]) => a !== undefined && b.number !== a.number + 1n)
      .map(([, b]) => `round ${b.number} follows nothing`),
    ...pairs
      .filter(([a, b]) => a !== undefined && b.opensAt < a.opensAt)
      .map(([, b]) => `round ${b.number} opens before its elder`),
  ]
}

/** 30: an answer of scan is kept for a while, and for no longer than a tick. */
export function timeToLiveIsShort({ rounds, timeToLive: given }: World): readonly string[] {
  const expected = timeToLive(rounds)
  if (given === undefined || expected === undefined)
    return unless(given === expected, `time to live is ${given}, not ${expected}`)
  const ticks = rounds.filter(({ phase }) => phase === 'open').map(({ tick }) => tick)
  return unless(
    given > 0n && given === expected && ticks.every((tick) => given <= tick),
    `time to live is ${given}, not ${expected}`,
  )
}

/** 33: a member's traffic target is the sum of its purchases. */
export function targetsAreSums(
  { traffic, trafficTargets }: World,
  { trafficBought }: Memory,
): readonly string[] {
  return [...trafficBought].flatMap(([member, bytes]) => [
    ...same(`purchases of ${member}`, traffic.get(member)?.bytes ?? 0n, bytes),
    ...same(`target of ${member}`, trafficTargets.get(member) ?? 0n, bytes),
  ])
}

/**
 * 40: the shown fee is within the holding, grows with the round, and eats it all exactly when it is
 * dust.
 */
export function shownFeesAreWithin({ holdings, rounds }: World): readonly string[] {
  const latest = inPhase(rounds, 'open').at(-1)?.number ?? 0n
  return holdings.flatMap(({ id, amount, createdRound, rate }) => {
    const now = displayFee(amount, createdRound, rate, latest)
    const next = displayFee(amount, createdRound, rate, latest + 1n)
    const isWithin = now >= 0n && now <= next && next <= amount
    return unless(
      isWithin && (!isDust(amount, createdRound, rate, latest) || now >= amount - rate),
      `${id} shows a fee of ${now}`,
    )
  })
}

/** 41: history adds up to what a party can spend, and to the dust it lost. */
export function historyAddsUp({ parties }: World, { dustOf }: Memory): readonly string[] {
  return parties.flatMap((one: PartyView) =>
    same(`history of ${one.party}`, one.history, one.unlocked + (dustOf.get(one.party) ?? 0n)),
  )
}

/** All of them. */
export const SNAPSHOT_INVARIANTS: readonly (readonly [
  number,
  (world: World, memory: Memory) => readonly string[],
])[] = [
  [1, balancesAreSums],
  [2, totalIsBoth],
  [3, supplyIsMintedLessBurned],
  [6, amountsArePositive],
  [9, instructionsAreBacked],
  [10, locksAreOwned],
  [11, locksHoldTheAmount],
  [16, instructionsAreShort],
  [19, trackingIdsAreUnique],
  [20, liveOffersAreOpen],
  [23, preapprovalsAreInOrder],
  [25, poolsAreNotOverdrawn],
  [27, livenessAddsUp],
  [28, roundsAreInOrder],
  [30, timeToLiveIsShort],
  [33, targetsAreSums],
  [40, shownFeesAreWithin],
  [41, historyAddsUp],
]

/** A sentence where two figures differ. */
export function same(what: string, actual: bigint, expected: bigint): readonly string[] {
  return unless(actual === expected, `${what} is ${actual}, not ${expected}`)
}

/** A sentence where something does not hold. */
export function unless(holds: boolean, what: string): readonly string[] {
  return holds ? [] : [what]
}

function isUnlocked({ lockedUntil }: Holding): boolean {
  return lockedUntil === null
}

function sumOf(holdings: readonly Holding[]): bigint {
  return total(holdings.map(({ amount }) => amount))
}

function inPhase(rounds: readonly Round[], phase: Round['phase']): readonly Round[] {
  return rounds
    .filter((round) => round.phase === phase)
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
}
