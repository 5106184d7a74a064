// What a transfer, a balance and a page of holdings cost in a ledger of 1e3, 1e5 and (with --million) 1e6 holdings: the cost must not
// follow the size. `node scale.ts [--reps 5] [--rounds 100] [--million]`
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, machineLine, median, shuffled, spread } from './measure.ts'
import { finished } from './pinned.ts'
import type { Cost } from './scale-run.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '100' },
    million: { type: 'boolean', default: false },
  },
})
const AIM = 1.3
const COINS = 100
const sizes = [1e3, 1e5, ...values.million ? [1e6] : []]
const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'))

type Costs = Readonly<Record<string, Cost>>

const fileOf = (size: number): string => join(folder, `${size}.sqlite`)
const run = (size: number, ...task: readonly string[]) => finished(0, ['scale-run.ts', fileOf(size), String(size / COINS), ...task])

async function fill(size: number): Promise<void> {
  const begun = performance.now()
  await run(size, 'fill')
  const seconds = (performance.now() - begun) / 1e3
  console.log(`${size} holdings made in ${seconds.toFixed(0)} s, ${(statSync(fileOf(size)).size / 1e6).toFixed(0)} MB`)
}

async function measure(size: number): Promise<Costs> {
  const [line = ''] = await run(size, 'measure', values.rounds)
  const costs: Costs = JSON.parse(line)
  return costs
}

/** Ratios are of one repetition, larger over smallest. */
function summary(name: string, repetitions: readonly ReadonlyMap<number, Costs>[]): string {
  const costs = (size: number): readonly Cost[] => repetitions.flatMap((each) => each.get(size)?.[name] ?? [])
  const [smallest = 0] = sizes
  const lines = sizes.map((size) => {
    const [cpu, wall] = [costs(size).map((cost) => cost.cpu), costs(size).map((cost) => cost.wall)]
    const ratios = costs(size).map((cost, at) => cost.cpu / (costs(smallest)[at]?.cpu ?? Number.NaN))
    const against = size === smallest ? '' : `, ratio ${spread(ratios, 2)}`
    return { ratios, text: `  ${String(size).padStart(7)}: CPU µs ${spread(cpu, 1)}, wall µs ${spread(wall, 1)}${against}` }
  })
  const largest = lines.at(-1)?.ratios ?? []
  return [name, ...lines.map(({ text }) => text), aimLine(name, median(largest), 'at most', AIM, 'x')].join('\n')
}

try {
  console.log(`${values.reps} repetitions, ${machineLine()}`)
  for (const size of sizes) await fill(size)
  const repetitions: Map<number, Costs>[] = []
  for (let repetition = 0; repetition < Number(values.reps); repetition++) {
    const costs = new Map<number, Costs>()
    for (const size of shuffled(sizes)) costs.set(size, await measure(size))
    repetitions.push(costs)
  }
  for (const name of Object.keys(repetitions[0]?.get(1e3) ?? {})) console.log(summary(name, repetitions))
  console.log(machineLine())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
