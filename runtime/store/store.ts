// What a storage plugin provides: types only. Narrow on purpose; every method is atomic and durable
// when its promise resolves. `ledgerwright/testing` has the compliance suite. A method rejects with
// `StoreUnavailable` where the data cannot be reached, and with a TypeError for a text that
// `storable` (rules.ts) refuses.
import type { ContractStore } from './contract-store.ts'
import type { LeaseStore } from './lease-store.ts'
import type { NoteStore } from './note-store.ts'
import type { PackageStore } from './package-store.ts'
import type { PartyStore } from './party-store.ts'
import type { UpdateStore } from './update-store.ts'
import type { WalletStore } from './wallet-store.ts'

export type * from './contract-store.ts'
export type * from './lease-store.ts'
export type * from './note-store.ts'
export type * from './package-store.ts'
export type * from './party-store.ts'
export type * from './update-store.ts'
export type * from './wallet-store.ts'

/**
 * A user as stored. Empty text means "not set"; the default identity provider is ''.
 * docs/ledger-rules.md, "Users"
 */
export interface UserRecord {
  readonly id: string
  readonly primaryParty: string
  readonly isDeactivated: boolean
  readonly primaryPartyAuthentication: boolean
  readonly identityProviderId: string
  /** Starts at 0, one more at every successful update. */
  readonly resourceVersion: bigint
  readonly annotations: Readonly<Record<string, string>>
}

/**
 * A right as stored: the name of its variant and its party, '' if the variant has none.
 * docs/ledger-rules.md, "Rights"
 */
export interface RightRecord {
  readonly kind: string
  readonly party: string
}

/** An identity provider as stored; `audience` '' is none. */
export interface IdentityProviderRecord {
  readonly id: string
  readonly isDeactivated: boolean
  readonly issuer: string
  readonly jwksUrl: string
  readonly audience: string
}

/** A page of users. */
export interface UserPage {
  readonly identityProviderId: string
  /** Exclusive lower bound; '' is the start. Order is byte order of the UTF-8 id. */
  readonly after: string
  readonly limit: number
}

/** The fields that an update writes, all of them. */
export type UserChange = Pick<
  UserRecord,
  'primaryParty' | 'isDeactivated' | 'primaryPartyAuthentication' | 'annotations'
>

/** The conditions on a user when it is written. */
export interface UserGuard {
  /** A user of another provider counts as missing. */
  readonly inProvider: string
  /**
   * The rights that the writer has seen, in any order: where the user has others, the write is
   * stale.
   */
  readonly rights?: readonly RightRecord[]
}

/** Users. A method that takes `inProvider` counts a user of another provider as missing. */
export interface UserStore {
  get(id: string): Promise<UserRecord | undefined>
  list(page: UserPage): Promise<readonly UserRecord[]>
  /**
   * Ids are unique across all providers. The stored version is 0. Checked in this order: id,
   * provider.
   */
  create(
    user: Omit<UserRecord, 'resourceVersion'>,
    rights: readonly RightRecord[],
  ): Promise<'created' | 'exists' | 'unknown-provider'>
  /**
   * Writes the change and version + 1 if the stored version still is `expected`; one conditional
   * write.
   */
  update(
    id: string,
    expected: bigint,
    change: UserChange,
    guard?: UserGuard,
  ): Promise<UserRecord | 'stale' | 'missing'>
  delete(id: string, inProvider?: string): Promise<'deleted' | 'missing'>
  /** Ordered by kind, then party, both by bytes. */
  rights(id: string): Promise<readonly RightRecord[] | undefined>
  /**
   * Answers those that were not there before, each once, as they stood in `rights`. Writes nothing
   * when the user would have more than `maxRights`.
   */
  grant(
    id: string,
    rights: readonly RightRecord[],
    maxRights: number,
    inProvider?: string,
  ): Promise<readonly RightRecord[] | 'missing' | 'too-many'>
  /** Answers those that were there, each once, as they stood in `rights`. */
  revoke(
    id: string,
    rights: readonly RightRecord[],
    inProvider?: string,
  ): Promise<readonly RightRecord[] | 'missing'>
  /** Moves between identity providers if the user still belongs to `from`; the version stays. */
  move(
    id: string,
    from: string,
    to: string,
  ): Promise<'moved' | 'missing' | 'elsewhere' | 'unknown-provider'>
}

/**
 * The default provider '' is always there and has no record: not found, not listed, not counted,
 * 'exists' on create.
 */
export interface IdentityProviderStore {
  get(id: string): Promise<IdentityProviderRecord | undefined>
  /** Ordered by the bytes of the id. */
  list(): Promise<readonly IdentityProviderRecord[]>
  /** Checked in this order, in one transaction: id, issuer, number. */
  create(
    provider: IdentityProviderRecord,
    maxProviders: number,
  ): Promise<'created' | 'exists' | 'issuer-exists' | 'too-many'>
  /**
   * Writes all fields. With `expected`, the record as it was read, only if it still is like that:
   * checked in this order, in one transaction: id, expected, issuer.
   */
  update(
    provider: IdentityProviderRecord,
    expected?: IdentityProviderRecord,
  ): Promise<'updated' | 'missing' | 'stale' | 'issuer-exists'>
  /** Refused while users or parties belong to it. */
  delete(id: string): Promise<'deleted' | 'missing' | 'in-use'>
}

/** Abilities of the store beyond one process; the compliance suite tests what is claimed. */
export interface StoreFeatures {
  /** An acknowledged write survives kill -9 of the process. */
  readonly durable: boolean
  /** Several processes may open the same data at once. */
  readonly multiProcess: boolean
}

/** Asked of each new connection. */
export type ConnectionCheck = (history: ContractStore['history']) => Promise<void>

/** All that a storage plugin keeps, by what it is about. */
export interface Store {
  readonly features: StoreFeatures
  readonly users: UserStore
  readonly identityProviders: IdentityProviderStore
  readonly parties: PartyStore
  readonly packages: PackageStore
  readonly updates: UpdateStore
  readonly contracts: ContractStore
  readonly leases: LeaseStore
  readonly wallets: WalletStore
  readonly notes: NoteStore
  /**
   * From now on, no connection to the data is used before `check` has resolved, which is given a
   * way to read by that connection alone; where it rejects, the connection is closed and whoever
   * wanted it gets the error. Absent where the data cannot become other data while the store is
   * open.
   */
  guard?(check: ConnectionCheck): void
  /** Resolves when a trivial read works; rejects otherwise. */
  ping(): Promise<void>
  /** Waits for writes in flight, then lets go of files and connections. Idempotent. */
  close(): Promise<void>
}
