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
  readonly aim: number
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
  { name: 'parties', what: 'engine, 64 parties', aim: 0.5, ...engine('parties') },
  { name: 'chain', what: 'engine, 2 parties in a chain', aim: 0.3, ...engine('chain') },
  { name: 'http', what: 'HTTP, 64 users', aim: 0.25, prepare: setUpUsers, run: payOverHttp },
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

/**
 * One repetition: the subject and the raw writer, each on a copy of the same beginning, in either
 * order.
 */
async function measure(
  { run }: Subject,
  dir: string,
): Promise<{ readonly own: Run; readonly raw: Run }> {
  const { before, start } = recorded(dir)
  const ofSubject = () => inCopy(dir, run)
  const ofRaw = () =>
    inCopy(dir, async (copy) =>
      readRun(
        await finished(0, [
          'transfer-raw.ts',
          join(copy, FILE),
          join(dir, 'recorded', FILE),
          String(before),
          String(start),
        ]),
      ),
    )
  if (Math.random() < 0.5) return { own: await ofSubject(), raw: await ofRaw() }
  const raw = await ofRaw()
  return { own: await ofSubject(), raw }
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

function summary(
  { what, aim }: Subject,
  pairs: readonly { readonly own: Run; readonly raw: Run }[],
): string {
  const perSecond = (runs: readonly Run[]): string =>
    spread(runs.map((run) => run.count / run.seconds))
  const cpuMicros = (runs: readonly Run[]): string =>
    spread(runs.map((run) => (run.cpuSeconds * 1e6) / run.count))
  const ratios = pairs.map(({ own, raw }) => own.count / own.seconds / (raw.count / raw.seconds))
  const cpuRatios = pairs.map(
    ({ own, raw }) => raw.cpuSeconds / raw.count / (own.cpuSeconds / own.count),
  )
  const [own, raw] = [pairs.map((pair) => pair.own), pairs.map((pair) => pair.raw)]
  return [
    `${what}: ${perSecond(own)} transfers/s, raw ${perSecond(raw)}; CPU µs a transfer ${cpuMicros(own)}, raw ${cpuMicros(raw)}`,
    `  ratio by time ${spread(ratios, 2)}, by CPU time ${spread(cpuRatios, 2)}`,
    aimLine(what, median(ratios), 'at least', aim, 'x'),
  ].join('\n')
}

try {
  const wanted = values.subjects.split(';')
  const subjects = SUBJECTS.filter(({ name }) => wanted.includes(name))
  console.log(
    `${repetitions} repetitions of ${count} transfers, ${isPinned ? 'pinned' : 'not pinned'}, ${machineLine()}`,
  )
  const dirs = new Map<Subject, string>()
  for (const subject of subjects) dirs.set(subject, await record(subject))
  const pairs = new Map(
    subjects.map((subject): [Subject, { own: Run; raw: Run }[]] => [subject, []]),
  )
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const subject of shuffled(subjects))
      pairs.get(subject)?.push(await measure(subject, dirs.get(subject) ?? ''))
  }
  for (const subject of subjects) console.log(summary(subject, pairs.get(subject) ?? []))
  console.log(machineLine())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
