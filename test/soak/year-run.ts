// `npm run full:year -- [--payments 30000] [--months 12] [--keep 2] [--store sqlite|postgres]`: a
// simulated year of payments with pruning. Prints what the data takes at the end of each month;
// fails where it still grows after the kept months.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { growthAfter, tableOf } from './year-table.ts'
import { simulateYear } from './year.ts'
import type { Month } from './year.ts'

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '30000' },
    months: { type: 'string', default: '12' },
    keep: { type: 'string', default: '2' },
    store: { type: 'string', default: 'sqlite' },
  },
})
const folder = await tempDir()
const server = values.store === 'postgres' ? await startPostgres() : undefined
const place = (await server?.createDatabase()) ?? join(folder.path, 'year.sqlite')
const [paymentsPerMonth, months, keepMonths] = [
  Number(values.payments),
  Number(values.months),
  Number(values.keep),
]
const lived: Month[] = []
try {
  await simulateYear({ place, months, paymentsPerMonth, keepMonths }, (month) => {
    lived.push(month)
    console.log(tableOf(lived).at(-1))
  })
  console.log(tableOf(lived).join('\n'))
  const problem = growthAfter(lived, keepMonths)
  if (problem !== undefined) {
    console.error(problem)
    process.exitCode = 1
  }
} finally {
  await server?.stop()
  await folder.remove()
}
