// What an update costs: bytes, first from a base allowance that refills with time, then from extra
// traffic that was bought. docs/economy-rules.md, "Traffic"
import { z } from 'zod'
import { storedForm, whole } from '../store/stored-form.ts'
import type { CommitFacts, FactRecord } from '../store/store.ts'

export interface TrafficPolicy {
  /** The member that pays if a submission names none. */
  readonly member: string
  readonly baseBurstBytes: bigint
  /** Time in which an empty base allowance fills up. */
  readonly baseWindowMicros: bigint
}

/**
 * Fact kinds, both by member: what was used, written by the engine; what was bought, written by the
 * network.
 */
export const TRAFFIC = 'traffic'
export const TRAFFIC_LIMIT = 'traffic-limit'

const state = z.object({
  /** Bytes of the base allowance left at `at`. */
  baseRemaining: whole,
  /** Microseconds of record time. */
  at: whole,
  /** Extra traffic that was used, ever. */
  consumed: whole,
})
const stateForm = storedForm(state)

export type TrafficState = Readonly<z.output<typeof state>>

/**
 * The state that a fact's body says, refilled up to `now`; a member without fact has its whole base
 * allowance.
 */
export function trafficAt(
  policy: TrafficPolicy,
  body: string | undefined,
  now: bigint,
): TrafficState {
  return refill(policy, body === undefined ? undefined : stateForm.read(body), now)
}

const nothing = whole.default(0n)

/** Bytes that a member may use, and those kept back for submissions that must not fail. */
const grant = z.object({
  /** Extra traffic that it may use altogether. */
  limit: nothing,
  /** Submissions of low priority are refused while less than this remains. */
  reserved: nothing,
  /**
   * The reservation ends by itself, so that none outlives whoever makes it; microseconds of record
   * time.
   */
  reservedUntil: nothing,
  /** Bytes of one automatic purchase, else 0. */
  topup: nothing,
  /** Bytes of `limit` that a node brought along from its origin, as another member. */
  brought: nothing,
})
const grantForm = storedForm(grant)

export type TrafficGrant = Readonly<z.output<typeof grant>>

/** The grant in a fact's body; nothing is granted without one. */
export function trafficGrant(body = '{}'): TrafficGrant {
  return grantForm.read(body)
}

/** The fact that says how much extra traffic a member may use altogether; the rest as it was. */
export function trafficLimitFact(
  member: string,
  limit: bigint,
  before = trafficGrant(),
): FactRecord {
  return trafficGrantFact(member, { ...before, limit })
}

/** Both facts of a node that is another member in a copy of its ledger, by their bodies before. */
export function broughtTraffic(
  member: string,
  [used, granted]: readonly (string | undefined)[],
): readonly FactRecord[] {
  const grant = trafficGrant(granted)
  return [
    trafficGrantFact(member, { ...grant, brought: grant.limit }),
    ...(used === undefined ? [] : [{ kind: TRAFFIC, key: member, body: used }]),
  ]
}

/** The fact that says what a member may use. */
export function trafficGrantFact(member: string, given: TrafficGrant): FactRecord {
  return { kind: TRAFFIC_LIMIT, key: member, body: grantForm.write(given) }
}

/** Charges one batch's updates, each seeing what those before it left. */
export class TrafficMeter {
  readonly member: string
  readonly #policy: TrafficPolicy
  readonly #grant: TrafficGrant
  #state: TrafficState | undefined
  #isCharged = false

  constructor(policy: TrafficPolicy, facts: CommitFacts) {
    this.member = policy.member
    this.#policy = policy
    const body = facts.facts.get(TRAFFIC)?.get(policy.member)
    this.#state = body === undefined ? undefined : stateForm.read(body)
    this.#grant = trafficGrant(facts.facts.get(TRAFFIC_LIMIT)?.get(policy.member))
  }

  /**
   * Takes `bytes` at `now`; answers how many are missing where there are not enough, and then takes
   * none. One of low priority also needs what is reserved to remain before it.
   */
  charge(bytes: bigint, now: bigint, isLow = false): bigint {
    const { reserved, reservedUntil } = this.#grant
    const remaining = this.remaining(now)
    if (bytes > remaining) return bytes - remaining
    if (isLow && now < reservedUntil && remaining < reserved) return reserved - remaining
    const { baseRemaining, at, consumed } = refill(this.#policy, this.#state, now)
    const fromBase = bytes < baseRemaining ? bytes : baseRemaining
    const extra = bytes - fromBase
    this.#state = { baseRemaining: baseRemaining - fromBase, at, consumed: consumed + extra }
    this.#isCharged = true
    return 0n
  }

  /** Bytes that can be used at `now`. */
  remaining(now: bigint): bigint {
    const { baseRemaining, consumed } = refill(this.#policy, this.#state, now)
    const { limit } = this.#grant
    return baseRemaining + (limit > consumed ? limit - consumed : 0n)
  }

  /** Milliseconds in which the base allowance brings this many bytes, at most one window. */
  refillMs(bytes: bigint): number {
    const { baseBurstBytes, baseWindowMicros } = this.#policy
    return (
      Number(
        bytes < baseBurstBytes ? (bytes * baseWindowMicros) / baseBurstBytes : baseWindowMicros,
      ) / 1_000
    )
  }

  /** The fact to write; undefined if nothing was charged. */
  fact(): FactRecord | undefined {
    if (this.#state === undefined || !this.#isCharged) return undefined
    return { kind: TRAFFIC, key: this.member, body: stateForm.write(this.#state) }
  }
}

/**
 * Whole bytes only; the time that is worth less than one stays to be counted. Who has used nothing
 * has the whole base allowance.
 */
function refill(
  { baseBurstBytes: burst, baseWindowMicros: window }: TrafficPolicy,
  state: TrafficState | undefined,
  now: bigint,
): TrafficState {
  if (state === undefined) return { baseRemaining: burst, at: now, consumed: 0n }
  const { baseRemaining, at, consumed } = state
  if (now <= at) return state
  const gained = ((now - at) * burst) / window
  if (baseRemaining + gained >= burst) return { baseRemaining: burst, at: now, consumed }
  const counted = gained === 0n ? 0n : (gained * window + burst - 1n) / burst
  return { baseRemaining: baseRemaining + gained, at: at + counted, consumed }
}
