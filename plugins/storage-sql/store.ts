// The storage contract on SQL, once for both databases. Conditional writes and row locks carry the
// rules, never an isolation level.
import { createHash } from 'node:crypto'
import { sameProvider, sameRights, storable } from '../../runtime/index.ts'
import { contractStore, historyFrom } from './contract-store.ts'
import {
  call,
  flagOf,
  int64Of,
  nextVersionFits,
  orOnForeignKey,
  textOf,
  touched,
  unlessProviderIsMissing,
} from './database.ts'
import { leaseStore } from './lease-store.ts'
import { noteStore } from './note-store.ts'
import { packageStore } from './package-store.ts'
import { partyStore } from './party-store.ts'
import { grantRights, lockRights, revokeRights, rightsOf } from './rights.ts'
import { STATEMENTS } from './statements.ts'
import { updateStore } from './update-store.ts'
import { createUser } from './user-rows.ts'
import { walletStore } from './wallet-store.ts'
import type { Database, Row, Work } from './database.ts'
import type {
  IdentityProviderRecord,
  IdentityProviderStore,
  RightRecord,
  Store,
  UserChange,
  UserGuard,
  UserRecord,
  UserStore,
} from '../../runtime/index.ts'

/** The store on an open database whose schema is up to date. */
export function sqlStore(database: Database): Store {
  return {
    features: { durable: true, multiProcess: true },
    users: userStore(database),
    identityProviders: providerStore(database),
    parties: partyStore(database),
    packages: packageStore(database),
    updates: updateStore(database),
    contracts: contractStore(database),
    leases: leaseStore(database),
    wallets: walletStore(database),
    notes: noteStore(database),
    ...guardOf(database),
    ping: () => database.ping(),
    close: () => database.close(),
  }
}

function guardOf(database: Database): Pick<Store, 'guard'> {
  if (database.guard === undefined) return {}
  return {
    guard: (check) => database.guard?.((once) => check((offset) => historyFrom({ once }, offset))),
  }
}

function userStore(database: Database): UserStore {
  return {
    get: async (id) => {
      storable(id)
      return (await database.once(STATEMENTS.getUser, id)).map(userOf)[0]
    },
    list: async ({ identityProviderId, after, limit }) => {
      storable(identityProviderId, after)
      return (await database.once(STATEMENTS.listUsers, identityProviderId, after, limit)).map(
        userOf,
      )
    },
    create: async (user, rights) => {
      storable(user.id, user.primaryParty, user.identityProviderId, rightTexts(rights))
      return unlessProviderIsMissing(database.transact(() => createUser(user, rights)))
    },
    update: (id, expected, change, guard) => updateUser(database, { id, expected, change, guard }),
    delete: async (id, inProvider) => {
      storable(id, inProvider ?? '')
      const deleted =
        inProvider === undefined
          ? await database.once(STATEMENTS.deleteUser, id)
          : await database.once(STATEMENTS.deleteUserIn, id, inProvider)
      return touched(deleted) ? 'deleted' : 'missing'
    },
    move: async (id, from, to) => {
      storable(id, from, to)
      return unlessProviderIsMissing(database.transact(() => moveUser(id, from, to)))
    },
    ...rightMethods(database),
  }
}

function rightMethods(database: Database): Pick<UserStore, 'rights' | 'grant' | 'revoke'> {
  return {
    rights: async (id) => {
      storable(id)
      const rows = await database.once(STATEMENTS.getRights, id)
      return touched(rows) ? rightsOf(rows) : undefined
    },
    grant: async (id, rights, maxRights, inProvider) => {
      storable(id, rightTexts(rights), inProvider ?? '')
      return database.transact(() => grantRights(id, { rights, maxRights, inProvider }))
    },
    revoke: async (id, rights, inProvider) => {
      storable(id, rightTexts(rights), inProvider ?? '')
      return database.transact(() => revokeRights(id, rights, inProvider))
    },
  }
}

interface UserUpdate {
  readonly id: string
  readonly expected: bigint
  readonly change: UserChange
  readonly guard: UserGuard | undefined
}

async function updateUser(
  database: Database,
  update: UserUpdate,
): Promise<UserRecord | 'stale' | 'missing'> {
  const { id, expected, change, guard } = update
  storable(id, change.primaryParty, guard?.inProvider ?? '', rightTexts(guard?.rights ?? []))
  if (guard !== undefined) return database.transact(() => updateGuarded(update, guard))
  const [updated] = nextVersionFits(expected)
    ? await database.once(STATEMENTS.updateUser, ...updateValues(update))
    : []
  if (updated !== undefined) return userOf(updated)
  return touched(await database.once(STATEMENTS.getUser, id)) ? 'stale' : 'missing'
}

/** The user is locked, so that neither provider nor rights change in between. */
function* updateGuarded(
  update: UserUpdate,
  { inProvider, rights }: UserGuard,
): Work<UserRecord | 'stale' | 'missing'> {
  const held = yield* lockRights(update.id, inProvider)
  if (held === undefined) return 'missing'
  const isAsSeen = rights === undefined || sameRights(rights, held)
  if (!isAsSeen || !nextVersionFits(update.expected)) return 'stale'
  const [updated] = yield* call(STATEMENTS.updateUser, ...updateValues(update))
  return updated === undefined ? 'stale' : userOf(updated)
}

function updateValues({ id, expected, change }: UserUpdate) {
  const { primaryParty, isDeactivated, primaryPartyAuthentication, annotations } = change
  return [
    primaryParty,
    isDeactivated,
    primaryPartyAuthentication,
    JSON.stringify(annotations),
    id,
    expected,
  ]
}

function* moveUser(id: string, from: string, to: string): Work<'moved' | 'missing' | 'elsewhere'> {
  if (touched(yield* call(STATEMENTS.moveUser, to, id, from))) return 'moved'
  return touched(yield* call(STATEMENTS.getUser, id)) ? 'elsewhere' : 'missing'
}

function providerStore(database: Database): IdentityProviderStore {
  return {
    get: async (id) => {
      storable(id)
      return (await database.once(STATEMENTS.getProvider, id)).map(providerOf)[0]
    },
    list: async () => (await database.once(STATEMENTS.listProviders)).map(providerOf),
    create: async (provider, maxProviders) => {
      storable(...providerTexts(provider))
      return database.transact(() => createProvider(provider, maxProviders))
    },
    update: async (provider, expected) => {
      storable(...providerTexts(provider))
      return database.transact(() => updateProvider(provider, expected))
    },
    delete: async (id) => {
      storable(id)
      const deleted = database
        .once(STATEMENTS.deleteProvider, id)
        .then((rows) => (touched(rows) ? ('deleted' as const) : ('missing' as const)))
      return orOnForeignKey(deleted, 'in-use')
    },
  }
}

function* createProvider(
  provider: IdentityProviderRecord,
  maxProviders: number,
): Work<'created' | 'exists' | 'issuer-exists' | 'too-many'> {
  const alike = yield* lockAndCompare(provider)
  if (alike.idTaken) return 'exists'
  if (alike.issuerTaken) return 'issuer-exists'
  if (alike.number >= maxProviders) return 'too-many'
  const { id, isDeactivated, issuer, jwksUrl, audience } = provider
  yield* call(
    STATEMENTS.insertProvider,
    id,
    isDeactivated,
    issuer,
    jwksUrl,
    audience,
    digest(issuer),
  )
  return 'created'
}

function* updateProvider(
  provider: IdentityProviderRecord,
  expected: IdentityProviderRecord | undefined,
): Work<'updated' | 'missing' | 'stale' | 'issuer-exists'> {
  const alike = yield* lockAndCompare(provider)
  const { id, isDeactivated, issuer, jwksUrl, audience } = provider
  const [stored] = yield* call(STATEMENTS.getProvider, id)
  if (stored === undefined) return 'missing'
  if (expected !== undefined && !sameProvider(providerOf(stored), expected)) return 'stale'
  if (alike.issuerTaken) return 'issuer-exists'
  const updated = yield* call(
    STATEMENTS.updateProvider,
    isDeactivated,
    issuer,
    jwksUrl,
    audience,
    digest(issuer),
    id,
  )
  return touched(updated) ? 'updated' : 'missing'
}

interface Alike {
  readonly number: bigint
  readonly idTaken: boolean
  readonly issuerTaken: boolean
}

function* lockAndCompare({ id, issuer }: IdentityProviderRecord): Work<Alike> {
  yield* call(STATEMENTS.lockProviders)
  const [row = {}] = yield* call(STATEMENTS.providersAlike, id, digest(issuer), id)
  return {
    number: int64Of(row, 'number'),
    idTaken: flagOf(row, 'id_taken'),
    issuerTaken: flagOf(row, 'issuer_taken'),
  }
}

/** Issuers are unique by their digest: an index entry has a size limit, an issuer does not. */
function digest(issuer: string): string {
  return createHash('sha256').update(issuer).digest('hex')
}

function userOf(row: Row): UserRecord {
  return {
    id: textOf(row, 'id'),
    primaryParty: textOf(row, 'primary_party'),
    isDeactivated: flagOf(row, 'is_deactivated'),
    primaryPartyAuthentication: flagOf(row, 'primary_party_authentication'),
    identityProviderId: textOf(row, 'identity_provider_id'),
    resourceVersion: int64Of(row, 'resource_version'),
    annotations: JSON.parse(textOf(row, 'annotations')),
  }
}

function providerOf(row: Row): IdentityProviderRecord {
  return {
    id: textOf(row, 'id'),
    isDeactivated: flagOf(row, 'is_deactivated'),
    issuer: textOf(row, 'issuer'),
    jwksUrl: textOf(row, 'jwks_url'),
    audience: textOf(row, 'audience'),
  }
}

/** Rights as one text: more of them than a call takes arguments may be asked for at once. */
function rightTexts(rights: readonly RightRecord[]): string {
  return rights.map(({ kind, party }) => `${kind} ${party}`).join(' ')
}

function providerTexts({
  id,
  issuer,
  jwksUrl,
  audience,
}: IdentityProviderRecord): readonly string[] {
  return [id, issuer, jwksUrl, audience]
}
