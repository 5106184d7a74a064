// Time and peak memory of `ledgerwright generate` beside other generators on the same documents; then the unchanged run and the validators.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, cleanEnvironment, machineLine, median, shuffled, spread } from './measure.ts'

const { values } = parseArgs({
  options: { reps: { type: 'string', default: '5' }, cold: { type: 'boolean', default: false } },
})
const repetitions = Number(values.reps)
const PROJECT = resolve(import.meta.dirname, '..')
const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const REFERENCE = 'hey-api'
const OURS = 'ledgerwright'
const TOOLS = [OURS, REFERENCE, 'openapi-typescript', 'orval'] as const

/** Runs first in every child: at the end, its peak of resident memory in kB goes to the fourth stream. */
const REPORT_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs'
  const peak = () => {
    try {
      return Number(/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    } catch {
      return process.resourceUsage().maxRSS
    }
  }
  process.once('exit', () => writeSync(3, String(peak())))
`)}`

interface Sample {
  readonly ms: number
  readonly megabytes: number
}

interface Documents {
  readonly title: string
  readonly files: readonly string[]
}

function documentSets(): readonly Documents[] {
  const own = ['ledger', 'validator', 'scan', 'registry'].map((name) => join(PROJECT, 'spec', `${name}.yaml`))
  if (!existsSync(UPSTREAM)) {
    console.log(`upstream set skipped: ${UPSTREAM} is absent`)
    return [{ title: 'our spec', files: own }]
  }
  const upstream = readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml').sort()
    .map((file) => join(UPSTREAM, file))
  return [{ title: 'our spec', files: own }, { title: 'upstream set', files: upstream }]
}

function commandOf(tool: string, files: readonly string[], out: string): readonly string[] {
  return tool === OURS
    ? [join(PROJECT, 'runtime/cli/main.ts'), 'generate', '--spec', ...files, '--out', out]
    : [join(import.meta.dirname, 'codegen-tool.mjs'), tool, out, ...files]
}

/** One process from start to end. Throws with its messages when it fails. */
function run(command: readonly string[], cache: string): Sample {
  const env = cleanEnvironment(values.cold ? { NODE_DISABLE_COMPILE_CACHE: '1' } : { NODE_COMPILE_CACHE: cache })
  const start = performance.now()
  const done = spawnSync(process.execPath, ['--import', REPORT_PEAK, ...command], {
    env, cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe'], maxBuffer: 1e8,
  })
  const ms = performance.now() - start
  if (done.status !== 0) throw new Error(`${command.slice(0, 3).join(' ')} failed: ${done.stderr}${done.stdout}`)
  return { ms, megabytes: Number(done.output[3]) * 1024 / 1e6 }
}

function linesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && statSync(file).isFile())
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0)
}

class Figures {
  readonly #first = new Map<string, Sample[]>()
  readonly #second: Sample[] = []
  readonly #lines = new Map<string, number>()

  addFirst(tool: string, sample: Sample, lines: number): void {
    this.#first.set(tool, [...this.#first.get(tool) ?? [], sample])
    this.#lines.set(tool, lines)
  }

  addSecond(sample: Sample): void {
    this.#second.push(sample)
  }

  print({ title, files }: Documents): void {
    console.log(`\n${title}, ${files.length} documents: wall time of the process, peak memory, ratio of times to ${REFERENCE}`)
    for (const tool of TOOLS) console.log(this.#row(tool))
    console.log(`  ${`${OURS}, unchanged`.padEnd(24)} ${spread(this.#second.map(({ ms }) => ms)).padStart(20)} ms`)
    console.log(aimLine(`time beside ${REFERENCE} (types and client) alone`, median(this.#ratios(OURS)), 'at most', 1.5, 'x'))
    console.log(aimLine('peak memory', this.#megabytes(OURS), 'at most', 250, 'MB'))
    console.log(aimLine('unchanged run', median(this.#second.map(({ ms }) => ms)), 'at most', 600, 'ms'))
  }

  #row(tool: string): string {
    const times = spread(this.#milliseconds(tool)).padStart(20)
    const memory = `${this.#megabytes(tool).toFixed(0)} MB`.padStart(7)
    return `  ${tool.padEnd(24)} ${times} ms ${memory}  ratio ${spread(this.#ratios(tool), 2)}, ${this.#lines.get(tool)} lines`
  }

  #milliseconds(tool: string): readonly number[] {
    return (this.#first.get(tool) ?? []).map(({ ms }) => ms)
  }

  #megabytes(tool: string): number {
    return median((this.#first.get(tool) ?? []).map(({ megabytes }) => megabytes))
  }

  #ratios(tool: string): readonly number[] {
    const reference = this.#milliseconds(REFERENCE)
    return this.#milliseconds(tool).map((ms, repetition) => ms / (reference[repetition] ?? Number.NaN))
  }
}

function measure(documents: Documents, folder: string): void {
  const figures = new Figures()
  const cache = join(folder, 'cache')
  // The first round fills the code caches and counts for nothing.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const tool of shuffled(TOOLS)) {
      const out = join(folder, tool)
      rmSync(out, { recursive: true, force: true })
      const command = commandOf(tool, documents.files, out)
      const sample = run(command, cache)
      if (repetition === 0) continue
      figures.addFirst(tool, sample, linesBelow(out))
      if (tool === OURS) figures.addSecond(run(command, cache))
    }
  }
  figures.print(documents)
}

if (!existsSync(new URL('node_modules/orval', import.meta.url))) {
  console.error('run `npm install --prefix bench` first: the references are not part of the product')
  process.exit(1)
}
console.log(`${machineLine()}, ${repetitions} repetitions, ${values.cold ? 'no code cache' : 'code cache warm'} for all`)
const folder = mkdtempSync(join(tmpdir(), 'bench-codegen-'))
try {
  for (const documents of documentSets()) measure(documents, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log('')
spawnSync(process.execPath, [join(import.meta.dirname, 'validators.ts')], { env: cleanEnvironment(), stdio: 'inherit' })
