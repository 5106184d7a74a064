// Links of users to the parties of their wallets, in memory.
import { actAsRight, compareRights, openingTexts, pickRights } from '../../runtime/index.ts'
import { checker, entryOf, knownProvider } from './tables.ts'
import type { WalletOpened, WalletOpening, WalletStore } from '../../runtime/index.ts'
import type { Tables, UserEntry } from './tables.ts'

export function walletStore(tables: Tables): WalletStore {
  const check = checker(tables)
  return {
    party: async (userId) => check(userId) && tables.users.get(userId)?.wallet,
    open: async (opening) => {
      check(...openingTexts(opening))
      return open(tables, opening)
    },
  }
}

function open(tables: Tables, opening: WalletOpening): WalletOpened {
  const { party } = opening
  const entry = entryOf(tables, opening.userId, opening.identityProviderId)
  const holders = opening.actAs.map((id) => tables.users.get(id)).filter((found) => found !== undefined)
  if (entry === undefined || holders.length < opening.actAs.length) return 'unknown-user'
  if (entry.wallet !== undefined) return 'has-wallet'
  const fault = 'fresh' in party ? freshFault(tables, party.fresh) : givenFault(tables, party.given)
  if (fault !== undefined) return fault
  const id = 'fresh' in party ? party.fresh.party : party.given
  const granted = holders.map(({ rights }) => [...rights, ...pickRights([actAsRight(id)], rights, false)])
  if (granted.some((rights) => rights.length > opening.maxRights)) return 'too-many'
  holders.forEach((holder, at) => {
    holder.rights = granted[at]?.sort(compareRights) ?? holder.rights
  })
  if ('fresh' in party) tables.parties.set(id, { ...party.fresh, annotations: { ...party.fresh.annotations }, resourceVersion: 0n })
  link(entry, id)
  return 'opened'
}

function freshFault(
  tables: Tables, { party, identityProviderId }: { readonly party: string; readonly identityProviderId: string },
): 'party-taken' | 'unknown-provider' | undefined {
  const isNamed = [...tables.users.values()].some(({ rights }) => rights.some((right) => right.party === party))
  if (isNamed || tables.parties.has(party)) return 'party-taken'
  return knownProvider(tables, identityProviderId) ? undefined : 'unknown-provider'
}

function givenFault({ parties }: Tables, party: string): 'party-unfit' | undefined {
  const known = parties.get(party)
  return known?.isLocal === true && known.topology === '' ? undefined : 'party-unfit'
}

function link(entry: UserEntry, party: string): void {
  entry.wallet = party
  if (entry.user.primaryParty !== '') return
  entry.user = { ...entry.user, primaryParty: party, resourceVersion: entry.user.resourceVersion + 1n }
}
