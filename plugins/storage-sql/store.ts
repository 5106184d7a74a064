// The storage contract on SQL, once for both databases. Conditional writes and row locks carry the rules, never an
// isolation level.
import { createHash } from 'node:crypto'
import { pickRights, storable } from '../../runtime/index.ts'
import { call, ConstraintViolated, flagOf, int64Of, textOf } from './database.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'
import type { Statement } from './statements.ts'
import type {
  IdentityProviderRecord,
  IdentityProviderStore,
  RightRecord,
  Store,
  UserChange,
  UserRecord,
  UserStore,
} from '../../runtime/index.ts'

type NewUser = Omit<UserRecord, 'resourceVersion'>

/** Beyond these no version can be, so that a database never sees an integer it has no column for. */
const INT64_MAX = 9_223_372_036_854_775_807n

/** The store on an open database whose schema is up to date. */
export function sqlStore(database: Database): Store {
  return {
    features: { durable: true, multiProcess: true },
    users: userStore(database),
    identityProviders: providerStore(database),
    ping: async () => {
      await database.once(STATEMENTS.ping)
    },
    close: () => database.close(),
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
      return (await database.once(STATEMENTS.listUsers, identityProviderId, after, limit)).map(userOf)
    },
    create: async (user, rights) => {
      storable(user.id, user.primaryParty, user.identityProviderId, rightTexts(rights))
      return unlessProviderIsMissing(database.transact(() => createUser(user, rights)))
    },
    update: (id, expected, change) => updateUser(database, id, expected, change),
    delete: async (id) => {
      storable(id)
      return touched(await database.once(STATEMENTS.deleteUser, id)) ? 'deleted' : 'missing'
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
    grant: async (id, rights, maxRights) => {
      storable(id, rightTexts(rights))
      return database.transact(() => grantRights(id, rights, maxRights))
    },
    revoke: async (id, rights) => {
      storable(id, rightTexts(rights))
      return database.transact(() => revokeRights(id, rights))
    },
  }
}

function* createUser(user: NewUser, rights: readonly RightRecord[]): Work<'created' | 'exists'> {
  const { id, primaryParty, isDeactivated, primaryPartyAuthentication, identityProviderId, annotations } = user
  const made = yield* call(STATEMENTS.insertUser, id, primaryParty, isDeactivated, primaryPartyAuthentication,
    identityProviderId, JSON.stringify(annotations))
  if (!touched(made)) return 'exists'
  yield* callWithRights(STATEMENTS.insertRights, id, pickRights(rights, [], false))
  return 'created'
}

async function updateUser(
  database: Database,
  id: string,
  expected: bigint,
  change: UserChange,
): Promise<UserRecord | 'stale' | 'missing'> {
  storable(id, change.primaryParty)
  const { primaryParty, isDeactivated, primaryPartyAuthentication, annotations } = change
  const values = [primaryParty, isDeactivated, primaryPartyAuthentication, JSON.stringify(annotations), id, expected]
  const possible = expected >= 0n && expected < INT64_MAX
  const [updated] = possible ? await database.once(STATEMENTS.updateUser, ...values) : []
  if (updated !== undefined) return userOf(updated)
  return touched(await database.once(STATEMENTS.getUser, id)) ? 'stale' : 'missing'
}

function* moveUser(id: string, from: string, to: string): Work<'moved' | 'missing' | 'elsewhere'> {
  if (touched(yield* call(STATEMENTS.moveUser, to, id, from))) return 'moved'
  return touched(yield* call(STATEMENTS.getUser, id)) ? 'elsewhere' : 'missing'
}

function* grantRights(
  id: string,
  rights: readonly RightRecord[],
  maxRights: number,
): Work<readonly RightRecord[] | 'missing' | 'too-many'> {
  const held = yield* lockRights(id)
  if (held === undefined) return 'missing'
  const fresh = pickRights(rights, held, false)
  if (held.length + fresh.length > maxRights) return 'too-many'
  yield* callWithRights(STATEMENTS.insertRights, id, fresh)
  return fresh
}

function* revokeRights(id: string, rights: readonly RightRecord[]): Work<readonly RightRecord[] | 'missing'> {
  const held = yield* lockRights(id)
  if (held === undefined) return 'missing'
  const gone = pickRights(rights, held, true)
  yield* callWithRights(STATEMENTS.deleteRights, id, gone)
  return gone
}

/** The rights of a user, who stays locked until the transaction ends; undefined where there is none. */
function* lockRights(id: string): Work<readonly RightRecord[] | undefined> {
  if (!touched(yield* call(STATEMENTS.lockUser, id))) return undefined
  return rightsOf(yield* call(STATEMENTS.getRights, id))
}

function* callWithRights(statement: Statement, id: string, rights: readonly RightRecord[]): Work<void> {
  if (rights.length > 0) yield* call(statement, id, JSON.stringify(rights))
}

/** A foreign key refused the user's provider: it is not there, or went away meanwhile. */
async function unlessProviderIsMissing<T>(written: Promise<T>): Promise<T | 'unknown-provider'> {
  return orOnForeignKey(written, 'unknown-provider')
}

async function orOnForeignKey<T, A extends string>(written: Promise<T>, answer: A): Promise<T | A> {
  try {
    return await written
  } catch (error) {
    if (error instanceof ConstraintViolated && error.constraint === 'foreign-key') return answer
    throw error
  }
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
    update: async (provider) => {
      storable(...providerTexts(provider))
      return database.transact(() => updateProvider(provider))
    },
    delete: async (id) => {
      storable(id)
      const deleted = database.once(STATEMENTS.deleteProvider, id)
        .then((rows) => touched(rows) ? 'deleted' as const : 'missing' as const)
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
  yield* call(STATEMENTS.insertProvider, id, isDeactivated, issuer, jwksUrl, audience, digest(issuer))
  return 'created'
}

function* updateProvider(provider: IdentityProviderRecord): Work<'updated' | 'missing' | 'issuer-exists'> {
  const alike = yield* lockAndCompare(provider)
  const { id, isDeactivated, issuer, jwksUrl, audience } = provider
  if (!alike.idTaken || id === '') return 'missing'
  if (alike.issuerTaken) return 'issuer-exists'
  const updated = yield* call(STATEMENTS.updateProvider, isDeactivated, issuer, jwksUrl, audience, digest(issuer), id)
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
  return { number: int64Of(row, 'number'), idTaken: flagOf(row, 'id_taken'), issuerTaken: flagOf(row, 'issuer_taken') }
}

/** Issuers are unique by their digest: an index entry has a size limit, an issuer does not. */
function digest(issuer: string): string {
  return createHash('sha256').update(issuer).digest('hex')
}

function touched(rows: readonly Row[]): boolean {
  return rows.length > 0
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

function rightsOf(rows: readonly Row[]): readonly RightRecord[] {
  return rows.filter((row) => row['kind'] !== null)
    .map((row) => ({ kind: textOf(row, 'kind'), party: textOf(row, 'party') }))
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

/** As one text: more of them than a call takes arguments may be asked for at once. */
function rightTexts(rights: readonly RightRecord[]): string {
  return rights.map(({ kind, party }) => `${kind} ${party}`).join(' ')
}

function providerTexts({ id, issuer, jwksUrl, audience }: IdentityProviderRecord): readonly string[] {
  return [id, issuer, jwksUrl, audience]
}
