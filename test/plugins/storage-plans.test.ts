// What a statement costs must not grow with what it does not answer: neither database plans to read
// a whole table that grows, nor a whole index of one. Asked of databases that are as empty as when
// a server makes its plans.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PLANS } from '../../plugins/storage-sql/postgres-pool.ts'
import { SNAPSHOTS } from '../../plugins/storage-sql/snapshot-statements.ts'
import { nodesAt, partyHash } from '../../plugins/storage-sql/stakes.ts'
import { aContract, addContracts, archive } from '../../runtime/testing/storage/ledger-kit.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { sqlStatements } from '../support/sql-statements.ts'
import type { SqlPlace } from '../support/sql-places.ts'

/** They have one row, or as many as an operator sets up. */
const SMALL = ['ledger_end', 'pruning', 'vetting', 'identity_providers']
/** Answers every row there is. */
const WHOLE = ['listPackages']

const statements = (await sqlStatements()).filter(({ name }) => !WHOLE.includes(name))

const places = await sqlPlaces()
after(() => places.release())

/** A step of a plan, of either database. */
type Step = Readonly<Record<string, unknown>>

test('all statements are looked at', () => {
  const names = new Set(statements.map(({ name }) => name))
  for (const name of ['takeLease', 'ledgerEnds', 'seenBodies', 'contractSnapshot'])
    assert.ok(names.has(name), name)
  assert.ok(names.size >= 100, `${names.size} statements`)
})

test('sqlite: no statement scans a table that grows', async () => {
  const place = await places.sqlite()
  await (await place.open()).close()
  const tables = await namesIn(place, `select name from sqlite_schema where type = 'table'`)
  for (const { name, sqlite } of statements) {
    if (sqlite.includes('add_exactly')) continue
    const steps: readonly Step[] = (
      await place.run(`explain query plan ${sqlite.replaceAll(/\?|now_micros\(\)/g, '1')}`)
    ).map((row) => ({ ...row }))
    const scans = steps
      .map(({ detail }) => String(detail))
      .filter((detail) => {
        const [, table = ''] = /^SCAN (\w+)/.exec(detail) ?? []
        return tables.includes(table) && !SMALL.includes(table)
      })
    assert.deepEqual(scans, [], name)
  }
})

test('postgres: no statement scans a table that grows', async () => {
  const place = await places.postgres()
  await (await place.open()).close()
  for (const { name, postgres } of statements) {
    const rows = await place.run(genericPlan(postgres))
    assert.deepEqual(
      scansIn(rows).map((step) => `${String(step['Node Type'])} of ${tableOf(step)}`),
      [],
      name,
    )
  }
})

/** The plan of a prepared statement, without its values; versions before 16 tell it, too. */
function genericPlan(sql: string): string {
  const numbers = Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number))
  const values = Array.from({ length: Math.max(0, ...numbers) }, () => 'null').join(', ')
  const call = values === '' ? 'planned' : `planned(${values})`
  return [
    PLANS,
    'set plan_cache_mode = force_generic_plan',
    'deallocate all',
    `prepare planned as ${sql}`,
    `explain (format json) execute ${call}`,
  ].join('; ')
}

async function namesIn(place: SqlPlace, sql: string): Promise<readonly string[]> {
  return (await place.run(sql)).map((row) => ('name' in row ? String(row.name) : ''))
}

/** All objects of a plan, however deep. */
function stepsOf(plan: unknown): readonly Step[] {
  if (typeof plan !== 'object' || plan === null) return []
  return [{ ...plan }, ...Object.values(plan).flatMap(stepsOf)]
}

/** Scans in a plan; where only an index's first row is wanted, no other is read. */
function scansIn(plan: unknown, isLimited = false): readonly Step[] {
  if (typeof plan !== 'object' || plan === null) return []
  const step: Step = { ...plan }
  const isFirstOnly = isLimited && step['Filter'] === undefined
  const below = Array.isArray(plan) ? isLimited : step['Node Type'] === 'Limit'
  return [
    ...(isScan(step) && !isFirstOnly ? [step] : []),
    ...Object.values(plan).flatMap((part) => scansIn(part, below)),
  ]
}

/** Or its index, whose name starts with that of the table. */
function tableOf(step: Step): string {
  return String(step['Relation Name'] ?? step['Index Name'])
}

/** Whether a step scans a whole table, or a whole index. */
function isScan(step: Step): boolean {
  const type = String(step['Node Type'] ?? '')
  if (SMALL.some((table) => tableOf(step).startsWith(table))) return false
  return (
    type === 'Seq Scan' ||
    (/^(Index|Index Only|Bitmap Index) Scan$/.test(type) && step['Index Cond'] === undefined)
  )
}

test('postgres: a page of a party reads no more rows with a long history and many other contracts', async () => {
  const place = await places.postgres()
  const store = await place.open()
  await addContracts(
    store,
    ...ids('mine', 5).map((id) => aContract(id, { signatories: ['ann', 'all'] })),
  )
  const few = await rowsRead(place)
  for (let round = 0; round < 60; round += 1) {
    const gone = ids(`gone${round}`, 3)
    await addContracts(
      store,
      ...gone.map((id) => aContract(id, { signatories: ['ann', 'all'] })),
      ...ids(`other${round}`, 10).map((id) => aContract(id, { signatories: ['bob', 'all'] })),
    )
    await archive(store, ...gone)
  }
  await store.close()
  assert.ok(few >= 5, `${few} rows`)
  const [now, then] = [await rowsRead(place), await rowsRead(place, 60n)]
  assert.equal(now, few)
  assert.ok(then <= few + 30, `${then} rows of a past offset, ${few} of a new ledger`)
})

function ids(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_none, index) => `${prefix}-${index}`)
}

/** Rows read by a page of `ann`, right after the ledger's end or an offset before. */
async function rowsRead(place: SqlPlace, offset?: bigint): Promise<number> {
  const end = Number(
    (await place.run('select last_offset::int as name from ledger_end')).map((row) =>
      'name' in row ? row.name : 0,
    )[0],
  )
  const moment = offset ?? BigInt(end)
  const values = [
    0,
    moment,
    moment,
    500,
    `'{${partyHash('ann')}}'`,
    `'{${nodesAt(moment).join()}}'`,
    moment,
  ]
  const plan = await place.run(`${PLANS}; prepare page as ${SNAPSHOTS.all.postgres};
    explain (analyze, timing off, format json) execute page (${values.join(', ')})`)
  const counts = stepsOf(plan)
    .filter((step) => 'Relation Name' in step)
    .map(
      (step) =>
        (number(step['Actual Rows']) + number(step['Rows Removed by Filter'])) *
        number(step['Actual Loops']),
    )
  return counts.reduce((sum, count) => sum + count, 0)
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
