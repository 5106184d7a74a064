// Notes on users, in SQL.
import { storable } from '../../runtime/index.ts'
import { call, textOf } from './database.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'
import type { NoteKey, NoteStore } from '../../runtime/index.ts'

export function noteStore(database: Database): NoteStore {
  return {
    read: async (key) => {
      storable(...columnsOf(key))
      return noteIn(await database.once(STATEMENTS.getNote, ...columnsOf(key)))
    },
    write: async (key, expected, text) => {
      storable(...columnsOf(key), text)
      return database.transact(() => write(key, expected, text))
    },
  }
}

/** The user is locked, so that nobody writes, moves or deletes in between. */
function* write(
  key: NoteKey,
  expected: string,
  text: string,
): Work<'written' | 'stale' | 'missing'> {
  const [user] = yield* call(STATEMENTS.lockUser, key.userId)
  if (user === undefined || textOf(user, 'identity_provider_id') !== key.identityProviderId)
    return 'missing'
  if (noteIn(yield* call(STATEMENTS.getNote, ...columnsOf(key))) !== expected) return 'stale'
  yield* call(STATEMENTS.setNote, ...columnsOf(key), text)
  return 'written'
}

function columnsOf({ userId, identityProviderId, name }: NoteKey): readonly string[] {
  return [userId, identityProviderId, name]
}

function noteIn([row]: readonly Row[]): string {
  return row === undefined ? '' : textOf(row, 'note')
}
