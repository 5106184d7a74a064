// `serve` as a process: banner, pages, plugins of others, clean stops, and one line for what cannot
// work.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eventuallyHolds, retried } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import type { Ended, Place } from './cli-kit.ts'
import { RUNTIME, run, SERVE_STUB, serveStub, tempFolder } from './cli-kit.ts'

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function place(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Place {
  const folder = tempFolder(files)
  folders.push(folder)
  return { cwd: folder.path, env }
}

/** A plugin of somebody else, written without any library. */
function foreignPlugin(kind: string, name: string, setup: string): string {
  return `import { definePlugin } from ${JSON.stringify(RUNTIME)}
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
export default definePlugin({ kind: '${kind}', name: '${name}', options, setup: (host, options) => (${setup}) })
`
}

function assertOneLine({ code, stdout, stderr }: Ended, message: RegExp, exit = 1): void {
  assert.match(stderr, message)
  assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [exit, '', 1], stderr)
}

describe('serve', () => {
  it('says where it is, with what, how to get in, and how long it took', async () => {
    const at = place()
    const server = await serveStub([], at)
    assert.deepEqual(await (await fetch(`${server.origin}/readyz`)).json(), { notReady: '' })
    const { stdout, code } = await server.stop()
    assert.equal(code, 0)
    assert.match(stdout, /^Ledgerwright \d+\.\d+\.\d+, profile dev\n/)
    assert.match(stdout, /stub +http:\/\/127\.0\.0\.1:\d+ \(2 of 3 operations\)/)
    assert.match(stdout, /docs +http:\/\/127\.0\.0\.1:\d+\/docs\n/)
    assert.match(
      stdout,
      new RegExp(`storage +sqlite, ${join(at.cwd, 'data', 'ledgerwright.sqlite')}`),
    )
    assert.match(stdout, /operations +2 served, 1 not yet/)
    assert.match(stdout, /token +.*token --user participant_admin\n/)
    assert.match(stdout, /ready in \d+ ms/)
    assert.ok(existsSync(join(at.cwd, 'data', 'ledgerwright.sqlite')))
  })

  it('says on an empty development network that traffic is short, and not where there is some', async () => {
    const empty = await startService()
    assert.match(empty.banner, /note +no traffic was bought: .* 400 kB in 20 minutes.*--empty/)
    assert.equal(await empty.stop(), 0)
    const seeded = await startService({ seeded: true })
    assert.doesNotMatch(seeded.banner, /note/)
    assert.equal(await seeded.stop(), 0)
    const again = await startService({ dataDir: seeded.dataDir })
    assert.doesNotMatch(again.banner, /note/, 'what was seeded once counts')
    assert.equal(await again.stop(), 0)
  })

  it('takes port and host from the environment and flags, and data from its flag', async () => {
    const at = place({}, { PORT: '1', HOST: 'localhost' })
    const server = await serveStub(['--data', 'elsewhere'], at)
    assert.match(server.text().stdout, /http:\/\/localhost:\d+/)
    assert.doesNotMatch(server.text().stdout, /localhost:1\D/)
    assert.ok(existsSync(join(at.cwd, 'elsewhere')))
    await server.stop()
  })

  it('ends cleanly on Ctrl-C, also when npm passes the same one on, and lets requests in flight finish', async () => {
    const server = await serveStub([], place())
    const slow = fetch(`${server.origin}/slow`)
    await eventuallyHolds('the request is under way', () =>
      server.text().stdout.includes('slow begins'),
    )
    server.signal('SIGINT')
    server.signal('SIGINT')
    await wait(20)
    server.signal('SIGINT')
    assert.deepEqual(await (await slow).json(), { slow: true })
    const { code } = await server.ended
    assert.equal(code, 0)
    await assert.rejects(fetch(`${server.origin}/readyz`))
  })

  it('ends at once on a later second signal, however long a plugin takes', async () => {
    const at = place({
      'stuck.mjs': foreignPlugin('extension', 'stuck', '{ stop: () => new Promise(() => {}) }'),
      'ledgerwright.config.json':
        '{"storage":{"use":"memory"},"extensions":{"stuck":{"use":"./stuck.mjs"}}}',
    })
    const server = await serveStub([], at)
    server.signal('SIGINT')
    // Between the second in which a signal counts as the same one and the 5 s that the plugin has
    // for its stop, far from both.
    await wait(2_500)
    assert.equal(
      (await server.stop('SIGINT')).code,
      130,
      "not the 0 of an end after the plugin's time",
    )
  })
})

describe('serve that cannot start says why in one line and ends with 1, or 2 for its configuration', () => {
  it('port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    assertOneLine(
      await run(SERVE_STUB, ['--port', String(port)], place()),
      new RegExp(`port ${port} on 127.0.0.1 is in use`),
    )
    taken.close()
  })

  it('unwritable data folder', async () => {
    const at = place({ file: '' })
    for (const folder of ['file', 'file/below']) {
      assertOneLine(
        await run(SERVE_STUB, ['--port', '0', '--data', folder], at),
        /the data folder \S+ cannot be written: E/,
      )
    }
  })

  it('bad configuration', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        '{"server":{"prt":1}}',
        /configuration: server\.prt: unknown key; did you mean "port"\? \(from .*ledgerwright\.config\.json\)/,
      ],
      [
        '{"storage":{"use":"sqlite","fil":"x"}}',
        /storage\.fil: unknown key; did you mean "file"\? \(plugin storage\/sqlite, from /,
      ],
      [
        '{"storage":{"use":"sqlit"}}',
        /storage\.use: no storage plugin "sqlit" is built in or installed; did you mean "sqlite"\?/,
      ],
      ['{"storage":{"use":"./nowhere.ts"}}', /storage\.use: plugin "\.\/nowhere\.ts" is not there/],
      ['{"storage":{"use":"./plain.mjs"}}', /is not a plugin: it has no default export/],
      ['{"storage":{"use":"./broken.mjs"}}', /cannot be loaded: at home, too/],
      [
        '{"storage":{"use":"./page.mjs"}}',
        /plugin "\.\/page\.mjs" is of kind extension, not storage/,
      ],
      [
        '{"server":{"drainMs":"x"},"log":{"level":"loud"}}',
        /server\.drainMs: expected number, received "x".*and 1 more/,
      ],
      ['{', /ledgerwright\.config\.json cannot be read/],
      ['{"profile":"production"}', /production profile needs an explicit storage section/],
    ]
    for (const [config, message] of cases) {
      const at = place({
        'ledgerwright.config.json': config,
        'plain.mjs': 'export const a = 1',
        'broken.mjs': 'throw new Error("at home,\\n too")',
        'page.mjs': foreignPlugin('extension', 'page', '{}'),
      })
      assertOneLine(await run(SERVE_STUB, ['--port', '0'], at), message, 2)
    }
  })

  it('an address that development may not use', async () => {
    assertOneLine(
      await run(SERVE_STUB, ['--port', '0', '--host', '0.0.0.0'], place()),
      /serves loopback addresses only, not 0\.0\.0\.0/,
    )
    assertOneLine(
      await run(SERVE_STUB, ['--port', '0', '--host', '203.0.113.1'], place()),
      /loopback/,
    )
  })
})

describe('plugins of others', () => {
  it('come from a file beside the configuration or from an installed package, named in the configuration only', async () => {
    const page = (name: string) =>
      foreignPlugin(
        'extension',
        name,
        `{
      mount: (router) => router.get('/${name}', (context) => { context.body = options.text }),
      onResponse: () => { throw new Error('observer failed') },
    }`,
      )
    const at = place({
      'conf/ledgerwright.yaml':
        'storage: { use: memory }\nextensions:\n' +
        '  local: { use: ./plugins/local.ts, text: from a file }\n  packed: { use: "@acme/packed", text: from a package }\n',
      'conf/plugins/local.ts': page('local'),
      'conf/node_modules/@acme/packed/package.json':
        '{"name":"@acme/packed","type":"module","exports":{"import":"./lib/main.js"}}',
      'conf/node_modules/@acme/packed/lib/main.js': page('packed'),
    })
    const server = await serveStub(['--config', 'conf/ledgerwright.yaml'], at)
    assert.equal(await (await fetch(`${server.origin}/local`)).text(), 'from a file')
    assert.equal(await (await fetch(`${server.origin}/packed`)).text(), 'from a package')
    assert.equal((await fetch(`${server.origin}/readyz`)).status, 200)
    const { stderr, code } = await server.stop()
    assert.deepEqual([code, stderr.match(/onResponse failed/g)?.length], [0, 2])
  })

  it('that fail or hang in the background harm no request and are seen in the metrics', async () => {
    const at = place({
      'ledgerwright.config.json': JSON.stringify({
        storage: { use: 'memory' },
        automations: { failing: { use: './failing.mjs' }, hanging: { use: './hanging.mjs' } },
      }),
      'failing.mjs': foreignPlugin(
        'automation',
        'failing',
        '{ trigger: { everyMs: 5 }, run: async () => { throw new Error("bad day") } }',
      ),
      'hanging.mjs': foreignPlugin(
        'automation',
        'hanging',
        '{ trigger: { everyMs: 5 }, run: () => new Promise(() => {}) }',
      ),
    })
    const server = await serveStub([], at)
    for (let n = 0; n < 20; n += 1)
      assert.equal((await fetch(`${server.origin}/readyz`)).status, 200)
    await retried(async () => {
      const metrics = await (await fetch(`${server.origin}/metrics`)).text()
      assert.match(
        metrics,
        /ledgerwright_automation_consecutive_failures\{automation="failing"\} [1-9]/,
      )
      assert.match(metrics, /ledgerwright_plugin_health_ratio\{plugin="automation\/failing"\} 0\.5/)
      assert.match(metrics, /ledgerwright_plugin_health_ratio\{plugin="storage\/memory"\} 1/)
      assert.match(
        metrics,
        /http_requests_total\{interface="stub",operation="getReadyz",status="200"\} 20\n/,
      )
      assert.match(
        metrics,
        /http_request_duration_seconds_count\{interface="stub",operation="getReadyz",status="200"\} 20\n/,
      )
    })
    assert.equal((await server.stop()).code, 0)
  })
})

describe('the API reference', () => {
  it('is served whole by this server, with a policy that lets nothing else in', async () => {
    const server = await serveStub([], place())
    const page = await fetch(`${server.origin}/docs/api/stub.html`)
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.doesNotMatch(html, /https?:\/\//)
    assert.doesNotMatch(page.headers.get('content-security-policy') ?? 'http:', /https?:|\*/)
    for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await fetch(`${server.origin}${path}`)
      assert.equal(asset.status, 200, path)
      assert.ok((await asset.bytes()).length > 100, path)
    }
    const listed = await (await fetch(`${server.origin}/docs/openapi`)).json()
    assert.deepEqual(listed, {
      documents: [{ name: 'stub', mount: '', url: '/docs/openapi/stub.json' }],
    })
    const front = await (await fetch(`${server.origin}/`)).text()
    assert.match(front, /href="\/docs\/api\/stub\.html"/)
    await server.stop()
  })

  it('is off in production unless asked for', async () => {
    const at = place({
      'auth.mjs': foreignPlugin('auth', 'nobody', '{ authenticate: () => ({ kind: "not-mine" }) }'),
      'ledgerwright.config.json':
        '{"profile":"production","storage":{"use":"memory"},"auth":[{"use":"./auth.mjs"}]}',
    })
    const server = await serveStub([], at)
    for (const path of ['/', '/docs', '/docs/api', '/docs/development/token?user=alice'])
      assert.equal((await fetch(`${server.origin}${path}`)).status, 404, path)
    assert.equal((await fetch(`${server.origin}/metrics`)).status, 404)
    const { stdout, stderr } = await server.stop()
    assert.match(stdout, /profile production/)
    assert.doesNotMatch(stdout, /docs|token/)
    for (const line of stderr.trim().split('\n')) assert.equal(typeof JSON.parse(line), 'object')
  })
})
