// Streams over websockets: the same elements as the lists, what is new as soon as it is committed,
// and an end when the caller may no longer see them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { call } from '../support/http.ts'
import { withinOnce } from '../support/eventually.ts'
import { heldMemory, memoryProbe } from '../support/memory-probe.ts'
import { storesFor } from '../support/storages.ts'
import { tempDir } from '../support/temp-dir.ts'
import { createRules, list, path, startLedger } from './ledger-kit.ts'
import type { LedgerClient, LedgerUser } from './ledger-kit.ts'
import { openStream } from './stream-client.ts'
import type { StreamClient, StreamOptions } from './stream-client.ts'

const SUBPROTOCOL = 'ledger.ws.auth'
const all = (user: LedgerUser): object => ({ filtersByParty: { [user.party]: {} } })
const deltas = (user: LedgerUser): object => ({
  includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat: all(user) },
})
const offsetOf = (element: unknown): number =>
  Number(path(element, 'update', 'Transaction', 'value', 'offset'))
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

for (const storage of storesFor('streams')) {
  describe(`streams on ${storage.name}`, () => {
    let ledger: LedgerClient
    let folder: Awaited<ReturnType<typeof tempDir>>
    let probe = ''
    let watchers = 0
    const open = async (
      user: LedgerUser,
      where: string,
      request: unknown,
      options: StreamOptions = { token: user.token },
    ): Promise<StreamClient> => {
      const opened = await openStream(ledger.service.url, where, request, options)
      return 'elements' in opened ? opened : assert.fail(`${opened.status} ${opened.body}`)
    }
    const create = async (user: LedgerUser): Promise<number> =>
      Number(path(await ledger.submit(user, createRules(user)), 'completionOffset'))

    before(async () => {
      folder = await tempDir()
      probe = join(folder.path, 'memory.json')
      const network = { traffic: { baseBurstBytes: 1_000_000_000 } }
      ledger = await startLedger(storage, { network }, memoryProbe(probe))
    })
    after(async () => {
      await ledger.stop()
      await folder.remove()
    })
    const heldBytes = async (): Promise<number> => {
      const { heapUsed, external } = await heldMemory(ledger.service.process.pid, probe)
      return heapUsed + external
    }

    test('active contracts are those of the list, and then the stream ends', async () => {
      const { alice, done, end } = ledger
      for (let count = 0; count < 3; count += 1) await create(alice)
      const request = { activeAtOffset: await end(), eventFormat: all(alice) }
      const stream = await open(alice, '/v2/state/active-contracts', request)
      assert.equal(await stream.ended, 1000)
      assert.deepEqual(
        stream.elements,
        await done(alice, 'POST /v2/state/active-contracts', request),
      )
    })

    test('updates: what was, then what comes, within 200 ms of its commit', async (t) => {
      const { alice, bob, done, end } = ledger
      const beginExclusive = await end()
      const first = await create(alice)
      const stream = await open(alice, '/v2/updates', {
        beginExclusive,
        updateFormat: deltas(alice),
      })
      await stream.until(1)
      assert.equal(offsetOf(stream.elements[0]), first)
      const made = [first]
      await withinOnce(200, async () => {
        const delays: number[] = []
        for (let count = 0; count < 20; count += 1) {
          await create(bob)
          made.push(await create(alice))
          const committedMs = performance.now()
          await stream.until(made.length)
          delays.push((stream.times.at(-1) ?? Infinity) - committedMs)
        }
        assert.deepEqual(stream.elements.map(offsetOf), made)
        t.diagnostic(`after the commit's answer: ${Math.max(...delays).toFixed(1)} ms at most`)
        return Math.max(...delays)
      })
      await stream.close()
      const endInclusive = await end()
      const request = { beginExclusive, endInclusive, updateFormat: deltas(alice) }
      assert.deepEqual(stream.elements, list(await done(alice, 'POST /v2/updates', request)))
      const bounded = await open(alice, '/v2/updates', request)
      assert.equal(await bounded.ended, 1000)
      assert.deepEqual(bounded.elements, stream.elements)
    })

    test('completions come with the commands', async () => {
      const { alice, end } = ledger
      const stream = await open(alice, '/v2/commands/completions', {
        parties: [alice.party],
        beginExclusive: await end(),
      })
      const offset = await create(alice)
      await stream.until(1)
      assert.equal(
        path(stream.elements[0], 'completionResponse', 'Completion', 'value', 'offset'),
        offset,
      )
      await stream.close()
    })

    test('the token may stand among the subprotocols, with or without blanks', async () => {
      const { alice, end } = ledger
      const protocols = [SUBPROTOCOL, `jwt.token.${alice.token}`]
      const request = { activeAtOffset: await end(), eventFormat: all(alice) }
      const stream = await open(alice, '/v2/state/active-contracts', request, { protocols })
      assert.equal(stream.socket.protocol, SUBPROTOCOL)
      assert.equal(await stream.ended, 1000)
      assert.ok(stream.elements.length > 0)
    })

    test('a refusal is the last element', async () => {
      const { alice, bob, end } = ledger
      const rejections: [string, unknown, StreamOptions, code: string][] = [
        [
          '/v2/updates',
          { beginExclusive: 0, updateFormat: deltas(bob) },
          { token: alice.token },
          'NA',
        ],
        ['/v2/updates', { beginExclusive: 0, updateFormat: deltas(alice) }, {}, 'NA'],
        [
          '/v2/updates',
          { beginExclusive: 0, updateFormat: deltas(alice) },
          { token: `${alice.token}x` },
          'NA',
        ],
        [
          '/v2/updates',
          { beginExclusive: -1, updateFormat: deltas(alice) },
          { token: alice.token },
          'NEGATIVE_OFFSET',
        ],
        [
          '/v2/updates',
          { beginExclusive: (await end()) + 99, updateFormat: deltas(alice) },
          { token: alice.token },
          'OFFSET_AFTER_LEDGER_END',
        ],
        ['/v2/updates', {}, { token: alice.token }, 'MISSING_FIELD'],
        ['/v2/updates', '{bad', { token: alice.token }, 'INVALID_ARGUMENT'],
        ['/v2/updates', { beginExclusive: 'x' }, { token: alice.token }, 'INVALID_ARGUMENT'],
        ['/v2/commands/completions', { parties: [] }, { token: alice.token }, 'MISSING_FIELD'],
        [
          '/v2/state/active-contracts',
          { activeAtOffset: 1 },
          { token: alice.token },
          'INVALID_ARGUMENT',
        ],
      ]
      for (const [where, request, options, code] of rejections) {
        const stream = await open(alice, where, request, options)
        assert.equal(await stream.ended, 1008)
        assert.deepEqual(
          stream.elements.map((element) => path(element, 'code')),
          [code],
          JSON.stringify(stream.elements),
        )
      }
    })

    test('what is no stream is not upgraded, and an ordinary GET is answered as ever', async () => {
      const { alice, service } = ledger
      for (const [where, status] of [
        ['/v2/nothing', 404],
        ['/v2/commands/submit-and-wait', 405],
      ] as const) {
        const opened = await openStream(service.url, where, undefined, { token: alice.token })
        assert.ok('status' in opened && opened.status === status, where)
      }
      const refused = await openStream(service.url, '/v2/updates?limit=x', undefined, {
        token: alice.token,
      })
      assert.deepEqual(refused, { status: 400, body: 'Invalid value for: query parameter limit' })
      assert.equal((await call(service.url, 'GET /v2/updates', { token: alice.token })).status, 405)
      const sent = request(`${service.url}/v2/version`, {
        headers: { connection: 'upgrade', upgrade: 'h2c' },
      }).end()
      const [answer] = await once(sent, 'response')
      assert.equal(answer.statusCode, 200)
      answer.resume()
    })

    test('it ends when the right ends, within 5 s', () =>
      withinOnce(5_000, async () => {
        const { alice, admin, service, end } = ledger
        const user = `watcher-${(watchers += 1)}`
        const right = { kind: { CanReadAs: { value: { party: alice.party } } } }
        await call(service.url, 'POST /v2/users', {
          token: admin,
          body: { user: { id: user }, rights: [right] },
        })
        const token = await service.token(user)
        const request = { beginExclusive: await end(), updateFormat: deltas(alice) }
        const stream = await open(alice, '/v2/updates', request, { token })
        await create(alice)
        await stream.until(1)
        const revokedMs = performance.now()
        const revoked = await call(service.url, `PATCH /v2/users/${user}/rights`, {
          token: admin,
          body: { userId: user, rights: [right] },
        })
        assert.equal(revoked.status, 200, revoked.text)
        assert.equal(await stream.ended, 1008)
        const tookMs = performance.now() - revokedMs
        assert.equal(path(stream.elements.at(-1), 'code'), 'STALE_STREAM_AUTHORIZATION')
        const again = await open(alice, '/v2/updates', request, { token })
        assert.equal(await again.ended, 1008)
        assert.deepEqual(
          again.elements.map((element) => path(element, 'code')),
          ['NA'],
        )
        return tookMs
      }))

    test('a client that does not read holds up only itself', async () => {
      const { alice, end } = ledger
      const many = Array.from({ length: 200 }, () => createRules(alice))
      const beginExclusive = await end()
      for (let count = 0; count < 10; count += 1) await ledger.submit(alice, ...many)
      const request = { beginExclusive: 0, updateFormat: deltas(alice) }
      const before = await heldBytes()
      const lazy = await Promise.all(
        Array.from({ length: 20 }, () => open(alice, '/v2/updates', undefined)),
      )
      for (const { socket } of lazy) {
        socket.pause()
        socket.send(JSON.stringify(request))
      }
      const eager = await open(alice, '/v2/updates', { ...request, beginExclusive })
      await eager.until(10)
      await create(alice)
      await eager.until(11)
      await sleep(500)
      assert.ok((await heldBytes()) - before < 40 * 1_024 * 1_024, 'nothing piles up')
      for (const { socket } of lazy) socket.terminate()
      await eager.close()
    })

    test('clients that come and go leave nothing behind', async () => {
      const { alice, service, end } = ledger
      const request = { beginExclusive: await end(), updateFormat: deltas(alice) }
      for (let round = 0; round < 10; round += 1) {
        const streams = await Promise.all(
          Array.from({ length: 20 }, () => open(alice, '/v2/updates', request)),
        )
        for (const [at, { socket }] of streams.entries()) {
          if (at % 2 === 0) socket.terminate()
          else socket.close()
        }
      }
      const last = await open(alice, '/v2/updates', request)
      const offset = await create(alice)
      await last.until(1)
      assert.equal(offsetOf(last.elements[0]), offset)
      await last.close()
      assert.equal((await call(service.url, 'GET /readyz')).status, 200)
    })
  })
}

test('a service that stops says goodbye to its streams', async () => {
  const [storage] = storesFor('streams')
  assert.ok(storage)
  const ledger = await startLedger(storage)
  const { alice, service } = ledger
  const stream = await openStream(
    service.url,
    '/v2/updates',
    { beginExclusive: 0, updateFormat: deltas(alice) },
    { token: alice.token },
  )
  assert.ok('elements' in stream)
  await stream.until(1)
  const startedMs = performance.now()
  assert.equal(await service.stop(), 0)
  assert.ok(
    performance.now() - startedMs < 8_000,
    'sooner than the 10 s that requests under way may take',
  )
  assert.equal(await stream.ended, 1001)
})
