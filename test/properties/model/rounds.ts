// How rounds move, and the round maps that clients of scan keep. docs/economy-rules.md, "Rounds"
// and "Scan"
import { times, total, whole } from './arithmetic.ts'
import type { Counted } from './issuance.ts'
import { issue, segmentAt } from './issuance.ts'
import type { Coupon, Economy, Round } from './state.ts'
import { allOf, remove } from './state.ts'

/** Three rounds from number 0, two of them usable at once. */
export function bootstrap(economy: Economy): void {
  const { now, config } = economy
  const closes0 = now + config.round0Duration
  const base = { phase: 'open', price: economy.price, tick: config.tick, issuance: null } as const
  const rounds: readonly Round[] = [
    { ...base, number: 0n, opensAt: now, targetClosesAt: closes0, issuingFor: 0n },
    {
      ...base,
      number: 1n,
      opensAt: now,
      targetClosesAt: closes0 + config.tick,
      issuingFor: config.tick,
    },
    {
      ...base,
      number: 2n,
      opensAt: closes0,
      targetClosesAt: closes0 + 2n * config.tick,
      issuingFor: 2n * config.tick,
    },
  ]
  for (const round of rounds) economy.rounds.set(round.number, round)
}

/** Rounds of a phase, lowest number first. */
export function roundsIn(economy: Economy, phase: Round['phase']): readonly Round[] {
  return [...economy.rounds.values()]
    .filter((round) => round.phase === phase)
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
}

/** The round that every submitter takes: the highest one that is usable. */
export function chosenRound(economy: Economy): Round | undefined {
  return roundsIn(economy, 'open').findLast(({ opensAt }) => opensAt <= economy.now)
}

/** The issuing round of that number, where its coupons can be minted now. */
export function mintingRound(economy: Economy, number: bigint): Round | undefined {
  const round = economy.rounds.get(number)
  return round?.phase === 'issuing' && round.opensAt <= economy.now ? round : undefined
}

/** Moves rounds until nothing is due. */
export function passRounds(economy: Economy): void {
  while (advance(economy) || startIssuing(economy) || close(economy)) continue
}

/**
 * Takes over times that the system gave, which may be later by the microseconds between its
 * commits.
 */
export function adoptTimes(
  economy: Economy,
  seen: Iterable<Pick<Round, 'number' | 'opensAt' | 'targetClosesAt'>>,
): void {
  for (const { number, opensAt, targetClosesAt } of seen) {
    const round = economy.rounds.get(number)
    if (round !== undefined) economy.rounds.set(number, { ...round, opensAt, targetClosesAt })
  }
}

function advance(economy: Economy): boolean {
  const { now, config } = economy
  const [oldest, middle, newest] = roundsIn(economy, 'open')
  if (oldest === undefined || middle === undefined || newest === undefined) return false
  if (oldest.targetClosesAt > now || newest.opensAt > now || middle.opensAt + middle.tick > now)
    return false
  const opensAt = (now > newest.opensAt ? now : newest.opensAt) + config.tick
  economy.rounds.set(oldest.number, { ...oldest, phase: 'summarizing' })
  economy.rounds.set(newest.number + 1n, {
    number: newest.number + 1n,
    phase: 'open',
    price: economy.price,
    tick: config.tick,
    opensAt,
    targetClosesAt: opensAt + 2n * config.tick,
    issuingFor: newest.issuingFor + newest.tick,
    issuance: null,
  })
  return true
}

function startIssuing(economy: Economy): boolean {
  const [round] = roundsIn(economy, 'summarizing')
  if (round === undefined) return false
  const { config, now } = economy
  const segment = segmentAt(config.curve, round.issuingFor)
  const issuance = issue(
    segment,
    round.tick,
    round.price,
    counted(economy, round.number),
    config.fundShare,
  )
  const opensAt = now + round.tick
  economy.rounds.set(round.number, {
    ...round,
    phase: 'issuing',
    opensAt,
    targetClosesAt: opensAt + 2n * round.tick,
    issuance,
  })
  economy.unclaimed += issuance.unclaimed
  return true
}

function close(economy: Economy): boolean {
  const round = roundsIn(economy, 'issuing').find(
    ({ targetClosesAt }) => targetClosesAt <= economy.now,
  )
  if (round === undefined) return false
  for (const coupon of couponsOf(economy, round.number)) {
    economy.unclaimed += mintValue(round, coupon)
    remove(economy, coupon.id)
  }
  economy.rounds.delete(round.number)
  return true
}

/** Coins that a coupon is worth in its round. docs/economy-rules.md, "Transfers" */
export function mintValue(round: Round, coupon: Coupon): bigint {
  const rates = round.issuance
  if (rates === null) return 0n
  if (coupon.of === 'liveness') return rates.perLiveness
  if (coupon.of === 'validator') return times(coupon.amount, rates.perValidator)
  return times(coupon.amount, coupon.featured ? rates.perFeatured : rates.perUnfeatured)
}

/** Counts of the network before it issues. */
export function counted(economy: Economy, number: bigint): Counted {
  const coupons = couponsOf(economy, number)
  const amounts = (take: (coupon: Coupon) => boolean) =>
    total(coupons.filter(take).map(({ amount }) => amount))
  return {
    validator: amounts(({ of }) => of === 'validator'),
    liveness: amounts(({ of }) => of === 'liveness') / whole(1n),
    featured: amounts(({ of, featured }) => of === 'app' && featured),
    unfeatured: amounts(({ of, featured }) => of === 'app' && !featured),
    svWeight: 0n,
  }
}

function couponsOf(economy: Economy, number: bigint): readonly Coupon[] {
  return allOf(economy, 'coupon').filter(({ round }) => round === number)
}

/**
 * Microseconds for which an answer of scan may be kept; undefined where there are no rounds.
 * docs/economy-rules.md, "Scan"
 */
export function timeToLive(rounds: Iterable<Round>): bigint | undefined {
  const limits = [...rounds].flatMap((round) => {
    if (round.phase === 'open' || round.phase === 'summarizing') return [round.tick]
    return round.phase === 'issuing' ? [(round.targetClosesAt - round.opensAt) / 2n] : []
  })
  return limits.length === 0 ? undefined : limits.reduce((a, b) => (a < b ? a : b))
}
