// Transfers per second on SQLite with full durability, in process and over HTTP, against the raw
// limit for the same rows in the same repetition. `node transfer.ts [--reps 5] [--count 3000]
// [--subjects 'parties;chain;http']`; README.md says what is compared.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { aimLine, cpuMilliseconds, machineLine, median, shuffled, spread } from './measure.ts'
import { finished, isPinned } from './pinned.ts'
import { withService } from './service.ts'
import type { Run } from './transfer-common.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    count: { type: 'string', default: '3000' },
    subjects: { type: 'string', default: 'parties;chain;http' },
  },
})
const repetitions = Number(values.reps)
const count = values.count
const warmup = String(Math.round(Number(count) / 3))
const folder = mkdtempSync(join(tmpdir(), 'bench-transfer-'))
const FILE = 'ledgerwright.sqlite'

interface Subject {
  readonly name: string
  readonly what: string
  /** The aim against the writer of the same rows. */
  readonly aim: number
  /** The aim against the writer of lean rows. */
  readonly leanAim: number
  /** Makes what every run starts from in `base`. */
  prepare(base: string): Promise<void>
  run(dir: string): Promise<Run>
}

const engine = (kind: string): Pick<Subject, 'prepare' | 'run'> => ({
  prepare: async (base) =>
    void (await finished(0, ['transfer-engine.ts', join(base, FILE), 'prepare'])),
  run: async (dir) =>
    readRun(await finished(0, ['transfer-engine.ts', join(dir, FILE), kind, warmup, count])),
})

const SUBJECTS: readonly Subject[] = [
  { name: 'parties', what: 'engine, 64 parties', aim: 0.7, leanAim: 0.6, ...engine('parties') },
  {
    name: 'chain',
    what: 'engine, 2 parties in a chain',
    aim: 0.7,
    leanAim: 0.6,
    ...engine('chain'),
  },
  {
    name: 'http',
    what: 'HTTP, 64 users',
    aim: 0.4,
    leanAim: 0.3,
    prepare: setUpUsers,
    run: payOverHttp,
  },
]

function readRun([line = '']: readonly string[]): Run {
  const run: Run = JSON.parse(line)
  return run
}

async function setUpUsers(base: string): Promise<void> {
  await withService({ core: 0, dir: base }, (url) =>
    finished(1, ['transfer-client.ts', url, base, 'setup']),
  )
}

async function payOverHttp(dir: string): Promise<Run> {
  const before = endOf(dir)
  return withService({ core: 0, dir }, async (url, pid) => {
    let cpuAtStart = 0
    const args = ['transfer-client.ts', url, dir, 'pay', warmup, count]
    const [, seconds = ''] = await finished(1, args, (line) => {
      if (line === 'warm') cpuAtStart = cpuMilliseconds(pid)
    })
    const cpuSeconds = (cpuMilliseconds(pid) - cpuAtStart) / 1e3
    return {
      seconds: Number(seconds),
      cpuSeconds,
      before,
      start: before + Number(warmup),
      count: Number(count),
    }
  })
}

function endOf(dir: string): number {
  const connection = new SqliteDatabase(join(dir, FILE), { readonly: true })
  try {
    return connection.prepare<[], number>('select last_offset from ledger_end').pluck().get() ?? 0
  } finally {
    connection.close()
  }
}

/** One repetition, each on a copy of the same beginning. */
interface Repetition {
  readonly own: Run
  /** The same rows. */
  readonly raw: Run
  /** The run without rows that only find others, and sums of fees. */
  readonly lean: Run
}

/** The subject and both raw writers, in any order. */
async function measure({ run }: Subject, dir: string): Promise<Repetition> {
  const { before, start } = recorded(dir)
  const ofRaw = (kind: 'all' | 'lean') => () =>
    inCopy(dir, async (copy) =>
      readRun(
        await finished(0, [
          'transfer-raw.ts',
          join(copy, FILE),
          join(dir, 'recorded', FILE),
          String(before),
          String(start),
          kind,
        ]),
      ),
    )
  const all = { own: () => inCopy(dir, run), raw: ofRaw('all'), lean: ofRaw('lean') }
  const runs = new Map<keyof Repetition, Run>()
  for (const name of shuffled(['own', 'raw', 'lean'] as const)) runs.set(name, await all[name]())
  const runOf = (name: keyof Repetition): Run => {
    const done = runs.get(name)
    if (done === undefined) throw new Error(`${name} did not run`)
    return done
  }
  return { own: runOf('own'), raw: runOf('raw'), lean: runOf('lean') }
}

const recordings = new Map<string, Run>()

function recorded(dir: string): Run {
  const run = recordings.get(dir)
  if (run === undefined) throw new Error(`nothing was recorded in ${dir}`)
  return run
}

async function inCopy<T>(dir: string, use: (copy: string) => Promise<T>): Promise<T> {
  const copy = join(dir, 'copy')
  cpSync(join(dir, 'base'), copy, { recursive: true })
  try {
    return await use(copy)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** The first run is not counted: its rows are those that the raw writer writes. */
async function record({ name, prepare, run }: Subject): Promise<string> {
  const dir = join(folder, name)
  const base = join(dir, 'base')
  mkdirSync(base, { recursive: true })
  await prepare(base)
  const copy = join(dir, 'recorded')
  cpSync(base, copy, { recursive: true })
  recordings.set(dir, await run(copy))
  return dir
}

function summary({ what, aim, leanAim }: Subject, done: readonly Repetition[]): string {
  const own = done.map((each) => each.own)
  const against = (name: string, raw: readonly Run[], least: number): readonly string[] => {
    const ratios = raw.map((run, index) => perSecond(own[index]) / perSecond(run))
    const cpuRatios = raw.map((run, index) => cpuMicros(run) / cpuMicros(own[index]))
    return [
      `  ${name}: ${spread(raw.map(perSecond))} transfers/s; CPU µs a transfer ${spread(raw.map(cpuMicros))}`,
      `    ratio by time ${spread(ratios, 2)}, by CPU time ${spread(cpuRatios, 2)}`,
      aimLine(`${what}, of ${name}`, median(ratios), 'at least', least, 'x'),
    ]
  }
  return [
    `${what}: ${spread(own.map(perSecond))} transfers/s; CPU µs a transfer ${spread(own.map(cpuMicros))}`,
    ...against(
      'the same rows',
      done.map(({ raw }) => raw),
      aim,
    ),
    ...against(
      'lean rows',
      done.map(({ lean }) => lean),
      leanAim,
    ),
  ].join('\n')
}

function perSecond(run: Run | undefined): number {
  return run === undefined ? Number.NaN : run.count / run.seconds
}

function cpuMicros(run: Run | undefined): number {
  return run === undefined ? Number.NaN : (run.cpuSeconds * 1e6) / run.count
}

try {
  const wanted = values.subjects.split(';')
  const subjects = SUBJECTS.filter(({ name }) => wanted.includes(name))
  console.log(
    `${repetitions} repetitions of ${count} transfers, ${isPinned ? 'pinned' : 'not pinned'}, ${machineLine()}`,
  )
  const dirs = new Map<Subject, string>()
  for (const subject of subjects) dirs.set(subject, await record(subject))
  const pairs = new Map(subjects.map((subject): [Subject, Repetition[]] => [subject, []]))
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const subject of shuffled(subjects))
      pairs.get(subject)?.push(await measure(subject, dirs.get(subject) ?? ''))
  }
  for (const subject of subjects) console.log(summary(subject, pairs.get(subject) ?? []))
  console.log(machineLine())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
