// An id that a client chose, used again: the same request gets the same answer, another one 409,
// whatever has happened meanwhile. Over HTTP, on the databases, one in each profile; in both where
// STORES is set. docs/idempotency.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import type { Answer } from '../support/http.ts'
import { chosenStores, storesFor } from '../support/storages.ts'
import { answered, repeat, REPEATABLE, startPlace } from './repeated-kit.ts'
import type { Place, Repeatable } from './repeated-kit.ts'

const AT_ONCE = 6
const PROFILES = ['dev', 'production'] as const
/** A database and a profile have little to do with each other. */
const USUAL = { memory: ['dev'], sqlite: ['production'], postgres: ['dev'] } as const

function assertOther(answer: Answer, what: string): void {
  assert.equal(answer.status, 409, `${what}: ${answer.status} ${answer.text}`)
  assert.match(String(member(answer.json, 'error')), /with other content/, what)
}

/** The same again as `first`; changed in any way it is refused. */
async function assertKept(
  place: Place,
  operation: Repeatable,
  id: string,
  first: Answer,
): Promise<void> {
  for (const change of [{}, ...operation.same]) {
    const again = await repeat(place, operation, id, change)
    assert.deepEqual(
      [again.status, again.text],
      [200, first.text],
      `${JSON.stringify(change)}: ${again.text}`,
    )
  }
  for (const change of operation.others(place))
    assertOther(await repeat(place, operation, id, change), JSON.stringify(change))
}

async function unlocked(place: Place, user: 'bob' | 'carol'): Promise<number> {
  return Number(
    member(
      (await answered(place.ask(user, 'GET /v0/wallet/balance'))).json,
      'effective_unlocked_qty',
    ),
  )
}

function idOf(answer: Answer, ...names: readonly string[]): string {
  return String(names.reduce(member, answer.json))
}

for (const storage of storesFor('repeated requests')) {
  for (const profile of chosenStores() === undefined ? USUAL[storage.name] : PROFILES) {
    describe(`repeated requests on ${storage.name}, profile ${profile}`, () => {
      let place: Place
      before(async () => {
        place = await startPlace(profile, await storage.section())
      })
      after(async () => {
        await place.service.stop()
      })

      for (const operation of REPEATABLE) {
        test(`${operation.name} happens once for an id: the same again is answered alike, anything else is refused`, async () => {
          const first = await answered(repeat(place, operation, 'one'))
          await assertKept(place, operation, 'one', first)
        })

        test(`${operation.name} asked for many times at once, in two ways: one of them happens, once`, async () => {
          const ways = [{}, operation.others(place)[0] ?? {}]
          const asked = Array.from({ length: AT_ONCE }, (_, at) => at % ways.length)
          const answers = await Promise.all(
            asked.map((way) => repeat(place, operation, 'many', ways[way])),
          )
          const done = answers.flatMap((answer, at) =>
            answer.status === 200 ? [{ text: answer.text, way: asked[at] }] : [],
          )
          assert.ok(
            answers.every(({ status }) => [200, 409, 429].includes(status)),
            String(answers.map(({ status }) => status)),
          )
          assert.deepEqual(
            done,
            done.map(() => done[0]),
          )
          for (const [way, change] of ways.entries()) {
            const again = await repeat(place, operation, 'many', change)
            if (way === done[0]?.way)
              assert.deepEqual([again.status, again.text], [200, done[0].text])
            else assertOther(again, 'the other one')
          }
        })
      }

      test('a payment by preapproval pays once and to one, whatever is asked for under its id', async () => {
        const [, , operation] = REPEATABLE
        assert.ok(operation)
        const [bob, carol] = [await unlocked(place, 'bob'), await unlocked(place, 'carol')]
        await assertKept(
          place,
          operation,
          'paid once',
          await answered(repeat(place, operation, 'paid once')),
        )
        assert.deepEqual(
          [(await unlocked(place, 'bob')) - bob, (await unlocked(place, 'carol')) - carol],
          [1.5, 0],
        )
      })

      test('a preapproval asked for many times at once is made once, and all are told of it', async () => {
        const create = () => place.ask('alice', 'POST /v0/wallet/transfer-preapproval')
        const shown = ({ status, json }: Answer) =>
          [status, member(json, 'transfer_preapproval_contract_id')] as const
        const answers = (await Promise.all(Array.from({ length: 10 }, create))).map(shown)
        const [[, id] = []] = answers
        assert.ok(answers.some(([status]) => status === 200))
        // Whoever comes when it is made already is told so.
        for (const [status, told] of answers) {
          assert.ok(status === 200 || status === 409)
          assert.equal(told, id)
        }
        assert.deepEqual(shown(await create()), [409, id])
      })

      test('a payment whose preapproval is gone by now is answered as it was', async () => {
        const [, , operation] = REPEATABLE
        assert.ok(operation)
        const first = await answered(
          repeat(place, operation, 'by carol', { receiver_party_id: place.party('carol') }),
        )
        await answered(
          place.ask(
            'operator',
            `DELETE /v0/admin/transfer-preapprovals/by-party/${place.party('carol')}`,
          ),
        )
        const again = await repeat(place, operation, 'by carol', {
          receiver_party_id: place.party('carol'),
        })
        assert.deepEqual([again.status, again.text], [200, first.text])
        assertOther(
          await repeat(place, operation, 'by carol', {
            receiver_party_id: place.party('carol'),
            amount: '2',
          }),
          'amount',
        )
        await answered(place.ask('carol', 'POST /v0/wallet/transfer-preapproval'))
      })

      for (const how of ['withdraw', 'reject'] as const) {
        test(`after ${how} an id still answers what was made for it`, async () => {
          const [offer, transfer] = REPEATABLE
          assert.ok(offer && transfer)
          const user = how === 'withdraw' ? 'alice' : 'operator'
          const offered = await answered(repeat(place, offer, how))
          const locked = await answered(repeat(place, transfer, how))
          const ends = [
            `/transfer-offers/${idOf(offered, 'offer_contract_id')}/${how}`,
            `/token-standard/transfers/${idOf(locked, 'output', 'transfer_instruction_cid')}/${how}`,
          ]
          for (const path of ends) await answered(place.ask(user, `POST /v0/wallet${path}`))
          await assertKept(place, offer, how, offered)
          await assertKept(place, transfer, how, locked)
        })
      }

      test('what failed leaves its id free, for anything', async () => {
        for (const operation of REPEATABLE) {
          const bad =
            operation.path === '/buy-traffic-requests'
              ? { receiving_validator_party_id: 'nobody::1220' }
              : { amount: '0' }
          assert.equal((await repeat(place, operation, 'failed', bad)).status, 400, operation.name)
        }
        for (const operation of REPEATABLE.slice(1, 3)) {
          assert.equal(
            (await repeat(place, operation, 'failed', { amount: '100000000' })).status,
            400,
            operation.name,
          )
        }
        for (const operation of REPEATABLE) {
          await assertKept(
            place,
            operation,
            'failed',
            await answered(repeat(place, operation, 'failed')),
          )
        }
      })

      test('an id survives the server', async () => {
        const firsts = await Promise.all(
          REPEATABLE.map((operation) => answered(repeat(place, operation, 'kept'))),
        )
        place = await place.restarted()
        for (const [at, operation] of REPEATABLE.entries()) {
          const first = firsts[at]
          assert.ok(first)
          await assertKept(place, operation, 'kept', first)
        }
      })
    })
  }
  after(() => storage.release())
}
