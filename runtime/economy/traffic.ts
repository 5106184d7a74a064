// What traffic this node has left, what more costs, and whose submissions go first when it runs
// short. docs/economy-rules.md, "Reserved traffic"
import { configOf, trafficCost } from '../contracts/index.ts'
import {
  TRAFFIC,
  TRAFFIC_LIMIT,
  trafficAt,
  trafficGrant,
  trafficGrantFact,
} from '../engine/index.ts'
import type { TrafficGrant } from '../engine/index.ts'
import type { Economy } from './economy.ts'
import type { Priority } from './treasury/index.ts'
import { DAY_MICROS } from '../engine/durations.ts'

/** Traffic that can be used now. */
export interface TrafficLeft {
  /** Bytes of the base allowance that are left now. */
  readonly base: bigint
  /** Bytes of extra traffic that were bought, count already, and are not used yet. */
  readonly extra: bigint
  readonly grant: TrafficGrant
}

/** This node's traffic as of now. */
export async function trafficLeft({
  store,
  clock,
  parties: { member },
  settings: { network },
}: Pick<Economy, 'clock' | 'parties' | 'settings' | 'store'>): Promise<TrafficLeft> {
  const [used, granted] = await Promise.all([
    store.contracts.fact(TRAFFIC, member),
    store.contracts.fact(TRAFFIC_LIMIT, member),
  ])
  const policy = {
    member,
    baseBurstBytes: BigInt(network.traffic.baseBurstBytes),
    baseWindowMicros: BigInt(network.traffic.baseWindowSeconds) * 1_000_000n,
  }
  const { baseRemaining, consumed } = trafficAt(policy, used?.body, clock.nowMicros())
  const grant = trafficGrant(granted?.body)
  return { base: baseRemaining, extra: grant.limit > consumed ? grant.limit - consumed : 0n, grant }
}

/**
 * What `bytes` of traffic cost in coin (x 10^10) at the latest price; undefined while no round is
 * open.
 */
export async function trafficPrice(
  { network }: Pick<Economy, 'network'>,
  bytes: bigint,
): Promise<bigint | undefined> {
  const [rules, round] = await Promise.all([network.coinRules(), network.usableRound()])
  if (round === undefined) return undefined
  const { extraTrafficPrice } = configOf(rules.payload).decentralizedSynchronizer.fees
  const { trafficPrice: frozen, conversionRate } = round.payload
  return trafficCost(bytes, frozen ?? extraTrafficPrice, conversionRate).coin
}

/**
 * With what priority the operator's wallet merges coins and accepts offers: high while it cannot
 * pay for a top-up, since that is what it would be for.
 */
export async function operatorPriority(economy: Economy): Promise<Priority> {
  const {
    grant: { topup },
  } = await trafficLeft(economy)
  if (topup === 0n) return 'low'
  const [price, { amount }] = await Promise.all([
    trafficPrice(economy, topup),
    economy.reader.total('unlocked', economy.parties.operator),
  ])
  return price !== undefined && amount < price ? 'high' : 'low'
}

/** Traffic that is kept back, and how much a purchase buys. */
export interface TrafficReservation {
  /** Bytes that submissions of low priority leave alone. */
  readonly reserved: bigint
  /** Bytes that are bought at once. */
  readonly topup: bigint
}

/**
 * Longest life of a reservation that nobody renews: a server that is switched off must not hold
 * payments up for ever.
 */
const RESERVATION_MICROS = DAY_MICROS

/**
 * Keeps traffic back on all servers of this node for a day, or gives it free at once; writes only
 * what is not said already.
 */
export async function reserveTraffic(
  economy: Economy,
  { reserved, topup }: TrafficReservation,
): Promise<void> {
  const {
    engine,
    clock,
    parties: { member },
  } = economy
  const now = clock.nowMicros()
  const isSaid = ({ grant }: Pick<TrafficLeft, 'grant'>): boolean =>
    grant.reserved === reserved &&
    grant.topup === topup &&
    (reserved === 0n || grant.reservedUntil - now > RESERVATION_MICROS / 2n)
  if (isSaid(await trafficLeft(economy))) return
  await engine.recordFacts([{ kind: TRAFFIC_LIMIT, key: member }], ({ facts }) => {
    const grant = trafficGrant(facts.get(TRAFFIC_LIMIT)?.get(member))
    return isSaid({ grant })
      ? []
      : [
          trafficGrantFact(member, {
            ...grant,
            reserved,
            topup,
            reservedUntil: now + RESERVATION_MICROS,
          }),
        ]
  })
}
