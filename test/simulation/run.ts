// `npm run simulate -- [--days N] [--users N] [--seed S] [--servers N | --nodes N] [--transfers N]
// [--without AUTOMATION] [--out FOLDER]`: a simulated network, day by day, with charts.
import { parseArgs } from 'node:util'
import { writeCharts } from './charts.ts'
import { simulate } from './simulation.ts'
import { dayLine, headLine, summary } from './table.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '30' },
      users: { type: 'string', default: '200' },
      seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
      servers: { type: 'string', default: '1' },
      nodes: { type: 'string', default: '1' },
      transfers: { type: 'string', default: '3' },
      without: { type: 'string', multiple: true, default: [] },
      out: { type: 'string', default: 'simulation' },
    },
  })
  const setting = {
    days: Number(values.days),
    users: Number(values.users),
    seed: Number(values.seed),
    servers: Number(values.servers),
    nodes: Number(values.nodes),
    transfersPerDay: Number(values.transfers),
  }
  const { without } = values
  const { days, users, seed, servers, nodes, transfersPerDay } = setting
  if (!Object.values(setting).every(Number.isSafeInteger) || (servers > 1 && nodes > 1)) {
    console.error(
      'days, users, seed, servers, nodes and transfers are whole numbers; several servers have one node',
    )
    return 2
  }
  const size = `--days ${days} --users ${users} --seed ${seed} --servers ${servers} --nodes ${nodes} --transfers ${transfersPerDay}`
  const command = `npm run simulate -- ${size}${without.map((name) => ` --without ${name}`).join('')}`
  console.log(command)
  console.log(headLine())
  const again = `to see it again: ${command}`
  const report = await simulate({ ...setting, without }, (day) => console.log(dayLine(day))).catch(
    (error: unknown) => {
      console.error(again)
      throw error
    },
  )
  for (const line of summary(report)) console.log(line)
  console.log(`charts in ${values.out}: ${(await writeCharts(report.days, values.out)).join(', ')}`)
  if (report.findings.length === 0) return 0
  for (const finding of report.findings) console.error(finding)
  console.error(again)
  return 1
}

process.exitCode = await main()
