// Time and peak memory of `ledgerwright generate` beside other generators on the same documents;
// the unchanged run; growth with the document; --watch; and then bench/validators.ts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commandOf, PROJECT, run } from './codegen-run.ts'
import type { Sample } from './codegen-run.ts'
import { measureScale } from './codegen-scale.ts'
import { measureWatch } from './codegen-watch.ts'
import { aimLine, cleanEnvironment, machineLine, median, shuffled, spread } from './measure.ts'

const PARTS = ['spec', 'upstream', 'synthetic', 'watch', 'validators'] as const
const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    cold: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [...PARTS] },
    linked: { type: 'boolean', default: false },
  },
})
const parts = values.only.flatMap((part) => part.split(','))
const repetitions = Number(values.reps)
const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const REFERENCE = 'hey-api'
const OURS = 'ledgerwright'
const TOOLS = [OURS, REFERENCE, 'openapi-typescript', 'orval'] as const

interface Documents {
  readonly title: string
  readonly files: readonly string[]
}

function documentSets(): readonly Documents[] {
  const own = {
    title: 'our spec',
    files: ['ledger', 'validator', 'scan', 'registry'].map((name) =>
      join(PROJECT, 'spec', `${name}.yaml`),
    ),
  }
  if (!parts.includes('upstream')) return parts.includes('spec') ? [own] : []
  if (!existsSync(UPSTREAM)) {
    console.log(`upstream set skipped: ${UPSTREAM} is absent`)
    return [own]
  }
  const upstream = readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
    .sort()
    .map((file) => join(UPSTREAM, file))
  return [...(parts.includes('spec') ? [own] : []), { title: 'upstream set', files: upstream }]
}

/**
 * Ours turns Node's code cache on by itself, in the folder of temporary files; the others get it
 * from outside.
 */
function environmentOf(tool: string, temporary: string): NodeJS.ProcessEnv {
  if (values.cold) return cleanEnvironment({ TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' })
  const cache = tool === OURS ? {} : { NODE_COMPILE_CACHE: join(temporary, 'cache') }
  return cleanEnvironment({ TMPDIR: temporary, ...cache })
}

function linesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && statSync(file).isFile())
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0)
}

class Figures {
  readonly #first = new Map<string, Sample[]>()
  readonly #second: Sample[] = []
  readonly #lines = new Map<string, number>()

  addFirst(tool: string, sample: Sample, lines: number): void {
    this.#first.set(tool, [...(this.#first.get(tool) ?? []), sample])
    this.#lines.set(tool, lines)
  }

  addSecond(sample: Sample): void {
    this.#second.push(sample)
  }

  print({ title, files }: Documents): void {
    console.log(
      `\n${title}, ${files.length} documents; ratios of a repetition's times to ${REFERENCE}'s`,
    )
    for (const tool of TOOLS) console.log(this.#row(tool))
    console.log(
      `  ${`${OURS}, unchanged`.padEnd(24)} ${spread(this.#second.map(({ ms }) => ms)).padStart(20)} ms`,
    )
    const beside = `beside ${REFERENCE} (types and client) alone`
    console.log(aimLine(`time ${beside}`, median(this.#ratios(OURS, 'ms')), 'at most', 1.5, 'x'))
    console.log(
      aimLine(`CPU time ${beside}`, median(this.#ratios(OURS, 'cpuMs')), 'at most', 1.5, 'x'),
    )
    console.log(aimLine('peak memory', median(this.#all(OURS, 'megabytes')), 'at most', 250, 'MB'))
    console.log(
      aimLine('unchanged run', median(this.#second.map(({ ms }) => ms)), 'at most', 150, 'ms'),
    )
  }

  #row(tool: string): string {
    const time = `${spread(this.#all(tool, 'ms')).padStart(20)} ms, ratio ${spread(this.#ratios(tool, 'ms'), 2)}`
    const cpu = `CPU ${median(this.#all(tool, 'cpuMs')).toFixed(0)} ms, ratio ${spread(this.#ratios(tool, 'cpuMs'), 2)}`
    const peak = `peak ${median(this.#all(tool, 'megabytes')).toFixed(0)} MB`
    return `  ${tool.padEnd(24)} ${time}; ${cpu}; ${peak}; ${this.#lines.get(tool)} lines`
  }

  #all(tool: string, of: keyof Sample): readonly number[] {
    return (this.#first.get(tool) ?? []).map((sample) => sample[of])
  }

  #ratios(tool: string, of: keyof Sample): readonly number[] {
    const reference = this.#all(REFERENCE, of)
    return this.#all(tool, of).map(
      (figure, repetition) => figure / (reference[repetition] ?? Number.NaN),
    )
  }
}

function measure(documents: Documents, folder: string): void {
  const figures = new Figures()
  // The first round fills the code caches and counts for nothing.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const tool of shuffled(TOOLS)) {
      const out = join(folder, tool)
      rmSync(out, { recursive: true, force: true })
      const command = commandOf(tool, documents.files, out)
      const env = environmentOf(tool, folder)
      const sample = run(command, env)
      if (repetition === 0) continue
      figures.addFirst(tool, sample, linesBelow(out))
      if (tool === OURS) figures.addSecond(run(command, env))
    }
  }
  figures.print(documents)
}

if (!existsSync(new URL('node_modules/orval', import.meta.url))) {
  console.error(
    'run `npm install --prefix bench` first: the references are not part of the product',
  )
  process.exit(1)
}
const cacheState = values.cold ? 'no code cache' : 'code cache warm'
console.log(`${machineLine()}, ${repetitions} repetitions, ${cacheState} for all`)
const folder = mkdtempSync(join(tmpdir(), 'bench-codegen-'))
try {
  for (const documents of documentSets()) measure(documents, folder)
  if (parts.includes('synthetic'))
    measureScale({
      folder,
      repetitions,
      isLinked: values.linked,
      environmentOf: (tool) => environmentOf(tool, folder),
    })
  if (parts.includes('watch')) await measureWatch(folder, environmentOf(OURS, folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (parts.includes('validators')) {
  console.log('')
  spawnSync(process.execPath, [join(import.meta.dirname, 'validators.ts')], {
    env: cleanEnvironment(),
    stdio: 'inherit',
  })
}
