// Links of users to the parties of their wallets: kept with the users, hence gone with them.
import {
  actAsRight,
  compareRights,
  fitsWallet,
  newWalletUser,
  openingTexts,
  pickRights,
} from 'ledgerwright'

/** @import { PartyRecord, WalletOpened, WalletOpening, WalletStore } from 'ledgerwright' */
/** @import { Access, Entry, Tables } from './json-store.js' */

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {WalletStore}
 */
export function walletStore(tables, read, write) {
  return {
    party: (userId) => read([userId], () => tables.users.get(userId)?.wallet),
    among: (asked) =>
      read(asked, () => {
        const linked = new Set([...tables.users.values()].map(({ wallet }) => wallet))
        return [...new Set(asked)].filter((party) => linked.has(party))
      }),
    open: (opening) => write(openingTexts(opening), () => open(tables, opening)),
  }
}

/**
 * @param {Tables} tables
 * @param {WalletOpening} opening
 * @returns {WalletOpened}
 */
function open(tables, { userId, identityProviderId, createsUser, party, grantsActAs, maxRights }) {
  const { users, parties, providers } = tables
  const known = users.get(userId)
  const entry = known === undefined && createsUser ? newEntry(userId, identityProviderId) : known
  if (entry?.user.identityProviderId !== identityProviderId) return 'unknown-user'
  if (entry.wallet !== undefined) return 'has-wallet'
  const id = 'fresh' in party ? party.fresh.party : party.given
  if ('fresh' in party ? isNamed(tables, id) : !isFit(parties.get(id)))
    return 'fresh' in party ? 'party-taken' : 'party-unfit'
  const named = [identityProviderId, 'fresh' in party ? party.fresh.identityProviderId : '']
  if (named.some((provider) => provider !== '' && !providers.has(provider)))
    return 'unknown-provider'
  const wanted = grantsActAs ? [actAsRight(id)] : []
  const rights = [...entry.rights, ...pickRights(wanted, entry.rights, false)]
  if (rights.length > maxRights) return 'too-many'
  entry.rights = rights.sort(compareRights)
  if ('fresh' in party) parties.set(id, { ...party.fresh, resourceVersion: 0n })
  users.set(userId, entry)
  link(entry, id)
  return 'opened'
}

/**
 * @param {string} id
 * @param {string} provider
 * @returns {Entry}
 */
function newEntry(id, provider) {
  return { user: { ...newWalletUser(id, provider), resourceVersion: 0n }, rights: [] }
}

/**
 * @param {Tables} tables
 * @param {string} party
 */
function isNamed({ users, parties }, party) {
  return (
    parties.has(party) ||
    [...users.values()].some(({ rights }) => rights.some((right) => right.party === party))
  )
}

/** @param {PartyRecord | undefined} party */
function isFit(party) {
  return party !== undefined && fitsWallet(party)
}

/**
 * @param {Entry} entry
 * @param {string} party
 */
function link(entry, party) {
  entry.wallet = party
  if (entry.user.primaryParty !== '') return
  entry.user = {
    ...entry.user,
    primaryParty: party,
    resourceVersion: entry.user.resourceVersion + 1n,
  }
}
