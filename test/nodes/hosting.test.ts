// A party that two nodes host: nothing before both have agreed, then the same on both, and still
// nothing on the third.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { generate, signedTopology } from '../external/kit.ts'
import { openNodes } from './in-process.ts'
import { ADMIN, byOperator, participantOf } from './kit.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import {
  ALLOCATE,
  completionsAt,
  executed,
  known,
  letRead,
  pingOf,
  signedHosting,
  signedParty,
  updateAt,
} from './outside-party.ts'
import type { Made } from './outside-party.ts'

describe('a party on several nodes', () => {
  let nodes: LocalNodes
  let [sv, provider, user]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['sv', 'provider', 'user'])
    ;[sv, provider, user] = nodes.all
  })
  after(() => nodes.close())

  test('is there once all have agreed, and is served by these alone', async () => {
    assert.ok(sv !== undefined && provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'shared', {
      otherConfirmingParticipantUids: [await participantOf(provider)],
    })
    await user.done('participant_admin', ALLOCATE, made.request)
    assert.deepEqual(await known(user, made.party), [])
    assert.deepEqual(await known(provider, made.party), [])
    await provider.done('participant_admin', ALLOCATE, made.request)
    for (const node of [user, provider]) assert.equal((await known(node, made.party)).length, 1)
    assert.deepEqual(await known(sv, made.party), [])

    const scan = await user.ask(
      'participant_admin',
      `GET /api/scan/v0/domains/${encodeURIComponent(made.synchronizer)}/parties/${encodeURIComponent(made.party)}/participant-id`,
    )
    assert.equal(scan.status, 409, scan.text)

    const updateId = await pingBy(user, made)
    for (const node of [user, provider]) {
      const shown = await updateAt(node, updateId, made.party)
      assert.equal(shown.status, 200, `${node.name}: ${shown.text}`)
    }
    assert.equal((await updateAt(sv, updateId, made.party)).status, 404)
  })

  test('may be observed by another node', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'watched', {
      observingParticipantUids: [await participantOf(provider)],
    })
    for (const node of [provider, user])
      await node.done('participant_admin', ALLOCATE, made.request)
    const updateId = await pingBy(user, made)
    assert.equal((await updateAt(provider, updateId, made.party)).status, 200)
  })

  test('never comes about with a node that is not on the ledger, or where it is already', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const stranger = `stranger::1220${'ab'.repeat(32)}`
    const made = await signedParty(user, 'lost', { otherConfirmingParticipantUids: [stranger] })
    const refused = await user.ask('participant_admin', ALLOCATE, made.request)
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, new RegExp(stranger))

    const alone = await signedParty(user, 'twice')
    await user.done('participant_admin', ALLOCATE, alone.request)
    const both = await signedHosting(alone, [user, provider], 1)
    for (const node of [provider, user]) {
      const late = await node.ask('participant_admin', ALLOCATE, both.request)
      assert.equal(late.status, 400, late.text)
    }
    assert.deepEqual(await known(provider, both.party), [])
  })

  test('is not hosted by a node that did not agree with the others, whatever its keys signed', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const own = await signedParty(user, 'loyal')
    await user.done('participant_admin', ALLOCATE, own.request)
    const again = await signedParty(provider, 'loyal', {}, own.holders)
    assert.equal(again.party, own.party)
    const [holder] = own.holders
    assert.ok(holder !== undefined)
    const generated = await generate(byOperator(provider), 'loyal', holder)
    const answers = [
      await provider.ask('participant_admin', ALLOCATE, again.request),
      await provider.ask(
        'operator',
        `POST ${ADMIN}/external-party/topology/submit`,
        signedTopology(generated, holder),
      ),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 409],
    )
    assert.deepEqual(await known(provider, own.party), [])
  })

  test('users of one name on both nodes are told of their own commands alone', async () => {
    assert.ok(provider !== undefined && user !== undefined)
    const made = await signedParty(user, 'named', {
      otherConfirmingParticipantUids: [await participantOf(provider)],
    })
    for (const node of [user, provider])
      await node.done('participant_admin', ALLOCATE, made.request)
    const updateId = await pingBy(user, made)
    assert.deepEqual(await completionsAt(user, made.party), [updateId])
    assert.deepEqual(await completionsAt(provider, made.party), [])
  })
})

/** A contract of the party alone; the update's id. */
async function pingBy(node: LocalNode, made: Made): Promise<string> {
  await letRead(node, made.party)
  const done = await executed(node, made, [pingOf(made)])
  assert.equal(done.status, 200, done.text)
  return String(member(done.json, 'updateId'))
}

test('a user has no more parties proposed and hosted together than it may allocate', async (t) => {
  const nodes = await openNodes(['one', 'two'], { ledger: { maxSelfAllocatedParties: 2 } })
  t.after(() => nodes.close())
  const [one, two] = nodes.all
  assert.ok(one !== undefined && two !== undefined)
  for (const id of ['ann', 'ben']) {
    const user = { id, identityProviderId: '' }
    await one.done('participant_admin', 'POST /v2/users', { user, rights: [] })
  }
  const otherConfirmingParticipantUids = [await participantOf(two)]
  const made = (hint: string) => signedParty(one, hint, { otherConfirmingParticipantUids })
  const [first, second, third] = [await made('first'), await made('second'), await made('third')]
  const proposes = async (userId: string, { request }: Made) =>
    (await one.ask(userId, ALLOCATE, { ...request, userId })).status

  assert.equal(await proposes('ann', first), 200)
  assert.equal(await proposes('ann', second), 200)
  assert.equal(await proposes('ann', third), 403)
  assert.equal(await proposes('ann', first), 200, 'the same one is no further one')
  await two.done('participant_admin', ALLOCATE, first.request)
  assert.equal((await known(one, first.party)).length, 1)
  assert.equal(await proposes('ann', third), 403, 'one is hosted, one is open')
  assert.equal(await proposes('ben', third), 200)
})
