// CockroachDB and YugabyteDB are sent nothing that they document as unsupported: no statement of
// the store, and nothing while an empty database is opened, filled, examined, backed up and
// restored.
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
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

function urlOf({ childArguments: [url = ''] }: SqlPlace): string {
  return url
}

function configOf(place: SqlPlace) {
  return { dialect: 'postgres', connection: urlOf(place), poolSize: 2 } as const
}

const maintenanceOf = (place: SqlPlace) => postgresMaintenance(configOf(place))
