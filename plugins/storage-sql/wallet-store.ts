// Links of users to the parties of their wallets, in SQL. An opening decides before it writes, so that a refusal leaves
// nothing behind.
import { actAsRight, openingTexts, storable } from '../../runtime/index.ts'
import { call, flagOf, textOf, touched, unlessProviderIsMissing } from './database.ts'
import { insertParty } from './party-store.ts'
import { insertRights, lockFreshRights } from './rights.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Work } from './database.ts'
import type { PartyRecord, RightRecord, WalletOpened, WalletOpening, WalletStore } from '../../runtime/index.ts'

type NewParty = Omit<PartyRecord, 'resourceVersion'>

export function walletStore(database: Database): WalletStore {
  return {
    party: async (userId) => {
      storable(userId)
      const [row] = await database.once(STATEMENTS.getWallet, userId)
      return row && textOf(row, 'party')
    },
    open: async (opening) => {
      storable(...openingTexts(opening))
      return unlessProviderIsMissing(database.transact(() => openWallet(opening)))
    },
  }
}

function* openWallet(opening: WalletOpening): Work<WalletOpened> {
  const { userId, party, actAs } = opening
  const users = yield* lockUsers(opening)
  if (users !== undefined) return users
  if (touched(yield* call(STATEMENTS.getWallet, userId))) return 'has-wallet'
  const id = 'fresh' in party ? party.fresh.party : party.given
  const fault = 'fresh' in party ? yield* freshFault(party.fresh) : yield* givenFault(id)
  if (fault !== undefined) return fault
  const grants: [string, readonly RightRecord[]][] = []
  for (const holder of actAs) {
    const fresh = yield* lockFreshRights(holder, { rights: [actAsRight(id)], maxRights: opening.maxRights, inProvider: undefined })
    if (fresh === 'missing') return 'unknown-user'
    if (fresh === 'too-many') return fresh
    grants.push([holder, fresh])
  }
  if ('fresh' in party && (yield* insertParty(party.fresh)) === 'exists') return 'party-taken'
  for (const [holder, fresh] of grants) yield* insertRights(holder, fresh)
  yield* call(STATEMENTS.insertWallet, userId, id)
  yield* call(STATEMENTS.setPrimaryParty, id, userId)
  return 'opened'
}

/** In the order of their ids, so that two openings never wait for each other. */
function* lockUsers({ userId, identityProviderId, actAs }: WalletOpening): Work<'unknown-user' | undefined> {
  for (const id of [...new Set([userId, ...actAs])].sort()) {
    const [user] = yield* call(STATEMENTS.lockUser, id)
    const isMeant = user !== undefined && (id !== userId || textOf(user, 'identity_provider_id') === identityProviderId)
    if (!isMeant) return 'unknown-user'
  }
  return undefined
}

function* freshFault({ party, identityProviderId }: NewParty): Work<'party-taken' | 'unknown-provider' | undefined> {
  const [row = {}] = yield* call(STATEMENTS.partyNamed, party, party, identityProviderId)
  if (flagOf(row, 'taken')) return 'party-taken'
  return flagOf(row, 'provider_known') ? undefined : 'unknown-provider'
}

function* givenFault(party: string): Work<'party-unfit' | undefined> {
  const [row] = yield* call(STATEMENTS.getParties, [party])
  return row !== undefined && flagOf(row, 'is_local') && textOf(row, 'topology') === '' ? undefined : 'party-unfit'
}
