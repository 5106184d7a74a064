// A development network as somebody who tries things out has it: tokens in the banner, coin from
// nowhere, a clock that is moved, and a network that is taken back, begun anew and begun from a
// backup, while its address stays. docs/development-network.md
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { member } from '../../runtime/host/member.ts'
import { archive, dar, number, TEXT } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { asAdmin } from '../support/postgres.ts'
import { MAIN, startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { openStream } from '../interfaces/stream-client.ts'
import { run, RUNTIME, started, tempFolder } from './cli-kit.ts'

const BALANCE = 'GET /api/validator/v0/wallet/balance'

async function balanceOf(url: string, token: string): Promise<string> {
  const { status, json } = await call(url, BALANCE, { token })
  assert.equal(status, 200)
  assert.ok(typeof json === 'object' && json !== null && 'effective_unlocked_qty' in json)
  return String(json.effective_unlocked_qty)
}

function bannerToken({ banner }: Service, user: string): string {
  return new RegExp(`^ +${user} +(\\S+)$`, 'm').exec(banner)?.[1] ?? ''
}

/** Outages of a database and its connections while its server restarts. */
class Outages {
  readonly #name: string
  readonly #server: string

  constructor(url: string) {
    this.#name = new URL(url).pathname.slice(1)
    this.#server = Object.assign(new URL(url), { pathname: '/postgres' }).href
  }

  refuse(): Promise<void> {
    return asAdmin(this.#server, `alter database ${this.#name} allow_connections false`)
  }

  take(): Promise<void> {
    return asAdmin(this.#server, `alter database ${this.#name} allow_connections true`)
  }

  /** Nobody is connected. */
  async isLeft(): Promise<boolean> {
    return (await this.#rows('select 1 from pg_stat_activity where datname = $1')) === 0
  }

  /** Ends connections that wait for a lock; whether there was one. */
  async breakWaiting(): Promise<boolean> {
    const ending = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = $1 and wait_event_type = 'Lock'`
    return (await this.#rows(ending)) > 0
  }

  async #rows(sql: string): Promise<number> {
    const client = new pg.Client(this.#server)
    await client.connect()
    try {
      return (await client.query(sql, [this.#name])).rows.length
    } finally {
      await client.end()
    }
  }
}

for (const storage of storesFor('development network')) {
  describe(`a development network on ${storage.name}`, () => {
    let service: Service
    let section: object = {}
    let alice = ''
    let operator = ''
    before(async () => {
      section = await storage.section()
      const config = { storage: section, clock: 'simulated' }
      service = await startService({ config, seeded: true })
      alice = bannerToken(service, 'alice')
      operator = await service.token('operator')
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    const develop = (request: string, body?: object, token = operator) =>
      call(service.url, request, { token, ...(body === undefined ? {} : { body }) })
    const tap = async (id: string): Promise<void> => {
      const body = { amount: '1', command_id: id }
      const { status } = await develop('POST /api/validator/v0/wallet/tap', body, alice)
      assert.equal(status, 200)
    }

    const revert = async (): Promise<void> => {
      const { status } = await develop('POST /development/revert', { snapshot: 'start' })
      assert.equal(status, 200)
    }

    test('the tokens of alice and bob are in the banner, and let them in', async () => {
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
      assert.equal(await balanceOf(service.url, bannerToken(service, 'bob')), '20000.0000000000')
    })

    test('a snapshot brings back coins, users and the time', async () => {
      // To the millisecond: each commit is a microsecond later than the one before.
      const time = async () =>
        (await develop('GET /api/validator/v0/admin/clock')).text.replace(/\d{3}Z/, 'Z')
      const before = await time()
      assert.equal((await develop('POST /development/snapshots', { name: 'start' })).status, 200)
      await tap('after-1')
      const body = { advance_microseconds: 30 * 86_400 * 1e6 }
      assert.equal((await develop('POST /api/validator/v0/admin/clock', body)).status, 200)
      assert.notEqual(await time(), before)
      assert.notEqual(await balanceOf(service.url, alice), '20000.0000000000')
      await revert()
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
      assert.equal(await time(), before)
      // The command id was used in a network that is gone.
      await tap('after-1')
      await revert()
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
    })

    test('streams are closed while the network changes, and requests are told to come again', async () => {
      const party = (await develop('GET /api/validator/v0/wallet/user-status', undefined, alice))
        .json
      assert.ok(typeof party === 'object' && party !== null && 'party_id' in party)
      const filtersByParty = { [String(party.party_id)]: {} }
      const eventFormat = { filtersByParty, verbose: false }
      const includeTransactions = {
        eventFormat,
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      }
      const request = { beginExclusive: 0, updateFormat: { includeTransactions } }
      const stream = await openStream(service.url, '/v2/updates', request, { token: alice })
      assert.ok('ended' in stream)
      await stream.until(1)
      const seen = new Set<number>()
      let isOver = false
      const reverted = revert().finally(() => (isOver = true))
      // Without a pause: a fast machine is soon done.
      while (!isOver) seen.add((await call(service.url, BALANCE, { token: alice })).status)
      await reverted
      assert.equal(await stream.ended, 1001)
      assert.ok(seen.has(503), [...seen].join())
      assert.deepEqual(
        [...seen].filter((status) => status !== 200 && status !== 503),
        [],
      )
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
    })

    test('a network is taken back at once though somebody sends slowly, and is alive meanwhile', async () => {
      const { hostname, port } = new URL(service.url)
      const slow = connect(Number(port), hostname)
      await once(slow, 'connect')
      slow.write(
        `POST /api/validator/v0/wallet/tap HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${alice}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
      )
      const answer = text(slow)
      const alive = new Set<number>()
      let isOver = false
      const reverted = revert().finally(() => (isOver = true))
      while (!isOver) alive.add((await call(service.url, 'GET /livez')).status)
      await reverted
      assert.deepEqual([...alive], [200])
      assert.match(await answer, /^HTTP\/1.1 503 /)
    })

    test('a backup is gone on from, and a reset begins anew with the same tokens', async () => {
      await tap('kept')
      const rich = await balanceOf(service.url, alice)
      const file = join(service.dataDir, 'kept.backup')
      const config = join(service.dataDir, 'ledgerwright.config.json')
      const place = { cwd: service.dataDir }
      const args = ['backup', '--to', file, '--data', service.dataDir, '--config', config]
      assert.equal((await run(MAIN, args, place)).code, 0)
      assert.equal((await develop('POST /development/reset', {})).status, 200)
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
      assert.equal((await develop('POST /development/fork', { backup: file })).status, 200)
      assert.equal(await balanceOf(service.url, alice), rich)
    })

    const noDatabase = storage.name === 'postgres' ? false : 'it has no server that could be away'
    test('a database that restarts meanwhile is waited for', { skip: noDatabase }, async () => {
      await tap('before-restart')
      const balance = await balanceOf(service.url, alice)
      const database = new Outages(String('url' in section && section.url))
      await database.refuse()
      const reverting = develop('POST /development/revert', { snapshot: 'start' })
      await eventuallyHolds('the service has let go of it', () => database.isLeft())
      // It comes back to it at once, and is refused.
      await sleep(1_000)
      await database.take()
      const { status, text } = await reverting
      assert.equal(status, 503, text)
      assert.match(text, /Cannot use the database/)
      assert.equal(await balanceOf(service.url, alice), balance)
      await revert()
      assert.equal(await balanceOf(service.url, alice), '20000.0000000000')
    })

    test('a connection that breaks meanwhile changes nothing', { skip: noDatabase }, async () => {
      await tap('before-break')
      const balance = await balanceOf(service.url, alice)
      const url = String('url' in section && section.url)
      const locking = new pg.Client(url)
      await locking.connect()
      try {
        await locking.query('begin; lock table assignments in share mode')
        const reverting = develop('POST /development/revert', { snapshot: 'start' })
        const database = new Outages(url)
        await eventuallyHolds('the data is being replaced', () => database.breakWaiting())
        await locking.query('rollback')
        const { status, text } = await reverting
        assert.equal(status, 409, text)
      } finally {
        await locking.end()
      }
      assert.equal(await balanceOf(service.url, alice), balance)
    })

    test('what cannot be done is refused with its reason, and changes nothing', async () => {
      await tap('before-refusals')
      const balance = await balanceOf(service.url, alice)
      const broken = join(service.dataDir, 'broken.backup')
      await writeFile(broken, 'not a backup')
      const pipe = join(service.dataDir, 'pipe')
      await promisify(execFile)('mkfifo', [pipe])
      const refusals = [
        [await develop('POST /development/revert', { snapshot: 'none' }), 404, /no snapshot none/],
        [await develop('POST /development/revert', { snapshot: '../1' }), 404, /no snapshot/],
        [await develop('POST /development/revert', {}), 400, /body/],
        [await develop('POST /development/snapshots', { name: 'A/b' }), 400, /a-z/],
        [await develop('POST /development/snapshots', { name: 'start' }), 409, /already/],
        [await develop('POST /development/fork', { backup: '/nowhere' }), 400, /nowhere/],
        [await develop('POST /development/fork', { backup: broken }), 400, /backup/],
        [await develop('POST /development/fork', { backup: pipe }), 400, /not a file/],
        [await develop('POST /development/fork', { backup: '/' }), 400, /not a file/],
        [await develop('POST /development/reset', {}, alice), 403, /operator/],
        [await call(service.url, 'POST /development/reset', { body: {} }), 401, /token/],
        [await call(service.url, 'GET /development/packages'), 401, /token/],
        [await develop('GET /development/packages', undefined, 'x'), 401, /token/],
        [
          await develop('GET /development/packages', undefined, await service.token('nobody')),
          401,
          /unknown user/,
        ],
      ] as const
      for (const [{ status, text }, wanted, why] of refusals) {
        assert.equal(status, wanted, text)
        assert.match(text, why)
      }
      assert.equal(await balanceOf(service.url, alice), balance)
    })
  })
}

describe('the commands of a development network', () => {
  test('tap coin, move the clock, remember the network and take it back, after a kill too', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lw-development-'))
    const killed = spawnSync(process.execPath, ['--version']).pid
    const left = join(dataDir, 'snapshots', `.before.backup.${killed}.unfinished`)
    const written = join(dataDir, 'snapshots', `.before.backup.${process.pid}.unfinished`)
    await mkdir(join(dataDir, 'snapshots'))
    for (const file of [left, written]) await writeFile(file, 'half')
    const service = await startService({ config: { clock: 'simulated' }, seeded: true, dataDir })
    const flags = ['--url', service.url, '--data', service.dataDir]
    const place = { cwd: service.dataDir }
    const network = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(MAIN, ['network', ...args, ...flags], place)
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, `network ${args.join(' ')}`)
      return stdout.trim()
    }
    try {
      assert.deepEqual([existsSync(left), existsSync(written)], [false, true])
      assert.equal(await network('snapshot'), '1')
      assert.match(await network('tap', '5', '--user', 'alice'), /^tapped 5 USD; alice has 21000\./)
      assert.match(await network('time', 'advance', '30d'), /^\d{4}-/)
      assert.match(await network('snapshots'), /^1 \d{4}-\S+Z$/)
      assert.match(await network('revert', '1'), /snapshot 1$/)
      assert.equal(await balanceOf(service.url, bannerToken(service, 'alice')), '20000.0000000000')
      assert.match(await network('reset'), /reset/)
      const missing = await run(MAIN, ['network', 'fork', '--from', 'no.backup', ...flags], place)
      assert.equal(missing.code, 1)
      assert.match(missing.stderr, /^ledgerwright: the service answers 400: .*no\.backup.*\n$/)
    } finally {
      await service.stop()
      await rm(dataDir, { recursive: true })
    }
  })
})

describe('packages of a development network', () => {
  let service: Service
  const folders: { remove(): void }[] = []
  before(async () => {
    const [sv, user] = [await freePort(), await freePort()]
    const nodes = { sv: { server: { port: sv } }, user: { server: { port: user } } }
    const config = { nodes, ledger: { maxUploadBytes: 100_000 } }
    service = await startService({ config, seeded: true })
  })
  after(async () => {
    await service.stop()
    for (const folder of folders) folder.remove()
  })

  /** A folder with these files, in which commands run. */
  const folderOf = (archives: Readonly<Record<string, Uint8Array>>) => {
    const folder = tempFolder()
    folders.push(folder)
    for (const [name, bytes] of Object.entries(archives))
      writeFileSync(join(folder.path, name), bytes)
    const file = join(service.dataDir, 'ledgerwright.config.json')
    const flags = ['--config', file, '--data', service.dataDir]
    const args = (given: readonly string[]) => ['network', 'packages', ...given, ...flags]
    const at = { cwd: folder.path }
    return {
      path: folder.path,
      packages: (...given: readonly string[]) => run(MAIN, args(given), at),
      watching: (...given: readonly string[]) => started(MAIN, args(given), at),
    }
  }
  const [first, other] = [
    dar({ main: deal('1.0.0') }),
    dar({ main: deal('1.0.0', 'price: Int64') }),
  ]

  test('are added at all nodes and listed with what runs of each', async () => {
    const { packages } = folderOf({ 'deals.dar': first })
    const added = await packages('add', 'deals.dar')
    assert.match(
      added.stdout,
      /^deals\.dar: usable in \d+ ms on sv, user\n {2}deals 1\.0\.0 interpreted, language 2\.1: Deals:Deal\n$/,
    )
    assert.deepEqual([added.code, added.stderr], [0, ''])
    assert.match((await packages('add', 'deals.dar')).stdout, /^deals\.dar: nothing new in \d+ ms/)
    for (const node of ['sv', 'user']) {
      const { stdout } = await packages('list', '--node', node)
      assert.match(stdout, /^deals 1\.0\.0 +interpreted, language 2\.1 +[0-9a-f]{64}$/m)
      assert.match(stdout, /^network-coin \d\S+ +in code +[0-9a-f]{64}$/m)
    }
    const listed: unknown = JSON.parse((await packages('list', '--json')).stdout)
    assert.ok(Array.isArray(listed))
    const found: unknown = listed.find((each) => member(each, 'packageName') === 'deals')
    assert.deepEqual(member(found, 'templates'), ['Deals:Deal'])
  })

  test('are refused in one line with what to do, and nothing is stored', async () => {
    const broken = archive({
      name: 'broken',
      version: '1.0.0',
      modules: [
        { name: 'Main', values: [{ name: 'wrong', type: TEXT, body: () => number(5, 0) }] },
      ],
    })
    const { packages } = folderOf({
      'text.dar': Buffer.from('hello'),
      'large.dar': Buffer.alloc(100_001),
      'other.dar': other,
      'broken.dar': dar({ main: broken }),
      'foreign.dar': dar({ main: deal('3.0.0'), attributes: { Format: 'other-lf' } }),
    })
    const before = (await packages('list')).stdout
    const files = [
      ['text.dar', /on sv: the service answers 400: Dar file is corrupt: .*not a zip/],
      ['large.dar', /on sv: the service answers 413: .*100000 bytes/],
      ['none.dar', /cannot read none\.dar: ENOENT/],
      ['.', /cannot read \.: it is not a file/],
      ['other.dar', /400: .*same name and version.* → raise the version, .*--revert/],
      ['broken.dar', /400: Package validation failed: .*Main.*wrong/],
      ['foreign.dar', /Unsupported dar format: other-lf → start the service with a preset/],
    ] as const
    const all = await packages('add', ...files.map(([file]) => file))
    assert.deepEqual([all.code, all.stdout], [1, ''])
    const lines = all.stderr.trimEnd().split('\n')
    assert.equal(lines.length, files.length, all.stderr)
    for (const [index, [, why]] of files.entries()) assert.match(lines[index] ?? '', why)
    const refusals = [
      [['--user', 'alice'], /the service answers 403/],
      [['--user', 'nobody'], /the service answers 401: unknown user/],
      [['--url', 'http://127.0.0.1:9'], /the service cannot be reached/],
      [['--revert', 'none'], /404: there is no snapshot none/],
    ] as const
    for (const [args, why] of refusals) {
      const { code, stdout, stderr } = await packages('add', 'other.dar', ...args)
      assert.match(stderr, why)
      assert.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 2], stderr)
    }
    assert.equal((await packages('list')).stdout, before)
  })

  /** An address of the service that is away until it is opened. */
  const forwarderTo = (to: number) => {
    const sockets = new Set<Socket>()
    const server = createServer((client) => {
      const service = connect(to)
      client.pipe(service).pipe(client)
      for (const socket of [client, service]) {
        sockets.add(socket)
        socket.on('error', () => client.destroy())
      }
    })
    return {
      open: (port: number) => server.listen(port, '127.0.0.1'),
      close: () => {
        server.close()
        for (const socket of sockets) socket.destroy()
      },
    }
  }
  const portOf = (url: string) => Number(new URL(url).port)

  test('are added when the service can be reached again', async () => {
    const { path, watching } = folderOf({ 'deals.dar': first })
    const port = await freePort()
    const forwarder = forwarderTo(portOf(service.url))
    const url = `http://127.0.0.1:${port}`
    const { child, ended, text } = watching('add', 'deals.dar', '--watch', '--url', url)
    const says = (times: number, what: RegExp) =>
      eventually(times, () => (text().stdout + text().stderr).match(what)?.length ?? 0)
    try {
      for (const time of [1, 2]) {
        await says(time, /cannot be reached/g)
        forwarder.open(port)
        await says(time, /^deals\.dar: /gm)
        forwarder.close()
        await writeFile(join(path, 'deals.dar'), first)
      }
      await says(3, /cannot be reached/g)
    } finally {
      child.kill()
      await ended
      forwarder.close()
    }
  })

  test('are added again with each change of a file, from a snapshot if one is named', async () => {
    const { path, watching } = folderOf({ 'deals.dar': first })
    const snapshot = ['network', 'snapshot', 'clean', '--data', service.dataDir]
    const config = ['--config', join(service.dataDir, 'ledgerwright.config.json')]
    assert.equal((await run(MAIN, [...snapshot, ...config], { cwd: path })).stdout, 'clean\n')
    const { child, ended, text } = watching('add', 'deals.dar', '--watch', '--revert', 'clean')
    const says = (what: RegExp) =>
      eventuallyHolds(`it says ${what.source}`, () => what.test(text().stdout + text().stderr))
    try {
      await says(/^deals\.dar: .*\n/)
      await writeFile(join(path, 'deals.dar'), 'half')
      await says(/deals\.dar on sv: the service answers 400: Dar file is corrupt/)
      await writeFile(join(path, 'deals.dar'), dar({ main: deal('2.0.0') }))
      await says(/deals 2\.0\.0 interpreted/)
      await writeFile(
        join(path, 'deals.dar'),
        dar({ main: deal('2.0.0', 'price: Optional Int64') }),
      )
      await says(/deals 2\.0\.0 interpreted[^]*deals 2\.0\.0 interpreted/)
    } finally {
      child.kill()
      await ended
    }
  })
})

describe('the production profile', () => {
  test('has no operations of a development network', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lw-production-'))
    const auth = join(folder, 'auth.mjs')
    await writeFile(
      auth,
      `import { definePlugin } from '${RUNTIME}'
const options = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: {} }) } }
export default definePlugin({ kind: 'auth', name: 'all', options,
  setup: () => ({ authenticate: (userId) => ({ kind: 'user', user: { userId, identityProviderId: '' } }) }) })`,
    )
    const config = { profile: 'production', storage: { use: 'memory' }, auth: [{ use: auth }] }
    const service = await startService({ config })
    try {
      const token = 'operator'
      assert.equal((await call(service.url, BALANCE, { token })).status, 200)
      for (const request of [
        'POST /development/reset',
        'GET /development/snapshots',
        'GET /development/packages',
      ])
        assert.equal((await call(service.url, request, { token })).status, 404)
      assert.equal(bannerToken(service, 'alice'), '')
    } finally {
      await service.stop()
      await rm(folder, { recursive: true })
    }
  })
})
