// What several administrators and users do to the same few names at once ends in an answer of the
// document, never in a 500, and whatever came of it, everybody is served afterwards. ROUNDS and
// SEED for more than CI plays.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { diceOf } from '../drive/dice.ts'
import type { Dice } from '../drive/dice.ts'
import { ADMIN, REGISTER, right, startAuthority, WALLET } from './kit.ts'
import type { Authority, Subject } from './kit.ts'

const SEED = Number(process.env['SEED'] ?? 15)
const ROUNDS = Number(process.env['ROUNDS'] ?? 80)
const AT_ONCE = 4
const NAMES = ['cat', 'dan'] as const
const LATE = fileURLToPath(new URL('./driver/late-memory.ts', import.meta.url))

type Request = readonly [who: Subject, line: string, body?: unknown]

/** One about one of the names, by whoever may or may not. */
function draw({ alice, operator }: Authority, dice: Dice): Request {
  const id = dice.pick(NAMES)
  const self = dice.pick([id, `${id}@p`])
  const rights = [right('CanActAs', alice)]
  const node = alice.slice(alice.indexOf('::'))
  const admin = 'participant_admin'
  return dice.pick<Request>([
    // Mostly coming and going.
    [self, REGISTER, {}],
    [self, REGISTER, {}],
    [self, REGISTER, {}],
    [self, `POST ${WALLET}/tap`, { amount: '1' }],
    [self, `POST ${WALLET}/transfer-preapproval`, {}],
    [self, `POST ${WALLET}/self-grant-feature-app-right`, {}],
    ['operator', `POST ${ADMIN}/users`, { name: id }],
    ['operator', `POST ${ADMIN}/users`, { name: id, party_id: dice.pick([alice, operator]) }],
    [
      'operator',
      `POST ${ADMIN}/users`,
      { name: id, party_id: `${dice.pick(NAMES)}-own${node}`, createPartyIfMissing: true },
    ],
    ...Array.from({ length: 4 }, (): Request => [
      'operator',
      `POST ${ADMIN}/users/offboard?username=${id}`,
    ]),
    [admin, `DELETE /v2/users/${id}`],
    [admin, `DELETE /v2/users/${id}`],
    [admin, 'POST /v2/users', { user: { id, primaryParty: alice }, rights }],
    [admin, `POST /v2/users/${id}/rights`, { userId: id, rights }],
    [admin, `PATCH /v2/users/${id}/rights`, { userId: id, rights }],
    [
      admin,
      `PATCH /v2/users/${id}`,
      {
        user: { id, isDeactivated: dice.chance(0.3), primaryParty: dice.pick(['', alice]) },
        updateMask: { paths: ['isDeactivated', 'primaryParty'] },
      },
    ],
    [
      admin,
      `PATCH /v2/users/${id}/identity-provider-id`,
      {
        userId: id,
        sourceIdentityProviderId: dice.pick(['', 'p']),
        targetIdentityProviderId: dice.pick(['', 'p']),
      },
    ],
    [admin, 'POST /v2/parties', { partyIdHint: id, userId: dice.pick(NAMES) }],
  ])
}

const stores: readonly StorageUnderTest[] = storesFor('authority').map((store) =>
  store.name === 'sqlite'
    ? { ...store, name: 'memory', durable: false, section: async () => ({ use: LATE }) }
    : store,
)

for (const storage of stores) {
  after(() => storage.release())
  test(`${ROUNDS} times ${AT_ONCE} at once about two names: no 5xx, seed ${SEED}, ${storage.name}`, async (t) => {
    const world = await startAuthority(storage, 'dev')
    t.after(() => world.stop())
    const dice = diceOf(SEED)
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests = Array.from({ length: AT_ONCE }, () => draw(world, dice))
      const answers = await Promise.all(
        requests.map(([who, line, body]) => world.ask(who, line, body)),
      )
      const broken = answers.flatMap(({ status, text }, at) =>
        status < 500 ? [] : [`${status} ${text} to ${JSON.stringify(requests[at])}`],
      )
      assert.deepEqual(broken, [], `round ${round} of ${JSON.stringify(requests)}`)
    }
    for (const name of NAMES) {
      await world.ask('operator', `POST ${ADMIN}/users/offboard?username=${name}`)
      await world.ask('participant_admin', `DELETE /v2/users/${name}`)
      assert.match(await world.register(name), /::/)
    }
  })
}
