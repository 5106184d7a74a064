// Notes that an extension keeps on a user: one text each, for whoever comes with the user's own
// token. No interface shows or changes them, not to administrators either. docs/authority.md
import type { IncomingMessage } from 'node:http'
import type { LedgerGuard } from '../access/guard.ts'
import type { OwnNotes } from '../host/notes.ts'
import { credentialsOf } from '../http/phases.ts'
import type { WireOperation } from '../http/index.ts'
import { untilWritten } from '../participant/identity/optimistic.ts'
import type { NoteStore } from '../store/store.ts'

/** UTF-8 bytes of one text. */
const MAX_NOTES_BYTES = 64 * 1024

/**
 * Notes of the caller, as `ExtensionOffers.notesOf` says; `plugin` is a name of no other plugin.
 */
type NotesOf = (plugin: string, request: IncomingMessage) => Promise<OwnNotes | undefined>

/**
 * Notes of the users of one store; `operations` are the ledger's: who may ask for oneself has
 * notes.
 */
export function userNotes(
  notes: NoteStore,
  guard: LedgerGuard,
  operations: readonly WireOperation[],
): NotesOf {
  const operation = operations.find(({ operationId }) => operationId === 'getAuthenticatedUser')
  if (operation === undefined) return async () => undefined
  return async (name, request) => {
    const identity = await guard.authenticate(credentialsOf(request), operation)
    if (identity.kind !== 'principal') return undefined
    const { id: userId, identityProviderId } = identity.principal.user
    const key = { userId, identityProviderId, name }
    return {
      read: () => notes.read(key),
      change: (to) =>
        untilWritten(async () => {
          const before = await notes.read(key)
          const text = to(before)
          if (Buffer.byteLength(text) > MAX_NOTES_BYTES) return 'no-room'
          const outcome = await notes.write(key, before, text)
          return outcome === 'missing' ? 'no-room' : outcome
        }, 'no-room'),
    }
  }
}
