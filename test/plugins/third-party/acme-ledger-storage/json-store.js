// All data in maps, written whole to one file at every change: flushed beside it, then renamed over
// it. Every method does its work in one turn of the event loop, hence is atomic.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import {
  StoreUnavailable,
  compareRights,
  compareUtf8,
  pickRights,
  sameProvider,
  sameRights,
  storable,
} from 'ledgerwright'
import { contractStore, emptyLedger, updateStore } from './contract-store.js'
import { packageStore, partyStore } from './ledger-stores.js'
import { leaseStore } from './lease-store.js'
import { forgetNotesIn, noteStore } from './note-store.js'
import { walletStore } from './wallet-store.js'

/**
 * @import { IdentityProviderRecord, IdentityProviderStore, RightRecord, Store } from 'ledgerwright'
 */
/** @import { PackageRecord, PartyRecord, UserRecord, UserStore } from 'ledgerwright' */
/** @import { Ledger } from './contract-store.js' */
/**
 * @typedef {object} Entry
 * @property {UserRecord} user
 * @property {readonly RightRecord[]} rights
 * @property {string} [wallet]
 * @property {Record<string, string>} [notes] By provider and name.
 */
/** @typedef {{ record: PackageRecord, payload: string }} PackageEntry */
/**
 * @typedef {object} Tables
 * @property {Map<string, Entry>} users
 * @property {Map<string, IdentityProviderRecord>} providers
 * @property {Map<string, PartyRecord>} parties
 * @property {Map<string, PackageEntry>} packages
 * @property {bigint} vetting
 * @property {Ledger} ledger
 */
/** @typedef {<T>(texts: readonly string[], work: () => T) => Promise<T>} Access */

/**
 * @param {string} file
 * @returns {Store}
 */
export function openJsonStore(file) {
  const tables = load(file)
  let closed = false
  /** @type {Access} */
  const read = async (texts, work) => {
    if (closed) throw new StoreUnavailable(`${file} is closed`)
    storable(...texts)
    return work()
  }
  /** @type {Access} */
  const write = (texts, work) =>
    read(texts, () => {
      const answer = work()
      save(file, tables)
      return answer
    })
  return {
    features: { durable: true, multiProcess: false },
    users: userStore(tables, read, write),
    identityProviders: providerStore(tables, read, write),
    parties: partyStore(tables, read, write),
    packages: packageStore(tables, read, write),
    updates: updateStore(tables.ledger, read, write),
    contracts: contractStore(tables.ledger, read, write),
    leases: leaseStore(read),
    wallets: walletStore(tables, read, write),
    notes: noteStore(tables, read, write),
    ping: () => read([], () => {}),
    close: async () => {
      closed = true
    },
  }
}

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {UserStore}
 */
function userStore({ users, providers }, read, write) {
  const known = (/** @type {string} */ id) => id === '' || providers.has(id)
  return {
    get: (id) => read([id], () => users.get(id)?.user),
    list: ({ identityProviderId, after, limit }) =>
      read([identityProviderId, after], () =>
        [...users.values()]
          .map(({ user }) => user)
          .filter(
            (user) =>
              user.identityProviderId === identityProviderId && compareUtf8(user.id, after) > 0,
          )
          .sort((a, b) => compareUtf8(a.id, b.id))
          .slice(0, limit),
      ),
    create: (user, rights) =>
      write([user.id, user.primaryParty, user.identityProviderId, ...textsOf(rights)], () => {
        if (users.has(user.id)) return 'exists'
        if (!known(user.identityProviderId)) return 'unknown-provider'
        const created = { ...user, annotations: { ...user.annotations }, resourceVersion: 0n }
        users.set(user.id, { user: created, rights: sorted(pickRights(rights, [], false)) })
        return 'created'
      }),
    update: (id, expected, change, guard) =>
      write([id, change.primaryParty, ...textsOf(guard?.rights ?? [])], () => {
        const entry = users.get(id)
        if (entry === undefined || isElsewhere(entry, guard?.inProvider)) return 'missing'
        const isAsSeen = guard?.rights === undefined || sameRights(guard.rights, entry.rights)
        if (entry.user.resourceVersion !== expected || !isAsSeen) return 'stale'
        const { primaryParty, isDeactivated, primaryPartyAuthentication } = change
        const annotations = { ...change.annotations }
        const changed = { primaryParty, isDeactivated, primaryPartyAuthentication, annotations }
        entry.user = { ...entry.user, ...changed, resourceVersion: expected + 1n }
        return entry.user
      }),
    delete: (id, inProvider) =>
      write([id], () => {
        const entry = users.get(id)
        return entry !== undefined && !isElsewhere(entry, inProvider) && users.delete(id)
          ? 'deleted'
          : 'missing'
      }),
    rights: (id) => read([id], () => users.get(id)?.rights),
    grant: (id, rights, maxRights, inProvider) =>
      write([id, ...textsOf(rights)], () => {
        const entry = users.get(id)
        if (entry === undefined || isElsewhere(entry, inProvider)) return 'missing'
        const fresh = pickRights(rights, entry.rights, false)
        if (entry.rights.length + fresh.length > maxRights) return 'too-many'
        entry.rights = sorted([...entry.rights, ...fresh])
        return fresh
      }),
    revoke: (id, rights, inProvider) =>
      write([id, ...textsOf(rights)], () => {
        const entry = users.get(id)
        if (entry === undefined || isElsewhere(entry, inProvider)) return 'missing'
        const gone = pickRights(rights, entry.rights, true)
        entry.rights = pickRights(entry.rights, gone, false)
        return gone
      }),
    move: (id, from, to) =>
      write([id, from, to], () => {
        const entry = users.get(id)
        if (entry === undefined) return 'missing'
        if (entry.user.identityProviderId !== from) return 'elsewhere'
        if (!known(to)) return 'unknown-provider'
        entry.user = { ...entry.user, identityProviderId: to }
        return 'moved'
      }),
  }
}

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {IdentityProviderStore}
 */
function providerStore(tables, read, write) {
  const { users, providers, parties } = tables
  const issuerTaken = (/** @type {IdentityProviderRecord} */ { id, issuer }) =>
    [...providers.values()].some((other) => other.issuer === issuer && other.id !== id)
  return {
    get: (id) => read([id], () => providers.get(id)),
    list: () => read([], () => [...providers.values()].sort((a, b) => compareUtf8(a.id, b.id))),
    create: (provider, maxProviders) =>
      write(providerTexts(provider), () => {
        if (provider.id === '' || providers.has(provider.id)) return 'exists'
        if (issuerTaken(provider)) return 'issuer-exists'
        if (providers.size >= maxProviders) return 'too-many'
        providers.set(provider.id, { ...provider })
        return 'created'
      }),
    update: (provider, expected) =>
      write(providerTexts(provider), () => {
        const stored = providers.get(provider.id)
        if (stored === undefined) return 'missing'
        if (expected !== undefined && !sameProvider(stored, expected)) return 'stale'
        if (issuerTaken(provider)) return 'issuer-exists'
        providers.set(provider.id, { ...provider })
        return 'updated'
      }),
    delete: (id) =>
      write([id], () => {
        const members = [...[...users.values()].map(({ user }) => user), ...parties.values()]
        if (id !== '' && members.some(({ identityProviderId }) => identityProviderId === id))
          return 'in-use'
        if (!providers.delete(id)) return 'missing'
        forgetNotesIn(tables, id)
        return 'deleted'
      }),
  }
}

/**
 * @param {Entry} entry
 * @param {string | undefined} inProvider
 */
function isElsewhere({ user }, inProvider) {
  return inProvider !== undefined && user.identityProviderId !== inProvider
}

/** @param {readonly RightRecord[]} rights */
function sorted(rights) {
  return [...rights].sort(compareRights)
}

/** @param {readonly RightRecord[]} rights */
function textsOf(rights) {
  return rights.flatMap(({ kind, party }) => [kind, party])
}

/** @param {IdentityProviderRecord} provider */
function providerTexts({ id, issuer, jwksUrl, audience }) {
  return [id, issuer, jwksUrl, audience]
}

/**
 * @param {string} file
 * @returns {Tables}
 */
function load(file) {
  const { users, providers, parties, packages, vetting, ledger } = existsSync(file)
    ? parse(readFileSync(file, 'utf8'))
    : {}
  return {
    users: new Map(users),
    providers: new Map(providers),
    parties: new Map(parties),
    packages: new Map(packages),
    vetting: BigInt(vetting ?? 0),
    ledger: { ...emptyLedger(), ...(ledger === undefined ? {} : JSON.parse(ledger, revive)) },
  }
}

/** @param {string} text */
function parse(text) {
  return JSON.parse(text, (key, value) => (key === 'resourceVersion' ? BigInt(value) : value))
}

/**
 * The ledger is a text of its own within the file, because in it, and only in it, no user names a
 * property.
 *
 * @param {string} _key
 * @param {unknown} value
 */
function revive(_key, value) {
  if (typeof value !== 'object' || value === null) return value
  if ('int' in value) return BigInt(String(value.int))
  return 'map' in value && Array.isArray(value.map) ? new Map(value.map) : value
}

/**
 * @param {string} _key
 * @param {unknown} value
 */
function freeze(_key, value) {
  if (typeof value === 'bigint') return { int: `${value}` }
  return value instanceof Map ? { map: [...value] } : value
}

/**
 * @param {string} file
 * @param {Tables} tables
 */
function save(file, { users, providers, parties, packages, vetting, ledger }) {
  const tables = {
    users: [...users],
    providers: [...providers],
    parties: [...parties],
    packages: [...packages],
    vetting,
    ledger: JSON.stringify(ledger, freeze),
  }
  const text = JSON.stringify(tables, (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  mkdirSync(dirname(file), { recursive: true })
  const draft = openSync(`${file}.draft`, 'w')
  writeFileSync(draft, text)
  fsyncSync(draft)
  closeSync(draft)
  renameSync(`${file}.draft`, file)
}
