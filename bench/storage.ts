// What a transfer, a balance and a page of holdings cost in a ledger of 1e3, 1e5 and (with
// --million) 1e6 holdings on SQLite and PostgreSQL: the cost must not follow the size. `node
// storage.ts [--reps 2] [--rounds 25] [--million] [--databases 'sqlite;postgres']`
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, machineLine, median, spread } from './measure.ts'
import { finished } from './pinned.ts'
import { startBenchPostgres, whyNoPostgres, withClient } from './postgres-server.ts'
import type { BenchPostgres } from './postgres-server.ts'
import type { Costs } from './storage-run.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '25' },
    databases: { type: 'string', default: 'sqlite;postgres' },
    million: { type: 'boolean', default: false },
  },
})
const AIM = 1.3
const sizes = [1e3, 1e5, ...(values.million ? [1e6] : [])]
const folder = mkdtempSync(join(tmpdir(), 'bench-storage-'))

interface Storage {
  readonly name: string
  /** An empty place for so many holdings: a file or a URL. */
  make(size: number): Promise<string>
  /** Settles what was written, so that nobody pays for it later, and answers how much it is. */
  settle(place: string): Promise<number>
}

const sqlite: Storage = {
  name: 'SQLite',
  make: async (size) => join(folder, `${size}.sqlite`),
  settle: async (place) => statSync(place).size,
}

const onPostgres = (server: BenchPostgres): Storage => ({
  name: 'PostgreSQL',
  make: (size) => server.createDatabase(`holdings_${size}`),
  settle: (place) =>
    withClient(place, async (client) => {
      await client.query('vacuum analyze')
      await client.query('checkpoint')
      const {
        rows: [row],
      } = await client.query<{ size: string }>(
        'select pg_database_size(current_database()) as size',
      )
      return Number(row?.size)
    }),
})

async function fill(storage: Storage, size: number): Promise<string> {
  const begun = performance.now()
  const place = await storage.make(size)
  await finished('any', ['storage-run.ts', 'fill', place, String(size)])
  const bytes = await storage.settle(place)
  const seconds = (performance.now() - begun) / 1e3
  console.log(
    `${storage.name}: ${size} holdings made in ${seconds.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB`,
  )
  return place
}

async function measure(places: readonly string[]): Promise<Readonly<Record<string, Costs>>> {
  const pairs = sizes.flatMap((size, at) => [String(size), places[at] ?? ''])
  const [line = ''] = await finished('any', ['storage-run.ts', 'measure', values.rounds, ...pairs])
  const costs: Record<string, Costs> = JSON.parse(line)
  return costs
}

async function measureAll(storage: Storage): Promise<void> {
  const places: string[] = []
  for (const size of sizes) places.push(await fill(storage, size))
  const repetitions: Readonly<Record<string, Costs>>[] = []
  for (let repetition = 0; repetition < Number(values.reps); repetition++)
    repetitions.push(await measure(places))
  for (const name of Object.keys(repetitions[0] ?? {})) {
    console.log(
      summary(
        `${storage.name}, ${name}`,
        repetitions.map((each) => each[name] ?? {}),
      ),
    )
  }
}

async function measurePostgres(): Promise<void> {
  const missing = whyNoPostgres()
  if (missing !== undefined) return console.log(`PostgreSQL is skipped: ${missing}`)
  const server = await startBenchPostgres()
  try {
    await measureAll(onPostgres(server))
  } finally {
    await server.stop()
  }
}

/** Ratios are of one round, larger over smallest. */
function summary(name: string, repetitions: readonly Costs[]): string {
  const costs = (size: number) => repetitions.flatMap((each) => each[size] ?? [])
  const [smallest = 0] = sizes
  const base = costs(smallest)
  const lines = sizes.map((size) => {
    const ratios = costs(size).map((cost, at) => cost.cpu / (base[at]?.cpu ?? Number.NaN))
    const [cpu, wall] = [
      median(costs(size).map((cost) => cost.cpu)),
      median(costs(size).map((cost) => cost.wall)),
    ]
    const against = size === smallest ? '' : `, ratio ${spread(ratios, 2)}`
    return {
      ratios,
      text: `  ${String(size).padStart(7)}: CPU µs ${cpu.toFixed(1)}, wall µs ${wall.toFixed(1)}${against}`,
    }
  })
  const largest = lines.at(-1)?.ratios ?? []
  return [
    name,
    ...lines.map(({ text }) => text),
    aimLine(name, median(largest), 'at most', AIM, 'x'),
  ].join('\n')
}

try {
  console.log(`${values.reps} repetitions, ${machineLine()}`)
  const wanted = values.databases.split(';')
  if (wanted.includes('sqlite')) await measureAll(sqlite)
  if (wanted.includes('postgres')) await measurePostgres()
  console.log(machineLine())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
