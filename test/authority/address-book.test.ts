// The wallet's address book is its user's alone: administrators neither read nor write it, and
// nobody who comes to the user's id later inherits it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { onEachStore } from './kit.ts'
import type { Subject } from './kit.ts'

const BOOK = '/wallet/contacts'
const NAMED = 'My bank'
const ADMINS = ['admin-p@p', 'participant_admin', 'operator']

onEachStore('the address book', 'dev', (world) => {
  /** Names a party, and answers the book. */
  async function keep(who: Subject, party: string): Promise<unknown> {
    const line = `PUT ${BOOK}/${encodeURIComponent(party)}`
    return member(await world().done(who, line, { name: NAMED }), 'contacts')
  }

  async function bookOf(who: Subject): Promise<unknown> {
    return member(await world().done(who, `GET ${BOOK}`), 'contacts')
  }

  test('administrators neither read it nor write it', async () => {
    await world().register('keeper@p')
    const kept = [{ party: world().alice, name: NAMED }]
    assert.deepEqual(await keep('keeper@p', world().alice), kept)
    for (const admin of ADMINS) {
      const provider = '?identity-provider-id=p'
      const seen = await world().ask(admin, `GET /v2/users/keeper${provider}`)
      assert.equal(seen.status, 200, seen.text)
      assert.ok(!seen.text.includes(NAMED), seen.text)
      const listed = await world().ask(admin, `GET /v2/users${provider}`)
      assert.ok(!listed.text.includes(NAMED), listed.text)
      const forged = JSON.stringify({ [world().operator]: 'My other bank' })
      await world().done(admin, 'PATCH /v2/users/keeper', {
        user: {
          id: 'keeper',
          identityProviderId: 'p',
          metadata: { resourceVersion: '', annotations: { 'wallet-ui/notes': forged } },
        },
        updateMask: { paths: ['metadata.annotations'] },
      })
      assert.deepEqual(await bookOf('keeper@p'), kept)
      assert.deepEqual(await bookOf(admin), [])
    }
  })

  test('whoever has the id of a deleted user begins with an empty one', async () => {
    await world().register('leaver@p')
    await keep('leaver@p', world().alice)
    await world().done('admin-p@p', 'DELETE /v2/users/leaver')
    await world().register('leaver@q')
    assert.deepEqual(await bookOf('leaver@q'), [])
  })

  test('a user who moves to another provider begins with an empty one, and has the own back', async () => {
    await world().register('mover@p')
    const kept = await keep('mover@p', world().alice)
    const move = (from: string, to: string): Promise<unknown> =>
      world().done('participant_admin', 'PATCH /v2/users/mover/identity-provider-id', {
        userId: 'mover',
        sourceIdentityProviderId: from,
        targetIdentityProviderId: to,
      })
    await move('p', 'q')
    assert.deepEqual(await bookOf('mover@q'), [])
    await keep('mover@q', world().operator)
    await move('q', 'p')
    assert.deepEqual(await bookOf('mover@p'), kept)
  })
})
