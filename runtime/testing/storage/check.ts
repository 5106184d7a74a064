// What one check of the storage suite is, and the records that checks write.
import assert from 'node:assert/strict'
import type { IdentityProviderRecord, RightRecord, Store, StoreFeatures, UserRecord } from '../../store/store.ts'

export interface CheckContext {
  /** Empty when the check starts; the suite closes it. */
  readonly store: Store
  /** Another store on the same data; rejects where the author gave none, but then no check that needs it runs. */
  reopen(): Promise<Store>
  /** Number of runs of each random check. */
  readonly seedRuns: number
}

export interface Check {
  readonly name: string
  /** The claim without which the check is skipped. */
  readonly needs?: keyof StoreFeatures
  run(context: CheckContext): Promise<void>
}

export type NewUser = Omit<UserRecord, 'resourceVersion'>

/** A user of the default provider with nothing set, changed by `patch`. */
export function aUser(id: string, patch: Partial<NewUser> = {}): NewUser {
  return {
    id,
    primaryParty: '',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    identityProviderId: '',
    annotations: {},
    ...patch,
  }
}

/** A provider with an issuer of its own, changed by `patch`. */
export function aProvider(id: string, patch: Partial<IdentityProviderRecord> = {}): IdentityProviderRecord {
  return {
    id,
    isDeactivated: false,
    issuer: `https://${id}.example/`,
    jwksUrl: `https://${id}.example/keys`,
    audience: '',
    ...patch,
  }
}

export function aRight(kind: string, party = ''): RightRecord {
  return { kind, party }
}

/** No limit that a check could reach. */
export const PLENTY = 1_000

/** Creates users that must not be there yet. */
export async function addUsers(store: Store, ...users: readonly NewUser[]): Promise<void> {
  for (const user of users) assert.equal(await store.users.create(user, []), 'created', `creates ${user.id}`)
}

/** Creates providers that must not be there yet. */
export async function addProviders(store: Store, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal(await store.identityProviders.create(aProvider(id), PLENTY), 'created')
}

/** The ids of one page. */
export async function pageIds(store: Store, provider = '', after = '', limit = PLENTY): Promise<readonly string[]> {
  const users = await store.users.list({ identityProviderId: provider, after, limit })
  return users.map((user) => user.id)
}
