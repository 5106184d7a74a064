// Several hosts of one PostgreSQL: the one that takes writes is used, also when it is not the
// first, and left when it freezes.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { retried } from '../support/eventually.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { refusingClient } from '../support/refusing-client.ts'
import { DIALECTS } from '../support/sql-dialects.ts'

/** Well below what the driver waits for an answer that does not come. */
const FAST_MS = 20_000

const server = await startPostgres()
after(() => server.stop())

test('a host that is not there is passed over, and a frozen one is left', leavesFrozen)

test('a host that begins to take writes is found while another says nothing', async () => {
  const url = new URL(await server.createStoreDatabase())
  const set = (isReadOnly: boolean): Promise<void> =>
    asAdmin(
      server.url,
      `alter database ${url.pathname.slice(1)} set default_transaction_read_only = ${isReadOnly}`,
    )
  await set(true)
  const [silent, replica] = [await freezingProxy(url), await freezingProxy(url)]
  after(() => [silent, replica].forEach((proxy) => proxy.stop()))
  silent.freeze()
  const hosts = `${silent.address},${replica.address}`
  const connection = url.href.replace(`@${url.host}/`, `@${hosts}/`)
  const opened = openSqlStore({ dialect: 'postgres', connection, poolSize: 3 })
  await retried(async () => assert.ok(replica.connections() > 1))
  await set(false)
  const store = await opened
  after(() => store.close())
  assert.equal((await store.contracts.ledgerEnd()).offset, 0n)
})

test('who waits for a connection to a host that is gone goes on once another takes writes', async () => {
  const url = new URL(await server.createStoreDatabase())
  // A busy machine may take as long to find the other host as the driver waits for this one.
  await retried(async () => {
    const proxy = await freezingProxy(url)
    const connection = url.href.replace(`@${url.host}/`, `@${proxy.address},${url.host}/`)
    const store = await openSqlStore({ dialect: 'postgres', connection, poolSize: 3 })
    try {
      proxy.freeze()
      proxy.drop()
      const waits = await Promise.allSettled([store.contracts.ledgerEnd(), store.ping()])
      const reasons = waits.map((wait) => (wait.status === 'rejected' ? String(wait.reason) : ''))
      assert.doesNotMatch(reasons.join(), /timeout/)
    } finally {
      proxy.stop()
      await store.close()
    }
  })
})

test('of several hosts that know no timeline one that answers is used, too', async (t) => {
  const [cockroach] = DIALECTS
  assert.ok(cockroach)
  const client = refusingClient(cockroach)
  t.after(() => client.stop())
  await leavesFrozen()
  assert.notDeepEqual(client.refused, [])
  assert.ok(client.refused.every((line) => line.startsWith('the function pg_walfile_name')))
})

async function leavesFrozen(): Promise<void> {
  const url = new URL(await server.createStoreDatabase())
  const proxy = await freezingProxy(url)
  after(() => proxy.stop())
  const hosts = `127.0.0.1:1,${proxy.address},${url.host}`
  const connection = url.href.replace(`@${url.host}/`, `@${hosts}/`)
  const store = await openSqlStore({ dialect: 'postgres', connection, poolSize: 3 })
  after(() => store.close())
  assert.equal((await store.contracts.ledgerEnd()).offset, 0n)
  proxy.freeze()
  const frozenMs = performance.now()
  await retried(async () => {
    const end = await store.contracts.ledgerEnd().catch(() => undefined)
    assert.equal(end?.offset, 0n)
  })
  assert.ok(performance.now() - frozenMs < FAST_MS)
}

/** Passes everything on until it freezes: then it says nothing and stays. */
async function freezingProxy({ hostname, port }: URL) {
  let isFrozen = false
  let connections = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    connections += 1
    sockets.add(client.on('error', () => {}))
    if (isFrozen) return
    const behind = connect(Number(port), hostname)
    sockets.add(behind.on('error', () => {}))
    client.on('data', (bytes) => isFrozen || behind.write(bytes))
    behind.on('data', (bytes) => isFrozen || client.write(bytes))
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const drop = (): void => sockets.forEach((socket) => socket.destroy())
  const { port: own }: AddressInfo = addressOf(proxy.address())
  return {
    address: `127.0.0.1:${own}`,
    connections: () => connections,
    freeze: () => (isFrozen = true),
    drop,
    stop: () => {
      drop()
      proxy.close()
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address
}
