// What is simulated: how big, how fast, and by which numbers of the network. Times are
// microseconds.
import { ONE } from '../properties/model/arithmetic.ts'
import type { Config } from '../properties/model/state.ts'
import { PROFILE, START } from '../properties/profile.ts'

export { START }
export const MINUTE = 60_000_000n
export const HOUR = 60n * MINUTE
export const DAY = 24n * HOUR
export const TICK = PROFILE.tick
/** How often every automation looks for work: a fifth of a round. */
export const POLL = TICK / 5n
export const POLL_MS = Number(POLL / 1_000n)
/** How often holdings are merged. */
export const MERGE_PERIOD = TICK
/** Who has more holdings is merged. domain/behaviour.md §11 */
export const MERGE_THRESHOLD = 10

export interface Setting {
  /** May be parts of one. */
  readonly days: number
  /** Parties with a wallet or a key of their own, without the operator. */
  readonly users: number
  readonly seed: number
  /** Servers over the one store. */
  readonly servers: number
  readonly transfersPerDay: number
  /** Automations that are off. */
  readonly without: readonly string[]
}

/**
 * The names of all who hold coins. A tenth have their keys outside; some of the others are shops.
 */
export interface Cast {
  readonly operator: string
  /** Where sweeps go. */
  readonly vault: string
  /** Swept: those at even places by offers, the others by the vault's preapproval. */
  readonly shops: readonly string[]
  /** Accept offers of the trusted by themselves. */
  readonly trusting: readonly string[]
  readonly trusted: readonly string[]
  /** Everybody with a wallet but the operator. */
  readonly hosted: readonly string[]
  readonly external: readonly string[]
  /** Of the external ones: those that only take, so that others have to merge what they have. */
  readonly jars: readonly string[]
  /** Of the external ones: those whose coins the operator keeps together. */
  readonly delegating: readonly string[]
}

/** Who plays, by the number of users. */
export function castOf(users: number): Cast {
  const external = Math.max(1, Math.floor(users / 10))
  const hosted = names('user', users - external)
  const [vault = 'user-1', ...others] = hosted
  const shops = others.slice(0, Math.max(2, Math.floor(users / 20)))
  const people = others.slice(shops.length)
  const outside = names('outside', external)
  return {
    operator: PROFILE.operator,
    vault,
    shops,
    hosted,
    external: outside,
    jars: outside.filter((_, index) => index % 10 === 0),
    delegating: outside.filter((_, index) => index % 2 === 1),
    trusting: people.filter((_, index) => index % 8 === 0),
    trusted: people.filter((_, index) => index % 2 === 1),
  }
}

/** USD. */
export const SWEEP_MAX = 40n
export const SWEEP_MIN = 20n
const DAYS_FREE = 1n
/** So short that every preapproval is renewed every other day, and costs something. */
const PREAPPROVAL_DAYS = 2n
const RENEWAL_DAYS = 1n

/** So long that most traffic has to be bought. */
const BASE_WINDOW = 6n * HOUR

/** The configuration as the invariants know it. */
export function configOf({ operator, hosted, external }: Cast): Config {
  return {
    ...PROFILE,
    parties: [operator, ...hosted, ...external],
    preapprovalBase: DAYS_FREE * DAY,
    legacyRewardRate: ONE / 100n,
  }
}

/** The same as the services read it. */
export function sections(): { readonly network: object; readonly validator: object } {
  return {
    network: {
      tickSeconds: seconds(TICK),
      conversionRate: '0.005',
      legacyTransferRewardRate: '0.01',
      developmentFundPercentage: '0.05',
      transferPreapprovalBaseSeconds: seconds(DAYS_FREE * DAY),
      traffic: { baseWindowSeconds: seconds(BASE_WINDOW) },
    },
    validator: {
      pollMs: POLL_MS,
      proposeMergeDelegation: true,
      transferPreapproval: { preapprovalLifetimeSeconds: seconds(PREAPPROVAL_DAYS * DAY) },
    },
  }
}

/** Options of automations that need to know who is who. */
export function automationOptions(
  { users }: Setting,
  cast: Cast,
  idOf: (name: string) => string,
): Record<string, object> {
  const { vault, shops, trusting } = cast
  const senders = shops.map((shop, index) => [
    idOf(shop),
    {
      receiver: idOf(vault),
      maxBalanceUSD: `${SWEEP_MAX}.0`,
      minBalanceUSD: `${SWEEP_MIN}.0`,
      useTransferPreapproval: index % 2 === 1,
    },
  ])
  const pairs = [vault, ...trusting].map((name) => [
    idOf(name),
    { fromParties: sendersTrustedBy(cast, name).map(idOf) },
  ])
  return {
    topup: {
      everyMs: POLL_MS,
      targetThroughput: Math.max(2_000, 40 * users),
      minTopupInterval: seconds(TICK),
    },
    merging: { everyMs: Number(MERGE_PERIOD / 1_000n) },
    sweeps: { senders: Object.fromEntries(senders) },
    'auto-accept': { receivers: Object.fromEntries(pairs) },
    preapprovals: { renewalSeconds: seconds(RENEWAL_DAYS * DAY) },
  }
}

/** Whose offers are accepted by themselves. */
export function sendersTrustedBy(
  { vault, shops, trusting, trusted }: Cast,
  name: string,
): readonly string[] {
  if (name === vault) return shops
  return trusting.includes(name) ? trusted : []
}

function names(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`)
}

function seconds(micros: bigint): number {
  return Number(micros / 1_000_000n)
}
