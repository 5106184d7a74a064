// How `ledgerwright generate` grows with the document: the synthetic document in three sizes, the
// type generator alone beside it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, run } from './codegen-run.ts'
import type { Sample } from './codegen-run.ts'
import { CIRCLE, writeSynthetic } from './codegen-synthetic.ts'
import { aimLine, median, shuffled, spread } from './measure.ts'

const SIZES = [500, 1000, 2000] as const
const LARGEST = 2000
const OURS = 'ledgerwright'
const REFERENCE = 'hey-api'
const UNCHANGED = 'unchanged'

interface Scale {
  readonly folder: string
  readonly repetitions: number
  /** Everything leads to everything, which no generator likes. */
  readonly isLinked: boolean
  readonly environmentOf: (tool: string) => NodeJS.ProcessEnv
}

/** Measures and prints. */
export function measureScale(scale: Scale): void {
  const samples = new Map<string, Sample[]>()
  const add = (what: string, size: number, sample: Sample): void => {
    samples.set(`${what} ${size}`, [...(samples.get(`${what} ${size}`) ?? []), sample])
  }
  for (const size of SIZES)
    writeSynthetic(fileOf(scale, size), size, scale.isLinked ? size : CIRCLE)
  for (let repetition = 0; repetition < scale.repetitions; repetition += 1) {
    for (const size of shuffled(SIZES))
      for (const tool of shuffled([OURS, REFERENCE])) measureOne(scale, tool, size, add)
  }
  print(scale, (what, size, of) =>
    (samples.get(`${what} ${size}`) ?? []).map((sample) => sample[of]),
  )
}

function fileOf({ folder }: Scale, size: number): string {
  return join(folder, `synthetic-${size}.json`)
}

function measureOne(
  scale: Scale,
  tool: string,
  size: number,
  add: (what: string, size: number, sample: Sample) => void,
): void {
  const out = join(scale.folder, `${tool}-${size}`)
  rmSync(out, { recursive: true, force: true })
  const command = commandOf(tool, [fileOf(scale, size)], out)
  add(tool, size, run(command, scale.environmentOf(tool)))
  if (tool === OURS) add(UNCHANGED, size, run(command, scale.environmentOf(tool)))
}

function print(
  { isLinked }: Scale,
  figures: (what: string, size: number, of: keyof Sample) => readonly number[],
): void {
  const middle = (what: string, size: number, of: keyof Sample): number =>
    median(figures(what, size, of))
  console.log(
    `\nsynthetic document, ${isLinked ? 'every resource leads to every other' : `circles of ${CIRCLE} resources`}`,
  )
  for (const tool of [OURS, REFERENCE]) {
    for (const size of SIZES) {
      const perOperation = `${(middle(tool, size, 'ms') / size).toFixed(2)} ms an operation, CPU ${(middle(tool, size, 'cpuMs') / size).toFixed(2)} ms`
      const peak = `peak ${middle(tool, size, 'megabytes').toFixed(0)} MB`
      console.log(
        `  ${`${tool}, ${size} operations`.padEnd(30)} ${spread(figures(tool, size, 'ms')).padStart(22)} ms; ${perOperation}; ${peak}`,
      )
    }
  }
  const [smallest, between] = SIZES
  // The start of the process is in the first ratio; the second leaves it out.
  const ratio = middle(OURS, LARGEST, 'ms') / LARGEST / (middle(OURS, smallest, 'ms') / smallest)
  const added = (from: number, to: number): number =>
    (middle(OURS, to, 'cpuMs') - middle(OURS, from, 'cpuMs')) / (to - from)
  console.log(
    aimLine(`time an operation, ${LARGEST} beside ${smallest}`, ratio, 'at most', 1.3, 'x'),
  )
  console.log(
    aimLine(
      'CPU time an operation more, second half by first',
      added(between, LARGEST) / added(smallest, between),
      'at most',
      1.3,
      'x',
    ),
  )
  console.log(
    aimLine(
      `peak memory, ${LARGEST} operations`,
      middle(OURS, LARGEST, 'megabytes'),
      'at most',
      1000,
      'MB',
    ),
  )
  console.log(
    aimLine(
      `unchanged run, ${LARGEST} operations`,
      middle(UNCHANGED, LARGEST, 'ms'),
      'at most',
      600,
      'ms',
    ),
  )
}
