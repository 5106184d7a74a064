// What an update costs: bytes, first from a base allowance that refills with time, then from extra traffic that was bought.
// domain/behaviour.md §8
import type { FactRecord } from '../store/store.ts'

export interface TrafficPolicy {
  /** Who pays for all that is submitted here. */
  readonly member: string
  readonly baseBurstBytes: bigint
  /** In which an empty base allowance fills up. */
  readonly baseWindowMicros: bigint
}

/** Fact kinds, both by member: what was used, written by the engine; what was bought, written by the network. */
export const TRAFFIC = 'traffic'
export const TRAFFIC_LIMIT = 'traffic-limit'

export interface TrafficState {
  /** What was left of the base allowance at `at`. */
  readonly baseRemaining: bigint
  /** Microseconds of record time. */
  readonly at: bigint
  /** Extra traffic that was used, ever. */
  readonly consumed: bigint
}

/** The state that a fact's body says, refilled up to `now`; a member without fact has its whole base allowance. */
export function trafficAt(policy: TrafficPolicy, body: string | undefined, now: bigint): TrafficState {
  if (body === undefined) return { baseRemaining: policy.baseBurstBytes, at: now, consumed: 0n }
  const { baseRemaining, at, consumed }: Record<keyof TrafficState, string> = JSON.parse(body)
  return refill(policy, { baseRemaining: BigInt(baseRemaining), at: BigInt(at), consumed: BigInt(consumed) }, now)
}

/** Bytes of extra traffic that a fact's body allows altogether. */
export function trafficLimit(body: string | undefined): bigint {
  if (body === undefined) return 0n
  const { limit }: { readonly limit: string } = JSON.parse(body)
  return BigInt(limit)
}

/** The fact that says how much extra traffic a member may use altogether. */
export function trafficLimitFact(member: string, limit: bigint): FactRecord {
  return { kind: TRAFFIC_LIMIT, key: member, body: JSON.stringify({ limit: limit.toString() }) }
}

/** The fact of a state. */
export function trafficFact(member: string, { baseRemaining, at, consumed }: TrafficState): FactRecord {
  const body = { baseRemaining: baseRemaining.toString(), at: at.toString(), consumed: consumed.toString() }
  return { kind: TRAFFIC, key: member, body: JSON.stringify(body) }
}

/** Takes `bytes` at `now`; answers how many are missing where there are not enough, and then takes none. */
export function charge(
  policy: TrafficPolicy,
  state: TrafficState,
  limit: bigint,
  bytes: bigint,
  now: bigint,
): TrafficState | { readonly missingBytes: bigint } {
  const { baseRemaining, at, consumed } = refill(policy, state, now)
  const fromBase = bytes < baseRemaining ? bytes : baseRemaining
  const extra = bytes - fromBase
  const available = limit > consumed ? limit - consumed : 0n
  if (extra > available) return { missingBytes: extra - available }
  return { baseRemaining: baseRemaining - fromBase, at, consumed: consumed + extra }
}

/** Whole bytes only; the time that is worth less than one stays to be counted. */
function refill({ baseBurstBytes: burst, baseWindowMicros: window }: TrafficPolicy, state: TrafficState, now: bigint): TrafficState {
  const { baseRemaining, at, consumed } = state
  if (now <= at) return state
  const gained = ((now - at) * burst) / window
  if (baseRemaining + gained >= burst) return { baseRemaining: burst, at: now, consumed }
  const counted = gained === 0n ? 0n : (gained * window + burst - 1n) / burst
  return { baseRemaining: baseRemaining + gained, at: at + counted, consumed }
}
