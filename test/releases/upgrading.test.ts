// docs/upgrading.md as an operator follows it, with the data of every release; and its table
// against the schema changes that there are.
import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SCHEMA_NAMES } from '../../plugins/storage-sql/migrations.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import { tempFolder } from '../e2e/cli-kit.ts'
import { ROOT } from '../support/service.ts'
import { releases } from './release.ts'

const PAGE = readFileSync(join(ROOT, 'docs/upgrading.md'), 'utf8')

/** Rows of the page's table: the change, whether it is a rolling upgrade, since which version. */
const rows = [...PAGE.matchAll(/^\| `(\d{4}-\S+)` \| (no|yes)? *\| (\S+) \| .*\|$/gm)].map(
  ([, name = '', rolling = '', since = '']) => ({ name, rolling, since }),
)

const all = await releases()

describe('upgrading', () => {
  test('the page says of every schema change what it asks for', () => {
    assert.deepEqual(
      rows.map(({ name }) => name),
      SCHEMA_NAMES,
    )
    const undecided = rows.filter(({ rolling, since }) => since !== '0.1.0' && rolling === '')
    assert.deepEqual(undecided, [])
  })

  for (const release of all) {
    test(`its steps bring the data of ${release.version} here, and back`, async (t) => {
      const folder = tempFolder()
      t.after(() => folder.remove())
      await release.unpack(folder.path)
      const storage = sqliteMaintenance(join(folder.path, 'ledgerwright.sqlite'))

      const before = await storage.schema()
      const had = rows.filter(({ since }) => since <= release.version).map(({ name }) => name)
      assert.deepEqual([before.state, before.applied], ['older', had])
      assert.deepEqual(await storage.schema(), before, 'a look changes nothing')

      const file = join(folder.path, 'before.backup')
      const label = { product: release.version, taken: '2026-01-01T00:00:00.000Z' }
      const backedUp = await storage.backup(createWriteStream(file), label)
      assert.equal(backedUp.schema, had.at(-1))
      assert.deepEqual(await storage.migrate(), before.pending)
      assert.equal((await storage.schema()).state, 'current')

      const back = sqliteMaintenance(join(folder.path, 'back.sqlite'))
      assert.deepEqual(await back.restore(createReadStream(file)), backedUp)
    })
  }
})
