// The sqlite plugin passes the storage suite, and starts without knex once its schema is there.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { join } from 'node:path'
import plugin, { openSqlStore } from '../../plugins/storage-sql/sqlite.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'
import { tempDir } from '../support/temp-dir.ts'
import type { Store } from '../../runtime/index.ts'

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
  create: () => open(join(folder.path, 'new', `${count += 1}.sqlite`)),
  reopen: (store) => open(files.get(store) ?? ''),
  features: { durable: true, multiProcess: true },
})

test('no check of the suite is skipped', () => assert.deepEqual(report.skipped, []))

test('the plugin has its id and refuses unknown options', async () => {
  assert.deepEqual([plugin.kind, plugin.name], ['storage', 'sqlite'])
  const refused = await plugin.options['~standard'].validate({ path: 'x' })
  assert.match(refused.issues?.[0]?.message ?? '', /path/)
})
