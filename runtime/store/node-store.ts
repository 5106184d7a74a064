// A store as one of several nodes sees it. The ledger is everybody's: contracts, updates, packages
// and leases are as they are. Users, identity providers, parties, wallets and notes are the node's
// own: their ids are kept behind the node's name, so that any storage keeps several nodes apart
// without knowing of them. The first node has no such name, and hides what has one.
// docs/decisions/0032-nodes.md
import type {
  IdentityProviderRecord,
  IdentityProviderStore,
  NoteKey,
  NoteStore,
  PartyRecord,
  PartyStore,
  RightRecord,
  Store,
  UserRecord,
  UserStore,
  WalletStore,
} from './store.ts'

/** A character of no user id, party id or provider id; ends a node's name in a stored id. */
const MARK = '%'

/** Behind every stored id that begins with the text before it. */
const LAST = '\u{10FFFF}'

/** Ids of one node as they are stored, and back. '' stays '': it means "not set". */
interface Names {
  /** The prefix of the node's stored ids; '' for the first node. */
  readonly prefix: string
  stored(id: string): string
  own(stored: string): string
  has(stored: string): boolean
}

/**
 * The store of the node with this key; '' is the first node, whose data is that of a store without
 * nodes.
 */
export function nodeStore(store: Store, key: string): Store {
  const names = key === '' ? firstNames : namesOf(`${key}${MARK}`)
  const { features, packages, updates, contracts, leases } = store
  return {
    features,
    packages,
    updates,
    contracts,
    leases,
    ...(store.guard === undefined ? {} : { guard: store.guard.bind(store) }),
    ping: () => store.ping(),
    close: () => store.close(),
    users: userStore(store.users, names),
    identityProviders: providerStore(store.identityProviders, names),
    parties: partyStore(store.parties, names),
    wallets: walletStore(store.wallets, names),
    notes: noteStore(store.notes, names),
  }
}

const firstNames: Names = {
  prefix: '',
  stored: (id) => id,
  own: (stored) => stored,
  has: (stored) => !stored.includes(MARK),
}

function namesOf(prefix: string): Names {
  return {
    prefix,
    stored: (id) => (id === '' ? '' : prefix + id),
    own: (stored) => (stored.startsWith(prefix) ? stored.slice(prefix.length) : stored),
    has: (stored) => stored.startsWith(prefix),
  }
}

function userStore(users: UserStore, names: Names): UserStore {
  const { stored } = names
  const ownUser = (user: UserRecord): UserRecord => inOwnWords(user, names)
  return {
    get: async (id) => {
      const user = reaches(id, names) ? await users.get(stored(id)) : undefined
      return user && ownUser(user)
    },
    list: async ({ identityProviderId, after, limit }) => {
      const page = { identityProviderId: stored(identityProviderId) }
      const found = await ownPage<UserRecord>(
        names,
        { after, limit, idOf: ({ id }) => id },
        (range) => users.list({ ...page, ...range }),
      )
      return found.map(ownUser)
    },
    create: async (user, rights) =>
      reaches(user.id, names)
        ? users.create(inStoredWords(user, names), storedRights(rights, names))
        : 'exists',
    update: async (id, expected, change, guard) => {
      if (!reaches(id, names)) return 'missing'
      const updated = await users.update(
        stored(id),
        expected,
        { ...change, primaryParty: stored(change.primaryParty) },
        guard && {
          inProvider: stored(guard.inProvider),
          ...(guard.rights === undefined ? {} : { rights: storedRights(guard.rights, names) }),
        },
      )
      return typeof updated === 'string' ? updated : ownUser(updated)
    },
    delete: async (id, inProvider) =>
      reaches(id, names) ? users.delete(stored(id), providerOf(inProvider, names)) : 'missing',
    rights: async (id) => {
      const rights = reaches(id, names) ? await users.rights(stored(id)) : undefined
      return rights && ownRights(rights, names)
    },
    grant: async (id, rights, maxRights, inProvider) => {
      if (!reaches(id, names)) return 'missing'
      const granted = await users.grant(
        stored(id),
        storedRights(rights, names),
        maxRights,
        providerOf(inProvider, names),
      )
      return typeof granted === 'string' ? granted : ownRights(granted, names)
    },
    revoke: async (id, rights, inProvider) => {
      if (!reaches(id, names)) return 'missing'
      const revoked = await users.revoke(
        stored(id),
        storedRights(rights, names),
        providerOf(inProvider, names),
      )
      return typeof revoked === 'string' ? revoked : ownRights(revoked, names)
    },
    move: async (id, from, to) =>
      reaches(id, names) ? users.move(stored(id), stored(from), stored(to)) : 'missing',
  }
}

function providerStore(providers: IdentityProviderStore, names: Names): IdentityProviderStore {
  const { stored } = names
  const inStored = (provider: IdentityProviderRecord): IdentityProviderRecord => ({
    ...provider,
    id: stored(provider.id),
    issuer: stored(provider.issuer),
  })
  const inOwn = (provider: IdentityProviderRecord): IdentityProviderRecord => ({
    ...provider,
    id: names.own(provider.id),
    issuer: names.own(provider.issuer),
  })
  return {
    get: async (id) => {
      const provider = reaches(id, names) ? await providers.get(stored(id)) : undefined
      return provider && inOwn(provider)
    },
    list: async () => (await providers.list()).filter(({ id }) => names.has(id)).map(inOwn),
    create: async (provider, maxProviders) => {
      if (!reaches(provider.id, names)) return 'exists'
      // The limit is the node's; what is read a moment earlier may only let one more through.
      const others = (await providers.list()).filter(({ id }) => !names.has(id)).length
      return providers.create(inStored(provider), maxProviders + others)
    },
    update: async (provider, expected) =>
      reaches(provider.id, names)
        ? providers.update(inStored(provider), expected && inStored(expected))
        : 'missing',
    delete: async (id) => (reaches(id, names) ? providers.delete(stored(id)) : 'missing'),
  }
}

function partyStore(parties: PartyStore, names: Names): PartyStore {
  const { stored } = names
  const inOwn = (record: PartyRecord): PartyRecord => ({
    ...record,
    party: names.own(record.party),
    identityProviderId: names.own(record.identityProviderId),
  })
  return {
    get: async (asked) =>
      (await parties.get(asked.filter((party) => reaches(party, names)).map(stored))).map(inOwn),
    list: async ({ identityProviderId, prefix, after, limit }) => {
      const page = {
        identityProviderId: stored(identityProviderId),
        prefix: names.prefix + prefix,
      }
      const found = await ownPage<PartyRecord>(
        names,
        { after, limit, idOf: ({ party }) => party },
        (range) => parties.list({ ...page, ...range }),
      )
      return found.map(inOwn)
    },
    allocate: async (party, grantTo) =>
      reaches(party.party, names)
        ? parties.allocate(
            storedParty(party, names),
            grantTo && {
              ...grantTo,
              userId: stored(grantTo.userId),
              ...(grantTo.inProvider === undefined
                ? {}
                : { inProvider: stored(grantTo.inProvider) }),
            },
          )
        : 'exists',
    update: async (party, expected, annotations) => {
      if (!reaches(party, names)) return 'missing'
      const updated = await parties.update(stored(party), expected, annotations)
      return typeof updated === 'string' ? updated : inOwn(updated)
    },
  }
}

function walletStore(wallets: WalletStore, names: Names): WalletStore {
  const { stored } = names
  return {
    party: async (userId) => {
      const party = reaches(userId, names) ? await wallets.party(stored(userId)) : undefined
      return party && names.own(party)
    },
    among: async (parties) => (await wallets.among(parties.map(stored))).map(names.own),
    open: async (opening) => {
      if (!reaches(opening.userId, names)) return 'unknown-user'
      const { party } = opening
      return wallets.open({
        ...opening,
        userId: stored(opening.userId),
        identityProviderId: stored(opening.identityProviderId),
        party:
          'fresh' in party
            ? { fresh: storedParty(party.fresh, names) }
            : { given: stored(party.given) },
      })
    },
  }
}

function noteStore(notes: NoteStore, names: Names): NoteStore {
  const storedKey = ({ userId, identityProviderId, name }: NoteKey): NoteKey => ({
    userId: names.stored(userId),
    identityProviderId: names.stored(identityProviderId),
    name,
  })
  return {
    read: async (key) => (reaches(key.userId, names) ? notes.read(storedKey(key)) : ''),
    write: async (key, expected, text) =>
      reaches(key.userId, names) ? notes.write(storedKey(key), expected, text) : 'missing',
  }
}

/** Whether an id may reach the store: one that no grammar lets through may be another node's. */
function reaches(id: string, { prefix }: Names): boolean {
  return prefix !== '' || !id.includes(MARK)
}

/** Absent stays absent: any provider. */
function providerOf(inProvider: string | undefined, { stored }: Names): string | undefined {
  return inProvider === undefined ? undefined : stored(inProvider)
}

function storedRights(rights: readonly RightRecord[], { stored }: Names): readonly RightRecord[] {
  return rights.map(({ kind, party }) => ({ kind, party: stored(party) }))
}

function ownRights(rights: readonly RightRecord[], { own }: Names): readonly RightRecord[] {
  return rights.map(({ kind, party }) => ({ kind, party: own(party) }))
}

function inStoredWords<U extends Omit<UserRecord, 'resourceVersion'>>(user: U, names: Names): U {
  return {
    ...user,
    id: names.stored(user.id),
    primaryParty: names.stored(user.primaryParty),
    identityProviderId: names.stored(user.identityProviderId),
  }
}

function inOwnWords(user: UserRecord, names: Names): UserRecord {
  return {
    ...user,
    id: names.own(user.id),
    primaryParty: names.own(user.primaryParty),
    identityProviderId: names.own(user.identityProviderId),
  }
}

function storedParty<P extends Omit<PartyRecord, 'resourceVersion'>>(party: P, names: Names): P {
  return {
    ...party,
    party: names.stored(party.party),
    identityProviderId: names.stored(party.identityProviderId),
  }
}

interface Range {
  /** Exclusive, as it is stored. */
  readonly after: string
  readonly limit: number
}

interface Asked<T> extends Range {
  idOf(item: T): string
}

/**
 * A page of the node's own, however many of others are among them: those of another node stand
 * together in byte order, and are passed over at once.
 */
async function ownPage<T>(
  names: Names,
  { after, limit, idOf }: Asked<T>,
  read: (range: Range) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let from = names.prefix + after; ;) {
    const page = await read({ after: from, limit: limit - found.length })
    for (const item of page) if (names.has(idOf(item))) found.push(item)
    const last = page.at(-1)
    if (last === undefined || found.length >= limit) return found
    // Ids of the default provider of all nodes are in one order.
    const lastId = idOf(last)
    if (names.prefix !== '' && !names.has(lastId)) return found
    from = names.has(lastId) ? lastId : behindNode(lastId)
  }
}

/** The place after all ids of the node that a stored id belongs to. */
function behindNode(stored: string): string {
  return stored.slice(0, stored.indexOf(MARK) + 1) + LAST
}
