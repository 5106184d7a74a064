// Users as rows: what transactions on users and on wallets write alike.
import { pickRights } from '../../runtime/index.ts'
import { call, touched } from './database.ts'
import { insertRights } from './rights.ts'
import { STATEMENTS } from './statements.ts'
import type { Work } from './database.ts'
import type { RightRecord, UserRecord } from '../../runtime/index.ts'

type NewUser = Omit<UserRecord, 'resourceVersion'>

/** Writes a user whose id nobody has yet. */
export function* createUser(
  user: NewUser,
  rights: readonly RightRecord[],
): Work<'created' | 'exists'> {
  const {
    id,
    primaryParty,
    isDeactivated,
    primaryPartyAuthentication,
    identityProviderId,
    annotations,
  } = user
  const made = yield* call(
    STATEMENTS.insertUser,
    id,
    primaryParty,
    isDeactivated,
    primaryPartyAuthentication,
    identityProviderId,
    JSON.stringify(annotations),
  )
  if (!touched(made)) return 'exists'
  yield* insertRights(id, pickRights(rights, [], false))
  return 'created'
}
