// What one check of the storage suite is, and the records that checks write.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type {
  IdentityProviderRecord,
  PackageUpload,
  PartyRecord,
  RightRecord,
  Store,
  StoreFeatures,
  UserChange,
  UserRecord,
} from '../../store/store.ts'

export interface CheckContext {
  /** Empty when the check starts; the suite closes it. */
  readonly store: Store
  /** One more empty store, apart from `store`; the suite closes it. */
  create(): Promise<Store>
  /**
   * Another store on the same data; rejects where the author gave none, but then no check that
   * needs it runs.
   */
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
export type NewParty = Omit<PartyRecord, 'resourceVersion'>

/** Number of calls of a race. */
export const RACERS = 50
export const NUMBERS: readonly number[] = Array.from({ length: RACERS }, (_, index) => index)

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
export function aProvider(
  id: string,
  patch: Partial<IdentityProviderRecord> = {},
): IdentityProviderRecord {
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

/** A party of the default provider that the node signs for, changed by `patch`. */
export function aParty(party: string, patch: Partial<NewParty> = {}): NewParty {
  return { party, isLocal: true, identityProviderId: '', annotations: {}, topology: '', ...patch }
}

/** A package whose id is that of its payload, changed by `patch`. */
export function aPackage(
  payload: Uint8Array | string,
  patch: Partial<PackageUpload> = {},
): PackageUpload {
  const bytes = Buffer.from(payload)
  return {
    packageId: createHash('sha256').update(bytes).digest('hex'),
    name: 'p',
    version: '1.0.0',
    size: bytes.length,
    summary: '{}',
    readPayload: async () => bytes,
    ...patch,
  }
}

/** No limit that a check could reach. */
export const PLENTY = 1_000

/** Creates users that must not be there yet. */
export async function addUsers(store: Store, ...users: readonly NewUser[]): Promise<void> {
  for (const user of users)
    assert.equal(await store.users.create(user, []), 'created', `creates ${user.id}`)
}

/** Creates providers that must not be there yet. */
export async function addProviders(store: Store, ...ids: readonly string[]): Promise<void> {
  for (const id of ids)
    assert.equal(await store.identityProviders.create(aProvider(id), PLENTY), 'created')
}

/** Allocates parties that must not be there yet. */
export async function addParties(store: Store, ...parties: readonly NewParty[]): Promise<void> {
  for (const party of parties) {
    assert.equal(
      await store.parties.allocate(party, undefined),
      'created',
      `allocates ${party.party}`,
    )
  }
}

/** The ids of one page of parties. */
export async function partyIds(
  store: Store,
  { identityProviderId = '', prefix = '', after = '', limit = PLENTY } = {},
): Promise<readonly string[]> {
  const parties = await store.parties.list({ identityProviderId, prefix, after, limit })
  return parties.map(({ party }) => party)
}

/** The payload of a stored package in one piece; undefined where there is no such package. */
export async function readPayload(store: Store, id: string): Promise<Uint8Array | undefined> {
  const pieces = await store.packages.payloadStream(id)
  return pieces && Buffer.concat(await Array.fromAsync(pieces))
}

/** Number of answers that are the wanted one. */
export function count(answers: readonly unknown[], wanted: unknown): number {
  return answers.filter((answer) => answer === wanted).length
}

/** The ids of one page of users. */
export async function pageIds(
  store: Store,
  provider = '',
  after = '',
  limit = PLENTY,
): Promise<readonly string[]> {
  const users = await store.users.list({ identityProviderId: provider, after, limit })
  return users.map((user) => user.id)
}

/** The largest number that a column of 64 bits holds. */
export const INT64_MAX = 9_223_372_036_854_775_807n

/** A change of each field of a user. */
export const CHANGE: UserChange = {
  primaryParty: 'p::1',
  isDeactivated: true,
  primaryPartyAuthentication: true,
  annotations: { 'example.com/team': 'blue' },
}
