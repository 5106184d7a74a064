// Copies of a PostgreSQL database: scan's reads of the past come from one that is fresh enough, say
// how old they are, and come from the database where it is not. The copy here is a database that
// is made like the other one whenever a test says so. docs/replicated-database.md
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { examineReplicas } from '../../plugins/storage-sql/postgres-replica-examination.ts'
import { member } from '../../runtime/host/member.ts'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const PAGE = 'POST /api/scan/v2/updates'
const MAX_AGE_MS = 5_000

const server = await startPostgres()
const [primary, replica] = [await server.createStoreDatabase(), await server.createStoreDatabase()]
let service: Service

before(async () => {
  const replicas = { urls: [replica], maxAgeMs: MAX_AGE_MS }
  service = await startService({ config: { storage: { use: 'postgres', url: primary, replicas } } })
})
after(async () => {
  await service.stop()
  await server.stop()
})

const at = (connection: string) =>
  postgresMaintenance({ dialect: 'postgres', connection, poolSize: 1 })

async function copy(): Promise<void> {
  const through = new PassThrough()
  const label = { product: 'test', taken: new Date().toISOString() }
  await Promise.all([at(primary).backup(through, label), at(replica).replace?.(through)])
}

interface Read {
  readonly ids: readonly string[]
  /** Absent where the database itself has answered. */
  readonly age: number | undefined
}

async function read(): Promise<Read> {
  const { status, json, headers } = await call(service.url, PAGE, { body: { page_size: 100 } })
  assert.equal(status, 200)
  const found = member(json, 'transactions')
  assert.ok(Array.isArray(found))
  const age = headers.get('age')
  const ids = found.map((update) => String(member(update, 'update_id')))
  return { ids, age: age === null ? undefined : Number(age) }
}

async function isRead(isCopy: boolean): Promise<void> {
  const what = isCopy ? 'the replica answers' : 'the database answers'
  await eventuallyHolds(what, async () => ((await read()).age !== undefined) === isCopy)
}

async function tap(): Promise<void> {
  const { status } = await call(service.url, 'POST /api/validator/v0/wallet/tap', {
    token: await service.token('operator'),
    body: { amount: '1' },
  })
  assert.equal(status, 200)
}

/** Lines of `status` and of `doctor` about the replica. */
async function told() {
  const at = { cwd: service.dataDir }
  const [status, doctor] = await Promise.all([
    run(MAIN, ['status', '--url', service.url], at),
    run(MAIN, ['doctor'], at),
  ])
  const about = (text: string): string => /^.*replica .*$/m.exec(text)?.[0] ?? text
  return { status: about(status.stdout), doctor: about(doctor.stdout) }
}

/** The findings that `doctor` is told. */
async function found(): Promise<string> {
  const config = { dialect: 'postgres', connection: primary, poolSize: 1 } as const
  const [finding] = await examineReplicas(config, [replica])
  return `${finding?.outcome}: ${finding?.text}`
}

test('a replica that stays without anything is not read from', async () => {
  await isRead(false)
  assert.notEqual((await read()).ids.length, 0)
  const { status, doctor } = await told()
  assert.match(status, /^replica +\S+ is not in use: [1-9]\d* updates behind$/)
  assert.match(
    doctor,
    /^warning +storage\/postgres +replica \S+ lacks [1-9]\d* updates and has none$/,
  )
})

test('one that has everything answers, and says how old the answer is at most', async () => {
  const { ids } = await read()
  await copy()
  await isRead(true)
  const { ids: copied, age = 0 } = await read()
  assert.deepEqual(copied, ids)
  assert.ok(age >= 1 && age <= MAX_AGE_MS / 1_000, `Age: ${age}`)
  assert.match(await found(), /^ok: replica \S+ has every update /)
})

test('one that falls behind shows the past for as long as allowed, and what it lacks is found', async () => {
  await copy()
  await isRead(true)
  await tap()
  const { ids, age } = await read()
  await isRead(false)
  const { ids: all } = await read()
  const newest = all.at(-1) ?? ''
  assert.notEqual(age, undefined)
  assert.ok(!ids.includes(newest) && ids.length < all.length)
  await copy()
  await isRead(true)
  await asAdmin(replica, `delete from updates where update_id = '${newest}'`)
  const one = await call(service.url, `GET /api/scan/v2/updates/${newest}`)
  assert.deepEqual([one.status, one.headers.get('age')], [200, null])
})

test('one of another history is not read from', async () => {
  await copy()
  await isRead(true)
  await asAdmin(
    replica,
    `update updates set update_id = '1220ab' where ledger_offset = (select max(ledger_offset) from updates)`,
  )
  await isRead(false)
  const { status, doctor } = await told()
  assert.match(status, /is not in use: it has another history than the database$/)
  assert.match(doctor, /^FAULT .* has another history than the database$/)
})

test('one that is gone is not waited for', async () => {
  await copy()
  await isRead(true)
  const name = new URL(replica).pathname.slice(1)
  await asAdmin(primary, `drop database ${name} with (force)`)
  assert.notEqual((await read()).ids.length, 0)
  await isRead(false)
  assert.match(await found(), /^warning: replica \S+ does not answer: /)
})
