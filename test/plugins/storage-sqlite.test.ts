// The sqlite plugin passes the storage suite, and starts without knex once its schema is there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import plugin, { openSqlStore } from '../../plugins/storage-sql/sqlite.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'
import { tempDir } from '../support/temp-dir.ts'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'
import type { Store } from '../../runtime/index.ts'

const run = promisify(execFile)
const folder = await tempDir()
after(() => folder.remove())

const files = new WeakMap<Store, string>()
let count = 0

async function open(file: string): Promise<Store> {
  const store = await openSqlStore({ dialect: 'sqlite', file })
  files.set(store, file)
  return store
}

const report = storageSuite({
  test,
  create: () => open(join(folder.path, 'new', `${(count += 1)}.sqlite`)),
  reopen: (store) => open(files.get(store) ?? ''),
  features: { durable: true, multiProcess: true },
})

test('no check of the suite is skipped', () => assert.deepEqual(report.skipped, []))

test('knex is loaded for a new file only, the driver of the other database never', async () => {
  const child = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))
  const libraries = async (): Promise<string> => {
    const { stdout } = await run(process.execPath, [
      child,
      'libraries',
      join(folder.path, 'start.sqlite'),
    ])
    return stdout.trim()
  }
  assert.equal(await libraries(), 'better-sqlite3 knex')
  assert.equal(await libraries(), 'better-sqlite3')
})

test('the plugin has its id and refuses unknown options', async () => {
  assert.deepEqual([plugin.kind, plugin.name], ['storage', 'sqlite'])
  const refused = await plugin.options['~standard'].validate({ path: 'x' })
  assert.match(refused.issues?.[0]?.message ?? '', /path/)
})

const OWNERS = Array.from({ length: 64 }, (_, index) => `owner-${index}::${'0'.repeat(64)}`)

/** Lines of each owner, in one commit; ids begin with a number that grows. */
function writeLines({ contracts }: Store, from: number, count: number): Promise<void> {
  const logs = Array.from({ length: count }, (_, index) => from + index).flatMap((number) =>
    OWNERS.map((owner) => {
      const time = number.toString(16).padStart(8, '0')
      const id = `#1220${time}${hash('sha256', `${number}/${owner}`).slice(8)}:0`
      return { log: 'history', owner, id, body: '{}', offset: 0n }
    }),
  )
  return contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes: { ...NO_WRITES, logs }, result: undefined }),
  })
}

test('a line takes less than two pages, however long the histories are', async (t) => {
  const file = join(folder.path, 'lines.sqlite')
  const first = await open(file)
  await writeLines(first, 0, 100)
  // The log begins anew, and stays too short to be copied.
  await first.close()
  const store = await open(file)
  t.after(() => store.close())
  await writeLines(store, 100, 1)
  const { size } = await stat(`${file}-wal`)
  for (const number of [101, 102, 103]) await writeLines(store, number, 1)
  const pages = ((await stat(`${file}-wal`)).size - size) / 4_096 / 3
  assert.ok(pages > 0 && pages < OWNERS.length * 2, `${pages} pages`)
})

/** Writes 40 KB under a few names, so that the file stays small and the log grows. */
async function writeSome({ contracts }: Store, round: number): Promise<void> {
  const body = JSON.stringify(`${round} ${'x'.repeat(4_000)}`)
  const facts = Array.from({ length: 10 }, (_, at) => ({ kind: 'some', key: String(at), body }))
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes: { ...NO_WRITES, facts }, result: undefined }),
  })
}

test('the log stays short while there is time to spare, and grows while there is none', async () => {
  const file = join(folder.path, 'log.sqlite')
  const store = await open(file)
  const logMib = async (): Promise<number> => (await stat(`${file}-wal`)).size / 1_048_576
  for (let round = 0; round < 120; round += 1) {
    await writeSome(store, round)
    await sleep(10)
  }
  assert.ok((await logMib()) < 3, `${await logMib()} MiB`)
  const endMs = performance.now() + 60_000
  while ((await logMib()) < 6 && performance.now() < endMs)
    for (let round = 0; round < 100; round += 1) await writeSome(store, round)
  assert.ok((await logMib()) >= 6, `${await logMib()} MiB`)
  await store.close()
})
