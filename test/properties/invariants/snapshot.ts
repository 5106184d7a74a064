// What holds of a full reading at any time. Each answers a sentence per violation. Numbers
// are those of the reports.
import { amountOf, textOf, total } from '../model/arithmetic.ts'
import { displayFee, isDust } from '../model/formulas.ts'
import { timeToLive } from '../model/rounds.ts'
import type { Round } from '../model/state.ts'
import type { Holding, PartyView, World } from '../world.ts'
import type { Memory } from './memory.ts'

/** Each answers a sentence per violation. */
export const SNAPSHOT_INVARIANTS: readonly (readonly [
  number,
  (world: World, memory: Memory) => readonly string[],
])[] = [
  // A balance is the sum of the holdings it counts.
  [
    1,
    ({ parties, holdings }) =>
      parties.flatMap(({ party, unlocked, locked, coins }) => {
        const own = holdings.filter(({ owner }) => owner === party)
        return [
          ...same(`${party} unlocked`, unlocked, sumOf(own.filter(isUnlocked))),
          ...same(`${party} locked`, locked, sumOf(own.filter((holding) => !isUnlocked(holding)))),
          ...same(`${party} count of holdings`, BigInt(coins), BigInt(own.length)),
        ]
      }),
  ],
  // Total holdings are unlocked and locked together, and nobody outside the parties holds any.
  [
    2,
    ({ parties, holdings, supply }) => {
      const balances = total(parties.map(({ unlocked, locked }) => unlocked + locked))
      return [
        ...same('balances against supply', balances, supply),
        ...same('holdings against supply', sumOf(holdings), supply),
      ]
    },
  ],
  // What exists was minted and not burned.
  [3, ({ supply }, { minted, burned }) => same('supply', supply, minted - burned)],
  // Every holding is worth something and is shown with ten places.
  [
    6,
    ({ holdings }) =>
      holdings.flatMap(({ id, amount, amountText }) => [
        ...unless(amount > 0n, `${id} is worth ${amount}`),
        ...unless(
          amountOf(amountText) === amount && textOf(amount) === amountText,
          `${id} is shown as ${amountText}`,
        ),
      ]),
  ],
  // An instruction has its locked holding, unless time is up or the holding was dust.
  [
    9,
    ({ instructions, holdings, now }, { dusted }) => {
      const locked = new Set(holdings.filter((holding) => !isUnlocked(holding)).map(({ id }) => id))
      return instructions
        .filter(
          (one) => !locked.has(one.locked) && now < one.executeBefore && !dusted.has(one.locked),
        )
        .map(({ id }) => `${id} locks nothing`)
    },
  ],
  // A locked holding backs one live instruction at most; and, until its lock is over, one at
  // least.
  [
    10,
    ({ instructions, holdings, now }) => {
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
    },
  ],
  // What is locked is the amount of the transfer, the sender's, until its deadline.
  [
    11,
    ({ instructions, holdings }) => {
      const byId = new Map(holdings.map((holding) => [holding.id, holding]))
      return instructions.flatMap(({ id, locked, amount, sender, executeBefore }) => {
        const holding = byId.get(locked)
        if (holding === undefined) return []
        const isRight =
          holding.amount === amount &&
          holding.owner === sender &&
          holding.lockedUntil === executeBefore
        return unless(
          isRight,
          `${id} over ${amount} of ${sender} locks ${holding.amount} of ${holding.owner}`,
        )
      })
    },
  ],
  // No instruction is longer than it may be.
  [
    16,
    ({ instructions, config }) =>
      instructions
        .filter(
          ({ requestedAt, executeBefore }) =>
            executeBefore - requestedAt > config.maxTtl || executeBefore <= requestedAt,
        )
        .map(
          ({ id, requestedAt, executeBefore }) =>
            `${id} runs from ${requestedAt} to ${executeBefore}`,
        ),
  ],
  // No two live offers of a sender under one tracking id.
  [
    19,
    ({ offers }) => {
      const groups = Map.groupBy(offers, ({ sender, trackingId }) => `${sender} ${trackingId}`)
      return [...groups]
        .filter(([, same]) => same.length > 1)
        .map(([key]) => `${key} has several offers`)
    },
  ],
  // What is live says so, in its status.
  [
    20,
    ({ offers, statuses }) =>
      offers.flatMap(({ sender, trackingId, id }) => {
        const status = statuses.get(`${sender}\n${trackingId}`)
        return unless(status === 'created' || status === 'accepted', `${id} is live and ${status}`)
      }),
  ],
  // Times of a preapproval are in order.
  [
    23,
    ({ preapprovals }) =>
      preapprovals
        .filter(
          ({ validFrom, lastRenewedAt, expiresAt }) =>
            validFrom > lastRenewedAt || lastRenewedAt >= expiresAt,
        )
        .map(({ id }) => `${id} has its times out of order`),
  ],
  // No pool of a round gave more than it had. Two rates are rounded by half a unit each and
  // count per unit of weight, each coupon's product is rounded once more; and the first of a
  // tranche's roundings counts one over its cap, which is 0.0285 for the faucet at the highest
  // price of the commands.
  [
    25,
    ({ rounds }, { mintedOf, slackOf }) =>
      rounds.flatMap(({ number, issuance }) => {
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
      }),
  ],
  // What a validator missed is what it could have had without what it got.
  [
    27,
    ({ licenses, coupons }) => {
      const records = coupons.filter(({ of }) => of === 'liveness')
      const groups = Map.groupBy(records, ({ beneficiary, round }) => `${beneficiary} ${round}`)
      return [
        ...[...groups]
          .filter(([, all]) => all.length > 1)
          .map(([key]) => `${key} has several records`),
        ...[...licenses].flatMap(([party, { first, last, missed, received }]) =>
          same(`${party} missed`, missed, last - first + 1n - received),
        ),
      ]
    },
  ],
  // Three open rounds with consecutive numbers, opening one after another, and no number twice.
  [
    28,
    ({ rounds }) => {
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
    },
  ],
  // An answer of scan is kept for a while, and for no longer than a tick.
  [
    30,
    ({ rounds, timeToLive: given }) => {
      const expected = timeToLive(rounds)
      if (given === undefined || expected === undefined)
        return unless(given === expected, `time to live is ${given}, not ${expected}`)
      const ticks = rounds.filter(({ phase }) => phase === 'open').map(({ tick }) => tick)
      return unless(
        given > 0n && given === expected && ticks.every((tick) => given <= tick),
        `time to live is ${given}, not ${expected}`,
      )
    },
  ],
  // A member's traffic target is the sum of its purchases.
  [
    33,
    ({ traffic, trafficTargets }, { trafficBought }) =>
      [...trafficBought].flatMap(([member, bytes]) => [
        ...same(`purchases of ${member}`, traffic.get(member)?.bytes ?? 0n, bytes),
        ...same(`target of ${member}`, trafficTargets.get(member) ?? 0n, bytes),
      ]),
  ],
  // The shown fee is within the holding, grows with the round, and eats it all exactly when it
  // is dust.
  [
    40,
    ({ holdings, rounds }) => {
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
    },
  ],
  // History adds up to what a party can spend, and to the dust it lost.
  [
    41,
    ({ parties }, { dustOf }) =>
      parties.flatMap((one: PartyView) =>
        same(`history of ${one.party}`, one.history, one.unlocked + (dustOf.get(one.party) ?? 0n)),
      ),
  ],
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
