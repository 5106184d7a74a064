// The configuration: four layers, their origins, secrets, and messages that say where, what and
// what was meant.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import type {
  ConfigResult,
  ConfigSources,
  Configuration,
} from '../../runtime/host/config/configuration.ts'
import { defaultPlugins } from '../../runtime/cli/built-in.ts'
import { loadConfiguration } from '../../runtime/host/config/configuration.ts'
import { isTree, layOver } from '../../runtime/host/config/layers.ts'
import { nest } from '../../runtime/host/config/environment.ts'
import { configLines } from '../../runtime/host/config/print.ts'
import { defineConfig } from '../../runtime/index.ts'
import { prettyLine } from '../../runtime/cli/log.ts'
import { formatProblem } from '../../runtime/host/problem.ts'

const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lw-config-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function load(folder: string, more: Partial<ConfigSources> = {}): Promise<ConfigResult> {
  return await loadConfiguration({ folder, env: {}, flags: [], plugins: defaultPlugins, ...more })
}

async function good(folder: string, more: Partial<ConfigSources> = {}): Promise<Configuration> {
  const result = await load(folder, more)
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'))
  return result.config
}

async function wrong(
  folder: string,
  more: Partial<ConfigSources> = {},
): Promise<readonly string[]> {
  const result = await load(folder, more)
  return result.ok ? [] : result.problems.map(formatProblem)
}

describe('configuration layers', () => {
  it('takes defaults, then the file, then the environment, then flags, and knows where each value came from', async () => {
    const folder = folderWith({
      'ledgerwright.config.yaml': 'server: { port: 1, host: file, drainMs: 7 }\n',
    })
    const config = await good(folder, {
      env: { PORT: '2', HOST: 'env', LEDGERWRIGHT__SERVER__PORT: '3' },
      flags: [{ origin: 'flag --port', values: { server: { port: 4 } } }],
    })
    const { server } = config.values
    assert.deepEqual(
      [server.port, server.host, server.drainMs, server.responseCheck],
      [4, 'env', 7, 'log'],
    )
    assert.equal(config.origins.get('server.port'), 'flag --port')
    assert.equal(config.origins.get('server.host'), 'environment HOST')
    assert.equal(config.origins.get('server.drainMs'), join(folder, 'ledgerwright.config.yaml'))
    assert.equal(config.origins.get('server.responseCheck'), 'default')
  })

  it('reads every form of file alike', async () => {
    const json = '{"server":{"port":81}}'
    const forms = {
      json,
      yaml: 'server:\n  port: 81\n',
      yml: 'server: { port: 81 }',
      mjs: `export default ${json}`,
      js: `export default ${json}`,
      ts: `const config: object = ${json}\nexport default config`,
    }
    for (const [ending, text] of Object.entries(forms)) {
      const folder = folderWith({
        [`ledgerwright.config.${ending}`]: text,
        'package.json': '{"type":"module"}',
      })
      assert.equal((await good(folder)).values.server.port, 81, ending)
    }
  })

  it('replaces a plugin section whole when another plugin is named, and adds to it when the same is', async () => {
    const folder = folderWith({
      'ledgerwright.config.json':
        '{"storage":{"use":"postgres","url":"x"},"auth":[{"use":"open"}]}',
    })
    const added = await good(folder, {
      env: { LEDGERWRIGHT__STORAGE__URL: 'y', LEDGERWRIGHT__AUTH__0__ALLOW_NON_LOOPBACK: 'true' },
    })
    assert.deepEqual(added.values.storage, { use: 'postgres', url: 'y' })
    assert.deepEqual(added.values.auth, [{ use: 'open', allowNonLoopback: true }])
    const replaced = await good(folder, { env: { LEDGERWRIGHT__STORAGE__USE: 'memory' } })
    assert.deepEqual(replaced.values.storage, { use: 'memory' })
  })

  it('turns an extension off with false', async () => {
    const folder = folderWith({ 'ledgerwright.config.json': '{"extensions":{"docs":false}}' })
    assert.deepEqual((await good(folder)).values.extensions, {
      docs: false,
      metrics: {},
      'wallet-ui': {},
    })
  })

  it('finds hyphenated keys of the file from the environment', async () => {
    const folder = folderWith({
      'ledgerwright.config.json': '{"automations":{"my-sweep":{"use":"./sweep.ts"}}}',
    })
    const config = await good(folder, {
      env: { LEDGERWRIGHT__AUTOMATIONS__MY_SWEEP__BATCH_SIZE: '5' },
    })
    assert.deepEqual(config.values.automations['my-sweep'], { use: './sweep.ts', batchSize: 5 })
  })

  it('keeps numbers that would lose digits as text', async () => {
    const config = await good(folderWith({}), {
      env: { LEDGERWRIGHT__LEDGER__ID: '9007199254740993' },
    })
    assert.deepEqual(config.values.ledger, { id: '9007199254740993' })
  })

  it('is frozen to its depths', async () => {
    const { values } = await good(folderWith({}))
    assert.throws(() => Object.assign(values.server, { port: 1 }), TypeError)
    assert.throws(() => Object.assign(values.auth, { 0: {} }), TypeError)
  })

  it('gives the value of the highest layer that has it, whatever the layers', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__', 'constructor'),
      fc.integer(),
    )
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (given) => {
        const merged = layOver(
          given.map((layer, index) => ({ origin: String(index), values: { section: layer } })),
        )
        for (const key of ['a', 'b', '__proto__', 'constructor']) {
          const top = given.findLastIndex((layer) => Object.hasOwn(layer, key))
          const section = isTree(merged.values) ? merged.values['section'] : undefined
          const found = isTree(section) && Object.hasOwn(section, key) ? section[key] : undefined
          assert.equal(found, top < 0 ? undefined : given[top]?.[key])
          assert.equal(merged.origins.get(`section.${key}`), top < 0 ? undefined : String(top))
        }
      }),
    )
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    layOver([{ origin: 'x', values: nest(['__proto__', 'polluted'], 1) }])
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })
})

describe('defineConfig', () => {
  it('types a configuration and passes it on', async () => {
    const config = defineConfig({
      storage: { use: 'sqlite', file: 'x' },
      server: { port: 1 },
      auth: [{ use: 'open', cacheSize: 5 }],
      extensions: { docs: false },
    })
    // @ts-expect-error a port is a number
    defineConfig({ server: { port: '1' } })
    // @ts-expect-error there is no such section
    defineConfig({ servr: {} })
    const folder = folderWith({ 'ledgerwright.config.json': JSON.stringify(config) })
    assert.equal((await good(folder)).values.storage?.['file'], 'x')
  })
})

describe('log lines for people', () => {
  it('show time, level, message, fields and the stack of an error', () => {
    const error = { type: 'Error', message: 'boom', stack: 'Error: boom\n    at here' }
    const line = JSON.stringify({
      level: 50,
      time: '2026-01-02T03:04:05.678Z',
      plugin: 'a/b',
      err: error,
      msg: 'it failed',
    })
    assert.equal(
      prettyLine(line),
      '03:04:05.678 ERROR it failed plugin=a/b\nError: boom\n    at here\n',
    )
  })
})

describe('configuration problems', () => {
  it('refuses unknown keys with the nearest name and the origin, all at once', async () => {
    const folder = folderWith({
      'ledgerwright.config.json': '{"servr":{},"server":{"prot":1,"port":"x"}}',
    })
    const lines = await wrong(folder, { env: { LEDGERWRIGHT__LOG__LEVL: 'info' } })
    const file = join(folder, 'ledgerwright.config.json')
    assert.deepEqual(lines.toSorted(), [
      'log.levl: unknown key; did you mean "level"? (from environment LEDGERWRIGHT__LOG__LEVL)',
      `server.port: expected number, received "x" (from ${file})`,
      `server.prot: unknown key; did you mean "port"? (from ${file})`,
      `servr: unknown key; did you mean "server"? (from ${file})`,
    ])
  })

  it('says what a section of the wrong form should be', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['storage:', /^storage: expected object, received null/],
      ['auth: {}', /^auth: expected array, received an object/],
      [
        'extensions: { docs: null }',
        /^extensions\.docs: expected a section or false, received null/,
      ],
      ['"": 1', /^"": unknown key/],
      ['__proto__: { a: 1 }', /^__proto__: unknown key/],
      ['server: { port: 70000 }', /^server\.port: Too big.*received 70000/],
    ]
    for (const [text, message] of cases) {
      assert.match(
        (await wrong(folderWith({ 'ledgerwright.config.yaml': text })))[0] ?? '',
        message,
      )
    }
  })

  it('says in one line what is wrong with the file itself', async () => {
    const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [
        { 'ledgerwright.config.json': '{"a":' },
        /ledgerwright\.config\.json cannot be read: .*JSON/,
      ],
      [{ 'ledgerwright.config.yaml': 'a: [' }, /ledgerwright\.config\.yaml cannot be read: /],
      [{ 'ledgerwright.config.mjs': 'export const a = 1' }, /it has no default export/],
      [{ 'ledgerwright.config.json': '[]' }, /does not hold an object/],
      [
        { 'ledgerwright.config.json': '{}', 'ledgerwright.config.yaml': '' },
        /several files, keep one: .*json, .*yaml/,
      ],
    ]
    for (const [files, message] of cases) {
      const lines = await wrong(folderWith(files))
      assert.equal(lines.length, 1)
      assert.match(lines[0] ?? '', message)
      assert.doesNotMatch(lines[0] ?? '', /\n/)
    }
    assert.match((await wrong(folderWith({}), { file: 'nowhere.json' }))[0] ?? '', /does not exist/)
  })

  it('holds the production profile to explicit storage and real authentication', async () => {
    const file = { 'ledgerwright.config.json': '{"profile":"production"}' }
    assert.deepEqual(await wrong(folderWith(file)), [
      'storage: the production profile needs an explicit storage section',
      'auth: the production profile needs an auth plugin',
    ])
    const open = {
      'ledgerwright.config.json':
        '{"profile":"production","storage":{"use":"sqlite"},"auth":[{"use":"open"}]}',
    }
    assert.match(
      (await wrong(folderWith(open)))[0] ?? '',
      /^auth\[0\]\.use: the production profile refuses/,
    )
    assert.match(
      (await wrong(folderWith({}), { env: { LEDGERWRIGHT__PROFILE: 'prod' } }))[0] ?? '',
      /^profile: .*received "prod"/,
    )
  })
})

describe('secrets', () => {
  it('reads them from environment and files and never shows them', async () => {
    const folder = folderWith({
      'ledgerwright.config.json': JSON.stringify({
        storage: {
          use: 'postgres',
          url: { env: 'DB_URL' },
          password: 'literal',
          other: 'postgres://u:pw@h/db?password=q',
        },
        ledger: { key: { file: 'secrets/key' } },
      }),
    })
    mkdirSync(join(folder, 'secrets'))
    writeFileSync(join(folder, 'secrets/key'), 'from-file\n')
    const config = await good(folder, { env: { DB_URL: 'postgres://u:hidden@h/db' } })
    assert.equal(config.values.storage?.['url'], 'postgres://u:hidden@h/db')
    assert.deepEqual(config.values.ledger, { key: 'from-file' })
    const printed = JSON.stringify(configLines(config, true))
    for (const secret of ['hidden', 'literal', 'from-file', ':pw@', '=q'])
      assert.ok(!printed.includes(secret), secret)
  })

  it('names a secret that is missing', async () => {
    const folder = folderWith({
      'ledgerwright.config.json': '{"ledger":{"a":{"env":"NOWHERE"},"b":{"file":"nowhere"}}}',
    })
    const lines = await wrong(folder)
    assert.match(
      lines[0] ?? '',
      /^ledger\.a: the environment variable NOWHERE that it refers to is not set/,
    )
    assert.match(lines[1] ?? '', /^ledger\.b: the file nowhere that it refers to cannot be read/)
  })
})
