// Backup and restore as an operator does them: the commands, while payments go on, into the other
// database, with a kill in the middle; then the service goes on there. Also what the commands
// refuse. docs/operations.md
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { auditTotals } from '../../runtime/cli/audit-totals.ts'
import { member } from '../../runtime/host/member.ts'
import { assertSound } from '../support/audit.ts'
import {
  assertAllAcknowledged,
  assertWalletsAgree,
  linesOf,
  openWallets,
  settle,
} from '../support/economy-load.ts'
import type { Wallets } from '../support/economy-load.ts'
import type { Acknowledged, WriterTask } from '../support/economy-writer.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { asAdmin } from '../support/postgres.ts'
import { MAIN, startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'
import { run, tempFolder } from './cli-kit.ts'
import type { Ended } from './cli-kit.ts'

const WRITER = fileURLToPath(new URL('../support/economy-writer.ts', import.meta.url))
const NETWORK = {
  traffic: { baseBurstBytes: 10_000_000_000 },
  conversionRate: '1.0',
  tickSeconds: 3,
}

const places = await sqlPlaces()
after(() => places.release())

/** One deployment: a data folder, and a configuration for each of its storages. */
interface Deployment {
  readonly folder: string
  readonly from: object
  readonly to: object
  readonly target: StorePlace
}

for (const [from, to] of [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const) {
  test(`a backup taken from ${from} while payments go on is whole, and the service goes on with it on ${to}`, async () => {
    const folder = tempFolder()
    try {
      const [one, other] = [await sectionOf(from), await sectionOf(to)]
      const deployment = {
        folder: folder.path,
        from: one,
        to: other,
        target: placeOf(other, folder.path),
      }
      const { wallets, before } = await backUpUnderLoad(deployment)
      await (from === 'sqlite' ? keepsFiles : sameRowsOnStandardOutput)(deployment)
      await surviveKill(deployment)
      await restoreWell(deployment, before)
      await goOn(deployment, wallets)
      await findWrongTotal(deployment)
      await refuseNewer(deployment)
    } finally {
      folder.remove()
    }
  })
}

/** The storage section of a database without tables. */
async function sectionOf(name: 'sqlite' | 'postgres'): Promise<object> {
  if (name === 'sqlite') return { use: 'sqlite' }
  const [url] = (await places.postgres()).childArguments
  return { use: 'postgres', url }
}

function serve({ folder }: Deployment, storage: object): Promise<Service> {
  return startService({ dataDir: folder, config: { storage, network: NETWORK }, seeded: true })
}

/** Runs a command on one of the storages. */
function command(
  { folder }: Deployment,
  storage: object,
  ...args: readonly string[]
): Promise<Ended> {
  return run(MAIN, [...args, ...flagsOf(folder, storage)], { cwd: folder })
}

function flagsOf(folder: string, storage: object): readonly string[] {
  const file = join(folder, `${String(member(storage, 'use'))}.json`)
  writeFileSync(file, JSON.stringify({ storage }))
  return ['--config', file, '--data', folder]
}

function succeeded({ code, stdout, stderr }: Ended, says: RegExp): void {
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, says)
}

function failed({ code, stdout, stderr }: Ended, expected: number, says: RegExp): void {
  assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [expected, '', 1], stderr)
  assert.match(stderr, says)
}

/** Answers what had been acknowledged when the backup began. */
async function backUpUnderLoad(
  deployment: Deployment,
): Promise<{ wallets: Wallets; before: readonly Acknowledged[] }> {
  const service = await serve(deployment, deployment.from)
  const wallets = await openWallets(service)
  const file = join(deployment.folder, 'load.jsonl')
  const task: WriterTask = { url: service.url, file, round: 0, ...wallets }
  const writer = spawn(process.execPath, [WRITER, JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(writer, 'close')
  const acknowledged = async (): Promise<readonly Acknowledged[]> =>
    (await linesOf(file)).flatMap((line) => (line.state === 'acknowledged' ? line.done : []))
  try {
    await eventuallyHolds('payments are made', async () => (await acknowledged()).length > 40)
    const before = await acknowledged()
    const backup = await command(deployment, deployment.from, 'backup', '--to', 'ledger.backup')
    succeeded(backup, /^backed up \d+ rows of 20 tables \(schema \d{4}-[a-z-]+\)\n$/)
    const during = (await acknowledged()).length - before.length
    console.log(
      `${String(member(deployment.from, 'use'))}: ${before.length} changes before the backup, ${during} while it was taken`,
    )
    assert.ok(during > 0, 'payments went on during the backup')
    return { wallets, before }
  } finally {
    await service.kill()
    await ended
  }
}

async function keepsFiles(deployment: Deployment): Promise<void> {
  const file = join(deployment.folder, 'ledger.backup')
  const content = readFileSync(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  failed(
    await command(deployment, deployment.from, 'backup', '--to', file),
    1,
    /ledger\.backup already exists; --force replaces it/,
  )
  failed(
    await command(deployment, deployment.to, 'backup', '--to', file, '--force'),
    1,
    /it (is not there|holds no data)$/m,
  )
  assert.deepEqual(readFileSync(file), content)
  const other = join(deployment.folder, 'other.backup')
  writeFileSync(other, '')
  succeeded(
    await command(deployment, deployment.from, 'backup', '--to', other, '--force'),
    /^backed up/,
  )
  assert.ok(statSync(other).size > 10_000)
  assert.deepEqual(
    readdirSync(deployment.folder).filter((name) => name.endsWith('.unfinished')),
    [],
  )
}

/** Killed with half of the backup read: storage is as empty as before. */
async function surviveKill(deployment: Deployment): Promise<void> {
  const { folder, to, target } = deployment
  const bytes = readFileSync(join(folder, 'ledger.backup'))
  const child = spawn(process.execPath, [MAIN, 'restore', '--from', '-', ...flagsOf(folder, to)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  child.stdin.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
  await eventuallyHolds('the restore writes', () => isBeingWritten(target))
  child.kill('SIGKILL')
  await ended
  await eventuallyHolds('the database has noticed', async () => !(await isBeingWritten(target)))
  const { code, stdout } = await command(deployment, to, 'migrate', '--check')
  assert.equal(code, 3)
  assert.match(stdout, /^pending 0001-schema$/m)
}

async function isBeingWritten(place: StorePlace): Promise<boolean> {
  return 'url' in place ? hasOpenTransaction(place.url) : isLocked(place.file)
}

async function hasOpenTransaction(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  const found =
    await client.query(`select 1 from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_xid is not null`)
  await client.end()
  return found.rows.length > 0
}

function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  const connection = new SqliteDatabase(file, { timeout: 0 })
  try {
    connection.exec('begin immediate; rollback')
    return false
  } catch {
    return true
  } finally {
    connection.close()
  }
}

async function restoreWell(deployment: Deployment, before: readonly Acknowledged[]): Promise<void> {
  const { folder, to, target } = deployment
  const cut = join(folder, 'cut.backup')
  writeFileSync(cut, readFileSync(join(folder, 'ledger.backup')).subarray(0, -20))
  failed(
    await command(deployment, to, 'restore', '--from', cut),
    1,
    /the backup ends too early; nothing was restored/,
  )
  succeeded(
    await command(deployment, to, 'restore', '--in-place', '--from', 'ledger.backup'),
    /^restored \d+ rows of 20 tables \(schema [\w-]+\) into .*, in the place of its original\ntotals agree with \d+ active contracts\n$/,
  )
  const rows = await readStore(target)
  assertAllAcknowledged(before, assertSound(rows), rows)
  failed(
    await command(deployment, to, 'restore', '--from', 'ledger.backup'),
    1,
    /it holds data \(table \w+\); a backup goes into empty storage only/,
  )
  succeeded(await command(deployment, to, 'migrate', '--check'), /^up to date: /)
}

/** Users and parties are those of the first backup; the ledger has grown. */
async function sameRowsOnStandardOutput({ folder, from }: Deployment): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'backup', '--to', '-', ...flagsOf(folder, from)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [bytes] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
  assert.equal(child.exitCode, 0)
  const lines = gunzipSync(Buffer.concat(bytes)).toString().split('\n')
  const earlier = gunzipSync(readFileSync(join(folder, 'ledger.backup')))
    .toString()
    .split('\n')
  const usersOf = (all: readonly string[]): readonly string[] =>
    all.slice(1, all.indexOf('{"table":"packages"}'))
  assert.deepEqual(usersOf(lines), usersOf(earlier))
  assert.ok(lines.length > earlier.length, 'payments were made since')
}

/**
 * The same data folder has the key of the tokens. What was paid after the backup is missing, which
 * somebody has to accept.
 */
async function goOn(deployment: Deployment, wallets: Wallets): Promise<void> {
  const accepted = await command(deployment, deployment.to, 'history', '--accept', '--yes')
  succeeded(accepted, /^(accepted|nothing is missing): /)
  const service = await serve(deployment, deployment.to)
  try {
    await settle(service, wallets)
    await assertWalletsAgree(service, wallets, assertSound(await readStore(deployment.target)))
    const listed = await call(service.url, 'GET /v2/users', {
      token: await service.token('participant_admin'),
    })
    const users = JSON.stringify(member(listed.json, 'users'))
    for (const name of ['alice', 'bob', 'operator'])
      assert.ok(users.includes(`"id":"${name}"`), listed.text)
  } finally {
    await service.stop()
  }
}

/**
 * What the restored service has written since is audited like the rest, and a total that is wrong
 * is named.
 */
async function findWrongTotal({ target }: Deployment): Promise<void> {
  if (!('file' in target)) return
  const store = await openSqlStore({ dialect: 'sqlite', file: target.file })
  const right = await auditTotals(store.contracts)
  assert.deepEqual(right.problems, [])
  assert.ok(right.contracts > 10)
  new SqliteDatabase(target.file)
    .exec(`update totals set contract_count = contract_count + 1 where name = 'supply'`)
    .close()
  const { problems } = await auditTotals(store.contracts)
  assert.equal(problems.length, 1)
  assert.match(
    problems[0] ?? '',
    /^total supply of "" is kept as \d+ of \d+, contracts add up to \d+ of \d+$/,
  )
  await store.close()
}

/** Refuses a newer backup; the plugin's tests have one for each command. */
async function refuseNewer(deployment: Deployment): Promise<void> {
  const { to, target } = deployment
  const sql = `insert into schema_migrations (name, batch) values ('9999-of-the-future', 9)`
  if ('url' in target) await asAdmin(target.url, sql)
  else new SqliteDatabase(target.file).exec(sql).close()
  const newer =
    /it was written by a newer version of this program \(schema 9999-of-the-future\); use that one$/m
  failed(await command(deployment, to, 'serve', '--port', '0'), 1, newer)
  failed(await command(deployment, to, 'migrate', '--check'), 1, newer)
}

test('what cannot be done is said in one line', async () => {
  const { path, remove } = tempFolder({
    'memory.json': '{"storage":{"use":"memory"}}',
    'x.backup': 'no backup',
  })
  const at = (...args: readonly string[]): Promise<Ended> => run(MAIN, args, { cwd: path })
  try {
    for (const args of [
      ['migrate'],
      ['backup', '--to', 'b'],
      ['restore', '--from', 'x.backup'],
      ['verify'],
    ]) {
      failed(
        await at(...args, '--config', 'memory.json'),
        2,
        /storage plugin "memory" offers no migration, backup, restore or verification$/m,
      )
    }
    failed(await at('backup'), 2, /--to <file>/)
    failed(
      await at('backup', '--to', 'no/such/folder/b'),
      1,
      /cannot write no\/such\/folder\/b: ENOENT/,
    )
    failed(
      await at('restore', '--from', 'nothing.backup'),
      1,
      /cannot read nothing\.backup: ENOENT/,
    )
    failed(
      await at('restore', '--from', 'x.backup'),
      1,
      /the backup was not written by this program; nothing was restored$/m,
    )
    // Whoever made the file would like to steer the terminal.
    const header = { backup: 'ledgerwright', format: 1, schema: ['\u001b[2J\u202e9'], tables: [] }
    writeFileSync(join(path, 'x.backup'), gzipSync(`${JSON.stringify(header)}\n`))
    failed(
      await at('restore', '--from', 'x.backup'),
      1,
      /newer version of this program \(format 1, schema \uFFFD\[2J\uFFFD9\)/,
    )
    assert.deepEqual(
      readdirSync(path)
        .filter((name) => name !== 'data')
        .toSorted(),
      ['memory.json', 'x.backup'],
    )
  } finally {
    remove()
  }
})
