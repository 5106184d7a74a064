// `config`, `token`, `plugins`, help and usage: exact output, exit codes of docs/commands.md, one
// line for a failure.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import authOpen from '../../plugins/auth-open/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { MAIN, run, tempFolder } from './cli-kit.ts'

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function place(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const folder = tempFolder(files)
  folders.push(folder)
  return { cwd: folder.path, env }
}

describe('config', () => {
  it('check is quiet about a good configuration and lists all that is wrong with a bad one', async () => {
    assert.deepEqual(await run(MAIN, ['config', 'check'], place()), {
      code: 0,
      stdout: 'configuration is good\n',
      stderr: '',
    })
    const at = place({
      'ledgerwright.config.json': JSON.stringify({
        storage: { use: 'sqlite', fil: 'x' },
        auth: [{ use: 'open', allowNonLoopback: 'yes' }],
        ledger: { participantIdd: 'x' },
      }),
    })
    const { code, stdout, stderr } = await run(MAIN, ['config', 'check'], at)
    assert.deepEqual([code, stdout], [2, ''])
    const lines = stderr.trimEnd().split('\n')
    assert.equal(lines.length, 3)
    assert.match(
      lines[0] ?? '',
      /^storage\.fil: unknown key; did you mean "file"\? \(plugin storage\/sqlite, from .*config\.json\)$/,
    )
    assert.match(
      lines[1] ?? '',
      /^auth\[0\]\.allowNonLoopback: expected boolean, received "yes" \(plugin auth\/open, from /,
    )
    assert.match(lines[2] ?? '', /^ledger: .*participantIdd/)
  })

  it('check lists what is wrong with sections, plugins and options at once', async () => {
    const at = place({
      'ledgerwright.config.json': JSON.stringify({
        server: { prt: 1 },
        storage: { use: 'sqlite', fil: 'x' },
        auth: [{ use: 'opn' }],
        ledger: { participantIdd: 'x' },
      }),
    })
    const { code, stderr } = await run(MAIN, ['config', 'check'], at)
    assert.equal(code, 2)
    assert.deepEqual(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => /^[\w.[\]]+/.exec(line)?.[0]),
      ['server.prt', 'auth[0].use', 'storage.fil', 'ledger'],
    )
  })

  it('check and serve refuse a key set that the profile never fetches', async () => {
    const issuer = { issuer: 'https://login.example', jwksUrl: 'http://login.example/keys' }
    const config = { profile: 'production', storage: { use: 'memory' } }
    const withKeys = (keys: object) =>
      place({
        'ledgerwright.config.json': JSON.stringify({
          ...config,
          auth: [{ use: 'jwt', issuers: [issuer], keys }],
        }),
      })
    for (const command of [
      ['config', 'check'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await run(MAIN, command, withKeys({}))
      assert.equal(code, 2, stderr)
      assert.match(
        stderr,
        /auth\[0\]\.issuers\[0\]\.jwksUrl: http: is not allowed: no token .*auth\/jwt/,
      )
    }
    const { code, stderr } = await run(MAIN, ['config', 'check'], withKeys({ allowHttp: true }))
    assert.deepEqual([code, stderr], [0, ''])
  })

  it('check and serve refuse a vocabulary alike', async () => {
    const files = {
      'words.yaml': 'words:\n  - { neutral: coin, wire: pebble }\n',
      'bad.yaml': 'words: 3\n',
    }
    const cases = [
      [
        { file: 'words.yaml', interfaces: ['ledgers'] },
        /interfaces\[0\]: 'ledgers' cannot be renamed: ledger, validator, scan, registry can/,
      ],
      [
        { file: 'words.yaml', interfaces: ['scan', 'scann'] },
        /vocabulary\.interfaces\[1\]: 'scann' cannot be renamed/,
      ],
      [{ file: 'none.yaml' }, /vocabulary\.file: there is no none\.yaml/],
      [{ file: 'bad.yaml' }, /vocabulary\.file: bad\.yaml:1:\d+: error: /],
      [{ preset: 'x' }, /vocabulary\.preset: there is no preset 'x': network-0\.6/],
      [{ preset: '../x' }, /vocabulary\.preset: there is no preset '\.\.\/x': network-0\.6/],
      [{ preset: 'network-0.6', file: 'words.yaml' }, /vocabulary: expected either preset or file/],
      [{}, /vocabulary: expected either preset or file/],
    ] as const
    for (const [vocabulary, expected] of cases) {
      const at = place({
        ...files,
        'ledgerwright.config.json': JSON.stringify({ vocabulary }),
      })
      for (const command of [
        ['config', 'check'],
        ['serve', '--port', '0'],
      ]) {
        const { code, stderr } = await run(MAIN, command, at)
        assert.equal(code, 2, stderr)
        assert.match(stderr, expected)
      }
      assert.ok(!existsSync(join(at.cwd, 'data')), 'nothing has started')
    }
  })

  it('print shows what was set with its origin, and with --effective everything; secrets stay hidden', async () => {
    const at = place(
      {
        'ledgerwright.config.yaml':
          'storage: { use: postgres, url: { env: DB } }\nserver: { port: 9 }\n',
      },
      { DB: 'postgres://u:hidden@h/d', HOST: '::1' },
    )
    const { code, stdout } = await run(MAIN, ['config', 'print', '--data', 'd'], at)
    const file = join(at.cwd, 'ledgerwright.config.yaml')
    assert.equal(code, 0)
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'server.host = "::1"  # environment HOST',
      `server.port = 9  # ${file}`,
      `data = ${JSON.stringify(join(at.cwd, 'd'))}  # flag --data`,
      `storage.use = "postgres"  # ${file}`,
      `storage.url = "********"  # ${file}`,
    ])
    const all = await run(MAIN, ['config', 'print', '--effective', '--json'], at)
    const lines: unknown = JSON.parse(all.stdout)
    assert.ok(Array.isArray(lines) && lines.length > 12)
    assert.ok(!all.stdout.includes('hidden'))
    assert.equal((await run(MAIN, ['config', 'print', '--port', 'x'], at)).code, 2)
  })

  it('reads a configuration in TypeScript without a word', async () => {
    for (const manifest of [undefined, '{}', '{"type":"module"}']) {
      const files = {
        'ledgerwright.config.ts': 'const port: number = 5\nexport default { server: { port } }\n',
      }
      const at = place(manifest === undefined ? files : { ...files, 'package.json': manifest })
      const { stdout, stderr } = await run(MAIN, ['config', 'print'], at)
      assert.match(stdout, /^server\.port = 5 /)
      assert.equal(stderr, '')
    }
  })
})

describe('token', () => {
  it('prints a token and nothing else, which the auth of the same folder accepts', async () => {
    const at = place()
    const { code, stdout, stderr } = await run(
      MAIN,
      ['token', '--user', 'alice', '--data', 'd'],
      at,
    )
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const auth = await authOpen.setup(
      {
        name: 'open',
        log: silentLog,
        clock: systemClock,
        profile: 'dev',
        dataDir: join(at.cwd, 'd'),
        documents: [],
        listen: { host: '127.0.0.1', port: 0 },
      },
      { allowNonLoopback: false, cacheSize: 1 },
    )
    const credentials = {
      authorization: undefined,
      webSocketProtocol: undefined,
      remoteAddress: '',
    }
    assert.deepEqual(await auth.authenticate(stdout.trim(), credentials), {
      kind: 'user',
      user: { userId: 'alice', identityProviderId: '' },
    })
  })

  it('refuses what is not a user id and a profile without issued tokens', async () => {
    const bad = await run(MAIN, ['token', '--user', 'a b'], place())
    assert.deepEqual([bad.code, bad.stdout], [1, ''])
    assert.match(bad.stderr, /^ledgerwright: "a b" is not a user id.*\n$/)
    const production = await run(MAIN, ['token', '--user', 'a', '--profile', 'production'], place())
    assert.equal(production.code, 2)
    assert.match(
      production.stderr,
      /^ledgerwright: configuration: storage: the production profile.*\n$/,
    )
  })
})

describe('usage', () => {
  it('answers help and version on standard output', async () => {
    const help = await run(MAIN, ['--help'], place())
    assert.deepEqual([help.code, help.stderr], [0, ''])
    assert.match(help.stdout, /^Examples:\n/)
    for (const word of ['serve', 'token', 'config', 'plugins', 'generate', 'check', 'Exit codes'])
      assert.ok(help.stdout.includes(word), word)
    const version = await run(MAIN, ['--version'], place())
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    assert.equal((await run(MAIN, ['help', 'serve'], place())).code, 0)
  })

  it('ends with 2 and one line that helps on what it does not understand', async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['serv'], /unknown command 'serv' \(Did you mean serve\?\)/],
      [['config', 'chek'], /unknown command 'chek' \(Did you mean check\?\)/],
      [['serve', '--prt', '1'], /unknown option '--prt' \(Did you mean --port\?\)/],
      [['token'], /required option '--user <name>' not specified/],
      [['serve', 'extra'], /too many arguments/],
    ]
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(MAIN, args, place())
      assert.match(stderr, message)
      assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [2, '', 1], stderr)
    }
  })

  it('lists plugins and marks those in use', async () => {
    const { code, stdout } = await run(MAIN, ['plugins', 'list'], place())
    assert.equal(code, 0)
    assert.match(stdout, /^\* storage +sqlite +built in$/m)
    assert.match(stdout, /^ {2}storage +memory +built in$/m)
  })

  const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find(
    (path) => existsSync(path) && isOld(path),
  )
  it(
    'says in one line that it needs a newer Node',
    { skip: oldNode === undefined ? 'no Node before 22.18 on this machine' : false },
    async () => {
      const start = fileURLToPath(new URL('../../runtime/cli/start.mjs', import.meta.url))
      const { code, stdout, stderr } = await run(start, ['serve'], {
        ...place(),
        node: oldNode ?? '',
      })
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^ledgerwright needs Node 22\.18 or newer; this is \d+\.\d+\.\d+\..*\n$/)
    },
  )
})

function isOld(path: string): boolean {
  const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'])
    .toString()
    .split('.')
    .map(Number)
  return major < 22 || (major === 22 && minor < 18)
}
