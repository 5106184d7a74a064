// Reads of one turn share a transaction in SQLite: that must neither show what is old nor be in the
// way of writes.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { openSqlite } from '../../plugins/storage-sql/sqlite-database.ts'
import { sqlStore } from '../../plugins/storage-sql/store.ts'
import type { Store } from '../../runtime/index.ts'
import { tempDir } from '../support/temp-dir.ts'
import { aUser } from '../../runtime/testing/storage/check.ts'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'

async function twoServers(t: TestContext): Promise<readonly [Store, Store]> {
  const { path, remove } = await tempDir()
  t.after(remove)
  const file = join(path, 'ledger.sqlite')
  return [
    await openSqlStore({ dialect: 'sqlite', file }),
    await openSqlStore({ dialect: 'sqlite', file }),
  ]
}

function put({ contracts }: Store, body: string): Promise<void> {
  const facts = [{ kind: 'test', key: 'one', body }]
  return contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes: { ...NO_WRITES, facts }, result: undefined }),
  })
}

async function read({ contracts }: Store): Promise<string | undefined> {
  return (await contracts.fact('test', 'one'))?.body
}

test('what another server wrote is seen in the next turn', async (t) => {
  const [one, other] = await twoServers(t)
  assert.equal(await read(one), undefined)
  for (const body of ['"a"', '"b"', '"c"']) {
    await put(other, body)
    await nextTurn()
    assert.equal(await read(one), body)
  }
  await Promise.all([one.close(), other.close()])
})

test('what this server wrote is seen at once', async (t) => {
  const [one, other] = await twoServers(t)
  for (const body of ['"a"', '"b"']) {
    await read(one)
    await put(one, body)
    assert.equal(await read(one), body)
  }
  await Promise.all([one.close(), other.close()])
})

test('a write after a read is not refused because another server wrote in between', async (t) => {
  const [one, other] = await twoServers(t)
  await read(one)
  await put(other, '"theirs"')
  await put(one, '"ours"')
  await read(one)
  await put(other, '"theirs again"')
  const user = aUser('alice')
  await one.users.create(user, [])
  await read(one)
  await other.contracts.forgetCommands(1n)
  await one.contracts.forgetCommands(1n)
  await nextTurn()
  assert.equal(await read(one), '"theirs again"')
  await Promise.all([one.close(), other.close()])
})

test('a store closes in the turn in which it was read', async (t) => {
  const [one, other] = await twoServers(t)
  await read(one)
  await one.close()
  await nextTurn()
  await assert.rejects(read(one), { code: 'STORE_UNAVAILABLE' })
  await other.close()
})

test('a key that is looked up in several kinds at once is read by one statement', async (t) => {
  const { path, remove } = await tempDir()
  t.after(remove)
  const database = await openSqlite({ dialect: 'sqlite', file: join(path, 'ledger.sqlite') })
  const sent: string[] = []
  const { contracts, close } = sqlStore({
    transact: (work) => database.transact(work),
    ping: () => database.ping(),
    close: () => database.close(),
    once: async (statement, ...values) => {
      sent.push(statement.name)
      return database.once(statement, ...values)
    },
  })
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => {
      const facts = ['today', 'for good'].map((kind) => ({ kind, key: 'one', body: kind }))
      return { writes: { ...NO_WRITES, facts }, result: undefined }
    },
  })
  sent.length = 0
  const kinds = ['today', 'yesterday', 'for good', 'today']
  const found = await Promise.all(kinds.map((kind) => contracts.fact(kind, 'one')))
  assert.deepEqual(
    found.map((fact) => fact?.body),
    ['today', undefined, 'for good', 'today'],
  )
  assert.equal(sent.length, 1)
  await close()
})
