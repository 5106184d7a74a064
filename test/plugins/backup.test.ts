// Backups of the SQL storages: one format for both, all rows and nothing else, all or nothing. The
// service around it is in test/e2e/backup.test.ts.
// docs/decisions/0006-backup.md
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { MIGRATIONS_TABLE, SCHEMA_NAMES } from '../../plugins/storage-sql/migrations.ts'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import type { BackupSummary, StorageMaintenance } from '../../runtime/index.ts'
import { fillStore, LARGE_SUM, LARGE_TOTAL, PACKAGE_ID } from '../support/full-store.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import type { SqlPlace } from '../support/sql-places.ts'
import { aUser } from '../../runtime/testing/storage/check.ts'
import { append, updateAt } from '../../runtime/testing/storage/ledger-kit.ts'

const DIALECTS = ['sqlite', 'postgres'] as const
type Dialect = (typeof DIALECTS)[number]

const LABEL = { product: '1.2.3', taken: '2026-01-01T00:00:00.000Z' }
const OTHER = { sqlite: 'postgres', postgres: 'sqlite' } as const

/** Tables and columns of a database. */
const CATALOGUE = {
  sqlite: `select m.name || '.' || c.name as found from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite_%'`,
  postgres: `select table_name || '.' || column_name as found from information_schema.columns
    where table_schema = current_schema()`,
}

const places = await sqlPlaces()
after(() => places.release())

interface Storage {
  readonly place: SqlPlace
  readonly maintenance: StorageMaintenance
}

async function empty(dialect: Dialect): Promise<Storage> {
  const place = await places[dialect]()
  const [where = ''] = place.childArguments
  const maintenance =
    dialect === 'sqlite'
      ? sqliteMaintenance(where)
      : postgresMaintenance({ dialect: 'postgres', connection: where, poolSize: 2 })
  return { place, maintenance }
}

async function full(dialect: Dialect): Promise<Storage> {
  const storage = await empty(dialect)
  const store = await storage.place.open()
  await fillStore(store)
  await store.close()
  return storage
}

async function backupOf({
  maintenance,
}: Storage): Promise<{ readonly bytes: Buffer; readonly summary: BackupSummary }> {
  const to = new PassThrough()
  const [bytes, summary] = await Promise.all([buffer(to), maintenance.backup(to, LABEL)])
  return { bytes, summary }
}

const restoreInto = ({ maintenance }: Storage, bytes: Uint8Array): Promise<BackupSummary> =>
  maintenance.restore(Readable.from(pieces(bytes)))

/** Bytes in pieces, as a file comes. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function refused(work: Promise<unknown>, why: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.match(error.message, why)
    assert.doesNotMatch(error.message, /\n|test:test|:test@/)
    return true
  })
}

for (const dialect of DIALECTS) {
  describe(dialect, () => {
    let source: Storage
    let backup: { readonly bytes: Buffer; readonly summary: BackupSummary }
    before(async () => {
      source = await full(dialect)
      backup = await backupOf(source)
    })

    test('each table is tried with rows', () => {
      assert.deepEqual(
        backup.summary.tables.filter(({ rows }) => rows === 0),
        [],
      )
    })

    test('the other database takes it, and a backup from there has the same rows, hashed the same', async () => {
      const other = await empty(OTHER[dialect])
      assert.deepEqual(await restoreInto(other, backup.bytes), backup.summary)
      const there = await backupOf(other)
      assert.deepEqual(there.summary, backup.summary)
      assert.deepEqual(gunzipSync(there.bytes), gunzipSync(backup.bytes))
      const back = await empty(dialect)
      await restoreInto(back, there.bytes)
      assert.deepEqual((await backupOf(back)).summary, backup.summary)
    })

    test('a backup takes the place of other data, and of data that cannot be read not a row', async () => {
      const target = await full(dialect)
      const taken = await empty(dialect)
      await (await taken.place.open()).close()
      const { bytes, summary } = await backupOf(taken)
      const { replace } = target.maintenance
      assert.ok(replace !== undefined)
      await refused(replace(Readable.from(pieces(bytes.subarray(0, -40)))), /cut|altered|ends/)
      assert.deepEqual((await backupOf(target)).summary, backup.summary)
      await replace(Readable.from(pieces(bytes)))
      assert.deepEqual((await backupOf(target)).summary, summary)
      await replace()
      assert.equal((await target.maintenance.schema()).state, 'none')
      assert.deepEqual(await restoreInto(target, backup.bytes), backup.summary)
    })

    test('a restored store answers as the first one does, and goes on', async () => {
      const target = await empty(dialect)
      await restoreInto(target, backup.bytes)
      const [one, other] = [await source.place.open(), await target.place.open()]
      for (const read of READS) assert.deepEqual(await read(other), await read(one))
      assert.deepEqual(await other.contracts.total(LARGE_TOTAL), { amount: LARGE_SUM, count: 40n })
      const next = await append(other, (offset) => ({
        updates: [{ ...updateAt(offset), recordTime: offset * 1_000_000n }],
        logs: [{ log: 'history', owner: 'ann::1', id: 'next', body: '{}', offset }],
      }))
      assert.equal(next, 41n)
      await Promise.all([one.close(), other.close()])
    })

    test('what was cut, altered, or taken by somebody else is refused, and nothing of it is there', async () => {
      const target = await empty(dialect)
      // Reading is the same for both: one refusal of each kind shows that the transaction is.
      const wrong = wrongBackups(backup.bytes).filter(
        (_each, index) => dialect === 'sqlite' || index % 5 === 2,
      )
      for (const [what, bytes, why] of wrong) {
        await refused(restoreInto(target, bytes), why).catch((error: unknown) => {
          throw new Error(what, { cause: error })
        })
        assert.equal((await target.maintenance.schema()).state, 'none', what)
      }
      await restoreInto(target, backup.bytes)
    })

    test('storage that holds anything is refused as it is', async () => {
      await refused(
        restoreInto(source, backup.bytes),
        /^Cannot use the .*: it holds data \(table \w+\); a backup goes into empty/,
      )
      assert.deepEqual((await backupOf(source)).summary, backup.summary)
      const oneUser = await empty(dialect)
      const store = await oneUser.place.open()
      await store.users.create(aUser('u'), [])
      await store.close()
      await refused(restoreInto(oneUser, backup.bytes), /it holds data \(table users\)/)
    })

    test('storage without a row takes one', async () => {
      const target = await migrated(dialect)
      await restoreInto(target, backup.bytes)
      assert.deepEqual((await backupOf(target)).summary, backup.summary)
    })

    test('a newer schema is left alone by all of them', async () => {
      const storage = await migrated(dialect)
      await storage.place.run(
        `insert into ${MIGRATIONS_TABLE} (name, batch) values ('9999-of-the-future', 9)`,
      )
      const why =
        /^Cannot use the .*: it was written by a newer version of this program \(schema 9999-of-the-future\); use that one$/
      assert.equal((await storage.maintenance.schema()).state, 'newer')
      await refused(storage.maintenance.migrate(), why)
      await refused(storage.maintenance.backup(new PassThrough().resume(), LABEL), why)
      await refused(restoreInto(storage, backup.bytes), why)
      await refused(storage.place.open(), why)
    })

    test('a look creates nothing, and where nothing is there is no backup', async () => {
      const storage = await empty(dialect)
      assert.deepEqual(await storage.maintenance.schema(), {
        state: 'none',
        applied: [],
        pending: SCHEMA_NAMES,
      })
      await refused(
        storage.maintenance.backup(new PassThrough().resume(), LABEL),
        /^Cannot use the .*: it (is not there|holds no data)$/,
      )
      assert.deepEqual(await storage.place.run(CATALOGUE[dialect]), [])
    })
  })
}

test('a receiver that goes away ends the backup, and a source that fails the restore', async () => {
  const storage = await full('sqlite')
  const to = new PassThrough({ highWaterMark: 1 })
  to.once('data', () => to.destroy(new Error('the pipe broke')))
  await assert.rejects(storage.maintenance.backup(to, LABEL), /the pipe broke/)
  const target = await empty('sqlite')
  await assert.rejects(target.maintenance.restore(createReadStream('/nothing/here')), /ENOENT/)
  assert.equal((await target.maintenance.schema()).state, 'none')
})

async function migrated(dialect: Dialect): Promise<Storage> {
  const storage = await empty(dialect)
  await storage.maintenance.migrate()
  return storage
}

const READS = [
  ({ users }) => users.get('ann'),
  ({ users }) => users.rights('ann'),
  ({ identityProviders }) => identityProviders.list(),
  ({ parties }) => parties.get(['ann::1']),
  ({ packages }) => packages.get([PACKAGE_ID]),
  ({ packages }) => packages.vettingVersion(),
  ({ updates }) => updates.prunedUpTo(),
  ({ updates }) => updates.byOffset(40n),
  ({ contracts }) => contracts.ledgerEnd(),
  ({ contracts }) =>
    contracts.snapshot({ offset: 40n, templates: [], parties: [], after: 0n, limit: 500 }),
  ({ contracts }) => contracts.total(LARGE_TOTAL),
  ({ contracts }) => contracts.total({ name: 'debt', account: 'ann::1' }),
  ({ contracts }) => contracts.log({ log: 'history', owner: 'ann::1', after: '', limit: 100 }),
  ({ contracts }) => contracts.facts('Z', '', 100),
  ({ contracts }) => contracts.command('k40'),
] satisfies readonly ((store: Awaited<ReturnType<SqlPlace['open']>>) => Promise<unknown>)[]

const ALTERED = /^the backup was altered after it was taken.*; nothing was restored$/
const MIB = 1_048_576
const LONG = /^the backup has a line of more than 64 MiB; nothing was restored$/
const CUT = /^the backup ends too early; nothing was restored$/
const FOREIGN = /^the backup was not written by this program; nothing was restored$/
const NEWER =
  /^the backup was taken by a newer version of this program \(format \d+, schema \S+\), use that one; nothing was restored$/

/** Each with why it is refused. */
function wrongBackups(good: Buffer): readonly (readonly [string, Buffer, RegExp])[] {
  const lines = gunzipSync(good).toString().trimEnd().split('\n')
  const at = (match: RegExp): number => lines.findIndex((line) => match.test(line))
  const zipped = (text: readonly string[]): Buffer => gzipSync(`${text.join('\n')}\n`)
  const edited = (match: RegExp, from: string | RegExp, to: string): Buffer => {
    assert.match(lines[at(match)] ?? '', new RegExp(from))
    return zipped(lines.with(at(match), (lines[at(match)] ?? '').replace(from, to)))
  }
  const [contract, swapped] = [
    at(/"c3-1"/),
    lines.toSpliced(at(/"c3-1"/), 2, lines[at(/"c3-1"/) + 1] ?? '', lines[at(/"c3-1"/)] ?? ''),
  ]
  return [
    ...[1, 17, Math.floor(good.length / 2), good.length - 9, good.length - 1].map(
      (length) => [`cut after ${length} bytes`, good.subarray(0, length), CUT] as const,
    ),
    ...[0.3, 0.6, 0.9].map(
      (part) =>
        [
          `a bit flipped at ${part}`,
          flipped(good, Math.floor(good.length * part)),
          /^the backup .*; nothing was restored$/,
        ] as const,
    ),
    ['a line missing at the end', zipped(lines.slice(0, -1)), CUT],
    ['half a line at the end', gzipSync(lines.join('\n').slice(0, -5)), CUT],
    ['a row missing', zipped(lines.toSpliced(contract, 1)), ALTERED],
    ['two rows swapped', zipped(swapped), ALTERED],
    ['a payload altered', edited(/"c3-1"/, 'emoji', 'emoij'), ALTERED],
    ['an amount altered', edited(/"debt"/, '-200', '-300'), ALTERED],
    ['a number that is none', edited(/"debt"/, '-200', '-2e2'), ALTERED],
    ['bytes that are none', edited(/^\["[0-9a-f]{64}","0"/, /","0","../, '","0","!!'), ALTERED],
    ['a table missing', zipped(lines.toSpliced(at(/"table":"facts"/), 41)), ALTERED],
    ['the header altered', edited(/"backup"/, '1.2.3', '1.2.4'), ALTERED],
    ['a column missing in the header', edited(/"backup"/, '"vetted flag"', '"size int"'), ALTERED],
    ['a schema change missing in the header', edited(/"backup"/, '"0001-schema"', ''), ALTERED],
    ['a line after the end', zipped([...lines, '{}']), ALTERED],
    ['a newer format', edited(/"backup"/, '"format":1', '"format":2'), NEWER],
    ['a newer schema', edited(/"backup"/, /("0001-\w+")/, '$1,"9999-later"'), NEWER],
    ['a line without end', gzipSync(`${lines[0]}\n${lines[1]}\n["${' '.repeat(65 * MIB)}`), LONG],
    ['a header without end', gzipSync(' '.repeat(2 * MIB)), FOREIGN],
    ['nothing', Buffer.alloc(0), CUT],
    ['another text', Buffer.from('{"backup":"ledgerwright"}\n'), FOREIGN],
    ['another text in gzip', zipped(['{"hello":"world"}']), FOREIGN],
    ['no line in gzip', gzipSync(''), FOREIGN],
  ]
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 4
  return copy
}
