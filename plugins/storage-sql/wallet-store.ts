// Links of users to the parties of their wallets, in SQL. An opening decides before it writes, so
// that a refusal leaves nothing behind.
import {
  actAsRight,
  fitsWallet,
  newWalletUser,
  openingTexts,
  storable,
} from '../../runtime/index.ts'
import {
  call,
  ConstraintViolated,
  flagOf,
  textOf,
  touched,
  unlessProviderIsMissing,
} from './database.ts'
import { insertParty, partyOf } from './party-store.ts'
import { insertRights, lockFreshRights } from './rights.ts'
import { STATEMENTS } from './statements.ts'
import { createUser } from './user-rows.ts'
import type { Database, Work } from './database.ts'
import type {
  PartyRecord,
  RightRecord,
  WalletOpened,
  WalletOpening,
  WalletStore,
} from '../../runtime/index.ts'

type NewParty = Omit<PartyRecord, 'resourceVersion'>

export function walletStore(database: Database): WalletStore {
  return {
    party: async (userId) => {
      storable(userId)
      const [row] = await database.once(STATEMENTS.getWallet, userId)
      return row && textOf(row, 'party')
    },
    among: async (parties) => {
      storable(...parties)
      const rows = await database.once(STATEMENTS.walletsAmong, parties)
      return rows.map((row) => textOf(row, 'party'))
    },
    open: async (opening) => {
      storable(...openingTexts(opening))
      return orStale(unlessProviderIsMissing(database.transact(() => openWallet(opening))))
    },
  }
}

/** Others wrote the same user or party in between, and nothing of the opening stays. */
async function orStale(opened: Promise<WalletOpened>): Promise<WalletOpened> {
  try {
    return await opened
  } catch (error) {
    if (error instanceof ConstraintViolated && error.constraint === 'unique') return 'stale'
    throw error
  }
}

function* openWallet(opening: WalletOpening): Work<WalletOpened> {
  const { userId, party } = opening
  const owner = yield* lockOwner(opening)
  if (owner === undefined) return 'unknown-user'
  if (touched(yield* call(STATEMENTS.getWallet, userId))) return 'has-wallet'
  const id = 'fresh' in party ? party.fresh.party : party.given
  const problem = 'fresh' in party ? yield* freshProblem(party.fresh) : yield* givenProblem(id)
  if (problem !== undefined) return problem
  const fresh = yield* freshRights(opening, id, owner)
  return typeof fresh === 'string' ? fresh : yield* write(opening, fresh, owner)
}

/** Undefined where the user is missing and not to be made. */
function* lockOwner({
  userId,
  identityProviderId,
  createsUser,
}: WalletOpening): Work<'new' | 'known' | undefined> {
  const [user] = yield* call(STATEMENTS.lockUser, userId)
  if (user === undefined) return createsUser ? 'new' : undefined
  return textOf(user, 'identity_provider_id') === identityProviderId ? 'known' : undefined
}

function* freshProblem({
  party,
  identityProviderId,
}: NewParty): Work<'party-taken' | 'unknown-provider' | undefined> {
  const [row = {}] = yield* call(STATEMENTS.partyNamed, party, party, identityProviderId)
  if (flagOf(row, 'taken')) return 'party-taken'
  return flagOf(row, 'provider_known') ? undefined : 'unknown-provider'
}

function* givenProblem(party: string): Work<'party-unfit' | undefined> {
  const [row] = yield* call(STATEMENTS.getParties, [party])
  return row !== undefined && fitsWallet(partyOf(row)) ? undefined : 'party-unfit'
}

function* freshRights(
  { userId, grantsActAs, maxRights }: WalletOpening,
  party: string,
  owner: 'new' | 'known',
): Work<readonly RightRecord[] | 'unknown-user' | 'too-many'> {
  const rights = grantsActAs ? [actAsRight(party)] : []
  if (owner === 'new') return rights.length > maxRights ? 'too-many' : rights
  const fresh = yield* lockFreshRights(userId, { rights, maxRights, inProvider: undefined })
  return fresh === 'missing' ? 'unknown-user' : fresh
}

function* write(
  { userId, identityProviderId, party }: WalletOpening,
  rights: readonly RightRecord[],
  owner: 'new' | 'known',
): Work<'opened'> {
  const id = 'fresh' in party ? party.fresh.party : party.given
  const made = [
    owner === 'new' ? yield* createUser(newWalletUser(userId, identityProviderId), []) : 'created',
    'fresh' in party ? yield* insertParty(party.fresh) : 'created',
  ]
  if (made.includes('exists')) throw new ConstraintViolated('unique', {})
  yield* insertRights(userId, rights)
  yield* call(STATEMENTS.insertWallet, userId, id)
  yield* call(STATEMENTS.setPrimaryParty, id, userId)
  return 'opened'
}
