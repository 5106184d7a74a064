// The economy as plain data: what exists, who owns it, what was minted and burned. A command is
// judged by a function that reads this and answers a `Change`; only `apply` writes.
import type { Issuance, Segment } from './issuance.ts'

/**
 * Everything that a deployment may set. Amounts are decimals, times and durations microseconds,
 * traffic bytes.
 */
export interface Config {
  readonly network: string
  readonly operator: string
  /** Hosted, the operator among them. */
  readonly parties: readonly string[]
  readonly featured: ReadonlySet<string>
  readonly synchronizer: string
  readonly tick: bigint
  readonly round0Duration: bigint
  readonly price: bigint
  readonly holdingFeeUsd: bigint
  readonly extraFeaturedUsd: bigint
  readonly preapprovalUsdPerDay: bigint
  readonly preapprovalBase: bigint
  readonly trafficUsdPerMegabyte: bigint
  readonly minTopupBytes: bigint
  readonly maxInputs: number
  readonly maxTtl: bigint
  readonly tapLimit: bigint
  readonly legacyRewardRate: bigint
  readonly fundShare: bigint
  readonly curve: readonly Segment[]
}

export interface Coin {
  readonly kind: 'coin'
  readonly id: string
  readonly owner: string
  readonly amount: bigint
  readonly createdRound: bigint
  readonly rate: bigint
  /** Null: unlocked. */
  readonly lockedUntil: bigint | null
}

export interface Instruction {
  readonly kind: 'instruction'
  readonly id: string
  readonly sender: string
  readonly receiver: string
  readonly amount: bigint
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly locked: string
}

export interface Offer {
  readonly kind: 'offer' | 'accepted'
  readonly id: string
  readonly sender: string
  readonly receiver: string
  readonly amount: bigint
  readonly expiresAt: bigint
  readonly trackingId: string
}

export interface Preapproval {
  readonly kind: 'preapproval'
  readonly id: string
  readonly receiver: string
  readonly provider: string
  readonly validFrom: bigint
  readonly lastRenewedAt: bigint
  readonly expiresAt: bigint
}

export interface Coupon {
  readonly kind: 'coupon'
  readonly id: string
  readonly of: 'app' | 'validator' | 'liveness'
  readonly featured: boolean
  /** Provider, payer or validator. */
  readonly beneficiary: string
  /** A decimal; one for a liveness record. */
  readonly amount: bigint
  readonly round: bigint
}

export type Entity = Coin | Instruction | Offer | Preapproval | Coupon

export interface Round {
  readonly number: bigint
  readonly phase: 'open' | 'summarizing' | 'issuing' | 'closed'
  readonly price: bigint
  readonly tick: bigint
  readonly opensAt: bigint
  readonly targetClosesAt: bigint
  readonly issuingFor: bigint
  readonly issuance: Issuance | null
}

export interface Balance {
  readonly unlocked: bigint
  readonly locked: bigint
  readonly coins: number
  /** Sum of the party's history entries. */
  readonly history: bigint
}

export interface Traffic {
  readonly bytes: bigint
  readonly purchases: bigint
  readonly coins: bigint
  readonly usd: bigint
}

export interface License {
  readonly first: bigint
  readonly last: bigint
  readonly missed: bigint
  readonly received: bigint
}

export type Status = 'created' | 'accepted' | 'completed' | 'expired' | 'rejected' | 'withdrawn'

export interface Economy {
  readonly config: Config
  now: bigint
  /** Voted; rounds freeze it. */
  price: bigint
  serial: number
  minted: bigint
  burned: bigint
  unclaimed: bigint
  readonly entities: Map<string, Entity>
  readonly byKind: Map<Entity['kind'], Set<string>>
  readonly coinsOf: Map<string, Set<string>>
  readonly balances: Map<string, Balance>
  readonly rounds: Map<bigint, Round>
  readonly traffic: Map<string, Traffic>
  readonly licenses: Map<string, License>
  /** Statuses by sender and tracking id. */
  readonly statuses: Map<string, Status>
  /** Times at which command ids were used; they are free again after a day. */
  readonly commandIds: Map<string, bigint>
  /** Lately archived, for commands that use what is gone. */
  readonly archived: string[]
}

const ARCHIVED_KEPT = 200
const NOTHING: Balance = { unlocked: 0n, locked: 0n, coins: 0, history: 0n }

/** An economy without rounds and coins. */
export function newEconomy(config: Config, now: bigint): Economy {
  return {
    config,
    now,
    price: config.price,
    serial: 0,
    minted: 0n,
    burned: 0n,
    unclaimed: 0n,
    entities: new Map(),
    byKind: new Map(),
    coinsOf: new Map(),
    balances: new Map(),
    rounds: new Map(),
    traffic: new Map(),
    licenses: new Map(),
    statuses: new Map(),
    commandIds: new Map(),
    archived: [],
  }
}

/** Adds a contract. Its id must be new. */
export function put(economy: Economy, entity: Entity): void {
  if (economy.entities.has(entity.id)) throw new Error(`the model made ${entity.id} twice`)
  economy.entities.set(entity.id, entity)
  setAt(economy.byKind, entity.kind).add(entity.id)
  if (entity.kind === 'coin') count(economy, entity, 1n)
}

/** Removes a contract, which must be there. */
export function remove(economy: Economy, id: string): Entity {
  const entity = economy.entities.get(id)
  if (entity === undefined) throw new Error(`the model consumed ${id}, which is not there`)
  economy.entities.delete(id)
  setAt(economy.byKind, entity.kind).delete(id)
  if (entity.kind === 'coin') count(economy, entity, -1n)
  economy.archived.push(id)
  if (economy.archived.length > ARCHIVED_KEPT) economy.archived.shift()
  return entity
}

/** A party's balance; zero where it never held anything. */
export function balanceOf(economy: Economy, party: string): Balance {
  return economy.balances.get(party) ?? NOTHING
}

/** A party's coins, unordered. */
export function coinsOf(economy: Economy, party: string): readonly Coin[] {
  return [...(economy.coinsOf.get(party) ?? [])].flatMap((id) =>
    found(economy.entities.get(id), 'coin'),
  )
}

/** All contracts of a kind, oldest first. */
export function allOf<K extends Entity['kind']>(
  economy: Economy,
  kind: K,
): readonly Extract<Entity, { kind: K }>[] {
  return [...(economy.byKind.get(kind) ?? [])].flatMap((id) =>
    found(economy.entities.get(id), kind),
  )
}

/** The contract of that kind and id, undefined where there is none. */
export function get<K extends Entity['kind']>(
  economy: Economy,
  kind: K,
  id: string,
): Extract<Entity, { kind: K }> | undefined {
  return found(economy.entities.get(id), kind)[0]
}

/** Adds to a party's history. */
export function record(economy: Economy, party: string, amount: bigint): void {
  const balance = balanceOf(economy, party)
  economy.balances.set(party, { ...balance, history: balance.history + amount })
}

/** Coins of all parties together. */
export function supply(economy: Economy): bigint {
  let sum = 0n
  for (const { unlocked, locked } of economy.balances.values()) sum += unlocked + locked
  return sum
}

function count(economy: Economy, coin: Coin, sign: 1n | -1n): void {
  const ids = setAt(economy.coinsOf, coin.owner)
  if (sign === 1n) ids.add(coin.id)
  else ids.delete(coin.id)
  const { unlocked, locked, history } = balanceOf(economy, coin.owner)
  const isLocked = coin.lockedUntil !== null
  economy.balances.set(coin.owner, {
    unlocked: isLocked ? unlocked : unlocked + sign * coin.amount,
    locked: isLocked ? locked + sign * coin.amount : locked,
    coins: ids.size,
    history,
  })
}

function isKind<K extends Entity['kind']>(
  entity: Entity,
  kind: K,
): entity is Extract<Entity, { kind: K }> {
  return entity.kind === kind
}

function found<K extends Entity['kind']>(
  entity: Entity | undefined,
  kind: K,
): readonly Extract<Entity, { kind: K }>[] {
  return entity !== undefined && isKind(entity, kind) ? [entity] : []
}

function setAt<K>(map: Map<K, Set<string>>, key: K): Set<string> {
  const present = map.get(key)
  if (present !== undefined) return present
  const made = new Set<string>()
  map.set(key, made)
  return made
}
