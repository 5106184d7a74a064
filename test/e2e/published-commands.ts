// The commands of the README and the plugins that a configuration chooses, with nothing but the
// published package. Tests of the suite that has installed it: test/plugins/third-party.test.ts.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../support/http.ts'
import { startPostgres } from '../support/postgres.ts'
import type { Ended, Published } from '../support/published.ts'

const WALLET = '/api/validator/v0/wallet'
const TAP = { amount: '12.5' }
/** Hides fast-check from one process: other tests use the same installation at the same time. */
const HIDDEN = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => next(name === 'fast-check' ? 'absent' : name, context),
  })`)}`

/** Registers the tests. */
export function publishedCommands(published: () => Published): void {
  test('a ledger moves from its file to a database by backup and restore, and is whole', async (t) => {
    const postgres = await startPostgres()
    t.after(() => postgres.stop())
    const url = await postgres.createDatabase()
    const scheduler = { use: 'postgres', url }
    const file = installation('file', { storage: { use: 'sqlite' } })
    const database = installation('database', { storage: { use: 'postgres', url }, scheduler })

    const before = await file.serving(async (ask) => {
      assert.equal((await ask(`POST ${WALLET}/tap`, TAP)).status, 200)
      return (await ask(`GET ${WALLET}/balance`)).json
    })
    assert.match(await file.command('migrate', '--check'), /^up to date: /)
    assert.match(await file.command('verify'), /^no problem in /)
    await file.command('backup', '--to', 'moving.backup')
    await database.prepare()
    await database.command('migrate')
    await database.command('restore', '--in-place', '--from', 'moving.backup')
    await database.command('verify')
    assert.match(await database.command('prune', '--up-to', '3'), /^pruned up to 3/)
    const after = await database.serving(async (ask) => (await ask(`GET ${WALLET}/balance`)).json)
    assert.deepEqual(after, before)
  })

  test('conform says in one line what to install where fast-check is absent', async () => {
    const { folder, run } = published()
    const bin = join(folder, 'node_modules', '.bin', 'ledgerwright')
    const conform = [bin, 'conform', '--url', 'http://[::1]:9']
    const { code, stdout, stderr } = await run(process.execPath, ['--import', HIDDEN, ...conform])
    assert.deepEqual(
      [code, stdout, stderr],
      [
        2,
        '',
        'ledgerwright: conform needs the package fast-check: npm install --save-dev fast-check\n',
      ],
    )
  })

  interface Installation {
    /** Writes the configuration without serving. */
    prepare(): Promise<void>
    command(...args: readonly string[]): Promise<string>
    serving<T>(visit: (ask: Ask) => Promise<T>): Promise<T>
  }
  type Ask = (request: string, body?: unknown) => ReturnType<typeof call>

  function installation(name: string, config: object): Installation {
    const command = async (...args: readonly string[]): Promise<string> =>
      stdoutOf(await published().ledgerwright(...args, '--config', `${name}.config.json`))
    return {
      prepare: () => published().configure(name, config),
      command,
      serving: async (visit) => {
        const server = await published().serve(name, config)
        try {
          const token = (await command('token', '--user', 'alice')).trim()
          return await visit((request, body) => call(server.url, request, { token, body }))
        } finally {
          assert.equal(await server.stop(), 0)
        }
      },
    }
  }
}

function stdoutOf({ code, stdout, stderr }: Ended): string {
  assert.equal(code, 0, stderr)
  return stdout
}
