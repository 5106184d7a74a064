// One server on SQLite under a load of payments while its disk fills up, and while another process
// holds the lock of its file: what was acknowledged is there, what was refused was refused by a
// documented error, the service answers meanwhile, and goes on by itself afterwards. The disk is a
// small file system of its own, where this process may mount one. docs/ledger-rules.md, "Errors"
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { member } from '../../runtime/host/member.ts'
import { assertSound } from '../support/audit.ts'
import { assertAllAcknowledged, linesOf, openWallets } from '../support/economy-load.ts'
import type { Acknowledged, WriterLine, WriterTask } from '../support/economy-writer.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { MAIN, startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { fillDisk, mountSmall } from '../support/small-disk.ts'
import { readStore } from '../support/store-file.ts'
import { tempDir } from '../support/temp-dir.ts'
import { run } from './cli-kit.ts'

const WRITER = fileURLToPath(new URL('../support/economy-writer.ts', import.meta.url))
const NETWORK = { traffic: { baseBurstBytes: 10_000_000_000 }, conversionRate: '1.0' }
/**
 * Size of the disk: with the ballast it is soon full; without it, not before the test has ended.
 */
const DISK = '96m'
const BALLAST_BYTES = 84_000_000
const FULL = 'The storage is full'
const LIMIT_MS = 60_000
/** Together longer than a write waits for the lock by default. */
const SERIES_MS = 1_500
const SERIES = 5
/** A server that waits for the lock itself takes as long as the lock. */
const LIVE_MS = 2_000

interface Load {
  readonly lines: () => Promise<WriterLine[]>
  /** Ends the service, hence the load. */
  readonly stopped: Promise<unknown>
}

const files = await tempDir()
after(() => files.remove())

test('a full disk refuses payments and loses none; with room again they go on', async (t) => {
  const folder = join(files.path, 'disk')
  mkdirSync(folder)
  const missing = mountSmall(folder, DISK)
  if (missing !== undefined) {
    console.log(`not run: ${missing}`)
    return t.skip(missing)
  }
  let running: Service | undefined
  try {
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(BALLAST_BYTES))
    const service = await startService({
      dataDir: folder,
      config: { network: NETWORK },
      seeded: true,
    })
    running = service
    const load = await payments(service, 'full')
    await until(
      'payments are refused for want of space',
      async () => (await rejections(load)).length > 50,
    )
    assert.equal((await call(service.url, 'GET /livez')).status, 200)
    const free = await statfs(folder)
    const rest = join(folder, 'rest')
    await fillDisk(rest)
    await until('the service says that it is full', () => saysFull(service))
    await nothingHalfWritten(service)
    await rm(rest)
    await rm(ballast)
    let said = ''
    await until('the service is ready again', async () => {
      const { status, text } = await ready(service)
      if (text !== said) console.log((said = text))
      return status === 200
    })
    await untilTheyGoOn(load)
    const refused = (await rejections(load)).filter((answer) => !answer.includes(FULL))
    assert.deepEqual(refused.slice(0, 5), [], 'refused without saying that the storage is full')
    await endAndJudge(service, load)
    console.log(`full disk: ${free.bavail * free.bsize} bytes were left when payments were refused`)
  } finally {
    await running?.kill()
    execFileSync('umount', [folder])
  }
})

test('a locked file makes payments wait, then refuses them; the service answers meanwhile', async () => {
  const service = await startService({ config: { network: NETWORK }, seeded: true })
  const load = await payments(service, 'locked')
  await untilTheyGoOn(load)
  const unlock = lock(join(service.dataDir, 'ledgerwright.sqlite'))
  const slowest: number[] = []
  while (slowest.length < SERIES) slowest.push(await slowestAnswer(service, SERIES_MS))
  await until('payments are refused', async () => (await rejections(load)).length > 0)
  unlock()
  await untilTheyGoOn(load)
  await endAndJudge(service, load)
  const said = slowest.map((ms) => Math.round(ms)).join(', ')
  console.log(`locked file: the slowest /livez of each series took ${said} ms`)
  // A busy machine may hold an answer up now and then, but not in most series.
  const calm = slowest.filter((ms) => ms < LIVE_MS)
  assert.ok(calm.length > SERIES / 2, `the slowest /livez of each series: ${said} ms`)
})

const ready = ({ url }: Service): Promise<Answer> => call(url, 'GET /readyz')

/** Whether probe, metric and command say that it is full. */
async function saysFull(service: Service): Promise<boolean> {
  const probe = await ready(service)
  const metrics = await call(service.url, 'GET /metrics')
  const status = await run(MAIN, ['status', '--url', service.url], { cwd: files.path })
  return (
    probe.status === 503 &&
    /storage-full: the disk is full/.test(probe.text) &&
    /^ledgerwright_storage_full 1$/m.test(metrics.text) &&
    status.code === 1 &&
    /storage-full/.test(status.stdout + status.stderr)
  )
}

/** Uploads, snapshots and backups fail with a word on the disk, and leave nothing of themselves. */
async function nothingHalfWritten({ url, dataDir, token }: Service): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  const admin = await token('participant_admin')
  const raw = Buffer.alloc(300_000)
  const upload = await call(url, 'POST /v2/packages', { token: admin, raw, headers })
  assert.deepEqual([upload.status, member(upload.json, 'code')], [503, 'STORAGE_FULL'], upload.text)
  const snapshot = await call(url, 'POST /development/snapshots', {
    token: await token('operator'),
  })
  assert.deepEqual([snapshot.status, snapshot.text.includes(FULL)], [503, true], snapshot.text)
  const config = join(dataDir, 'ledgerwright.config.json')
  const to = join(dataDir, 'whole.backup')
  const args = ['backup', '--to', to, '--data', dataDir, '--config', config]
  const backup = await run(MAIN, args, { cwd: files.path })
  assert.equal(backup.code, 1)
  assert.match(backup.stderr, /no space left|disk is full/i)
  // The history is written every second: its file may be there, for as long as it is tried.
  await until('nothing half-written is left', async () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).every(
      (name) => !/\.history\.json-|unfinished|upload-|\.backup/.test(name),
    ),
  )
}

/** Holds the file's write lock until the function that it answers is called. */
function lock(file: string): () => void {
  const connection = new SqliteDatabase(file, { timeout: 10_000 })
  connection.exec('begin immediate')
  return () => {
    connection.exec('rollback')
    connection.close()
  }
}

/**
 * Payments between the seeded users by a process of its own, which notes elsewhere what came of
 * them.
 */
async function payments(service: Service, name: string): Promise<Load> {
  const wallets = await openWallets(service)
  const file = join(files.path, `${name}.jsonl`)
  const task: WriterTask = { url: service.url, file, round: 0, ...wallets }
  const writer = spawn(process.execPath, [WRITER, JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return { lines: () => linesOf(file), stopped: once(writer, 'close') }
}

async function rejections({ lines }: Load): Promise<readonly string[]> {
  return (await lines()).flatMap((line) => (line.state === 'refused' ? [line.answer] : []))
}

async function acknowledged({ lines }: Load): Promise<readonly Acknowledged[]> {
  return (await lines()).flatMap((line) => (line.state === 'acknowledged' ? line.done : []))
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MS; !(await isSo()); await sleep(50))
    assert.ok(Date.now() < deadline, `never: ${what}`)
}

async function untilTheyGoOn(load: Load): Promise<void> {
  const before = (await acknowledged(load)).length
  await until('payments go on', async () => (await acknowledged(load)).length > before + 30)
}

/** Milliseconds. */
async function slowestAnswer({ url }: Service, forMs: number): Promise<number> {
  let slowest = 0
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(50)) {
    const start = performance.now()
    assert.equal((await call(url, 'GET /livez')).status, 200)
    slowest = Math.max(slowest, performance.now() - start)
  }
  return slowest
}

/** Audits everything after the service's end: each acknowledged change, each refusal. */
async function endAndJudge(service: Service, load: Load): Promise<void> {
  assert.equal(await service.stop(), 0)
  await load.stopped
  const rows = await readStore({ file: join(service.dataDir, 'ledgerwright.sqlite') })
  const audit = assertSound(rows)
  const done = await acknowledged(load)
  assertAllAcknowledged(done, audit, rows)
  const undocumented = (await rejections(load)).filter((answer) => !/: 503 \{"error":/.test(answer))
  assert.deepEqual(undocumented.slice(0, 5), [], 'refused by what no document says')
  console.log(
    `${done.length} changes acknowledged and there, ${(await rejections(load)).length} refused by 503`,
  )
}
