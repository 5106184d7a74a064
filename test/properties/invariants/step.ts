// What holds of a single command and the updates it made. Each answers a sentence per violation.
import { total } from '../model/arithmetic.ts'
import { trafficCost } from '../model/formulas.ts'
import { mintValue } from '../model/rounds.ts'
import type { Holding, PartyView, Step, TransferView, UpdateView } from '../world.ts'
import { same, unless } from './snapshot.ts'

/** 29: a transfer and a tap name the highest round that is open and usable. */
export function roundsAreTheLatest(step: Step): readonly string[] {
  const usable = step.rounds.filter(({ phase, opensAt }) => phase === 'open' && opensAt <= step.at)
  const best = usable.reduce((highest, { number }) => (number > highest ? number : highest), -1n)
  const tapped = step.result.updates.flatMap(({ tapped: amount, holdingsCreated }) =>
    amount > 0n ? holdingsCreated : [],
  )
  return [
    ...transfersOf(step).flatMap(({ round }) => same('the round of a transfer', round, best)),
    ...tapped.flatMap(({ createdRound }) => same('the round of a tap', createdRound, best)),
  ]
}

/** Each answers a sentence per violation. */
export const STEP_INVARIANTS: readonly (readonly [number, (step: Step) => readonly string[]])[] = [
  // What is refused leaves nothing; a batch may go on to tell its sender why a completion
  // failed.
  [
    0,
    ({ result, before, after }) => {
      if (result.ok) return []
      const wereThere = new Map(before.map((one) => [one.party, one]))
      return [
        ...result.updates
          .filter(
            ({ consumed, created, entries }) =>
              consumed.length + created.length + entries.length > 0,
          )
          .map(({ updateId }) => `refused for ${result.reason} and committed ${updateId}`),
        ...after
          .filter((one) => !isSame(wereThere.get(one.party), one))
          .map(({ party }) => `refused for ${result.reason} and moved ${party}`),
      ]
    },
  ],
  // An update changes the supply by what it minted and burned.
  [
    3,
    (step) => {
      const changed = total(step.after.map(heldBy)) - total(step.before.map(heldBy))
      const made = total(step.result.updates.map((one) => one.tapped + mintedBy(one) - one.burned))
      return [
        ...same('change of the supply', changed, made),
        ...step.result.updates.flatMap(updateKeepsTheSupply),
      ]
    },
  ],
  // A transfer hands on what it took and minted, no more and no less.
  [
    4,
    (step) =>
      transfersOf(step).flatMap(({ inputs, minted, outputs, changeAmount }) =>
        same('what a transfer put out', total(outputs) + changeAmount, total(inputs) + minted),
      ),
  ],
  // Change is never negative, and there is a holding for it exactly where there is any.
  [
    5,
    (step) =>
      transfersOf(step).flatMap(({ changeAmount, changeId }) =>
        unless(
          changeAmount >= 0n && changeAmount > 0n === (changeId !== null),
          `change of ${changeAmount} in ${changeId}`,
        ),
      ),
  ],
  // At most as many inputs and outputs as allowed.
  [
    8,
    (step) =>
      transfersOf(step).flatMap(({ inputs, outputs }) =>
        unless(
          inputs.length <= step.config.maxInputs && outputs.length <= step.config.maxInputs,
          `${inputs.length} inputs, ${outputs.length} outputs`,
        ),
      ),
  ],
  // An instruction that comes to nothing gives the sender back what it locked, and moves nobody
  // else.
  [
    13,
    (step) =>
      step.result.updates.flatMap((update) =>
        update.instructionsEnded.flatMap(({ instruction, by }) => {
          if (by === 'accept') return []
          const [consumed, created] = [
            totalOf(update.holdingsConsumed),
            totalOf(update.holdingsCreated),
          ]
          return [
            ...same(`${instruction.id} gave back`, created, consumed),
            ...update.holdingsCreated.flatMap(({ owner, lockedUntil, id }) =>
              unless(
                owner === instruction.sender && lockedUntil === null,
                `${id} went to ${owner}`,
              ),
            ),
          ]
        }),
      ),
  ],
  // An acceptance moves the amount from sender to receiver and nothing else.
  [
    14,
    (step) =>
      step.result.updates.flatMap((update) =>
        update.instructionsEnded.flatMap(({ instruction, by }) => {
          if (by !== 'accept') return []
          const { sender, receiver, amount, id } = instruction
          const net = netOf(update)
          const expected = new Map(
            sender === receiver
              ? []
              : [
                  [sender, -amount],
                  [receiver, amount],
                ],
          )
          return [...new Set([...net.keys(), ...expected.keys()])].flatMap((party) =>
            same(`${id} moved of ${party}`, net.get(party) ?? 0n, expected.get(party) ?? 0n),
          )
        }),
      ),
  ],
  // Accepted before the deadline only, expired from it on only.
  [
    15,
    (step) =>
      step.result.updates.flatMap(({ recordTime, instructionsEnded }) =>
        instructionsEnded.flatMap(({ instruction, by }) => {
          const isOver = recordTime >= instruction.executeBefore
          return unless(
            !(by === 'accept' && isOver) && !(by === 'expire' && !isOver),
            `${by} of ${instruction.id} at ${recordTime}`,
          )
        }),
      ),
  ],
  // A self transfer keeps the party's total and makes at most its output and change.
  [
    17,
    (step) => {
      const { action, result } = step
      if (action.kind !== 'self-transfer') return []
      return result.updates.flatMap((update) => [
        ...same(`total of ${action.actor}`, netOf(update).get(action.actor) ?? 0n, 0n),
        ...unless(
          update.holdingsCreated.length <= 2,
          `a self transfer made ${update.holdingsCreated.length} holdings`,
        ),
      ])
    },
  ],
  // An offer moves nothing before it is completed.
  [
    21,
    ({ action, result }) => {
      const isOffers =
        action.kind.startsWith('offer') ||
        (action.kind.startsWith('accepted-') && action.kind !== 'accepted-complete')
      if (!isOffers) return []
      return result.updates.flatMap(({ holdingsConsumed, holdingsCreated }) =>
        unless(
          holdingsConsumed.length + holdingsCreated.length === 0,
          `${action.kind} moved holdings`,
        ),
      )
    },
  ],
  // A renewal makes a preapproval longer, and is free within the base duration.
  [
    23,
    ({ result, config }) =>
      result.updates.flatMap(({ renewals, burned }) =>
        renewals.flatMap(({ before, after }) => {
          const extension = after.expiresAt - before.expiresAt
          const isKept =
            before.validFrom === after.validFrom && after.lastRenewedAt === before.expiresAt
          return [
            ...unless(
              extension > 0n && isKept,
              `${before.id} was renewed to ${after.validFrom} ${after.lastRenewedAt} ${after.expiresAt}`,
            ),
            ...unless(
              extension > config.preapprovalBase || burned === 0n,
              `a free renewal burned ${burned}`,
            ),
          ]
        }),
      ),
  ],
  // A coupon yields its amount times the rate of its own round, while that round issues, and is
  // gone.
  [
    24,
    ({ result, rounds }) => {
      const byNumber = new Map(rounds.map((round) => [round.number, round]))
      return result.updates.flatMap(({ couponsMinted, consumed, recordTime }) =>
        couponsMinted.flatMap(({ coupon, amount }) => {
          const round = byNumber.get(coupon.round)
          if (round?.phase !== 'issuing')
            return [`${coupon.id} of round ${coupon.round} was minted, which does not issue`]
          const expected = mintValue(round, { ...coupon, kind: 'coupon' })
          return [
            ...unless(
              round.opensAt <= recordTime,
              `${coupon.id} was minted before round ${coupon.round} opened`,
            ),
            ...same(`yield of ${coupon.id}`, amount, expected),
            ...unless(consumed.includes(coupon.id), `${coupon.id} was minted and stays`),
          ]
        }),
      )
    },
  ],
  [29, roundsAreTheLatest],
  // Traffic costs and burns what the formula says.
  [
    34,
    (step) => {
      const prices = new Map(step.rounds.map(({ number, price }) => [number, price]))
      return step.result.updates.flatMap(({ trafficBought, transfers, burned }) =>
        trafficBought.flatMap(({ bytes, coins }) => {
          const price = prices.get(transfers.at(-1)?.round ?? -1n)
          if (price === undefined) return ['traffic was bought without a transfer']
          const cost = trafficCost(bytes, step.config.trafficUsdPerMegabyte, price).coins
          return [
            ...same('cost of traffic', coins, cost),
            ...same('burned for traffic', burned, cost),
          ]
        }),
      )
    },
  ],
  // The entries of an update are what it moved of unlocked holdings, dust excepted.
  [
    41,
    ({ result }) =>
      result.updates.flatMap(({ holdingsConsumed, holdingsCreated, entries, dust }) => {
        const moved = addUp([
          ...signed(holdingsCreated, 1n),
          ...signed(holdingsConsumed, -1n),
          ...dust.map(
            ({ owner, amount, lockedUntil }) =>
              [owner, lockedUntil === null ? amount : 0n] as const,
          ),
        ])
        const told = addUp(entries.map(({ party, amount }) => [party, amount]))
        return [...new Set([...moved.keys(), ...told.keys()])].flatMap((party) =>
          same(`history of ${party}`, told.get(party) ?? 0n, moved.get(party) ?? 0n),
        )
      }),
  ],
  // Only the owner moves a holding; the receiver a locked one that is meant for it; the network
  // what is dust or over.
  [
    44,
    ({ action, result, config }) => {
      if (action.kind === 'rounds' || action.kind === 'price') return []
      return result.updates.flatMap(({ holdingsConsumed, instructionsEnded, dust }) =>
        holdingsConsumed.flatMap(({ id, owner }) => {
          const isMeant = instructionsEnded.some(
            ({ instruction, by }) =>
              instruction.locked === id &&
              (by === 'expire'
                ? action.actor === config.network
                : instruction.receiver === action.actor),
          )
          const isDustTaken = action.actor === config.network && dust.some((one) => one.id === id)
          return unless(
            action.actor === owner || isMeant || isDustTaken,
            `${action.actor} moved ${id} of ${owner} by ${action.kind}`,
          )
        }),
      )
    },
  ],
  // Onboarding again changes no balance.
  [
    45,
    ({ action, result }) => {
      if (action.kind !== 'onboard') return []
      return result.updates.flatMap(({ holdingsConsumed, holdingsCreated }) =>
        unless(holdingsConsumed.length + holdingsCreated.length === 0, 'onboarding moved holdings'),
      )
    },
  ],
]

function updateKeepsTheSupply(update: UpdateView): readonly string[] {
  const made = update.tapped + mintedBy(update) - update.burned
  return same(
    `supply of ${update.updateId}`,
    totalOf(update.holdingsCreated) - totalOf(update.holdingsConsumed),
    made,
  )
}

function mintedBy({ couponsMinted }: UpdateView): bigint {
  return total(couponsMinted.map(({ amount }) => amount))
}

function transfersOf({ result }: Step): readonly TransferView[] {
  return result.updates.flatMap(({ transfers }) => transfers)
}

function heldBy({ unlocked, locked }: PartyView): bigint {
  return unlocked + locked
}

function isSame(a: PartyView | undefined, b: PartyView): boolean {
  if (a === undefined) return heldBy(b) === 0n
  return (
    a.unlocked === b.unlocked &&
    a.locked === b.locked &&
    a.coins === b.coins &&
    a.history === b.history
  )
}

function totalOf(holdings: readonly Holding[]): bigint {
  return total(holdings.map(({ amount }) => amount))
}

/** Net movement of each party in an update, locked and unlocked together. */
function netOf({ holdingsConsumed, holdingsCreated }: UpdateView): ReadonlyMap<string, bigint> {
  const all = (holdings: readonly Holding[], sign: bigint) =>
    holdings.map(({ owner, amount }) => [owner, sign * amount] as const)
  return addUp([...all(holdingsCreated, 1n), ...all(holdingsConsumed, -1n)])
}

function signed(
  holdings: readonly Holding[],
  sign: bigint,
): readonly (readonly [string, bigint])[] {
  return holdings
    .filter(({ lockedUntil }) => lockedUntil === null)
    .map(({ owner, amount }) => [owner, sign * amount] as const)
}

function addUp(pairs: Iterable<readonly [string, bigint]>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [key, amount] of pairs) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return sums
}
