// One read that takes long is nobody else's business: not of reads asked for at the same moment or
// later, nor of who asks whether the store is there.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { startPostgres } from '../support/postgres.ts'

const server = await startPostgres()
after(() => server.stop())

/** Far more than others may wait, less than a statement may take. */
const TOO_LONG_MS = 5_000

for (const slow of [1, 3]) {
  test(`postgres: ${slow} reads that wait for a lock delay no other read, and no ping`, async () => {
    const connection = await server.createStoreDatabase()
    const store = await openSqlStore({ dialect: 'postgres', connection, poolSize: 6 })
    const holder = new pg.Client(connection)
    await holder.connect()
    await holder.query('begin; lock table logs in access exclusive mode')
    let answered = 0
    const history = () =>
      store.contracts.log({ log: 'l', owner: 'o', after: '', limit: 1 }).then(() => {
        answered += 1
      })
    const others = () => [
      store.ping(),
      ...Array.from({ length: 12 }, () => store.contracts.fact('k', 'x')),
      store.ping(),
    ]
    const waiting = Array.from({ length: slow }, history)
    const together = others()
    await inTime(together)
    await inTime(others())
    assert.equal(answered, 0, 'the slow ones still wait')
    await holder.query('commit')
    await Promise.all(waiting)
    await holder.end()
    await store.close()
  })
}

async function inTime(reads: readonly Promise<unknown>[]): Promise<void> {
  const timer = new AbortController()
  const late = sleep(TOO_LONG_MS, 'late', { signal: timer.signal }).catch(() => '')
  assert.notEqual(
    await Promise.race([Promise.all(reads), late]),
    'late',
    `a read waited ${TOO_LONG_MS} ms for another one`,
  )
  timer.abort()
}
