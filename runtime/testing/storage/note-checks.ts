// Notes: kept for one user of one provider, written under a condition, gone with user and provider.
import assert from 'node:assert/strict'
import { addProviders, addUsers, aUser, count, NUMBERS } from './check.ts'
import type { Check } from './check.ts'
import type { NoteKey, Store } from '../../store/store.ts'

const ANN: NoteKey = { userId: 'ann', identityProviderId: '', name: 'book' }

export const noteChecks: readonly Check[] = [
  {
    name: 'a note is read as it was written, by its user and name alone, and is no annotation',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'), aUser('bob'))
      const text = `'"\\ %s ? \n אב 😀 ${'x'.repeat(65_536)}`
      assert.equal(await store.notes.read(ANN), '')
      assert.equal(await store.notes.write(ANN, '', text), 'written')
      assert.equal(await store.notes.read(ANN), text)
      assert.equal(await store.notes.read({ ...ANN, userId: 'bob' }), '')
      assert.equal(await store.notes.read({ ...ANN, name: 'boo' }), '')
      assert.deepEqual(await store.users.get('ann'), { ...aUser('ann'), resourceVersion: 0n })
      assert.equal(await store.notes.write(ANN, text, ''), 'written')
      assert.equal(await store.notes.read(ANN), '')
    },
  },
  {
    name: 'a note is written over the text that was read, and for a user who is there',
    run: async ({ store }) => {
      await addProviders(store, 'idp')
      await addUsers(store, aUser('ann'))
      assert.equal(await store.notes.write(ANN, 'other', 'one'), 'stale')
      assert.equal(await store.notes.write(ANN, '', 'one'), 'written')
      assert.equal(await store.notes.write(ANN, '', 'two'), 'stale')
      assert.equal(await store.notes.write({ ...ANN, userId: 'bob' }, '', 'one'), 'missing')
      const elsewhere = { ...ANN, identityProviderId: 'idp' }
      assert.equal(await store.notes.write(elsewhere, '', 'one'), 'missing')
      assert.equal(await store.notes.read(ANN), 'one')
    },
  },
  {
    name: 'of writers at once one writes',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      const outcomes = await Promise.all(
        NUMBERS.map((number) => store.notes.write(ANN, '', `by ${number}`)),
      )
      assert.equal(count(outcomes, 'written'), 1)
      const winner = `by ${outcomes.indexOf('written')}`
      assert.equal(await store.notes.read(ANN), winner)
    },
  },
  {
    name: 'whoever has the id of a deleted user begins without notes',
    run: async ({ store }) => {
      await addUsers(store, aUser('ann'))
      await store.notes.write(ANN, '', 'one')
      await store.users.delete('ann')
      assert.equal(await store.notes.read(ANN), '')
      await addUsers(store, aUser('ann'))
      assert.equal(await store.notes.read(ANN), '')
    },
  },
  {
    name: 'a user who moves begins without notes, and finds the own ones after moving back',
    run: async ({ store }) => {
      const moved = await addMoved(store)
      assert.equal(await store.notes.write(moved, '', 'two'), 'written')
      assert.equal(await store.users.move('ann', 'idp', ''), 'moved')
      assert.equal(await store.notes.read(ANN), 'one')
    },
  },
  {
    name: 'notes end with their provider, and another one of its id begins without',
    run: async ({ store }) => {
      const moved = await addMoved(store)
      await store.notes.write(moved, '', 'two')
      await store.users.move('ann', 'idp', '')
      assert.equal(await store.identityProviders.delete('idp'), 'deleted')
      await addProviders(store, 'idp')
      await store.users.move('ann', '', 'idp')
      assert.equal(await store.notes.read(moved), '')
    },
  },
]

/** Adds a note of ann, who had it in the default provider and is in another one now. */
async function addMoved(store: Store): Promise<NoteKey> {
  await addProviders(store, 'idp')
  await addUsers(store, aUser('ann'))
  await store.notes.write(ANN, '', 'one')
  assert.equal(await store.users.move('ann', '', 'idp'), 'moved')
  const moved = { ...ANN, identityProviderId: 'idp' }
  assert.equal(await store.notes.read(moved), '')
  return moved
}
