// The network of a running service: its clock, its government from the command line, restarts, and
// a start without the seed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { MAIN, run, type Ended } from '../e2e/cli-kit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call, type Answer } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const API = '/api/validator/v0'
const TICK_SECONDS = 600

type Network = (...args: readonly string[]) => Promise<Ended>

function networkOf({ dataDir, url }: Service): Network {
  return (...args) =>
    run(MAIN, ['network', ...args, '--url', url, '--data', dataDir], { cwd: dataDir })
}

const userNames = ({ json }: Answer): unknown[] => {
  const users = member(json, 'users')
  return Array.isArray(users) ? users.map((user) => member(user, 'id')) : []
}

for (const storage of storesFor('network')) {
  describe(`a network on ${storage.name}`, () => {
    let service: Service
    let section: object
    let operator: string
    let network: Network
    const ask = (request: string, body?: object): Promise<Answer> =>
      call(service.url, request.replace(' ', ` ${API}`), {
        token: operator,
        ...(body === undefined ? {} : { body }),
      })
    const start = async (dataDir?: string, more: object = {}): Promise<void> => {
      const config = { storage: section, clock: 'simulated', validator: { pollMs: 50 }, ...more }
      service = await startService({
        config,
        seeded: true,
        ...(dataDir === undefined ? {} : { dataDir }),
      })
      operator = await service.token('operator')
      network = networkOf(service)
    }
    const advance = (seconds: number): Promise<Answer> =>
      ask('POST /admin/clock', { advance_microseconds: seconds * 1_000_000 })
    const round = async (): Promise<number> =>
      Number(member((await ask('GET /wallet/balance')).json, 'round'))

    before(async () => {
      section = await storage.section()
      await start()
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('the seed is there: users with wallets, alice and bob with coin', async () => {
      assert.deepEqual(userNames(await call(service.url, 'GET /v2/users', { token: operator })), [
        'alice',
        'bob',
        'operator',
        'participant_admin',
      ])
      for (const name of ['alice', 'bob']) {
        const { json } = await call(service.url, `GET ${API}/wallet/balance`, {
          token: await service.token(name),
        })
        assert.equal(member(json, 'effective_unlocked_qty'), '20000.0000000000')
      }
    })

    test('the simulated clock stands still, goes ahead, and not back', async () => {
      const shown = (await ask('GET /admin/clock')).json
      assert.equal(member(shown, 'simulated'), true)
      assert.deepEqual((await ask('GET /admin/clock')).json, shown)
      const began = String(member(shown, 'now'))
      const moved = await advance(90)
      assert.equal(Date.parse(String(member(moved.json, 'now'))), Date.parse(began) + 90_000)
      assert.equal((await ask('POST /admin/clock', { now: began })).status, 400)
      assert.equal(
        (
          await ask('POST /admin/clock', {
            now: '9999-12-31T23:59:59.999999Z',
            advance_microseconds: 1,
          })
        ).status,
        400,
      )
      assert.equal((await ask('POST /admin/clock', { advance_microseconds: -1 })).status, 400)
      assert.equal(
        (await call(service.url, `GET ${API}/admin/clock`, { token: await service.token('alice') }))
          .status,
        403,
      )
    })

    test('rounds follow the clock', async () => {
      const before = await round()
      await advance(TICK_SECONDS)
      await eventuallyHolds('the next round is usable', async () => (await round()) === before + 1)
    })

    test('a vote is requested, cast, and closed once it is decided', async () => {
      const action = JSON.stringify({
        tag: 'ARC_DsoRules',
        value: {
          dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'app::12' } },
        },
      })
      const requested = await network('vote', 'request', action, '--reason', 'try it')
      assert.match(requested.stdout, /^requested 00[0-9a-f]{96}\n$/, requested.stderr)
      const [, first = ''] = /requested (\w+)/.exec(requested.stdout) ?? []
      const rejected = await network('vote', 'cast', first, '--reject', '--reason', 'not yet')
      assert.match(
        rejected.stdout,
        /^rejected; the request is now 00[0-9a-f]{96}\n$/,
        rejected.stderr,
      )
      const [, second = ''] = /now (\w+)/.exec(rejected.stdout) ?? []
      assert.deepEqual(await network('vote', 'close', first), {
        code: 1,
        stdout: '',
        stderr: `ledgerwright: the service answers 404: Vote request ${first} is not active\n`,
      })
      assert.deepEqual(await network('vote', 'close', second), {
        code: 0,
        stdout: 'closed: VRO_Rejected\n',
        stderr: '',
      })
    })

    test('votes are listed while they are open', async () => {
      assert.deepEqual(await network('vote', 'list'), {
        code: 0,
        stdout: 'no vote is open\n',
        stderr: '',
      })
      const action = JSON.stringify({
        tag: 'ARC_DsoRules',
        value: { dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'x::12' } } },
      })
      await network('vote', 'request', action, '--expires', '1h')
      const { stdout } = await network('vote', 'list')
      assert.match(stdout, /^00[0-9a-f]{96} .*SRARC_GrantFeaturedAppRight.* by sv-1, open until /)
      const [id = ''] = stdout.split(' ')
      assert.deepEqual(await network('vote', 'close', id), {
        code: 0,
        stdout: 'closed: VRO_Accepted\n',
        stderr: '',
      })
    })

    test('bad votes are refused', async () => {
      for (const action of ['{"tag":"ARC_Nothing","value":{}}', '{}']) {
        const refused = await network('vote', 'request', action)
        assert.equal(refused.code, 1)
        assert.match(refused.stderr, /^ledgerwright: the service answers 400: /)
      }
      assert.equal((await network('vote', 'request', 'no json')).code, 2)
      assert.equal((await network('vote', 'request', '{}', '--expires', 'soon')).code, 2)
      assert.equal((await network('vote', 'close', '00ff')).code, 1)
      const late = {
        action: {},
        reason: { url: '', body: '' },
        vote_before: '2001-01-01T00:00:00Z',
      }
      assert.equal((await ask('POST /admin/network/votes', late)).status, 400)
    })

    test('a provider is featured by a vote, and no longer', async () => {
      const party = 'provider::1220ab'
      assert.deepEqual(await network('feature', party), {
        code: 0,
        stdout: `${party} is featured\n`,
        stderr: '',
      })
      assert.match((await network('feature', party)).stdout, /is already featured/)
      assert.deepEqual(await network('feature', party, '--revoke'), {
        code: 0,
        stdout: `${party} is no longer featured\n`,
        stderr: '',
      })
      assert.deepEqual(await network('feature', party, '--revoke'), {
        code: 1,
        stdout: '',
        stderr: `ledgerwright: ${party} is not featured\n`,
      })
    })

    test('a price is voted for', async () => {
      const voted = await network('price', '0.01')
      assert.match(voted.stdout, /^voted for 0\.01 USD a coin/)
      for (const price of ['0', '-1', 'dear', '0.12345678901'])
        assert.equal((await network('price', price)).code, 1, price)
      assert.equal((await network('price', '0.02', '--user', 'alice')).code, 1)
    })

    test('the fund is allocated and taken back', async () => {
      await eventuallyHolds('the fund has something', async () =>
        (await network('fund', 'list')).stdout.startsWith('unclaimed '),
      )
      const alice = String(
        member(
          (
            await call(service.url, `GET ${API}/wallet/user-status`, {
              token: await service.token('alice'),
            })
          ).json,
          'party_id',
        ),
      )
      const allocated = await network(
        'fund',
        'allocate',
        '--to',
        alice,
        '--amount',
        '10.5',
        '--reason',
        'good work',
        '--expires',
        '1d',
      )
      assert.match(
        allocated.stdout,
        /^allocated 10\.5 to alice::1220\w+: 00[0-9a-f]{96}\n$/,
        allocated.stderr,
      )
      const [, id = ''] = /: (\w+)\n$/.exec(allocated.stdout) ?? []
      assert.match(
        (await network('fund', 'list')).stdout,
        new RegExp(`^allocated ${id} 10.5000000000 to alice::`, 'm'),
      )
      assert.match(
        (await network('fund', 'withdraw', id)).stdout,
        /^withdrawn; unclaimed is now 00/,
      )
      assert.equal((await network('fund', 'withdraw', id)).code, 1)
    })

    test('a contract that is off its synchronizer comes back', async () => {
      const synchronizers = await call(service.url, 'GET /v2/state/connected-synchronizers', {
        token: operator,
      })
      const [, id = ''] = /"synchronizerId":"([^"]+)"/.exec(synchronizers.text) ?? []
      const listed = await ask('GET /wallet/coins')
      const [, coin = ''] = /"contract_id":"(\w+)"/.exec(listed.text) ?? []
      const move = (to: string | null): Promise<Answer> =>
        ask(`POST /admin/network/contracts/${coin}/reassign`, { synchronizer_id: to })
      assert.equal((await move(id)).status, 409)
      assert.equal((await move(null)).status, 200)
      assert.equal((await move(null)).status, 409)
      assert.equal((await move('elsewhere::12')).status, 400)
      assert.equal((await move(id)).status, 200)
      assert.equal(
        (await ask('POST /admin/network/contracts/00ab/reassign', { synchronizer_id: null }))
          .status,
        404,
      )
    })

    if (!storage.durable) return

    test('a restart keeps everything, and time goes on from where it was', async () => {
      const clock = (await ask('GET /admin/clock')).json
      const [rounds, alice] = [await round(), await service.token('alice')]
      const balance = async (): Promise<string> =>
        (await call(service.url, `GET ${API}/wallet/balance`, { token: alice })).text
      const held = await balance()
      assert.equal(await service.stop(), 0)
      await start(service.dataDir)
      assert.equal(await balance(), held)
      assert.equal(await round(), rounds)
      assert.ok(
        Date.parse(String(member((await ask('GET /admin/clock')).json, 'now'))) >=
          Date.parse(String(member(clock, 'now'))),
      )
      assert.equal(
        userNames(await call(service.url, 'GET /v2/users', { token: operator })).length,
        4,
      )
    })
  })
}

describe('a network started differently', () => {
  test('--empty: the operator alone, without coin', async () => {
    const service = await startService({ config: { storage: { use: 'memory' } } })
    const token = await service.token('operator')
    assert.deepEqual(userNames(await call(service.url, 'GET /v2/users', { token })), [
      'operator',
      'participant_admin',
    ])
    const { json } = await call(service.url, `GET ${API}/wallet/balance`, { token })
    assert.equal(member(json, 'effective_unlocked_qty'), '0.0000000000')
    const clock = await call(service.url, `POST ${API}/admin/clock`, {
      token,
      body: { advance_microseconds: 1 },
    })
    assert.equal(clock.status, 400, 'the clock is not simulated')
    await service.stop()
  })

  test('a simulated clock ends while deadlines can still be written, and until then the network goes on', async () => {
    const config = { storage: { use: 'memory' }, clock: 'simulated', validator: { pollMs: 50 } }
    const service = await startService({ config, seeded: true })
    const tokens = {
      operator: await service.token('operator'),
      alice: await service.token('alice'),
    }
    const ask = (user: keyof typeof tokens, request: string, body: object = {}): Promise<Answer> =>
      call(service.url, request.replace(' ', ` ${API}`), { token: tokens[user], body })
    for (const now of ['9999-12-31T23:59:59Z', '9000-08-31T00:00:00Z']) {
      const { status, text } = await ask('operator', 'POST /admin/clock', { now })
      assert.equal(status, 400, now)
      assert.match(text, /the time is out of range/)
    }
    const moved = await ask('operator', 'POST /admin/clock', { now: '9000-08-30T23:59:59Z' })
    assert.equal(moved.status, 200, moved.text)
    await eventuallyHolds(
      'there is a round of that time',
      async () => (await ask('alice', 'POST /wallet/tap', { amount: '1' })).status === 200,
    )
    const { status, text } = await ask('alice', 'POST /wallet/transfer-preapproval')
    assert.equal(status, 200, text)
    await service.stop()
  })

  test('the production profile refuses a simulated clock', async () => {
    const { path, remove } = (await import('../e2e/cli-kit.ts')).tempFolder({
      'ledgerwright.config.json': JSON.stringify({
        profile: 'production',
        storage: { use: 'memory' },
        clock: 'simulated',
      }),
    })
    const checked = await run(MAIN, ['config', 'check'], { cwd: path })
    assert.equal(checked.code, 2)
    assert.match(checked.stderr, /^clock: the production profile refuses a simulated clock/m)
    remove()
  })

  test('no service, no answer: one line', async () => {
    const { path, remove } = (await import('../e2e/cli-kit.ts')).tempFolder()
    const { code, stderr } = await run(
      MAIN,
      ['network', 'price', '1', '--url', 'http://127.0.0.1:9', '--data', path],
      { cwd: path },
    )
    assert.equal(code, 1)
    assert.match(stderr, /^ledgerwright: the service cannot be reached: .*\n$/)
    remove()
  })
})
