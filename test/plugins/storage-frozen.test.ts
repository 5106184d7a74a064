// A server that stands still in the middle of a commit, as one that is suspended or cut off does,
// holds the ledger for seconds and not for good; what it had not committed is not there, and it can
// go on afterwards.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { StoreUnavailable } from '../../runtime/index.ts'
import { startPostgres } from '../support/postgres.ts'

const server = await startPostgres()
after(() => server.stop())

/** Far more than the database waits, which is 5 s. */
const LIMIT_MS = 25_000

/** The script of a thread: a commit whose `decide` waits until it is woken. */
const FROZEN = `
  const { parentPort, workerData } = require('node:worker_threads')
  void (async () => {
    const { openSqlStore } = await import(workerData.module)
    const store = await openSqlStore({ dialect: 'postgres', connection: workerData.url, poolSize: 2 })
    const { recordUpdate } = await import(workerData.writes)
    const freeze = () => { parentPort.postMessage('frozen'); Atomics.wait(workerData.lock, 0, 0) }
    await store.contracts.commit(recordUpdate('late', freeze)).then(() => 'committed', (error) => error.name).then((end) => parentPort.postMessage(end))
    await store.contracts.commit(recordUpdate('later', () => {})).then(() => 'committed', (error) => String(error)).then((end) => parentPort.postMessage(end))
    await store.close()
  })()`

test('a frozen server holds up the others for seconds, writes nothing half, and goes on', async () => {
  const url = await server.createDatabase()
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 2 })
  const { recordUpdate } = await import('../support/record-update.ts')
  const lock = new Int32Array(new SharedArrayBuffer(4))
  const frozen = new Worker(FROZEN, {
    eval: true,
    workerData: {
      url,
      lock,
      module: import.meta.resolve('../../plugins/storage-sql/open.ts'),
      writes: import.meta.resolve('../support/record-update.ts'),
    },
  })
  const said = messages(frozen)
  assert.equal(await said.next(), 'frozen')
  const start = performance.now()
  await store.contracts.commit(recordUpdate('other', () => {}))
  const waited = performance.now() - start
  console.log(`the others waited for ${Math.round(waited)} ms`)
  assert.ok(waited < LIMIT_MS, `they waited for ${waited} ms`)
  Atomics.store(lock, 0, 1)
  Atomics.notify(lock, 0)
  assert.equal(await said.next(), StoreUnavailable.name)
  assert.equal(await said.next(), 'committed')
  assert.deepEqual(
    (await store.contracts.updatesAfter(0n, 10)).map(({ updateId }) => updateId),
    ['other', 'later'],
  )
  await store.close()
})

function messages(worker: Worker): { next(): Promise<unknown> } {
  const [come, awaited]: [unknown[], ((message: unknown) => void)[]] = [[], []]
  worker.on('message', (message: unknown) => {
    const first = awaited.shift()
    if (first === undefined) come.push(message)
    else first(message)
  })
  return {
    next: () =>
      come.length > 0
        ? Promise.resolve(come.shift())
        : new Promise((resolve) => awaited.push(resolve)),
  }
}
