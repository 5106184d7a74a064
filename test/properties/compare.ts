// The model against the system: the same answer to a command, the same balances after it, and in an
// audit the same holdings.
import type { Plan } from './model/plan.ts'
import type { Economy } from './model/state.ts'
import { allOf, balanceOf, supply } from './model/state.ts'
import type { Holding, PartyView, Result, Violation, World } from './world.ts'

/** Number under which differences from the model are reported. */
export const MODEL = 100

/** Whether the answer is one that the model allows. */
export function sameAnswer(plan: Plan, result: Result): readonly Violation[] {
  if (!result.ok && result.reason === 'busy') return []
  if (plan.ok)
    return result.ok
      ? []
      : say(`refused for ${result.reason} (${result.text}), which the model allows`)
  const wanted = plan.reasons.join(' or ')
  if (result.ok) return say(`succeeded, where the model refuses for ${wanted}`)
  return plan.reasons.some((reason) => reason === result.reason)
    ? []
    : say(`refused for ${result.reason} (${result.text}), not for ${wanted}`)
}

/** Whether every party has what the model says. */
export function sameBalances(
  economy: Economy,
  parties: readonly PartyView[],
): readonly Violation[] {
  return parties.flatMap(({ party, unlocked, locked, coins, history }) => {
    const expected = balanceOf(economy, party)
    const isSame =
      expected.unlocked === unlocked &&
      expected.locked === locked &&
      expected.coins === coins &&
      expected.history === history
    return isSame
      ? []
      : say(
          `${party} has ${unlocked} + ${locked} locked in ${coins}, history ${history}; the model says ` +
            `${expected.unlocked} + ${expected.locked} in ${expected.coins}, history ${expected.history}`,
        )
  })
}

/** Whether the same holdings, instructions, offers, preapprovals and coupons are there. */
export function sameContracts(economy: Economy, world: World): readonly Violation[] {
  return [
    ...sameList('holdings', allOf(economy, 'coin').map(shape), world.holdings.map(shape)),
    ...sameList(
      'instructions',
      allOf(economy, 'instruction').map(terms),
      world.instructions.map(terms),
    ),
    ...sameList(
      'offers',
      [...allOf(economy, 'offer'), ...allOf(economy, 'accepted')].map(party),
      world.offers.map(party),
    ),
    ...sameList(
      'preapprovals',
      allOf(economy, 'preapproval').map(life),
      world.preapprovals.map(life),
    ),
    ...sameList('coupons', allOf(economy, 'coupon').map(worth), world.coupons.map(worth)),
    ...sameList('rounds', [...economy.rounds.values()].map(phase), world.rounds.map(phase)),
    ...sameList('supply', [`${supply(economy)}`], [`${world.supply}`]),
  ]
}

function sameList(
  what: string,
  expected: readonly string[],
  actual: readonly string[],
): readonly Violation[] {
  const [a, b] = [expected.toSorted(), actual.toSorted()]
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find(
    (index) => a[index] !== b[index],
  )
  return at === undefined
    ? []
    : say(`${what}: ${b[at] ?? 'nothing'}, where the model has ${a[at] ?? 'nothing'}`)
}

function say(what: string): readonly Violation[] {
  return [{ invariant: MODEL, what }]
}

function shape({
  owner,
  amount,
  createdRound,
  rate,
  lockedUntil,
}: Omit<Holding, 'amountText'>): string {
  return `${owner} ${amount} of ${createdRound} at ${rate} until ${lockedUntil ?? 'now'}`
}

function terms(one: {
  sender: string
  receiver: string
  amount: bigint
  executeBefore: bigint
}): string {
  return `${one.sender} ${one.receiver} ${one.amount} ${one.executeBefore}`
}

function party(one: { sender: string; receiver: string; trackingId: string }): string {
  return `${one.sender} ${one.receiver} ${one.trackingId}`
}

function life(one: {
  receiver: string
  provider: string
  validFrom: bigint
  expiresAt: bigint
}): string {
  return `${one.receiver} ${one.provider} ${one.validFrom} ${one.expiresAt}`
}

function worth(one: { of: string; beneficiary: string; amount: bigint; round: bigint }): string {
  return `${one.of} ${one.beneficiary} ${one.amount} ${one.round}`
}

function phase(one: { number: bigint; phase: string; price: bigint }): string {
  return `${one.number} ${one.phase} ${one.price}`
}
