// Steps of transactions on the rights of one user, who stays locked until the transaction ends.
import { pickRights } from '../../runtime/index.ts'
import { call, textOf } from './database.ts'
import { STATEMENTS } from './statements.ts'
import type { Row, Work } from './database.ts'
import type { RightRecord } from '../../runtime/index.ts'

interface Granting {
  readonly rights: readonly RightRecord[]
  readonly maxRights: number
  /** A user of another provider counts as missing. */
  readonly inProvider: string | undefined
}

export function* grantRights(
  id: string,
  granting: Granting,
): Work<readonly RightRecord[] | 'missing' | 'too-many'> {
  const fresh = yield* lockFreshRights(id, granting)
  if (typeof fresh === 'object') yield* insertRights(id, fresh)
  return fresh
}

/**
 * Rights that a grant would add. Writes nothing, so that a transaction can still end without a
 * trace.
 */
export function* lockFreshRights(
  id: string,
  { rights, maxRights, inProvider }: Granting,
): Work<readonly RightRecord[] | 'missing' | 'too-many'> {
  const held = yield* lockRights(id, inProvider)
  if (held === undefined) return 'missing'
  const fresh = pickRights(rights, held, false)
  return held.length + fresh.length > maxRights ? 'too-many' : fresh
}

export function* revokeRights(
  id: string,
  rights: readonly RightRecord[],
  inProvider: string | undefined,
): Work<readonly RightRecord[] | 'missing'> {
  const held = yield* lockRights(id, inProvider)
  if (held === undefined) return 'missing'
  const gone = pickRights(rights, held, true)
  if (gone.length > 0) yield* call(STATEMENTS.deleteRights, id, JSON.stringify(gone))
  return gone
}

/** Rights that the user does not have, each once. */
export function* insertRights(id: string, fresh: readonly RightRecord[]): Work<void> {
  if (fresh.length > 0) yield* call(STATEMENTS.insertRights, id, JSON.stringify(fresh))
}

export function rightsOf(rows: readonly Row[]): readonly RightRecord[] {
  return rows
    .filter((row) => row['kind'] !== null)
    .map((row) => ({ kind: textOf(row, 'kind'), party: textOf(row, 'party') }))
}

/** Undefined where there is no such user. */
export function* lockRights(
  id: string,
  inProvider: string | undefined,
): Work<readonly RightRecord[] | undefined> {
  const [user] = yield* call(STATEMENTS.lockUser, id)
  if (user === undefined) return undefined
  if (inProvider !== undefined && textOf(user, 'identity_provider_id') !== inProvider)
    return undefined
  return rightsOf(yield* call(STATEMENTS.getRights, id))
}
