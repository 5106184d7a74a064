// Whoever signs a contract agrees to the choices of its version: one that a later version adds is
// for the signatories, whoever uploaded it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archive, dar, own, PARTY, UNIT } from '../support/dar-writer.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, createdId, exercise, startLedger, WAIT } from '../interfaces/ledger-kit.ts'
import { create } from './kit.ts'
import { field, listOf, pure, unit, variable } from './expressions.ts'

const DEAL = own('Deals:Deal')
const partyOf = (name: string) => listOf(PARTY, field(DEAL, name, variable('this')))
const [owner, friend, nobody] = [partyOf('owner'), partyOf('friend'), listOf(PARTY)]
const choice = { result: UNIT, observers: nobody, body: pure(UNIT, unit) }

function deals(version: string, choices: readonly string[]) {
  const added = [
    { ...choice, name: 'ByOwner', controllers: owner },
    { ...choice, name: 'ByFriend', controllers: friend },
  ].filter(({ name }) => choices.includes(name))
  return archive({
    name: 'deals',
    version,
    modules: [
      {
        name: 'Deals',
        dataTypes: [
          {
            name: 'Deal',
            serializable: true,
            record: [
              ['owner', PARTY],
              ['friend', PARTY],
            ],
          },
        ],
        templates: [{ name: 'Deal', signatories: owner, observers: friend, choices: added }],
      },
    ],
  })
}

const TEMPLATE = '#deals:Deals:Deal'

for (const storage of storesFor('packages that run'))
  test(`a later version gives nobody the signatory's authority on ${storage.name}`, async (t) => {
    const ledger = await startLedger(storage)
    t.after(() => ledger.stop())
    const { service, admin, alice, bob } = ledger
    const upload = async (main: ReturnType<typeof archive>) => {
      const answer = await call(service.url, 'POST /v2/packages', {
        token: admin,
        raw: new Uint8Array(dar({ main })),
        headers: { 'content-type': 'application/octet-stream' },
      })
      assert.equal(answer.status, 200, answer.text)
    }
    const make = async () =>
      createdId(
        await ledger.show(alice, create(TEMPLATE, { owner: alice.party, friend: bob.party })),
      )
    await upload(deals('1.0.0', []))
    const [first, second] = [await make(), await make()]
    await upload(deals('2.0.0', ['ByOwner', 'ByFriend']))
    const refused = await call(service.url, WAIT, {
      token: bob.token,
      body: commandsOf(bob, exercise(TEMPLATE, first, 'ByFriend', {})),
    })
    assert.equal(refused.status, 400, refused.text)
    await ledger.submit(alice, exercise(TEMPLATE, second, 'ByOwner', {}))
    await ledger.submit(bob, exercise(TEMPLATE, await make(), 'ByFriend', {}))
  })
