// Hints: one who takes a name first gains nothing, and no two ids look the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { member } from '../../runtime/host/member.ts'
import { generate, newKey } from '../external/kit.ts'
import { onEachStore } from './kit.ts'
import type { Authority, Subject } from './kit.ts'

onEachStore('hints', 'production', hints, { ledger: { maxSelfAllocatedParties: 9 } })

function hints(world: () => Authority): void {
  async function allocate(who: Subject, partyIdHint: string, userId: string): Promise<string> {
    const provider = who.split('@')[1] ?? ''
    const body = { partyIdHint, userId, identityProviderId: provider }
    const { partyDetails }: { partyDetails?: unknown } = Object(
      await world().done(who, 'POST /v2/parties', body),
    )
    return String(member(partyDetails, 'party'))
  }

  test("neither users nor admins of providers take the id of another user's wallet", async () => {
    await world().done('participant_admin', 'POST /v2/users', { user: { id: 'squatter' } })
    for (const [at, who] of ['squatter', 'admin-p@p'].entries()) {
      const [victim, userId] = [`victix-${at}`, who.split('@')[0] ?? '']
      const taken = await allocate(who, victim, userId)
      assert.ok(taken.startsWith(`${victim}__`), taken)
      assert.equal(await world().register(victim), world().alice.replace('alice', victim))
    }
  })

  test('a participant admin names the parties that it allocates', async () => {
    const party = await allocate('participant_admin', 'treasury', '')
    assert.equal(party, world().alice.replace('alice', 'treasury'))
  })

  test('the longest hint has room for what is added to it', async () => {
    await world().done('participant_admin', 'POST /v2/users', { user: { id: 'long' } })
    assert.match(await allocate('long', 'x'.repeat(185), 'long'), /^x{167}__[0-9a-f]{16}::/)
  })

  test('no two ids of parties look the same', async () => {
    const seen = new Map<string, string>()
    const unit = fc.constantFrom('a', 'b', 'c', ' ', '\u00a0', '\u200b', 'é')
    // Short, so that many are accepted.
    const hint = fc.string({ unit, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(hint, async (partyIdHint) => {
        if (partyIdHint === '' || [...seen.values()].includes(partyIdHint)) return
        const answer = await world().ask('participant_admin', 'POST /v2/parties', { partyIdHint })
        assert.ok([200, 400].includes(answer.status), answer.text)
        if (answer.status === 400) {
          assert.equal(member(answer.json, 'code'), 'INVALID_ARGUMENT', answer.text)
          assert.match(answer.text, /party_hint/)
          return
        }
        const look = partyIdHint.trim().replaceAll(/[\s\u200b]+/gu, ' ')
        assert.equal(seen.get(look), undefined)
        seen.set(look, partyIdHint)
      }),
      { numRuns: 200 },
    )
    assert.ok(seen.size > 3, `${seen.size} accepted`)
  })

  test('hints of external parties are held to the same', async () => {
    const done = (who: string, line: string, body?: unknown): Promise<unknown> =>
      world().done(who, line.replace(' ', ' /api/validator'), body)
    for (const hint of ['shop ', ' shop', 'the  shop'])
      await assert.rejects(generate({ done }, hint, newKey()), /two in succession/)
  })
}
