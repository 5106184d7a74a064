// The schema of an empty database is made once, also by several processes at once.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sqlPlaces } from '../support/sql-places.ts'

const run = promisify(execFile)
const CHILD = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))

const places = await sqlPlaces()
after(() => places.release())

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: four processes make one schema at once`, async () => {
    const place = await places[dialect]()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => run(process.execPath, [CHILD, 'open', ...place.childArguments])),
    )
    assert.deepEqual(
      answers.map(({ stdout }) => stdout.trim()),
      ['opened', 'opened', 'opened', 'opened'],
    )
    for (const table of ['identity_providers', 'vetting', 'ledger_end', 'pruning'])
      assert.equal((await place.run(`select * from ${table}`)).length, 1, table)
  })
}

/** Tells of statements that change the schema, or fails those that set the way to compress. */
const hook = (act: string): string => `create table seen (timeouts text);
  create function hook() returns event_trigger language plpgsql as $$ begin ${act} end $$;
  create event trigger hook on ddl_command_start execute function hook()`
const OF_COMPRESSION = `current_query() like '%compression%'`

test('postgres: a migration takes as long as it takes', async () => {
  const place = await places.postgres()
  await place.run(
    hook(
      `insert into seen values (current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout'));`,
    ),
  )
  await (await place.open()).close()
  assert.deepEqual(await place.run('select distinct timeouts from seen'), [{ timeouts: '0 0' }])
})

test('postgres: a database that does not know the compression is brought up to date, one that fails at it is not', async () => {
  const unknown = await places.postgres()
  await unknown.run(
    hook(`if ${OF_COMPRESSION} then raise exception 'no lz4' using errcode = '0A000'; end if;`),
  )
  await (await unknown.open()).close()
  const failing = await places.postgres()
  await failing.run(
    hook(
      `if ${OF_COMPRESSION} then raise exception 'the disk is full' using errcode = '53100'; end if;`,
    ),
  )
  await assert.rejects(failing.open(), /the disk is full/)
})
