// What a transfer, a balance and a page of holdings cost in a ledger of 1e3, 1e5 and (with --million) 1e6 holdings: the cost must not
// follow the size. `node scale.ts [--reps 3] [--rounds 40] [--million]`
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, machineLine, median, spread } from './measure.ts'
import { finished } from './pinned.ts'
import type { Costs } from './scale-run.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '40' },
    million: { type: 'boolean', default: false },
  },
})
const AIM = 1.3
const sizes = [1e3, 1e5, ...values.million ? [1e6] : []]
const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'))

async function fill(size: number): Promise<void> {
  const begun = performance.now()
  await finished(0, ['scale-run.ts', 'fill', folder, String(size)])
  const seconds = (performance.now() - begun) / 1e3
  const bytes = statSync(join(folder, `${size}.sqlite`)).size
  console.log(`${size} holdings made in ${seconds.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB`)
}

async function measure(): Promise<Readonly<Record<string, Costs>>> {
  const [line = ''] = await finished(0, ['scale-run.ts', 'measure', folder, values.rounds, ...sizes.map(String)])
  const costs: Record<string, Costs> = JSON.parse(line)
  return costs
}

/** Ratios are of one round, larger over smallest. */
function summary(name: string, repetitions: readonly Costs[]): string {
  const costs = (size: number) => repetitions.flatMap((each) => each[size] ?? [])
  const [smallest = 0] = sizes
  const base = costs(smallest)
  const lines = sizes.map((size) => {
    const ratios = costs(size).map((cost, at) => cost.cpu / (base[at]?.cpu ?? Number.NaN))
    const [cpu, wall] = [median(costs(size).map((cost) => cost.cpu)), median(costs(size).map((cost) => cost.wall))]
    const against = size === smallest ? '' : `, ratio ${spread(ratios, 2)}`
    return { ratios, text: `  ${String(size).padStart(7)}: CPU µs ${cpu.toFixed(1)}, wall µs ${wall.toFixed(1)}${against}` }
  })
  const largest = lines.at(-1)?.ratios ?? []
  return [name, ...lines.map(({ text }) => text), aimLine(name, median(largest), 'at most', AIM, 'x')].join('\n')
}

try {
  console.log(`${values.reps} repetitions, ${machineLine()}`)
  for (const size of sizes) await fill(size)
  const repetitions: Readonly<Record<string, Costs>>[] = []
  for (let repetition = 0; repetition < Number(values.reps); repetition++) repetitions.push(await measure())
  for (const name of Object.keys(repetitions[0] ?? {})) {
    console.log(summary(name, repetitions.map((each) => each[name] ?? {})))
  }
  console.log(machineLine())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
