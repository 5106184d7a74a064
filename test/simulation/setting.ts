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
/** The interval of every automation's looks for work: a fifth of a round. */
export const POLL = TICK / 5n
export const POLL_MS = Number(POLL / 1_000n)
/** The interval of merging holdings. */
export const MERGE_PERIOD = TICK
/** Holdings above which an owner is merged. docs/economy-rules.md, "Merging" */
export const MERGE_THRESHOLD = 10

export interface Setting {
  /** May be parts of one. */
  readonly days: number
  /** Parties with a wallet or a key of their own, without the operator. */
  readonly users: number
  readonly seed: number
  /** Servers over the one store; of a single node. */
  readonly servers: number
  /** Nodes on the one ledger, among which all are divided. */
  readonly nodes: number
  readonly transfersPerDay: number
  /** Automations that are off. */
  readonly without: readonly string[]
}

/**
 * The names of all who hold coins. A tenth have their keys outside; some of the others are shops.
 */
export interface Cast {
  /** One a node. */
  readonly operators: readonly string[]
  /** Receiver of sweeps. */
  readonly vault: string
  /** Swept: those at even places by offers, the others by the vault's preapproval. */
  readonly shops: readonly string[]
  /** Accept offers of the trusted by themselves. */
  readonly trusting: readonly string[]
  readonly trusted: readonly string[]
  /** Everybody with a wallet but the operator. */
  readonly hosted: readonly string[]
  readonly external: readonly string[]
  /** External ones that only take, so that others have to merge what they have. */
  readonly jars: readonly string[]
  /** External ones whose coins the operator keeps together. */
  readonly delegating: readonly string[]
}

/** Number of the node at which somebody is. */
export function homeOf({ nodes }: Pick<Setting, 'nodes'>, name: string): number {
  const number = Number(/\d+$/.exec(name)?.[0] ?? 1)
  return (number - 1) % nodes
}

/** Name of a node's operator: that of the first has no number. */
function operatorOf(node: number): string {
  return node === 0 ? PROFILE.operator : `${PROFILE.operator}-${node + 1}`
}

/** Cast for a number of users. */
export function castOf({ users, nodes }: Pick<Setting, 'nodes' | 'users'>): Cast {
  const external = Math.max(1, Math.floor(users / 10))
  const hosted = names('user', users - external)
  const [vault = 'user-1', ...others] = hosted
  const shops = others.slice(0, Math.max(2, Math.floor(users / 20)))
  const people = others.slice(shops.length)
  const outside = names('outside', external)
  return {
    operators: Array.from({ length: nodes }, (_, node) => operatorOf(node)),
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
/** Days so few that every preapproval is renewed every other day, and costs something. */
const PREAPPROVAL_DAYS = 2n
const RENEWAL_DAYS = 1n

/** A window so long that most traffic has to be bought. */
const BASE_WINDOW = 6n * HOUR

/** The configuration as the invariants know it. */
export function configOf({ operators, hosted, external }: Cast): Config {
  return {
    ...PROFILE,
    parties: [...operators, ...hosted, ...external],
    preapprovalBase: DAYS_FREE * DAY,
    legacyRewardRate: ONE / 100n,
  }
}

/** The same as the services of a node read it. */
export function sections(node: number): { readonly network: object; readonly validator: object } {
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
      validatorWalletUser: operatorOf(node),
      pollMs: POLL_MS,
      proposeMergeDelegation: true,
      transferPreapproval: { preapprovalLifetimeSeconds: seconds(PREAPPROVAL_DAYS * DAY) },
    },
  }
}

/** Options of a node's automations that need to know who is who. */
export function automationOptions(
  setting: Setting,
  cast: Cast,
  idOf: (name: string) => string,
): (node: number) => Record<string, object> {
  return (node) => optionsOf(setting, cast, { idOf, node })
}

function optionsOf(
  setting: Setting,
  cast: Cast,
  { idOf, node }: { readonly idOf: (name: string) => string; readonly node: number },
): Record<string, object> {
  const { users } = setting
  const { vault, shops, trusting } = cast
  const isHere = (name: string): boolean => homeOf(setting, name) === node
  const senders = shops
    .map((shop, index): readonly [string, object] => [
      shop,
      {
        receiver: idOf(vault),
        maxBalanceUSD: `${SWEEP_MAX}.0`,
        minBalanceUSD: `${SWEEP_MIN}.0`,
        useTransferPreapproval: index % 2 === 1,
      },
    ])
    .filter(([shop]) => isHere(shop))
    .map(([shop, sweep]) => [idOf(shop), sweep])
  const pairs = [vault, ...trusting]
    .filter(isHere)
    .map((name) => [idOf(name), { fromParties: sendersTrustedBy(cast, name).map(idOf) }])
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

/** Senders whose offers are accepted by themselves. */
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
