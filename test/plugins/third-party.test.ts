// What strangers do with the published package: install it into an empty folder, run its command,
// bring storage, auth, an automation and an extension of their own by configuration only. Nothing
// that is tried out comes from the tree; keys and tokens do.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
import {
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
  secondsFromNow,
} from '../../runtime/testing/auth/tokens.ts'
import { eventuallyHolds, retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { installPublished, type Published } from '../support/published.ts'
import { publishedApp } from '../e2e/published-app.ts'
import { publishedCommands } from '../e2e/published-commands.ts'
import { newProjects } from '../e2e/init-published.ts'
import { publishedPackage } from '../e2e/published-package.ts'

const SAMPLES = fileURLToPath(new URL('third-party', import.meta.url))
const TYPESCRIPT = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const TOKEN = 'a-token-of-another-house'

/** Sections of both runs; only `storage` differs. */
const SECTIONS = {
  auth: [{ use: './app/fixed-tokens.js', users: { [TOKEN]: 'participant_admin' } }],
  automations: { census: { use: './app/census.js', everyMs: 100 } },
  extensions: { board: { use: './app/board.js' } },
}

const STORAGES = {
  theirs: { use: 'acme-ledger-storage', file: 'acme.json' },
  sqlite: { use: 'sqlite' },
}

const CAROL = {
  user: { id: 'carol', primaryParty: 'carol::1220' },
  rights: [{ kind: { CanActAs: { value: { party: 'carol::1220' } } } }],
}

interface BadPlugin {
  readonly what: string
  readonly config: object
  /** The one line of `serve`. */
  readonly says: RegExp
  /** Exit code of `config check`, which starts nothing. */
  readonly check: 0 | 2
}

const extension = (use: string): object => ({ extensions: { bad: { use } } })

/** The slowest comes first: the others run meanwhile. */
const BAD: readonly BadPlugin[] = [
  {
    what: 'hangs while it starts',
    config: extension('./bad/start-hangs.js'),
    says: /plugin extension\/bad did not start: took longer than 10000 ms/,
    check: 0,
  },
  {
    what: 'has no default export',
    config: extension('./bad/no-default.js'),
    says: /extensions\.bad\.use: .*it has no default export/,
    check: 2,
  },
  {
    what: 'cannot be loaded',
    config: extension('./bad/fails-to-load.js'),
    says: /extensions\.bad\.use: .*cannot be loaded: no driver for this machine/,
    check: 2,
  },
  {
    what: 'is not installed',
    config: extension('acme-nothing'),
    says: /extensions\.bad\.use: no extension plugin "acme-nothing" is built in or installed/,
    check: 2,
  },
  {
    what: 'is of another kind',
    config: { auth: [{ use: './bad/wrong-kind.js' }] },
    says: /auth\[0\]\.use: .* is of kind extension, not auth/,
    check: 2,
  },
  {
    what: 'does not get the options it wants',
    config: { storage: { use: 'acme-ledger-storage', file: 7 } },
    says: /storage\.file: must be a text, received 7 \(plugin storage\/acme-json, from .*\.json\)/,
    check: 2,
  },
  {
    what: 'throws in setup',
    config: extension('./bad/setup-throws.js'),
    says: /plugin extension\/bad did not start: the lamp is broken/,
    check: 0,
  },
  {
    what: 'returns half a service',
    config: { auth: [{ use: './bad/half-a-service.js' }] },
    says: /plugin auth\/half did not start: setup returned no authenticate/,
    check: 0,
  },
]

describe('the published package in an empty folder', { concurrency: 4 }, () => {
  let published: Published

  before(async () => {
    published = await installPublished(
      SAMPLES,
      'acme-ledger-storage',
      'acme-ledger-auth',
      'acme-ledger-welcome',
    )
  })
  after(() => published.remove())

  for (const [index, { what, config, says, check }] of BAD.entries()) {
    test(`a plugin that ${what} ends the start with one line`, async () => {
      const file = join(published.folder, `bad-${index}.config.json`)
      const data = `data-bad-${index}`
      await writeFile(file, JSON.stringify({ storage: { use: 'memory' }, data, ...config }))
      const served = await published.ledgerwright('serve', '--port', '0', '--config', file)
      assert.match(served.stderr, says)
      assert.deepEqual(
        [served.code, served.stdout, linesOf(served.stderr)],
        [check === 0 ? 1 : check, '', 1],
        served.stderr,
      )
      assert.equal((await published.ledgerwright('config', 'check', '--config', file)).code, check)
    })
  }

  test('their storage passes the suite of ledgerwright/testing', async () => {
    const args = ['--test', '--test-reporter=tap', 'acme-ledger-storage/store.test.js']
    const { code, stdout } = await published.run(process.execPath, args)
    const count = (name: string): number =>
      Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1])
    assert.deepEqual([code, count('fail')], [0, 0], stdout)
    assert.ok(count('pass') >= 60, stdout)
  })

  test('their auth withstands the attacks of ledgerwright/testing', async () => {
    const { code, stdout } = await published.run(process.execPath, [
      '--test',
      '--test-reporter=tap',
      'acme-ledger-auth/auth.test.js',
    ])
    const count = (name: string): number =>
      Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1])
    assert.deepEqual([code, count('fail')], [0, 0], stdout)
    assert.ok(count('pass') >= 70, stdout)
  })

  for (const [name, use] of [
    ['theirs', { use: 'acme-ledger-auth', loopback: true }],
    ['ours', { use: 'jwt' }],
  ] as const) {
    test(`tokens are checked by the auth plugin that the configuration names: ${name}`, async () => {
      const keyServer = new KeyServer()
      const key = rsaKey('house')
      keyServer.serve(jwkOf(key))
      await keyServer.start()
      const issuer = { issuer: 'https://house.example', jwksUrl: keyServer.url, audience: 'acme' }
      const section =
        name === 'theirs'
          ? { ...use, ...issuer }
          : { ...use, issuers: [issuer], keys: { allowPrivateAddresses: true } }
      const server = await published.serve(`auth-${name}`, {
        auth: [section],
        storage: { use: 'memory' },
      })
      const token = (claims: object, by = key): string =>
        makeToken(
          { alg: 'RS256', kid: key.kid },
          {
            iss: issuer.issuer,
            sub: 'participant_admin',
            aud: 'acme',
            exp: secondsFromNow(60),
            ...claims,
          },
          rs256(by),
        )
      const ask = async (text: string): Promise<number> =>
        (await call(server.url, 'GET /v2/users', { token: text })).status
      try {
        assert.equal(await ask(token({})), 200)
        for (const bad of [
          token({ exp: 1 }),
          token({ aud: 'other' }),
          token({}, rsaKey('attacker')),
          token({}).slice(0, -1),
        ]) {
          assert.equal(await ask(bad), 401)
        }
      } finally {
        assert.equal(await server.stop(), 0)
        await keyServer.stop()
      }
    })
  }

  test('with their plugins, one section of the configuration chooses the storage; the rest stays', async () => {
    const [theirs, sqlite] = await Promise.all([visit('theirs'), visit('sqlite')])
    assert.deepEqual(theirs, sqlite)
    const kept: unknown = JSON.parse(
      await readFile(join(published.folder, 'data-theirs', 'acme.json'), 'utf8'),
    )
    assert.match(JSON.stringify(kept), /"carol"/)
  })

  test('their automation of the economy is woken by what it asks for: a new wallet is offered some coin, once', async () => {
    const server = await published.serve('welcome', {
      storage: { use: 'memory' },
      automations: { welcome: { use: 'acme-ledger-welcome', coins: '12.5', everyMs: 200 } },
    })
    const tokenOf = async (user: string) =>
      (
        await published.ledgerwright('token', '--user', user, '--data', 'data-welcome')
      ).stdout.trim()
    const ask = async (request: string, token: string, body?: unknown) =>
      call(server.url, `${request.replace(' ', ' /api/validator/v0')}`, { token, body })
    try {
      const operator = await tokenOf('operator')
      assert.equal((await ask('POST /admin/users', operator, { name: 'dave' })).status, 200)
      const dave = await tokenOf('dave')
      const offered = async () => (await ask('GET /wallet/transfer-offers', dave)).text
      await eventuallyHolds('an offer is there', async () =>
        (await offered()).includes('"amount":"12.5000000000"'),
      )
      const runs = async (): Promise<number> =>
        Number(
          /ledgerwright_automation_runs_total\{automation="welcome"\} (\d+)/.exec(
            (await call(server.url, 'GET /metrics')).text,
          )?.[1],
        )
      const before = await runs()
      await eventuallyHolds('it runs on', async () => (await runs()) > before + 1)
      assert.equal((await offered()).split('"Welcome"').length, 2)
      await hasWallet(server.url)
    } finally {
      assert.equal(await server.stop(), 0)
    }
  })

  test('the commands work where nothing is but the package, and strict TypeScript accepts it', async () => {
    const { ledgerwright, folder } = published
    const check = await ledgerwright('config', 'check')
    assert.deepEqual([check.code, check.stdout], [0, 'configuration is good\n'])
    const token = await ledgerwright('token', '--user', 'carol', '--data', 'data-commands')
    assert.match(token.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/, token.stderr)
    const spec = ['--spec', 'node_modules/ledgerwright/spec/validator.yaml', '--out', 'generated']
    const generated = await published.run('npx', [
      '--no-install',
      'ledgerwright',
      'generate',
      ...spec,
    ])
    assert.equal(generated.code, 0, generated.stderr)
    assert.ok(existsSync(join(folder, 'generated', 'validator', 'client.gen.ts')))
    assert.equal((await ledgerwright('check', ...spec)).code, 0)
    const files = ['client', 'handlers'].map((name) => `generated/validator/${name}.gen.ts`)
    await typesAreGood(files)
  })

  test('what is not meant for others cannot be imported', async () => {
    const inner = ['runtime/host/host.js', 'dist/runtime/index.js', 'plugins/storage-sql']
    for (const path of inner) {
      const { stderr } = await published.run(process.execPath, [
        '-e',
        `import('ledgerwright/${path}')`,
      ])
      assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/, path)
    }
  })

  test('what is packed is what runs and what is read: no source of ours, no test', async () => {
    const home = join(published.folder, 'node_modules', 'ledgerwright')
    const packed = globSync('**/*.*', { cwd: home })
    const roots = new Set(packed.map((file) => file.replace(/\/.*/, '')))
    assert.deepEqual([...roots].sort(), [
      'CHANGELOG.md',
      'README.md',
      'dist',
      'docs',
      'package.json',
      'spec',
    ])
    const sources = packed.filter((file) => /(?<!\.d)\.ts$/.test(file))
    assert.deepEqual(
      sources.filter(
        (file) => !/^dist\/codegen\/((emit|hooks|schemas)\/support|init\/template)\//.test(file),
      ),
      [],
    )
    assert.equal(
      packed.filter((file) => /^dist\/generated\/\w+\/openapi\.json$/.test(file)).length,
      4,
    )
  })

  newProjects(() => published)
  publishedApp(() => published)
  publishedCommands(() => published)
  publishedPackage(() => published)

  const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find(
    (path) => existsSync(path) && isOld(path),
  )
  const skip = oldNode === undefined ? 'no Node before 22.18 on this machine' : false
  test('an old Node is told so in one line', { skip }, async () => {
    const bin = join(published.folder, 'node_modules', '.bin', 'ledgerwright')
    const { code, stdout, stderr } = await published.run(oldNode ?? '', [bin, 'serve'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^ledgerwright needs Node 22\.18 or newer; this is \d+\.\d+\.\d+\n$/)
  })

  /** Every published path can be imported, and strict TypeScript accepts its declarations. */
  async function typesAreGood(generated: readonly string[]): Promise<void> {
    const paths = await publishedPaths()
    assert.ok(paths.length >= 14, paths.join(' '))
    const imports = paths.map((path, index) => `import * as part${index} from '${path}'`)
    const uses = `export const parts: readonly object[] = [${paths.map((_, index) => `part${index}`).join(', ')}]`
    await writeFile(join(published.folder, 'every-path.ts'), [...imports, uses, ''].join('\n'))
    const samples = globSync(
      '{app,bad,acme-ledger-storage,acme-ledger-auth,acme-ledger-welcome}/*.js',
      { cwd: published.folder },
    )
    const checked = await published.run(process.execPath, [
      TYPESCRIPT,
      ...STRICT,
      'every-path.ts',
      ...samples,
      ...generated,
    ])
    assert.deepEqual([checked.code, checked.stdout], [0, ''])
    const loaded = await published.run(process.execPath, ['every-path.ts'])
    assert.deepEqual([loaded.code, loaded.stderr], [0, ''])
  }

  /**
   * What a client sees of a server with this storage, without what may differ: times and the
   * storage's own name.
   */
  async function visit(name: keyof typeof STORAGES): Promise<unknown> {
    const server = await published.serve(name, { ...SECTIONS, storage: STORAGES[name] })
    const ask = async (request: string, body?: unknown): Promise<unknown> => {
      const { status, text } = await call(server.url, request, { token: TOKEN, body })
      // Each ledger draws its own.
      return { status, answer: text.replaceAll(/::1220[0-9a-f]{64}/gu, '::…') }
    }
    try {
      const answers = [
        await ask('GET /readyz'),
        await ask('POST /v2/users', CAROL),
        await ask('GET /v2/users/carol/rights'),
        await ask('GET /v2/users'),
        (await call(server.url, 'GET /v2/users', { token: `${TOKEN}x` })).status,
      ]
      await counted(server.log)
      return { answers, board: await board(server.url) }
    } finally {
      assert.equal(await server.stop(), 0)
    }
  }

  /**
   * Waits until the automation has counted the user that was created, beside the four of a
   * development network.
   */
  async function counted(log: () => string): Promise<void> {
    await eventuallyHolds('the census counts five', () =>
      /"plugin":"automation\/census","users":5/.test(log()),
    )
  }

  /** The lines of their page once the automation has run; health is up to a second old. */
  async function board(url: string): Promise<readonly string[]> {
    const plugins = await retried(async () => {
      const { json } = await call(url, 'GET /acme/board')
      assert.ok(Array.isArray(json))
      const shown: readonly PluginOnBoard[] = json
      assert.ok(
        shown.some(({ plugin, runs = 0 }) => plugin === 'automation/census' && runs > 0),
        'the census has run',
      )
      return shown
    })
    return plugins.map(
      ({ plugin, status }) => `${plugin.replace(/^storage\/.*/, 'storage')} ${status}`,
    )
  }

  /**
   * The page of the wallet is in the package, its files too, and the notices of what is built in.
   */
  async function hasWallet(url: string): Promise<void> {
    const page = await call(url, 'GET /wallet')
    assert.deepEqual([page.status, page.type], [200, 'text/html; charset=utf-8'])
    const assets = page.text.match(/\/wallet\/assets\/[^"]+\.js/g) ?? []
    const scripts = await Promise.all(assets.map((asset) => call(url, `GET ${asset}`)))
    for (const { status, type } of scripts)
      assert.deepEqual([status, type], [200, 'text/javascript; charset=utf-8'])
    const size = scripts.reduce((sum, script) => sum + script.text.length, 0)
    assert.ok(size > 10_000, `${assets.join(', ')}: ${size} characters`)
    const notices = join(
      published.folder,
      'node_modules',
      'ledgerwright',
      'dist',
      'plugins',
      'wallet-ui',
      'page',
      'licenses.md',
    )
    assert.match(await readFile(notices, 'utf8'), /## preact .*MIT/)
  }

  /**
   * What `exports` of the installed package stands for, its patterns filled in from the files that
   * are there.
   */
  async function publishedPaths(): Promise<readonly string[]> {
    const home = join(published.folder, 'node_modules', 'ledgerwright')
    const { exports }: { exports: Record<string, { default: string } | string | null> } =
      JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([path, target]) => {
      if (target === null || typeof target === 'string') return []
      const [before = '', behind] = target.default.slice(2).split('*')
      const name = path.replace(/^\./, 'ledgerwright')
      if (behind === undefined) return [name]
      const files = globSync(`${before}*${behind}`, { cwd: home })
      return files.map((file) => name.replace('*', file.slice(before.length, -behind.length)))
    })
  }
})

const STRICT = [
  '--strict',
  '--noEmit',
  '--allowJs',
  '--checkJs',
  '--target',
  'es2024',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--allowImportingTsExtensions',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
]

interface PluginOnBoard {
  readonly plugin: string
  readonly status: string
  readonly runs?: number
}

function linesOf(text: string): number {
  return text.trimEnd().split('\n').length
}

function isOld(path: string): boolean {
  const version = execFileSync(path, ['-p', 'process.versions.node']).toString()
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 18)
}
