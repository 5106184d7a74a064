// Notes that an extension keeps for a user: one text each, among the annotations of the user's own
// record. So they need no table of their own, and move, are backed up and end with the user.
import type { IncomingMessage } from 'node:http'
import type { LedgerGuard } from '../access/guard.ts'
import type { PrincipalDirectory } from '../access/principal.ts'
import type { OwnNotes } from '../host/notes.ts'
import { credentialsOf } from '../http/phases.ts'
import type { WireOperation } from '../http/index.ts'
import {
  annotationsBytes,
  MAX_ANNOTATIONS_BYTES,
  mergeAnnotations,
} from '../participant/identity/annotations.ts'
import { untilWritten } from '../participant/identity/optimistic.ts'
import type { Store } from '../store/store.ts'

/** UTF-8 bytes of one text: a quarter of what a user's annotations may have together. */
const MAX_NOTES_BYTES = MAX_ANNOTATIONS_BYTES / 4

/** Who calls, as `ExtensionOffers.notesOf` says; `plugin` is a name that no other plugin has. */
type NotesOf = (plugin: string, request: IncomingMessage) => Promise<OwnNotes | undefined>

/**
 * Notes of the users of one store; `operations` are the ledger's: who may ask for oneself has
 * notes. The directory forgets whose notes change.
 */
export function userNotes(
  store: Store,
  directory: PrincipalDirectory,
  guard: LedgerGuard,
  operations: readonly WireOperation[],
): NotesOf {
  const operation = operations.find(({ operationId }) => operationId === 'getAuthenticatedUser')
  if (operation === undefined) return async () => undefined
  return async (plugin, request) => {
    const identity = await guard.authenticate(credentialsOf(request), operation)
    if (identity.kind !== 'principal') return undefined
    const { id, identityProviderId: inProvider } = identity.principal.user
    const key = `${plugin}/notes`
    return {
      read: async () => (await store.users.get(id))?.annotations[key] ?? '',
      change: (to) =>
        untilWritten(async () => {
          const user = await store.users.get(id)
          if (user === undefined) return 'no-room'
          const text = to(user.annotations[key] ?? '')
          const annotations = mergeAnnotations(user.annotations, { [key]: text })
          if (Buffer.byteLength(text) > MAX_NOTES_BYTES) return 'no-room'
          if (annotationsBytes(annotations) > MAX_ANNOTATIONS_BYTES) return 'no-room'
          const outcome = await store.users.update(
            id,
            user.resourceVersion,
            { ...user, annotations },
            { inProvider },
          )
          directory.forget(id)
          if (outcome === 'stale') return outcome
          return outcome === 'missing' ? 'no-room' : 'written'
        }, 'no-room'),
    }
  }
}
