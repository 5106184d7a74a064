// docs/upgrading.md says of every schema change what it asks of operators.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SCHEMA_NAMES } from '../../plugins/storage-sql/migrations.ts'
import { ROOT } from '../support/service.ts'

/** Rows of the page's table: the change, whether it is a rolling upgrade, since which version. */
const ROW = /^\| `(\d{4}-\S+)` \| (no|yes)? *\| (\S+) \|/gm

test('the page for upgrades has a row for every schema change, decided after the first version', () => {
  const page = readFileSync(join(ROOT, 'docs/upgrading.md'), 'utf8')
  const rows = [...page.matchAll(ROW)]
  assert.deepEqual(
    rows.map(([, name]) => name),
    SCHEMA_NAMES,
  )
  const undecided = rows.filter(
    ([, , rolling, since]) => since !== '0.1.0' && rolling === undefined,
  )
  assert.deepEqual(undecided, [])
})
