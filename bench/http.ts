// What the whole generated stack costs a request, beside a bare Koa handler and Fastify with the
// same schemas. Only ratios of CPU time within one repetition count: research/performance.md §0.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from '../codegen/index.ts'
import { authOf } from './http-product.ts'
import { canPin } from './measure.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    variants: { type: 'string', default: 'product;koa;fastify' },
  },
})
const repetitions = Number(values.reps)
const seconds = Number(values.seconds)
const variants = values.variants.split(';')
const kinds = ['get', 'post'] as const
const SUBJECTS = variants.filter((name) => name.startsWith('product'))
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK']).toString())
const dir = mkdtempSync(join(tmpdir(), 'bench-http-'))
const token = await tokenOf('alice')
const pins = canPin() ? (['0', '1'] as const) : undefined

interface Sample {
  readonly microsPerRequest: number
  readonly perSecond: number
}

async function tokenOf(user: string): Promise<string> {
  return (await (await authOf(dir)).issue?.(user)) ?? ''
}

function startNode(core: 0 | 1, args: readonly string[]): ChildProcess {
  const pin = pins === undefined ? [] : ['taskset', '-c', pins[core]]
  const command = [...pin, process.execPath, ...args]
  const errors = core === 0 ? 'ignore' : 'inherit'
  return spawn(command[0] ?? '', command.slice(1), {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', errors],
  })
}

async function firstNumber(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('no output')
  for await (const chunk of child.stdout) return Number(String(chunk).trim())
  throw new Error('a process of the benchmark ended early')
}

/** Seconds of CPU that a process has used, in user and system mode. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function load(port: number, kind: string, duration: number): Promise<number> {
  return firstNumber(startNode(1, ['http-load.ts', String(port), kind, String(duration), token]))
}

async function measure(variant: string, kind: string): Promise<Sample> {
  const server = startNode(0, ['http-server.ts', variant, dir])
  try {
    return await measureAt(server, await firstNumber(server), kind)
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
}

async function measureAt(server: ChildProcess, port: number, kind: string): Promise<Sample> {
  await load(port, kind, Math.max(1, Math.round(seconds / 2)))
  const before = cpuSeconds(server.pid ?? 0)
  const answered = await load(port, kind, seconds)
  const used = cpuSeconds(server.pid ?? 0) - before
  return { microsPerRequest: (used * 1e6) / answered, perSecond: answered / seconds }
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function summary(kind: string, samples: ReadonlyMap<string, readonly Sample[]>): string {
  const micros = (name: string): readonly number[] =>
    (samples.get(name) ?? []).map((sample) => sample.microsPerRequest)
  const against = (subject: string, reference: string): string => {
    const own = micros(subject)
    const ratios = micros(reference).map((other, at) => other / (own[at] ?? Number.NaN))
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
    return `${reference} ${median(ratios).toFixed(2)} [${least.toFixed(2)}..${most.toFixed(2)}]`
  }
  const costs = variants.map((name) => `${name} ${median(micros(name)).toFixed(1)}`).join(', ')
  const ratios = SUBJECTS.map(
    (subject) =>
      `  ${subject}: ${variants
        .filter((name) => name !== subject)
        .map((name) => against(subject, name))
        .join(', ')}`,
  )
  const head = `${kind}: median microseconds of CPU a request: ${costs}`
  return [head, ' ratio to (above 1 is cheaper than the reference):', ...ratios].join('\n')
}

if (!existsSync(new URL('node_modules/fastify', import.meta.url))) {
  console.error(
    'run `npm install --prefix bench` first: the references are not part of the product',
  )
  process.exit(1)
}
/**
 * What the generator makes of the fixture, fresh, so that the figure is that of today's generator.
 */
async function generateFixture(out: string): Promise<void> {
  const config = { interfaces: [{ spec: 'fixtures/bench.yaml' }], out }
  const { status, findings } = await generate({ root: import.meta.dirname, config })
  if (status !== 'written')
    throw new Error(`the fixture could not be generated: ${JSON.stringify(findings)}`)
}

async function run(): Promise<void> {
  const load = (): string =>
    loadavg()
      .map((number) => number.toFixed(2))
      .join(' ')
  const pinned = pins === undefined ? 'not pinned' : 'pinned'
  console.log(
    `node ${process.version}, ${repetitions} repetitions of ${seconds} s, ${pinned}, load average ${load()}`,
  )
  for (const kind of kinds) {
    const samples = new Map<string, Sample[]>(variants.map((name) => [name, []]))
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const variant of shuffled(variants))
        samples.get(variant)?.push(await measure(variant, kind))
    }
    console.log(`${summary(kind, samples)}\n load average ${load()}`)
  }
}

try {
  await generateFixture(dir)
  await run()
} finally {
  rmSync(dir, { recursive: true, force: true })
}
