// `status` says how a running service is, `doctor` what is wrong with an installation, both with
// exit codes that a script can rely on. docs/operations.md
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { TestContext } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { dar } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { retried } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { startPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { MAIN, run, RUNTIME, tempFolder } from './cli-kit.ts'
import type { Ended, Place } from './cli-kit.ts'

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function place(config: object, files: Readonly<Record<string, string>> = {}): Place {
  const folder = tempFolder({ 'ledgerwright.config.json': JSON.stringify(config), ...files })
  folders.push(folder)
  return { cwd: folder.path }
}

const FAILING = `import { definePlugin } from ${JSON.stringify(RUNTIME)}
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
const run = async () => { throw new Error('bad day') }
export default definePlugin({
  kind: 'automation', name: 'failing', options, setup: () => ({ trigger: { everyMs: 5 }, run }),
})
`

/** A server of somebody else, until the test ends. */
async function strangerAt(
  t: TestContext,
  answer: (path: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(({ url = '' }, response) => answer(url, response))
  server.listen(0, '127.0.0.1')
  t.after(() => (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

describe('status', () => {
  it('ends in seconds whatever a server answers, however much of it', async (t) => {
    const most = Buffer.alloc(1_048_576, 'x')
    const url = await strangerAt(t, (path, response) => {
      if (path === '/readyz') return response.writeHead(503).end('('.repeat(60_000))
      if (path === '/metrics')
        return response.end(`ledgerwright_replica_in_use{${'a'.repeat(500_000)}} 1\n`)
      const more = (): void => {
        while (response.write(most)) t.signal.throwIfAborted()
      }
      response.on('drain', more)
      more()
    })
    const status = run(MAIN, ['status', '--url', url], place({}))
    const { code, stdout } = await status
    assert.equal(code, 1)
    assert.match(stdout, /^problem +it answers 503$/m)
  })

  it('shows nothing of what a server answers that would steer a terminal', async (t) => {
    const escape = '\u001b[2J\u009b1m\u202e'
    const answers: Readonly<Record<string, string>> = {
      '/readyz': `[-] ledger failed (gone${escape})`,
      '/v2/version': JSON.stringify({ implementationVersion: `1${escape}` }),
      '/metrics': [
        `ledgerwright_plugin_health_ratio{plugin="storage/own${escape}"} 1`,
        'ledgerwright_oldest_submission_age_seconds NaN',
        'process_start_time_seconds NaN',
      ].join('\n'),
    }
    const url = await strangerAt(t, (path, response) => {
      response.writeHead(path === '/readyz' ? 503 : 200).end(answers[path])
    })
    for (const output of ['text', 'json', 'env']) {
      const flags = ['--url', url, '-o', output]
      const { stdout } = await run(MAIN, ['status', ...flags], place({}))
      assert.match(stdout, /own/)
      assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}|NaN|null/u)
    }
  })

  it('says of a service whether it is healthy, what is behind and what waits, until it is gone', async () => {
    const at = place({}, { 'failing.mjs': FAILING })
    const use = join(at.cwd, 'failing.mjs')
    const config = { storage: { use: 'memory' }, automations: { failing: { use } } }
    const service = await startService({ config })
    const status = (...args: readonly string[]): Promise<Ended> =>
      run(MAIN, ['status', '--url', service.url, ...args], at)
    await retried(async () => {
      const { code, stdout } = await status('--json')
      const report: unknown = JSON.parse(stdout)
      const measured = member(report, 'measured')
      assert.deepEqual(
        [code, member(report, 'healthy'), member(measured, 'behind')],
        [0, true, ['failing']],
      )
      assert.deepEqual(member(measured, 'storage'), { name: 'memory', health: 'up' })
      assert.deepEqual(member(measured, 'unwell'), [
        { plugin: 'automation/failing', health: 'degraded' },
      ])
      assert.equal(member(member(measured, 'submissions'), 'underWay'), 0)
    })
    const text = (await status()).stdout
    assert.match(text, /is healthy\nversion +\d+\.\d+\.\d+\n/)
    assert.match(text, /^behind +failing: \d+ failures in a row, no run has succeeded$/m)
    const variables = (await status('-o', 'env')).stdout
    assert.match(variables, /^LEDGERWRIGHT_HEALTHY='1'$/m)
    assert.match(variables, /^LEDGERWRIGHT_BEHIND='failing'$/m)
    await service.stop()
    const gone = await status()
    assert.equal(gone.code, 1)
    assert.match(gone.stdout, /is not healthy\nproblem +not reached: .*ECONNREFUSED/)
    assert.match((await status('-o', 'env')).stdout, /^LEDGERWRIGHT_HEALTHY='0'$/m)
  })

  it('asks the address of the configuration, and its metrics where they have a port of their own', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const config = {
      server: { port },
      storage: { use: 'memory' },
      extensions: { metrics: { port: metricsPort } },
    }
    const service = await startService({ config, port })
    const at = place(config)
    const { code, stdout } = await run(MAIN, ['status', '--json'], at)
    const report: unknown = JSON.parse(stdout)
    assert.deepEqual([code, member(report, 'url')], [0, `http://127.0.0.1:${port}`])
    assert.equal(member(member(member(report, 'measured'), 'storage'), 'name'), 'memory')
    const data = ['--data', service.dataDir]
    writeFileSync(join(at.cwd, 'deals.dar'), dar({ main: deal('1.0.0') }))
    await run(MAIN, ['network', 'packages', 'add', 'deals.dar', ...data], at)
    const doctor = await run(MAIN, ['doctor', ...data], at)
    assert.match(doctor.stdout, /^ok +packages +\d+ in code, 1 uploaded$/m)
    assert.match(doctor.stdout, /^ok +packages +deals 1\.0\.0 interpreted, language 2\.1$/m)
    assert.match(doctor.stdout, /^ok +port +the service runs at port \d+ on 127\.0\.0\.1$/m)
    assert.match(doctor.stdout, /^ok +extension\/metrics +port \d+ .* has metrics of a service$/m)
    await service.stop()
  })

  it('refuses what is no address in one line', async () => {
    const { code, stderr } = await run(MAIN, ['status', '--url', 'nowhere'], place({}))
    assert.deepEqual([code, stderr.split('\n').length], [2, 2], stderr)
  })
})

describe('network', () => {
  const ESCAPE = '\u001b]0;mine\u0007\u009b1m\u202e\n'

  it('shows nothing of what a server answers that would steer a terminal', async (t) => {
    const url = await strangerAt(t, (path, response) => {
      const body = { error: ESCAPE, snapshots: [{ name: ESCAPE, time: 'now' }] }
      response.writeHead(path.endsWith('/tap') ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    const at = place({})
    for (const command of [['snapshots'], ['tap', '5']]) {
      const { stdout, stderr } = await run(MAIN, ['network', ...command, '--url', url], at)
      assert.match(stdout + stderr, /mine/)
      assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]|\p{Cf}/u)
      assert.equal((stdout + stderr).split('\n').length, 2)
    }
  })

  it('follows nobody elsewhere with its token', async (t) => {
    const asked: string[] = []
    const elsewhere = await strangerAt(t, (path, response) => {
      asked.push(path)
      response.end('{}')
    })
    const url = await strangerAt(t, (path, response) => {
      response.writeHead(307, { location: elsewhere + path }).end()
    })
    const { code, stderr } = await run(MAIN, ['network', 'snapshots', '--url', url], place({}))
    assert.deepEqual([code, asked], [1, []])
    assert.match(stderr, /^ledgerwright: the service answers 307/)
  })
})

/** Lines of `doctor --json` by what they are about; several of one are joined. */
async function examined(at: Place, args: readonly string[] = []) {
  const { code, stdout } = await run(MAIN, ['doctor', '--json', ...args], at)
  const lines: unknown = JSON.parse(stdout)
  assert.ok(Array.isArray(lines), stdout)
  return {
    code,
    outcomes: (about: string): readonly string[] =>
      lines
        .filter((line) => member(line, 'about') === about)
        .map((line) => `${String(member(line, 'outcome'))}: ${String(member(line, 'text'))}`),
    advice: (about: string): string =>
      lines
        .filter((line) => member(line, 'about') === about)
        .map((line) => String(member(line, 'advice')))
        .join('\n'),
  }
}

describe('doctor', () => {
  it('finds nothing wrong with a folder in which nothing was started, and makes nothing in it', async () => {
    const at = place({ server: { port: await freePort() } })
    const { code, outcomes } = await examined(at)
    assert.equal(code, 0)
    for (const about of ['node', 'config', 'data', 'port', 'storage'])
      assert.match(outcomes(about).join(), /^ok: /, about)
    assert.deepEqual(readdirSync(at.cwd), ['ledgerwright.config.json'])
  })

  it('looks at the port and the plugins of each of several nodes, and at the storage once', async () => {
    const other = createServer((_request, response) => void response.end('somebody else'))
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const address = other.address()
    const taken = typeof address === 'object' ? address?.port : undefined
    const issuers = [{ issuer: 'us', jwksUrl: `http://127.0.0.1:${taken}/keys` }]
    const auth = [{ use: 'jwt', issuers, keys: { allowPrivateAddresses: true } }]
    const nodes = {
      sv: { server: { port: await freePort() } },
      provider: { server: { port: taken }, auth },
    }
    const { code, outcomes } = await examined(place({ storage: { use: 'memory' }, nodes }))
    other.close()
    assert.equal(code, 1)
    assert.match(outcomes('sv: port').join(), /^ok: port \d+ on 127\.0\.0\.1 is free$/)
    assert.match(outcomes('provider: port').join(), /^fault: .* is in use by another program$/)
    assert.match(outcomes('provider: auth/jwt').join(), /^fault: key set of /)
    assert.deepEqual(outcomes('sv: auth/jwt'), [])
    assert.deepEqual([outcomes('port'), outcomes('storage').length], [[], 1])
  })

  it('names each fault with what to do', async () => {
    const other = createServer((_request, response) => void response.end('somebody else'))
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const address = other.address()
    const taken = typeof address === 'object' ? address?.port : undefined
    const key = await freePort()
    const at = place(
      {
        server: { port: taken },
        storage: { use: 'sqlite' },
        wrong: 1,
        auth: [
          {
            use: 'jwt',
            issuers: [{ issuer: 'us', jwksUrl: `http://127.0.0.1:${key}/keys` }],
            keys: { allowPrivateAddresses: true },
            unsafeHmac: { secret: { file: 'secret' } },
          },
        ],
      },
      { secret: 'x'.repeat(40), 'data/ledgerwright.sqlite': '' },
    )
    chmodSync(join(at.cwd, 'secret'), 0o644)
    chmodSync(join(at.cwd, 'data'), 0o755)
    const { code, outcomes, advice } = await examined(at)
    other.close()
    assert.equal(code, 1)
    assert.match(outcomes('config').join(), /^fault: wrong: unknown key/)
    assert.match(outcomes('port').join(), /^fault: port \d+ on 127\.0\.0\.1 is in use by another/)
    assert.match(advice('port'), /--port/)
    assert.match(outcomes('data').join(), /^warning: other users can access .* \(mode 755\)/)
    assert.match(outcomes('secrets').join(), /^warning: auth\[0\]\.unsafeHmac\.secret: .*mode 644/)
    assert.match(advice('secrets'), /^chmod 600 /)
    assert.match(outcomes('storage').join(), /^fault: .*it is empty/)
    assert.match(outcomes('auth/jwt').join(), /^fault: key set of .* connect ECONNREFUSED/)
  })

  it('says that a data folder cannot be made', async () => {
    const at = place({ data: './ledgerwright.config.json/data' })
    const { outcomes } = await examined(at)
    assert.match(outcomes('data').join(), /^fault: .* cannot be created: .*config\.json is a file/)
  })

  it('looks at schema, rights, clock and durability of PostgreSQL, and changes nothing', async () => {
    const postgres = await startPostgres()
    const url = await postgres.createDatabase()
    const at = place({ server: { port: 0 }, storage: { use: 'postgres', url } })
    mkdirSync(join(at.cwd, 'data'), { mode: 0o700 })
    const { outcomes } = await examined(at)
    assert.match(outcomes('storage').join(), /^ok: .* has no data yet/)
    const [rights, durability, clock] = outcomes('storage/postgres')
    assert.equal(rights, 'ok: its user may make and change tables')
    // As test/support/postgres.ts starts it.
    assert.match(durability ?? '', /^(fault: commits may be lost in a crash \(fsync off|ok: )/)
    assert.equal(clock, "ok: this clock agrees with the database's")
    assert.match((await examined(at)).outcomes('storage').join(), /has no data yet/)
    await postgres.stop()
    const gone = await examined(
      place({ storage: { use: 'postgres', url: 'postgres://a:secret@127.0.0.1:1/b' } }),
    )
    assert.equal(gone.code, 1)
    assert.match(gone.outcomes('storage').join(), /^fault: .*ECONNREFUSED/)
    assert.doesNotMatch(gone.outcomes('storage').join(), /secret/)
  })
})
