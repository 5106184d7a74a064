// Notes on users: kept with the users, hence gone with them.

/** @import { NoteKey, NoteStore } from 'ledgerwright' */
/** @import { Access, Tables } from './json-store.js' */

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {NoteStore}
 */
export function noteStore({ users }, read, write) {
  return {
    read: (key) => read(textsOf(key), () => users.get(key.userId)?.notes?.[placeOf(key)] ?? ''),
    write: (key, expected, text) =>
      write([...textsOf(key), text], () => {
        const entry = users.get(key.userId)
        if (entry?.user.identityProviderId !== key.identityProviderId) return 'missing'
        if ((entry.notes?.[placeOf(key)] ?? '') !== expected) return 'stale'
        entry.notes = { ...entry.notes, [placeOf(key)]: text }
        return 'written'
      }),
  }
}

/**
 * Ends all notes of a provider.
 *
 * @param {Tables} tables
 * @param {string} identityProviderId
 */
export function forgetNotesIn({ users }, identityProviderId) {
  const prefix = placeOf({ identityProviderId, name: '' })
  for (const entry of users.values()) {
    const kept = Object.entries(entry.notes ?? {}).filter(([place]) => !place.startsWith(prefix))
    entry.notes = Object.fromEntries(kept)
  }
}

/** @param {Omit<NoteKey, 'userId'>} key */
function placeOf({ identityProviderId, name }) {
  return `${identityProviderId} ${name}`
}

/** @param {NoteKey} key */
function textsOf({ userId, identityProviderId, name }) {
  return [userId, identityProviderId, name]
}
