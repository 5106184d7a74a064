// The incidents of docs/operations.md as somebody meets them who has the published package, an
// empty folder and that page: every command that the pages for operators name exists, and what they
// promise comes about. `npm run full:bad-day`
import assert from 'node:assert/strict'
import { readFileSync, truncateSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { call } from '../support/http.ts'
import { installPublished } from '../support/published.ts'
import type { Published } from '../support/published.ts'
import { ROOT } from '../support/service.ts'

const SAMPLES = fileURLToPath(new URL('../plugins/third-party', import.meta.url))
const PAGES = ['operations', 'replicated-database', 'upgrading', 'deploy', 'observability']
const WALLET = '/api/validator/v0/wallet'

describe('a bad day', () => {
  let published: Published
  before(async () => {
    published = await installPublished(SAMPLES)
  })
  after(() => published.remove())

  /** The output of a command; it has to end with 0. */
  const command = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await published.ledgerwright(...args, ...of(name))
    assert.equal(code, 0, stderr)
    return stdout
  }
  /** The one line of a command that ends with 1. */
  const refusal = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await published.ledgerwright(...args, ...of(name))
    assert.deepEqual([code, stderr.trimEnd().split('\n').length], [1, 1], stderr)
    return stderr
  }
  const file = (...names: readonly string[]): string => join(published.folder, ...names)
  /** A server for as long as `visit` takes; answers what that answers. */
  const serving = async <T>(
    name: string,
    config: object,
    visit: (ask: Ask, url: string) => Promise<T>,
  ): Promise<T> => {
    const server = await published.serve(name, config)
    try {
      const token = (await command(name, 'token', '--user', 'alice')).trim()
      const ask: Ask = (request, body) => call(server.url, request, { token, body })
      return await visit(ask, server.url)
    } finally {
      assert.equal(await server.stop(), 0)
    }
  }

  for (const page of PAGES) {
    test(`the commands of ${page}.md and their options are those of the package`, async () => {
      const named = commandsIn(readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8'))
      assert.ok(named.length > 0)
      for (const { words, options } of named) {
        const { code, stdout } = await published.ledgerwright(...words, '--help')
        assert.equal(code, 0, words.join(' '))
        for (const option of options) assert.ok(stdout.includes(option), `${words} ${option}`)
      }
    })
  }

  test('the last backup is restored, and servers go on once that is accepted', async () => {
    const folder = { data: './data-lost' }
    const before = await serving('lost', { ...folder, storage: { use: 'sqlite' } }, async (ask) => {
      await tap(ask)
      await command('lost', 'backup', '--to', file('last.backup'))
      const balance = await balanceOf(ask)
      await tap(ask)
      return balance
    })
    const restored = { ...folder, storage: { use: 'sqlite', file: 'restored.sqlite' } }
    await published.configure('restored', restored)
    assert.match(
      await command('restored', 'restore', '--in-place', '--from', file('last.backup')),
      /totals agree with \d+ active contracts/,
    )
    await assert.rejects(published.serve('restored', restored), /another history/)
    assert.match(await refusal('restored', 'history'), /offsets \d+ to \d+/)
    assert.match(await command('restored', 'history', '--accept', '--yes'), /^accepted: /)
    assert.deepEqual(await serving('restored', restored, balanceOf), before)
    assert.match(await command('restored', 'verify'), /^no problem in /)
    assert.match(
      await refusal('restored', 'restore', '--in-place', '--from', file('last.backup')),
      /it holds data/,
    )
  })

  test('a damaged file and an empty one are not served, and say what to do', async () => {
    for (const [name, size, says] of [
      ['cut', 40_000, /it is damaged/],
      ['empty', 0, /remove what is left to start anew or to restore a backup/],
    ] as const) {
      const config = { storage: { use: 'sqlite' } }
      await serving(name, config, tap)
      truncateSync(file(`data-${name}`, 'ledgerwright.sqlite'), size)
      await rm(file(`data-${name}`, 'ledgerwright.sqlite-wal'), { force: true })
      await assert.rejects(published.serve(name, config), says)
      assert.match(await refusal(name, 'verify'), /Cannot use the data file/)
    }
  })

  test('an administrator whose token is lost gets another one', async () => {
    const config = { storage: { use: 'sqlite' } }
    const tokenNow = async (): Promise<string> =>
      (await command('admin', 'token', '--user', 'participant_admin')).trim()
    await published.configure('admin', config)
    const lost = await tokenNow()
    await rm(file('data-admin', 'auth-open.key'))
    const token = await tokenNow()
    const server = await published.serve('admin', config)
    const statusOf = async (each: string): Promise<number> =>
      (await call(server.url, 'GET /v2/users', { token: each })).status
    assert.deepEqual([await statusOf(lost), await statusOf(token)], [401, 200])
    assert.equal(await server.stop(), 0)
  })

  test('a ledger that is ahead of the clock is served', async () => {
    const config = { data: './data-ahead', storage: { use: 'sqlite' } }
    await serving('ahead', { ...config, clock: 'simulated' }, async (ask, url) => {
      await command('ahead', 'network', 'time', 'advance', '3d', '--url', url)
      await tap(ask)
    })
    await serving('ahead', config, tap)
    await serving('ahead', { ...config, ledger: { acceptClock: true } }, tap)
  })

  test('an invalid configuration is told at once, with exit code 2', async () => {
    await writeFile(file('wrong.config.json'), '{ "prot": 1, "storage": { "use": "sqlight" } }')
    for (const words of [['config', 'check'], ['serve']]) {
      const { code, stdout, stderr } = await published.ledgerwright(...words, ...of('wrong'))
      assert.equal(code, 2, stderr)
      assert.match(stdout + stderr, /prot/)
    }
  })
})

type Ask = (request: string, body?: unknown) => ReturnType<typeof call>

function of(name: string): readonly string[] {
  return ['--config', `${name}.config.json`]
}

async function tap(ask: Ask): Promise<void> {
  assert.equal((await ask(`POST ${WALLET}/tap`, { amount: '1.0' })).status, 200)
}

async function balanceOf(ask: Ask): Promise<unknown> {
  return (await ask(`GET ${WALLET}/balance`)).json
}

interface NamedCommand {
  /** Words of a command without options and what is not its name. */
  readonly words: readonly string[]
  readonly options: readonly string[]
}

const COMMAND = /(?:npm run -s ledgerwright --|\bledgerwright) ((?:[a-z]+ ?)+)([^`|\n"]*)/g
const TWO_WORDS = new Set(['config', 'network', 'plugins', 'vocabulary'])

/** Commands in a page's code: `ledgerwright history --accept --yes`. */
function commandsIn(page: string): readonly NamedCommand[] {
  const code = [...page.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, span]) => block ?? span ?? '',
  )
  return code.flatMap((text) =>
    [...text.matchAll(COMMAND)].map(([, names = '', rest = '']) => {
      const words = names.trim().split(' ')
      return {
        words: words.slice(0, TWO_WORDS.has(words[0] ?? '') ? 2 : 1),
        options: rest.match(/--[a-z][a-z-]*/g) ?? [],
      }
    }),
  )
}
