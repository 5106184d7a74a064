// The postgres plugin passes the storage suite on a real server; each check has a schema of its
// own.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import plugin, { openSqlStore } from '../../plugins/storage-sql/postgres.ts'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'
import { Spans } from '../../runtime/host/spans.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'
import { startPostgres } from '../support/postgres.ts'
import type { Store } from '../../runtime/index.ts'

const server = await startPostgres()
const url = await server.createDatabase()
after(() => server.stop())

const schemas = new WeakMap<Store, string>()
let count = 0

async function open(schema: string): Promise<Store> {
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 10, schema })
  schemas.set(store, schema)
  return store
}

const report = storageSuite({
  test,
  create: () => open(`check "${(count += 1)}"`),
  reopen: (store) => open(schemas.get(store) ?? ''),
  features: { durable: true, multiProcess: true },
  seedRuns: Number(process.env['SEED_RUNS'] ?? 10),
})

test('no check of the suite is skipped', () => assert.deepEqual(report.skipped, []))

test('a connection is checked before its first use, also where traces are on', async () => {
  const clock = { nowMicros: () => 0n, monotonicMs: () => 0 }
  for (const spans of [undefined, new Spans(clock)]) {
    const store = await openSqlStore(
      { dialect: 'postgres', connection: url, poolSize: 5, schema: 'checked' },
      spans,
    )
    let checked = 0
    store.guard?.(async () => void (checked += 1))
    const reads = { contractIds: [], commandKeys: [], facts: [] }
    const decide = () => ({ writes: NO_WRITES, result: undefined })
    await Promise.all([store.contracts.commit({ reads, decide }), store.packages.list()])
    await store.close()
    assert.ok(checked > 0)
  }
})

test('the plugin takes a url or its parts, and nothing else', async () => {
  assert.deepEqual([plugin.kind, plugin.name], ['storage', 'postgres'])
  const parts = { host: 'h', database: 'd', user: 'u', password: 'p' }
  const cases: readonly (readonly [object, boolean])[] = [
    [{ url: 'postgres://u:p@h/d' }, true],
    [parts, true],
    [{ ...parts, port: 1, poolSize: 3, schema: 's' }, true],
    [{ url: 'http://h' }, false],
    [{ url: 'postgres://h', host: 'h' }, false],
    [{ ...parts, extra: 1 }, false],
    [{ ...parts, poolSize: 0 }, false],
    [{}, false],
  ]
  for (const [options, fits] of cases) {
    const { issues } = await plugin.options['~standard'].validate(options)
    assert.equal(issues === undefined, fits, JSON.stringify(options))
  }
})
