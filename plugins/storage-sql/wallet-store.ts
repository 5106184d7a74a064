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

/** Rights to be written, by user. */
type Grants = readonly (readonly [string, readonly RightRecord[]])[]

export function walletStore(database: Database): WalletStore {
  return {
    party: async (userId) => {
      storable(userId)
      const [row] = await database.once(STATEMENTS.getWallet, userId)
      return row && textOf(row, 'party')
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
  const owner = yield* lockUsers(opening)
  if (owner === undefined) return 'unknown-user'
  if (touched(yield* call(STATEMENTS.getWallet, userId))) return 'has-wallet'
  const id = 'fresh' in party ? party.fresh.party : party.given
  const problem = 'fresh' in party ? yield* freshProblem(party.fresh) : yield* givenProblem(id)
  if (problem !== undefined) return problem
  const grants = yield* readGrants(opening, id, owner)
  return typeof grants === 'string' ? grants : yield* write(opening, grants, owner)
}

/**
 * In the order of their ids, so that two openings never wait for each other. Undefined where one of
 * them is missing.
 */
function* lockUsers({
  userId,
  identityProviderId,
  actAs,
  createsUser,
}: WalletOpening): Work<'new' | 'known' | undefined> {
  let owner: 'new' | 'known' = 'known'
  for (const id of [...new Set([userId, ...actAs])].sort()) {
    const [user] = yield* call(STATEMENTS.lockUser, id)
    if (user === undefined && id === userId && createsUser) owner = 'new'
    else if (
      user === undefined ||
      (id === userId && textOf(user, 'identity_provider_id') !== identityProviderId)
    )
      return undefined
  }
  return owner
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

function* readGrants(
  { userId, actAs, maxRights }: WalletOpening,
  party: string,
  owner: 'new' | 'known',
): Work<Grants | 'unknown-user' | 'too-many'> {
  const rights = [actAsRight(party)]
  const grants: (readonly [string, readonly RightRecord[]])[] = []
  for (const id of actAs) {
    const isNew = owner === 'new' && id === userId
    const fresh = isNew
      ? firstRights(rights, maxRights)
      : yield* lockFreshRights(id, { rights, maxRights, inProvider: undefined })
    if (fresh === 'missing') return 'unknown-user'
    if (fresh === 'too-many') return fresh
    grants.push([id, fresh])
  }
  return grants
}

function firstRights(
  rights: readonly RightRecord[],
  maxRights: number,
): readonly RightRecord[] | 'too-many' {
  return rights.length > maxRights ? 'too-many' : rights
}

function* write(
  { userId, identityProviderId, party }: WalletOpening,
  grants: Grants,
  owner: 'new' | 'known',
): Work<'opened'> {
  const id = 'fresh' in party ? party.fresh.party : party.given
  const made = [
    owner === 'new' ? yield* createUser(newWalletUser(userId, identityProviderId), []) : 'created',
    'fresh' in party ? yield* insertParty(party.fresh) : 'created',
  ]
  if (made.includes('exists')) throw new ConstraintViolated('unique', {})
  for (const [holder, fresh] of grants) yield* insertRights(holder, fresh)
  yield* call(STATEMENTS.insertWallet, userId, id)
  yield* call(STATEMENTS.setPrimaryParty, id, userId)
  return 'opened'
}
