// SQLite's log reaches the file while the server works, without a commit that stands still for it.
import assert from 'node:assert/strict'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { NO_WRITES } from '../../runtime/engine/index.ts'
import type { Store } from '../../runtime/index.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROWS = 600
const BODY = JSON.stringify('x'.repeat(2_000))
/** As long as all of the log may be before a commit copies it. */
const LOG_BYTES = 8_000 * 4_096

async function opened(t: TestContext): Promise<readonly [Store, string]> {
  const { path, remove } = await tempDir()
  t.after(remove)
  const file = join(path, 'ledger.sqlite')
  return [await openSqlStore({ dialect: 'sqlite', file }), file]
}

/** One commit of so many facts. */
function put({ contracts }: Store, kind: string): Promise<void> {
  const facts = Array.from({ length: ROWS }, (_, row) => ({ kind, key: `${row}`, body: BODY }))
  return contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes: { ...NO_WRITES, facts }, result: undefined }),
  })
}

test('what was committed reaches the file long before commits have to copy it', async (t) => {
  const [store, file] = await opened(t)
  const kinds = ['a', 'b', 'c', 'd']
  for (const kind of kinds) await put(store, kind)
  const written = kinds.length * ROWS * BODY.length
  await eventuallyHolds('half of it is in the file', async () => statSync(file).size > written / 2)
  assert.ok(statSync(`${file}-wal`).size < LOG_BYTES)
  await store.close()
  assert.equal(existsSync(`${file}-wal`), false, 'a server that has stopped leaves one file')
  const again = await openSqlStore({ dialect: 'sqlite', file })
  for (const kind of kinds)
    assert.equal((await again.contracts.facts(kind, '', 1_000)).length, ROWS)
  await again.close()
})

test('commits go on where nobody can copy the log for them', async (t) => {
  const [store, file] = await opened(t)
  rmSync(file)
  for (const kind of ['a', 'b', 'c', 'd']) await put(store, kind)
  assert.equal((await store.contracts.facts('d', '', 1_000)).length, ROWS)
  await store.close()
})

test('a store that is closed already can be closed again', async (t) => {
  const [store] = await opened(t)
  for (const kind of ['a', 'b']) await put(store, kind)
  await Promise.all([store.close(), store.close()])
  await store.close()
})
