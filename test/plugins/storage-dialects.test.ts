// CockroachDB and YugabyteDB are sent nothing that they document as unsupported: no statement of
// the store, and nothing while an empty database is opened, filled, examined, backed up and
// restored. And all migrations in turn make the schema that an empty database gets at once.
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import knex from 'knex'
import { migrateWithin, SCHEMA_NAMES, SILENT } from '../../plugins/storage-sql/migrations.ts'
import { examinePostgres } from '../../plugins/storage-sql/postgres-examination.ts'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { fillStore } from '../support/full-store.ts'
import { refusingClient } from '../support/refusing-client.ts'
import { DIALECTS, refusals } from '../support/sql-dialects.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { sqlStatements } from '../support/sql-statements.ts'
import type { SqlPlace } from '../support/sql-places.ts'

const LABEL = { product: '1.2.3', taken: '2026-01-01T00:00:00.000Z' }

const places = await sqlPlaces()
after(() => places.release())
const statements = await sqlStatements()

for (const dialect of DIALECTS) {
  test(`${dialect.name} takes every statement of the store`, () => {
    assert.ok(statements.length > 100)
    const found = statements.map(({ name, postgres }) => [name, refusals(dialect, postgres)])
    assert.deepEqual(
      found.filter(([, why]) => why?.length !== 0),
      [],
    )
  })

  test(`${dialect.name} takes what opens, fills, examines, saves and restores a database`, async (t) => {
    const [one, other] = [await places.postgres(), await places.postgres()]
    const client = refusingClient(dialect)
    t.after(() => client.stop())
    const store = await one.open()
    await fillStore(store)
    await store.close()
    const saved = new PassThrough()
    const [bytes] = await Promise.all([buffer(saved), maintenanceOf(one).backup(saved, LABEL)])
    const { tables } = await maintenanceOf(other).restore(Readable.from([bytes]))
    assert.ok(tables.some(({ name, rows }) => name === 'contracts' && rows > 0))
    const findings = await examinePostgres(configOf(one), systemClock)
    assert.equal(findings[0]?.text, 'its user may make and change tables')
    assert.deepEqual(client.refused, [])
  })
}

test('all migrations in turn make the schema of an empty database', async () => {
  const [fresh, grown] = [await places.postgres(), await places.postgres()]
  await (await fresh.open()).close()
  const database = knex({ client: 'pg', connection: urlOf(grown), log: SILENT })
  await database.transaction((transaction) => migrateWithin(transaction, SCHEMA_NAMES.slice(0, -1)))
  await database.destroy()
  await (await grown.open()).close()
  assert.deepEqual(await schemaOf(fresh), await schemaOf(grown))
})

/** Columns, constraints, indexes, and the rows that a schema comes with. */
async function schemaOf(place: SqlPlace): Promise<readonly (readonly object[])[]> {
  const queries = [
    `select table_name, column_name, data_type, numeric_precision, numeric_scale, is_nullable,
      column_default, collation_name from information_schema.columns
      where table_schema = current_schema() order by table_name, column_name`,
    `select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
      order by 1, 2`,
    `select indexdef from pg_indexes where schemaname = current_schema() order by indexdef`,
    `select relname, reloptions from pg_class where relnamespace = current_schema()::regnamespace
      and reloptions is not null`,
    `select attname, attcompression::text from pg_attribute where attrelid = 'updates'::regclass
      and attnum > 0 and not attisdropped order by 1`,
    ...['ledger_end', 'vetting', 'pruning', 'identity_providers'].map(
      (name) => `select * from ${name}`,
    ),
    'select name from schema_migrations order by name',
  ]
  const answers: (readonly object[])[] = []
  for (const query of queries) answers.push(await place.run(query))
  return answers
}

function urlOf({ childArguments: [url = ''] }: SqlPlace): string {
  return url
}

function configOf(place: SqlPlace) {
  return { dialect: 'postgres', connection: urlOf(place), poolSize: 2 } as const
}

const maintenanceOf = (place: SqlPlace) => postgresMaintenance(configOf(place))
