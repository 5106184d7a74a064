// What reads and payments of a party and polls of automations cost beside many contracts of others,
// with many coins of its own, after many that are archived, beside many parties and users: CPU and
// rows of each, against the smallest size. `node bench/scale.ts [--rounds 15] [--full] [--million]
// [--axes 'others;own;…'] [--postgres]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, machineLine, median, shuffled } from './measure.ts'
import { startBenchPostgres, whyNoPostgres } from './postgres-server.ts'
import { openScaleWorld } from './scale-world.ts'
import type { Axis, ScaleWorld } from './scale-world.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    axes: { type: 'string', default: 'others;own;archived;parties;users' },
    full: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
})

const AIM = 1.2
/** Microseconds of CPU beyond the aim that count as noise. */
const NOISE_MICROS = 20
const TURNS = 5

/** The first is what the others are held against; with --full the last one, too. */
const SIZES: Readonly<Record<Axis, readonly number[]>> = {
  others: values.million ? [1e3, 1e5, 1e6] : values.full ? [1e3, 1e5] : [1e3, 1e4],
  own: values.full ? [100, 1e4] : [100, 2e3],
  archived: values.million ? [1e3, 1e6] : values.full ? [1e3, 1e5] : [1e3, 1e4],
  parties: values.full ? [100, 1e5] : [100, 2e3],
  users: values.full ? [100, 1e4] : [100, 2e3],
}

interface Cost {
  readonly cpu: number
  readonly rows: number
}

async function costOf(world: ScaleWorld, name: string): Promise<Cost> {
  const operation = world.operations[name]
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  const before = world.rows()
  const start = process.cpuUsage()
  for (let turn = 0; turn < TURNS; turn += 1) await operation()
  const { user, system } = process.cpuUsage(start)
  return { cpu: (user + system) / TURNS, rows: (world.rows() - before) / TURNS }
}

async function measureAxis(axis: Axis, places: readonly string[]): Promise<void> {
  const sizes = SIZES[axis]
  const worlds: { readonly size: number; readonly world: ScaleWorld }[] = []
  for (const [at, size] of sizes.entries())
    worlds.push({ size, world: await openScaleWorld(places[at] ?? '', axis, size) })
  const costs = new Map<string, Cost[]>()
  const names = Object.keys(worlds[0]?.world.operations ?? {})
  // The first round compiles what all of them run.
  for (let round = -1; round < Number(values.rounds); round += 1)
    for (const { size, world } of shuffled(worlds))
      for (const name of names) {
        const cost = await costOf(world, name)
        const key = `${name} ${size}`
        if (round >= 0) costs.set(key, [...(costs.get(key) ?? []), cost])
      }
  for (const name of names)
    for (const line of linesOf(axis, name, (size) => costs.get(`${name} ${size}`) ?? []))
      console.log(line)
  for (const { world } of worlds) await world.close()
}

function linesOf(
  axis: Axis,
  name: string,
  costs: (size: number) => readonly Cost[],
): readonly string[] {
  const [smallest = 0, ...others] = SIZES[axis]
  const base = middle(costs(smallest))
  return others.map((size) => {
    const cost = middle(costs(size))
    const isSeen = cost.cpu - base.cpu > NOISE_MICROS
    const ratio = isSeen ? cost.cpu / base.cpu : 1
    const rows = `rows ${base.rows.toFixed(0)} and ${cost.rows.toFixed(0)}`
    const micros = `CPU µs ${base.cpu.toFixed(0)} and ${cost.cpu.toFixed(0)}`
    const what = `${axis} ${smallest} to ${size}: ${name}`
    return `${aimLine(what, ratio, 'at most', AIM, 'x')}  ${micros}, ${rows}`
  })
}

function middle(costs: readonly Cost[]): Cost {
  return { cpu: median(costs.map(({ cpu }) => cpu)), rows: median(costs.map(({ rows }) => rows)) }
}

function isAxis(name: string): name is Axis {
  return name in SIZES
}

const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'))
const missing = values.postgres ? whyNoPostgres() : undefined
if (missing !== undefined) throw new Error(`PostgreSQL is not there: ${missing}`)
const server = values.postgres ? await startBenchPostgres() : undefined
try {
  console.log(`${values.rounds} rounds, ${machineLine()}`)
  for (const axis of values.axes.split(';').filter(isAxis)) {
    const places: string[] = []
    for (const size of SIZES[axis])
      places.push(
        (await server?.createDatabase(`${axis}_${size}`)) ?? join(folder, `${axis}-${size}.sqlite`),
      )
    await measureAxis(axis, places)
  }
  console.log(machineLine())
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
