// `npm run full:replicated -- [--rounds 21] [--clients 64] [--settings strong|weak]
// [--faults 'kill;cut']`: the primary of a replicated database crashes, is killed, cut off, frozen,
// and all nodes are started again, by turns, under load. With the strong settings nothing
// acknowledged may be lost; with the weak ones a loss must be noticed by the service. Prints a
// table. docs/replicated-database.md
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { Cluster, query } from './cluster.ts'
import type { Settings } from './cluster.ts'
import { FAULTS } from './faults.ts'
import type { Fault } from './faults.ts'
import { Load } from './load.ts'

const TURNS: Readonly<Record<Settings, readonly Fault[]>> = {
  strong: ['stall', 'kill', 'cut', 'freeze', 'restart all', 'lag', 'crash'],
  weak: ['lag', 'freeze'],
}
const USERS = ['alice', 'bob', 'operator']
const LOAD_MS = 3_000
const RECOVERY_MS = 120_000

interface Row {
  readonly round: number
  readonly fault: Fault
  readonly acknowledged: number
  readonly lost: number
  /** The service found that updates were missing. */
  readonly isNoticed: boolean
  readonly awayMs: number
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '21' },
      clients: { type: 'string', default: '64' },
      settings: { type: 'string', default: 'strong' },
      faults: { type: 'string' },
    },
  })
  const settings = values.settings === 'weak' ? 'weak' : 'strong'
  const turns = values.faults?.split(';').filter(isFault) ?? TURNS[settings]
  const cluster = new Cluster(settings)
  const { path: dataDir, remove } = await tempDir()
  /** A busy machine may miss the limit of a start while the tables are made. */
  const start = (left = 3): Promise<Service> =>
    startService({
      dataDir,
      seeded: true,
      config: {
        storage: cluster.section,
        log: { level: 'warn' },
        network: { traffic: { baseBurstBytes: 1_000_000_000_000 } },
      },
    }).catch((error: unknown) => {
      if (left === 0) throw error
      return start(left - 1)
    })
  const rows: Row[] = []
  try {
    await cluster.start()
    let service = await start()
    const tokens = await Promise.all(USERS.map((user) => service.token(user)))
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      const fault = turns[(round - 1) % turns.length] ?? 'kill'
      const load = new Load(service.url, tokens, Number(values.clients))
      const row = await injure(cluster, { round, fault, load, service })
      rows.push(row)
      print(row, load)
      if (!row.isNoticed) continue
      await service.stop()
      await accept(dataDir)
      service = await start()
    }
    await service.stop()
  } finally {
    await cluster.stop()
    await remove()
  }
  return conclude(rows, settings)
}

function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name)
}

interface Round {
  readonly round: number
  readonly fault: Fault
  readonly load: Load
  readonly service: Service
}

async function injure(cluster: Cluster, { round, fault, load, service }: Round): Promise<Row> {
  await sleep(LOAD_MS)
  const primary = await cluster.primary()
  if (primary === undefined) throw new Error('no node takes writes')
  let begunMs = 0
  const undone = FAULTS[fault](cluster, primary, () => (begunMs = performance.now()))
  await until(
    async () => begunMs > 0 && (load.hasAnsweredSince(begunMs) || (await isStopped(service))),
  )
  await undone
  await cluster.settled()
  await sleep(LOAD_MS)
  await load.stop()
  const isNoticed = await isStopped(service)
  const lost = await missing(cluster, load)
  const awayMs = load.longestGap(begunMs)
  return { round, fault, acknowledged: load.acknowledged.length, lost, isNoticed, awayMs }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + RECOVERY_MS; performance.now() < end; await sleep(200))
    if (await holds()) return
}

/** Whether it stopped because of its history, as opposed to a database that is away. */
async function isStopped({ url }: Service): Promise<boolean> {
  const ready = await call(url, 'GET /readyz').catch(() => undefined)
  return ready?.status === 503 && ready.text.includes('another history')
}

/** How much of what was acknowledged is not there. */
async function missing(cluster: Cluster, { acknowledged }: Load): Promise<number> {
  // A busy machine may have lost its primary once more meanwhile.
  await cluster.settled()
  const primary = await cluster.primary()
  if (primary === undefined) throw new Error('no node takes writes')
  const ids = acknowledged.map(({ contractId }) => contractId)
  const rows = await query(
    primary,
    'select contract_id from contracts where contract_id = any($1)',
    [ids],
    RECOVERY_MS,
  )
  return ids.length - rows.length
}

async function accept(dataDir: string): Promise<void> {
  const flags = ['--data', dataDir, '--config', `${dataDir}/ledgerwright.config.json`]
  const { code, stdout, stderr } = await run(MAIN, ['history', '--accept', '--yes', ...flags], {
    cwd: dataDir,
  })
  console.log(code === 0 ? stdout.trim() : stderr.trim())
}

function print(
  { round, fault, acknowledged, lost, isNoticed, awayMs }: Row,
  { others }: Load,
): void {
  const statuses = Array.from(others, ([status, times]) => `${status}: ${times}`).join(', ')
  const seconds = isNoticed ? 'stopped' : (awayMs / 1_000).toFixed(1)
  console.log(
    `| ${round} | ${fault} | ${acknowledged} | ${lost} | ${isNoticed ? 'yes' : 'no'} | ${seconds} | ${statuses} |`,
  )
}

function conclude(rows: readonly Row[], settings: Settings): number {
  const served = rows.filter(({ isNoticed }) => !isNoticed).map(({ awayMs }) => awayMs)
  const median = served.sort((one, other) => one - other)[served.length >> 1] ?? NaN
  console.log(`${settings}: median ${(median / 1_000).toFixed(1)} s without service`)
  const isWell = rows.every(({ lost, isNoticed }) =>
    settings === 'strong' ? lost === 0 && !isNoticed : lost === 0 || isNoticed,
  )
  return isWell && rows.length > 0 ? 0 : 1
}

process.exitCode = await main()
