// The reference model of the storage contract: plain maps, nothing kept beyond the process. Every
// method runs in one turn of the event loop, hence is atomic; an upload reads its payloads first.
import {
  compareRights,
  compareUtf8,
  pickRights,
  sameProvider,
  sameRights,
} from '../../runtime/index.ts'
import { contractStore } from './contract-store.ts'
import { leaseStore } from './lease-store.ts'
import { forgetNotesIn, noteStore } from './note-store.ts'
import { packageStore } from './package-store.ts'
import { partyStore } from './party-store.ts'
import { checker, emptyTables, entryOf, knownProvider, requireOpen } from './tables.ts'
import { updateStore } from './update-store.ts'
import { walletStore } from './wallet-store.ts'
import type {
  Clock,
  IdentityProviderRecord,
  IdentityProviderStore,
  RightRecord,
  Store,
  UserRecord,
  UserStore,
} from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

const MACHINE: Clock = { nowMicros: () => BigInt(Date.now()) * 1_000n }

/**
 * An empty store in memory, with a clock of its own. Rejects with `StoreUnavailable` once it is
 * closed.
 */
export function createMemoryStore(clock: Clock = MACHINE): Store {
  const tables = emptyTables(clock)
  return {
    features: { durable: false, multiProcess: false },
    users: userStore(tables),
    identityProviders: providerStore(tables),
    parties: partyStore(tables),
    packages: packageStore(tables),
    updates: updateStore(tables),
    contracts: contractStore(tables),
    leases: leaseStore(tables),
    wallets: walletStore(tables),
    notes: noteStore(tables),
    ping: async () => requireOpen(tables),
    close: async () => {
      tables.closed = true
    },
  }
}

function userStore(tables: Tables): UserStore {
  const { users } = tables
  const check = checker(tables)
  return {
    get: async (id) => check(id) && users.get(id)?.user,
    list: async ({ identityProviderId, after, limit }) =>
      check(identityProviderId, after) &&
      [...users.values()]
        .map((entry) => entry.user)
        .filter(
          (user) =>
            user.identityProviderId === identityProviderId && compareUtf8(user.id, after) > 0,
        )
        .sort((a, b) => compareUtf8(a.id, b.id))
        .slice(0, limit),
    create: async (user, rights) => {
      check(user.id, user.primaryParty, user.identityProviderId, rightTexts(rights))
      return createUser(tables, user, rights)
    },
    update: async (id, expected, change, guard) => {
      check(id, change.primaryParty, guard?.inProvider ?? '', rightTexts(guard?.rights ?? []))
      const entry = entryOf(tables, id, guard?.inProvider)
      if (entry === undefined) return 'missing'
      const isAsSeen = guard?.rights === undefined || sameRights(guard.rights, entry.rights)
      if (entry.user.resourceVersion !== expected || !isAsSeen) return 'stale'
      const { primaryParty, isDeactivated, primaryPartyAuthentication } = change
      const annotations = { ...change.annotations }
      const resourceVersion = expected + 1n
      entry.user = {
        ...entry.user,
        primaryParty,
        isDeactivated,
        primaryPartyAuthentication,
        annotations,
        resourceVersion,
      }
      return entry.user
    },
    delete: async (id, inProvider) => {
      check(id, inProvider ?? '')
      return entryOf(tables, id, inProvider) !== undefined && users.delete(id)
        ? 'deleted'
        : 'missing'
    },
    move: async (id, from, to) => {
      check(id, from, to)
      const entry = users.get(id)
      if (entry === undefined) return 'missing'
      if (entry.user.identityProviderId !== from) return 'elsewhere'
      if (!knownProvider(tables, to)) return 'unknown-provider'
      entry.user = { ...entry.user, identityProviderId: to }
      return 'moved'
    },
    ...rightMethods(tables),
  }
}

function createUser(
  tables: Tables,
  user: Omit<UserRecord, 'resourceVersion'>,
  rights: readonly RightRecord[],
): 'created' | 'exists' | 'unknown-provider' {
  if (tables.users.has(user.id)) return 'exists'
  if (!knownProvider(tables, user.identityProviderId)) return 'unknown-provider'
  tables.users.set(user.id, {
    user: { ...user, annotations: { ...user.annotations }, resourceVersion: 0n },
    rights: [...pickRights(rights, [], false)].sort(compareRights),
    notes: new Map(),
  })
  return 'created'
}

function rightMethods(tables: Tables): Pick<UserStore, 'rights' | 'grant' | 'revoke'> {
  const { users } = tables
  const check = checker(tables)
  return {
    rights: async (id) => check(id) && users.get(id)?.rights,
    grant: async (id, rights, maxRights, inProvider) => {
      check(id, rightTexts(rights), inProvider ?? '')
      const entry = entryOf(tables, id, inProvider)
      if (entry === undefined) return 'missing'
      const fresh = pickRights(rights, entry.rights, false)
      if (entry.rights.length + fresh.length > maxRights) return 'too-many'
      entry.rights = [...entry.rights, ...fresh].sort(compareRights)
      return fresh
    },
    revoke: async (id, rights, inProvider) => {
      check(id, rightTexts(rights), inProvider ?? '')
      const entry = entryOf(tables, id, inProvider)
      if (entry === undefined) return 'missing'
      const gone = pickRights(rights, entry.rights, true)
      entry.rights = pickRights(entry.rights, gone, false)
      return gone
    },
  }
}

function providerStore(tables: Tables): IdentityProviderStore {
  const { users, providers, parties } = tables
  const check = checker(tables)
  const issuerTaken = (provider: IdentityProviderRecord): boolean =>
    [...providers.values()].some(
      (other) => other.issuer === provider.issuer && other.id !== provider.id,
    )
  return {
    get: async (id) => check(id) && providers.get(id),
    list: async () => check() && [...providers.values()].sort((a, b) => compareUtf8(a.id, b.id)),
    create: async (provider, maxProviders) => {
      check(...providerTexts(provider))
      if (knownProvider(tables, provider.id)) return 'exists'
      if (issuerTaken(provider)) return 'issuer-exists'
      if (providers.size >= maxProviders) return 'too-many'
      providers.set(provider.id, { ...provider })
      return 'created'
    },
    update: async (provider, expected) => {
      check(...providerTexts(provider))
      const stored = providers.get(provider.id)
      if (stored === undefined) return 'missing'
      if (expected !== undefined && !sameProvider(stored, expected)) return 'stale'
      if (issuerTaken(provider)) return 'issuer-exists'
      providers.set(provider.id, { ...provider })
      return 'updated'
    },
    delete: async (id) => {
      check(id)
      if (!providers.has(id)) return 'missing'
      const members = [...[...users.values()].map(({ user }) => user), ...parties.values()]
      if (members.some(({ identityProviderId }) => identityProviderId === id)) return 'in-use'
      providers.delete(id)
      forgetNotesIn(tables, id)
      return 'deleted'
    },
  }
}

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
