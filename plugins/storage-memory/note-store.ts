// Notes on users, in memory.
import { checker, entryOf } from './tables.ts'
import type { NoteKey, NoteStore } from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

export function noteStore(tables: Tables): NoteStore {
  const check = checker(tables)
  return {
    read: async (key) => {
      check(key.userId, key.identityProviderId, key.name)
      return tables.users.get(key.userId)?.notes.get(placeOf(key)) ?? ''
    },
    write: async (key, expected, text) => {
      check(key.userId, key.identityProviderId, key.name, text)
      const entry = entryOf(tables, key.userId, key.identityProviderId)
      if (entry === undefined) return 'missing'
      if ((entry.notes.get(placeOf(key)) ?? '') !== expected) return 'stale'
      entry.notes.set(placeOf(key), text)
      return 'written'
    },
  }
}

/** Ends all notes of a provider. */
export function forgetNotesIn({ users }: Tables, identityProviderId: string): void {
  const prefix = placeOf({ identityProviderId, name: '' })
  for (const { notes } of users.values())
    for (const place of notes.keys()) if (place.startsWith(prefix)) notes.delete(place)
}

function placeOf({ identityProviderId, name }: Omit<NoteKey, 'userId'>): string {
  return `${identityProviderId}\0${name}`
}
