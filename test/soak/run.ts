// `npm run full:day -- [--hours 24] [--store sqlite|postgres] [--users 8] [--reports 24]`: a day of
// people who pay each other and of one who does her worst, on a server in a process of its own.
// Prints what it holds by the hour (heap after a collection), sizes of tables and how long payments
// took; fails where something grows beyond what is alive, or an answer is none of the documents'.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startService } from '../support/service.ts'
import { STORAGES } from '../support/storages.ts'
import { placeOf } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { heldMemory, memoryProbe } from '../support/memory-probe.ts'
import { harass, live, newcomer } from './people.ts'
import type { Tally } from './people.ts'
import { growthProblems, memoryText, rowsOf } from './sizes.ts'
import type { Sample } from './sizes.ts'

const HOUR_MS = 3_600_000

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '24' },
      store: { type: 'string', default: 'sqlite' },
      users: { type: 'string', default: '8' },
      reports: { type: 'string' },
    },
  })
  const hours = Number(values.hours)
  const reports = Number(values.reports ?? Math.max(6, Math.ceil(hours)))
  const storage = STORAGES.find(({ name, durable }) => durable && name === values.store)
  if (storage === undefined || !(hours > 0) || !Number.isSafeInteger(reports))
    throw new RangeError('hours > 0, store sqlite or postgres')
  const { path: dataDir, remove } = await tempDir()
  const probe = join(dataDir, 'memory.json')
  const section = await storage.section()
  const service = await startService({
    dataDir,
    seeded: true,
    env: memoryProbe(probe),
    config: {
      storage: section,
      log: { level: 'fatal' },
      network: { traffic: { baseBurstBytes: 1_000_000_000_000 } },
    },
  })
  try {
    const names = Array.from({ length: Number(values.users) }, (_, index) => `person-${index}`)
    const soak = {
      service,
      probe,
      place: placeOf(section, dataDir),
      everyMs: (hours * HOUR_MS) / reports,
      reports,
    }
    return await run(soak, names)
  } finally {
    await service.stop()
    await storage.release()
    await remove()
  }
}

interface Soak {
  readonly service: Service
  readonly probe: string
  readonly place: StorePlace
  readonly everyMs: number
  readonly reports: number
}

async function run(soak: Soak, names: readonly string[]): Promise<number> {
  const { service, everyMs, reports } = soak
  const people = await Promise.all(names.map((name) => newcomer(service, name)))
  const mallory = await newcomer(service, 'mallory')
  const [victim] = people
  if (victim === undefined) throw new RangeError('users is at least 1')
  const tally: Tally = { paidMs: [], statuses: new Map(), surprises: [] }
  const stop = new AbortController()
  const lanes = Promise.all([
    live(service, people, tally, stop.signal),
    harass(service, mallory, victim, tally, stop.signal),
  ])
  const samples: Sample[] = []
  for (let report = 1; report <= reports; report += 1) {
    await Promise.race([sleep(everyMs), lanes])
    samples.push(await sample(soak))
    print((report * everyMs) / HOUR_MS, samples.at(-1), tally)
  }
  stop.abort()
  await lanes
  console.log(
    [...tally.statuses]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join('\n'),
  )
  // The first part fills caches.
  const [first, last] = [samples[Math.floor(reports / 3)], samples.at(-1)]
  const problems = [
    ...tally.surprises,
    ...(first === undefined || last === undefined ? [] : growthProblems(first, last)),
  ]
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

async function sample({ service, probe, place }: Soak): Promise<Sample> {
  return { ...(await heldMemory(service.process.pid, probe)), rows: await rowsOf(place) }
}

function print(hours: number, taken: Sample | undefined, { paidMs }: Tally): void {
  if (taken === undefined) return
  const times = paidMs.splice(0).sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
  const rows = Array.from(taken.rows, ([name, count]) => `${name} ${count}`).join(', ')
  console.log(
    `${hours.toFixed(2)} h: ${memoryText(taken)}; ${times.length} payments, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${rows}`,
  )
}

process.exitCode = await main()
