// What a start notices of data that is damaged, cut or lost, at a cost that nobody feels: it is
// refused in one line, and left as it is. What a start does not look at is for `ledgerwright
// verify`, test/e2e/verify.test.ts.
import assert from 'node:assert/strict'
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, test } from 'node:test'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import type { Store } from '../../runtime/index.ts'
import { fillStore } from '../support/full-store.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { tempDir } from '../support/temp-dir.ts'
import { aUser } from '../../runtime/testing/storage/check.ts'

const LABEL = { product: '1.2.3', taken: '2026-01-01T00:00:00.000Z' }

const [folder, places] = [await tempDir(), await sqlPlaces()]
after(async () => {
  await places.release()
  await folder.remove()
})

const openFile = (file: string): Promise<Store> => openSqlStore({ dialect: 'sqlite', file })

async function refused(work: Promise<unknown>, why: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.match(error.message, /^Cannot use the (data file|database) /)
    assert.match(error.message, why)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

/** Asserts a refusal by every way that there is to a file. */
async function refusedEverywhere(file: string, why: RegExp): Promise<void> {
  await refused(openFile(file), why)
  await refused(sqliteMaintenance(file).schema(), why)
  await refused(sqliteMaintenance(file).migrate(), why)
  await refused(sqliteMaintenance(file).backup(new PassThrough(), LABEL), why)
  await refused(sqliteMaintenance(file).restore(Readable.from([])), why)
}

async function filled(file: string): Promise<void> {
  const store = await openFile(file)
  await fillStore(store)
  await store.close()
}

test('an empty file where a database was expected is refused and left alone; a missing one is a fresh start', async () => {
  const file = join(folder.path, 'empty.sqlite')
  await writeFile(file, '')
  await refusedEverywhere(
    file,
    /: it is empty, where a database was expected; put the file back, or remove what is left to start anew/,
  )
  assert.equal((await stat(file)).size, 0)
  await rm(file)
  await (await openFile(file)).close()
})

test('a log without its file is refused and left alone, and with its file has all that was written', async () => {
  const file = join(folder.path, 'lost.sqlite')
  const log = `${file}-wal`
  const store = await openFile(file)
  await fillStore(store)
  const [main, written] = [await readFile(file), await readFile(log)]
  await store.close()
  await rm(file)
  await writeFile(log, written)
  await refusedEverywhere(
    file,
    /: it is missing, but its log .*lost\.sqlite-wal is there, .*put the file back beside it, or remove what is left/,
  )
  assert.deepEqual(await readFile(log), written)
  await writeFile(file, main)
  const whole = await openFile(file)
  assert.equal(await whole.updates.ledgerEnd(), 40n)
  await whole.close()
})

test('an empty log without its file says nothing, so a fresh start goes on', async () => {
  const file = join(folder.path, 'fresh.sqlite')
  await writeFile(`${file}-wal`, '')
  await (await openFile(file)).close()
})

test('a file that was cut is refused', async () => {
  const file = join(folder.path, 'cut.sqlite')
  await filled(file)
  const { size } = await stat(file)
  for (const left of [4_096, size - 4_096, size - 1_000]) {
    const copy = join(folder.path, `cut-${left}.sqlite`)
    await writeFile(copy, (await readFile(file)).subarray(0, left))
    await refused(openFile(copy), /it is damaged/)
  }
})

test('a page of nonsense in a small file is refused', async () => {
  const file = join(folder.path, 'page.sqlite')
  const store = await openFile(file)
  await store.users.create(aUser('ann'), [])
  await store.close()
  const pages = (await stat(file)).size / 4_096
  for (let page = 2; page < pages; page += 3) {
    const copy = join(folder.path, 'page-copy.sqlite')
    await writeFile(copy, await readFile(file))
    const handle = await open(copy, 'r+')
    await handle.write(Buffer.alloc(4_096, 0x5a), 0, 4_096, page * 4_096)
    await handle.close()
    await refused(openFile(copy), /damaged/)
  }
})

/** Statements that make the ledger's end and its newest rows differ, and those that undo it. */
const ENDS: readonly (readonly [damage: string, undo: string, why: RegExp])[] = [
  [
    'update updates set ledger_offset = 41 where ledger_offset = 40',
    'update updates set ledger_offset = 40 where ledger_offset = 41',
    /it is damaged: its ledger ends at 40, its last update is 41; "ledgerwright verify" says what else is$/,
  ],
  [
    'update updates set ledger_offset = -20 where ledger_offset = 20',
    'update updates set ledger_offset = 20 where ledger_offset = -20',
    /of its last 37 updates 36 are there/,
  ],
  [
    'update ledger_end set last_offset = 39',
    'update ledger_end set last_offset = 40',
    /its ledger ends at 39, its last update is 40/,
  ],
  [
    'update ledger_end set record_time = record_time + 1',
    'update ledger_end set record_time = record_time - 1',
    /ends at another time/,
  ],
  [
    'update contracts set sequence = 999 where sequence = 120',
    'update contracts set sequence = 120 where sequence = 999',
    /newest contracts/,
  ],
  [
    'update logs set line = 999 where line = 40',
    'update logs set line = 40 where line = 999',
    /newest lines/,
  ],
  [
    'insert into pruning (id, up_to) values (2, 0)',
    'delete from pruning where id = 2',
    /does not have one ledger end/,
  ],
]

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: a ledger whose end and newest rows differ is refused`, async () => {
    const place = await places[dialect]()
    const first = await place.open()
    await fillStore(first)
    await first.close()
    for (const [damage, undo, why] of ENDS) {
      await place.run(damage)
      await refused(place.open(), why)
      await place.run(undo)
    }
    const store = await place.open()
    await store.updates.prune(40n)
    await store.close()
    await (await place.open()).close()
  })
}
