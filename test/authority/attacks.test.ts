// What outsiders did to take coin, parties and rights, each as it was seen over HTTP. Every case
// failed on the code before docs/authority.md was written.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { generate, newKey, signedTopology } from '../external/kit.ts'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { ADMIN, REGISTER, right, said, startAuthority, WALLET } from './kit.ts'
import type { Authority, Profile } from './kit.ts'

const PROFILES: readonly Profile[] = ['dev', 'production']
const ALICES_COIN = /^[1-9]\d*\.\d{10}$/

for (const storage of storesFor('authority')) {
  after(() => storage.release())
  for (const profile of PROFILES)
    describe(`attacks on ${storage.name}, profile ${profile}`, () => attacks(storage, profile))
}

function attacks(storage: StorageUnderTest, profile: Profile): void {
  let world: Authority
  /** External parties through the operator's own operations. */
  const external = {
    done: (who: string, line: string, body?: unknown) =>
      world.done(who, line.replace(' ', ' /api/validator'), body),
  }

  before(async () => {
    world = await startAuthority(storage, profile)
  })
  after(() => world.stop())

  /** A user of its own has been made, whatever its primary party says. */
  async function assertOwnWallet(who: string, notThese: readonly string[]): Promise<string> {
    const party = await world.register(who)
    assert.ok(!notThese.includes(party), `${who} got ${party}`)
    assert.equal(await world.balanceOf(who), '0.0000000000')
    const [id = ''] = who.split('@')
    const rights = await world.rightsOf(id)
    assert.ok(
      notThese.every((other) => rights?.includes(`CanActAs ${other}`) === false),
      `${who} has ${rights?.join(', ')}`,
    )
    return party
  }

  test('a reader of alice who registers cannot spend her coin', async () => {
    await world.done('participant_admin', 'POST /v2/users', {
      user: { id: 'reader', primaryParty: world.alice },
      rights: [right('CanReadAs', world.alice)],
    })
    await assertOwnWallet('reader', [world.alice])
    assert.match(await world.balanceOf('alice'), ALICES_COIN)
  })

  test('a primary party that a participant admin names before any right on it grants nothing', async () => {
    const user = { id: 'preferrer', primaryParty: world.alice }
    await world.done('participant_admin', 'POST /v2/users', { user })
    await world.done('participant_admin', 'POST /v2/users', { user: { id: 'preferred' } })
    await world.done('participant_admin', 'PATCH /v2/users/preferred', {
      user: { id: 'preferred', primaryParty: world.alice },
      updateMask: { paths: ['primaryParty'] },
    })
    for (const id of ['preferrer', 'preferred']) {
      assert.deepEqual(await world.rightsOf(id), [])
      const read = await world.ask(id, 'POST /v2/state/active-contracts', {
        activeAtOffset: 0,
        eventFormat: { filtersByParty: { [world.alice]: {} } },
      })
      assert.equal(read.status, 403, read.text)
      await assertOwnWallet(id, [world.alice])
    }
  })

  test("an admin of a provider makes no user whose primary party is somebody else's, and none by an update", async () => {
    const { json } = await world.ask('alice', 'GET /api/validator/v0/scan-proxy/dso-party-id')
    const targets = [world.alice, world.operator, String(member(json, 'dso_party_id'))]
    for (const [at, primaryParty] of targets.entries()) {
      const id = `taker-${at}`
      const created = await world.ask('admin-p@p', 'POST /v2/users', {
        user: { id, primaryParty, identityProviderId: 'p' },
      })
      assert.equal(created.status, 400, created.text)
      await world.done('admin-p@p', 'POST /v2/users', { user: { id, identityProviderId: 'p' } })
      const patched = await world.ask('admin-p@p', `PATCH /v2/users/${id}`, {
        user: { id, primaryParty, identityProviderId: 'p' },
        updateMask: { paths: ['primaryParty'] },
      })
      assert.equal(patched.status, 400, patched.text)
      await assertOwnWallet(`${id}@p`, targets)
    }
  })

  test('a right that was revoked does not come back by registering', async () => {
    const party = await world.register('revoked')
    await world.done('participant_admin', 'PATCH /v2/users/revoked/rights', {
      userId: 'revoked',
      rights: [right('CanActAs', party)],
    })
    await world.ask('revoked', REGISTER, {})
    assert.deepEqual(await world.rightsOf('revoked'), [])
    assert.equal((await world.ask('revoked', `GET ${WALLET}/balance`)).status, 403)
  })

  test("a party with keys of its own is nobody's wallet, neither by the operator nor by registering", async () => {
    const holder = newKey()
    const generated = await generate(external, 'outside', holder)
    await world.done(
      'operator',
      `POST ${ADMIN}/external-party/topology/submit`,
      signedTopology(generated, holder),
    )
    const given = await world.ask('operator', `POST ${ADMIN}/users`, {
      name: 'insider',
      party_id: generated.party,
    })
    assert.equal(given.status, 400, given.text)
    assert.equal(await world.rightsOf('insider'), undefined)
    const user = { id: 'delegate', primaryParty: generated.party }
    await world.done('participant_admin', 'POST /v2/users', {
      user,
      rights: [right('CanActAs', generated.party)],
    })
    const party = await world.register('delegate')
    assert.notEqual(party, generated.party)
  })

  test('a party id under a foreign key cannot be taken before its owner comes', async () => {
    const holder = newKey()
    const generated = await generate(external, 'later', holder)
    const squatted = { name: 'squatter', party_id: generated.party, createPartyIfMissing: true }
    assert.equal((await world.ask('operator', `POST ${ADMIN}/users`, squatted)).status, 400)
    const user = { id: 'squatter', primaryParty: generated.party }
    await world.done('participant_admin', 'POST /v2/users', {
      user,
      rights: [right('CanActAs', generated.party)],
    })
    assert.notEqual(await world.register('squatter'), generated.party)
    const owned = await world.ask(
      'operator',
      `POST ${ADMIN}/external-party/topology/submit`,
      signedTopology(generated, holder),
    )
    assert.equal(owned.status, 200, owned.text)
  })

  test("who names and marks a party like a victim's takes neither the victim's wallet nor its id", async () => {
    const allocation = {
      partyIdHint: 'victim',
      identityProviderId: 'p',
      userId: 'admin-p',
      localMetadata: { annotations: { 'wallet-user': 'victim' } },
    }
    const trap = member(
      member(await world.done('admin-p@p', 'POST /v2/parties', allocation), 'partyDetails'),
      'party',
    )
    assert.match(String(trap), /^victim__[0-9a-f]{16}::/)
    const party = await world.register('victim')
    assert.equal(party, world.alice.replace('alice', 'victim'))
  })

  test('who is offboarded or deleted leaves nothing to a namesake', async () => {
    for (const [name, leave] of [
      ['dan', () => world.done('operator', `POST ${ADMIN}/users/offboard?username=dan`)],
      ['dora', () => world.done('participant_admin', 'DELETE /v2/users/dora')],
    ] as const) {
      const party = await world.register(name)
      await world.done(name, `POST ${WALLET}/tap`, { amount: '5' })
      await leave()
      const status = await world.done(`${name}@q`, `GET ${WALLET}/user-status`)
      assert.equal(member(status, 'party_id'), '')
      await assertOwnWallet(`${name}@q`, [party])
    }
  })

  test('who registers with a token of a provider is a user of that provider', async () => {
    const party = await world.register('pia@p')
    assert.equal(await world.register('pia@p'), party)
    assert.equal(await world.balanceOf('pia@p'), '0.0000000000')
    const found = await world.done('admin-p@p', 'GET /v2/users/pia')
    assert.equal(member(member(found, 'user'), 'identityProviderId'), 'p')
    assert.equal(
      (await world.ask('pia', REGISTER, {})).status,
      409,
      'the same name in the default provider is somebody else',
    )
  })

  test('an admin of a provider reaches no user of another, and does not learn who exists', async () => {
    const before = await world.rightsOf('alice')
    const allocate = (userId: string) =>
      [
        'POST /v2/parties',
        { partyIdHint: `gift-${Math.random()}`.replace('.', ''), identityProviderId: 'p', userId },
      ] as const
    const asks = [
      allocate,
      (id: string) => [`GET /v2/users/${id}`] as const,
      (id: string) => [`GET /v2/users/${id}/rights`] as const,
      (id: string) => [`DELETE /v2/users/${id}`] as const,
      (id: string) =>
        [
          `POST /v2/users/${id}/rights`,
          { userId: id, rights: [], identityProviderId: 'p' },
        ] as const,
      (id: string) =>
        [
          `PATCH /v2/users/${id}/rights`,
          { userId: id, rights: [], identityProviderId: 'p' },
        ] as const,
      (id: string) =>
        [
          `PATCH /v2/users/${id}`,
          {
            user: { id, isDeactivated: true, identityProviderId: 'p' },
            updateMask: { paths: ['isDeactivated'] },
          },
        ] as const,
    ]
    for (const asked of asks) {
      const [line, body] = asked('alice')
      const [sameLine, sameBody] = asked('nobody')
      const [there, nowhere] = [
        await world.ask('admin-p@p', line, body),
        await world.ask('admin-p@p', sameLine, sameBody),
      ]
      assert.equal(there.status, 404, `${line}: ${there.text}`)
      assert.deepEqual(
        JSON.parse(JSON.stringify(said(there)).replaceAll('alice', 'nobody')),
        said(nowhere),
        line,
      )
    }
    const status = await world.done('alice@p', `GET ${WALLET}/user-status`)
    assert.deepEqual(status, await world.done('nobody@p', `GET ${WALLET}/user-status`))
    assert.deepEqual(await world.rightsOf('alice'), before)
  })

  test('an admin of a provider grants no execution as a party of another', async () => {
    await world.done('admin-p@p', 'POST /v2/users', {
      user: { id: 'executor', identityProviderId: 'p' },
    })
    const granted = await world.ask('admin-p@p', 'POST /v2/users/executor/rights', {
      userId: 'executor',
      identityProviderId: 'p',
      rights: [right('CanExecuteAs', world.alice)],
    })
    assert.equal(granted.status, 404, granted.text)
    assert.deepEqual(await world.rightsOf('executor'), [])
  })

  test('an admin of a provider cannot become a user who has more than it may grant', async () => {
    const party = await world.register('wealthy@p')
    const holder = newKey()
    const generated = await generate(external, 'keyed', holder)
    await world.done(
      'operator',
      `POST ${ADMIN}/external-party/topology/submit`,
      signedTopology(generated, holder),
    )
    const change = (fields: object, paths: readonly string[]) =>
      world.ask('admin-p@p', 'PATCH /v2/users/wealthy', {
        user: { id: 'wealthy', identityProviderId: 'p', ...fields },
        updateMask: { paths },
      })
    assert.equal(
      (await change({ primaryPartyAuthentication: true }, ['primaryPartyAuthentication'])).status,
      403,
    )
    assert.equal((await change({ primaryParty: generated.party }, ['primaryParty'])).status, 400)
    assert.equal(
      (await change({ isDeactivated: true }, ['isDeactivated'])).status,
      200,
      "taking away is the admin's right",
    )
    assert.equal(
      (await change({ isDeactivated: false }, ['isDeactivated'])).status,
      200,
      "the user's own wallet stands in no way",
    )
    await world.done('participant_admin', 'POST /v2/users/wealthy/rights', {
      userId: 'wealthy',
      identityProviderId: 'p',
      rights: [right('CanReadAs', world.alice)],
    })
    assert.equal((await change({ isDeactivated: true }, ['isDeactivated'])).status, 200)
    assert.equal(
      (await change({ isDeactivated: false }, ['isDeactivated'])).status,
      403,
      'it reads as alice',
    )
    assert.ok((await world.rightsOf('wealthy'))?.includes(`CanActAs ${party}`))
  })

  test("the operator's id is never free", async () => {
    await world.done('participant_admin', 'POST /v2/users', {
      user: { id: 'second-admin' },
      rights: [right('ParticipantAdmin')],
    })
    const deleted = await world.ask('second-admin', 'DELETE /v2/users/operator')
    const move = { userId: 'operator', sourceIdentityProviderId: '', targetIdentityProviderId: 'p' }
    const moved = await world.ask(
      'second-admin',
      'PATCH /v2/users/operator/identity-provider-id',
      move,
    )
    assert.deepEqual([deleted.status, moved.status], [400, 400], deleted.text)
  })

  test('where the operator has all the rights it may have, it hosts no party by halves', async () => {
    const held = (await world.rightsOf('operator'))?.length ?? 0
    const rights = Array.from({ length: 1_000 - held }, (_, at) =>
      right('CanReadAs', `filler-${at}::1220`),
    )
    await world.done('participant_admin', 'POST /v2/users/operator/rights', {
      userId: 'operator',
      rights,
    })
    await world.register('late')
    const holder = newKey()
    const generated = await generate(external, 'late', holder)
    const hosted = await world.ask(
      'operator',
      `POST ${ADMIN}/external-party/topology/submit`,
      signedTopology(generated, holder),
    )
    assert.equal(hosted.status, 400, hosted.text)
    assert.deepEqual(
      member(
        await world.done('participant_admin', `GET /v2/parties/${generated.party}`),
        'partyDetails',
      ),
      [],
    )
  })
}
