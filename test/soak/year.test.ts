// Six simulated months of ten days of payments with pruning: after the kept months the data no
// longer grows, on either database; without pruning it does. `npm run full:year` has whole months.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { growthAfter, tableOf } from './year-table.ts'
import { simulateYear } from './year.ts'
import type { Month, Year } from './year.ts'

const KEEP_MONTHS = 1
const MONTH = { daysPerMonth: 10, paymentsPerMonth: 100 }

const folder = await tempDir()
const server = await startPostgres()
after(async () => {
  await server.stop()
  await folder.remove()
})

async function lived(
  year: Pick<Year, 'keepMonths' | 'months' | 'place'>,
): Promise<readonly Month[]> {
  const months: Month[] = []
  await simulateYear({ ...year, ...MONTH }, (month) => months.push(month))
  console.log(tableOf(months).join('\n'))
  return months
}

const PLACES = {
  sqlite: async () => join(folder.path, 'year.sqlite'),
  postgres: () => server.createDatabase(),
}

for (const [dialect, place] of Object.entries(PLACES)) {
  test(`${dialect}: six months of payments with pruning takes what its last months take`, async () => {
    const months = await lived({ place: await place(), months: 6, keepMonths: KEEP_MONTHS })
    assert.equal(growthAfter(months, KEEP_MONTHS), undefined)
    const counts = months.slice(KEEP_MONTHS).map(({ sizes }) => prunableIn(sizes))
    for (const count of counts) assert.ok(count <= Math.min(...counts) * 1.1, counts.join(', '))
  })
}

test('without pruning it grows', async () => {
  const months = await lived({ place: join(folder.path, 'all.sqlite'), months: 4 })
  const [first = 0, ...later] = months.slice(KEEP_MONTHS).map(({ sizes }) => prunableIn(sizes))
  assert.ok((later.at(-1) ?? 0) > first * 1.1, [first, ...later].join(', '))
})

/** Rows that a pruning of everything would delete. */
function prunableIn({ tables }: Month['sizes']): number {
  return tables.reduce((sum, { prunableRows }) => sum + prunableRows, 0)
}
