// Links of users to the parties of their wallets, in memory.
import {
  actAsRight,
  compareRights,
  fitsWallet,
  newWalletUser,
  openingTexts,
  pickRights,
} from '../../runtime/index.ts'
import { checker, entryOf, knownProvider } from './tables.ts'
import type { WalletOpened, WalletOpening, WalletStore } from '../../runtime/index.ts'
import type { Tables, UserEntry } from './tables.ts'

export function walletStore(tables: Tables): WalletStore {
  const check = checker(tables)
  return {
    party: async (userId) => check(userId) && tables.users.get(userId)?.wallet,
    among: async (parties) => {
      check(...parties)
      const linked = new Set([...tables.users.values()].map(({ wallet }) => wallet))
      return [...new Set(parties)].filter((party) => linked.has(party))
    },
    open: async (opening) => {
      check(...openingTexts(opening))
      return open(tables, opening)
    },
  }
}

function open(tables: Tables, opening: WalletOpening): WalletOpened {
  const { party, userId } = opening
  const entry = ownerOf(tables, opening)
  if (entry === undefined) return 'unknown-user'
  if (entry.wallet !== undefined) return 'has-wallet'
  const problem =
    'fresh' in party ? freshProblem(tables, party.fresh) : givenProblem(tables, party.given)
  if (problem !== undefined) return problem
  const id = 'fresh' in party ? party.fresh.party : party.given
  if (!knownProvider(tables, opening.identityProviderId)) return 'unknown-provider'
  const wanted = opening.grantsActAs ? [actAsRight(id)] : []
  const rights = [...entry.rights, ...pickRights(wanted, entry.rights, false)]
  if (rights.length > opening.maxRights) return 'too-many'
  entry.rights = rights.sort(compareRights)
  if ('fresh' in party)
    tables.parties.set(id, {
      ...party.fresh,
      annotations: { ...party.fresh.annotations },
      resourceVersion: 0n,
    })
  tables.users.set(userId, entry)
  link(entry, id)
  return 'opened'
}

/** A new user is in no table yet. */
function ownerOf(
  tables: Tables,
  { userId, identityProviderId, createsUser }: WalletOpening,
): UserEntry | undefined {
  if (tables.users.has(userId) || !createsUser) return entryOf(tables, userId, identityProviderId)
  return {
    user: { ...newWalletUser(userId, identityProviderId), resourceVersion: 0n },
    rights: [],
    notes: new Map(),
  }
}

function freshProblem(
  tables: Tables,
  { party, identityProviderId }: { readonly party: string; readonly identityProviderId: string },
): 'party-taken' | 'unknown-provider' | undefined {
  const isNamed = [...tables.users.values()].some(({ rights }) =>
    rights.some((right) => right.party === party),
  )
  if (isNamed || tables.parties.has(party)) return 'party-taken'
  return knownProvider(tables, identityProviderId) ? undefined : 'unknown-provider'
}

function givenProblem({ parties }: Tables, party: string): 'party-unfit' | undefined {
  const known = parties.get(party)
  return known !== undefined && fitsWallet(known) ? undefined : 'party-unfit'
}

function link(entry: UserEntry, party: string): void {
  entry.wallet = party
  if (entry.user.primaryParty !== '') return
  entry.user = {
    ...entry.user,
    primaryParty: party,
    resourceVersion: entry.user.resourceVersion + 1n,
  }
}
