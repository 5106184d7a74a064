// Transfers per second on PostgreSQL against pgbench's TPC-B-like run on the same server, in the
// same repetition: through the engine, over HTTP, with one hot receiver and slow flushes, from
// several processes. `node postgres.ts [--reps 3] [--seconds 4] [--subjects 'engine;…']`
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  aimLine,
  cpuMilliseconds,
  cpuMillisecondsOfChildren,
  machineLine,
  median,
  shuffled,
  spread,
} from './measure.ts'
import { finished, linesOf, startNode } from './pinned.ts'
import type { Share } from './postgres-engine.ts'
import { pgbench, startBenchPostgres, whyNoPostgres } from './postgres-server.ts'
import { withService } from './service.ts'

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    subjects: { type: 'string', default: 'engine;prepared;http;hot;engines;servers' },
  },
})
const seconds = Number(values.seconds)
/** Payments that are counted; each server is warmed by a third as many before. */
const HTTP_COUNTS = { pay: 150 * seconds, alone: 150 * seconds } as const
const SCALE = 10
const FLUSH_MICROS = 2_000
const SERVERS = 3
const SESSIONS_END_MS = 200

/**
 * Transactions a second; CPU time of one, microseconds, in our processes (or pgbench) and in the
 * sessions of the server.
 */
interface Measured {
  readonly rate: number
  readonly ownCpu: number
  readonly sessionCpu: number
}

interface Subject {
  readonly name: string
  readonly what: string
  readonly reference: string
  readonly aim: number | undefined
  /** The aim by CPU time, both sides of the connection together. */
  readonly cpuAim?: number
  run(): Promise<Measured>
  compare(): Promise<Measured>
}

const missing = whyNoPostgres()
if (missing !== undefined) {
  console.log(`bench/postgres is skipped: ${missing}`)
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-data-'))
/** The data folder that belongs to the database `service`, and that of its copy. */
const [dataFolder, copyFolder] = [join(folder, 'service'), join(folder, 'copy')]
const postgres = await startBenchPostgres()

const TPCB = `pgbench TPC-B, 8 clients`
const SUBJECTS: readonly Subject[] = [
  {
    name: 'engine',
    what: 'engine, 64 parties',
    reference: TPCB,
    aim: 1.3,
    cpuAim: 2,
    run: () => engines('parties', 1),
    compare: () => tpcb(),
  },
  {
    name: 'prepared',
    what: 'engine, 64 parties',
    reference: `${TPCB}, prepared`,
    aim: undefined,
    run: () => engines('parties', 1),
    compare: () => tpcb('prepared'),
  },
  {
    name: 'http',
    what: 'HTTP, 64 users',
    reference: TPCB,
    aim: 0.45,
    run: () => servers('pay', 1),
    compare: () => tpcb(),
  },
  {
    name: 'hot',
    what: `engine, one receiver, flushes +${FLUSH_MICROS / 1e3} ms`,
    reference: `${TPCB}, the same flushes`,
    aim: 2,
    run: () => withSlowFlushes(() => engines('hot', 1)),
    compare: () => withSlowFlushes(() => tpcb()),
  },
  {
    name: 'engines',
    what: `${SERVERS} engine processes`,
    reference: 'one process',
    aim: undefined,
    run: () => engines('parties', SERVERS),
    compare: () => engines('parties', 1),
  },
  {
    name: 'servers',
    what: `${SERVERS} servers, one party, 64 clients`,
    reference: 'one server',
    aim: 1,
    run: () => servers('alone', SERVERS),
    compare: () => servers('alone', 1),
  },
]

async function tpcb(mode: 'simple' | 'prepared' = 'simple'): Promise<Measured> {
  await postgres.checkpoint()
  const before = postgres.sessionCpu()
  const ownBefore = cpuMillisecondsOfChildren(process.pid)
  const said = await pgbench([
    '-M',
    mode,
    '-c',
    '8',
    '-j',
    '2',
    '-T',
    String(Math.ceil(seconds / 2)),
    postgres.url('tpcb'),
  ])
  const [, rate = ''] = /^tps = ([\d.]+)/mu.exec(said) ?? []
  const [, count = ''] = /transactions actually processed: (\d+)/u.exec(said) ?? []
  return {
    rate: Number(rate),
    ownCpu: ((cpuMillisecondsOfChildren(process.pid) - ownBefore) * 1e3) / Number(count),
    sessionCpu: ((await sessionCpuSince(before)) * 1e3) / Number(count),
  }
}

/** Each process has its share of the parties; all begin at once. */
async function engines(kind: 'parties' | 'hot', processes: number): Promise<Measured> {
  return inCopyOf('network', async (url) => {
    const before = postgres.sessionCpu()
    const shares = await together(
      Array.from({ length: processes }, (_, index) =>
        startNode('any', [
          'postgres-engine.ts',
          url,
          kind,
          String(index),
          String(processes),
          String(seconds),
        ]),
      ),
    )
    const count = sumOf(shares, (share) => share.count)
    return {
      rate: sumOf(shares, (share) => share.count / share.seconds),
      ownCpu: (sumOf(shares, (share) => share.cpuSeconds) * 1e6) / count,
      // The sessions worked for as many transfers again before the counted ones.
      sessionCpu: ((await sessionCpuSince(before)) * 1e3) / (2 * count),
    }
  })
}

async function together(
  children: readonly ReturnType<typeof startNode>[],
): Promise<readonly Share[]> {
  const closed = children.map((child) => once(child, 'close'))
  const lines = children.map((child) => linesOf(child))
  const next = async (): Promise<readonly string[]> =>
    Promise.all(lines.map(async (each) => (await each.next()).value ?? ''))
  if ((await next()).some((line) => line !== 'ready')) throw new Error('a process did not start')
  for (const child of children) child.kill('SIGUSR2')
  const said = await next()
  await Promise.all(closed)
  return said.map((line) => {
    const share: Share = JSON.parse(line)
    return share
  })
}

/**
 * All clients are one process; the servers share the database and a data folder, which has the keys
 * and the history they saw. So that folder starts from a copy as well: servers that remember the
 * payments of another run refuse to start on a database without them.
 */
async function servers(task: 'pay' | 'alone', number: number): Promise<Measured> {
  return inCopyOf('service', async (url) => {
    const before = postgres.sessionCpu()
    const counted = HTTP_COUNTS[task]
    const warmup = Math.round(counted / 3) * number
    rmSync(copyFolder, { recursive: true, force: true })
    cpSync(dataFolder, copyFolder, { recursive: true })
    const { elapsed, cpu } = await withServers(url, copyFolder, number, async (urls, pids) => {
      const cpuOfAll = (): number => sumOf(pids, cpuMilliseconds)
      let atStart = 0
      const args = [
        'transfer-client.ts',
        urls.join(','),
        copyFolder,
        task,
        String(warmup),
        String(counted),
      ]
      const [, took = ''] = await finished('any', args, (line) => {
        if (line === 'warm') atStart = cpuOfAll()
      })
      return { elapsed: Number(took), cpu: cpuOfAll() - atStart }
    })
    const sessionCpu = ((await sessionCpuSince(before)) * 1e3) / (counted + warmup)
    return { rate: counted / elapsed, ownCpu: (cpu * 1e3) / counted, sessionCpu }
  })
}

async function withServers<T>(
  database: string,
  dir: string,
  number: number,
  use: (urls: readonly string[], pids: readonly number[]) => Promise<T>,
): Promise<T> {
  const config = {
    storage: { use: 'postgres', url: database },
    quotas: { paymentsPerSecond: 100_000 },
  }
  const start = (urls: readonly string[], pids: readonly number[]): Promise<T> =>
    urls.length === number
      ? use(urls, pids)
      : withService({ core: 'any', dir, config }, (url, pid) =>
          start([...urls, url], [...pids, pid]),
        )
  return start([], [])
}

/** Every run starts from the same data. */
async function inCopyOf<T>(template: string, use: (url: string) => Promise<T>): Promise<T> {
  const url = await postgres.createDatabase('copy', template)
  try {
    return await use(url)
  } finally {
    await postgres.dropDatabase('copy')
  }
}

async function withSlowFlushes<T>(use: () => Promise<T>): Promise<T> {
  await postgres.delayFlushes(FLUSH_MICROS)
  try {
    return await use()
  } finally {
    await postgres.delayFlushes(0)
  }
}

/** A session is counted once it has ended, which is soon after its client has. */
async function sessionCpuSince(before: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SESSIONS_END_MS))
  return postgres.sessionCpu() - before
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

async function prepare(subjects: readonly Subject[]): Promise<void> {
  await pgbench(['-i', '-q', '-s', String(SCALE), await postgres.createDatabase('tpcb')])
  await finished('any', ['postgres-engine.ts', await postgres.createDatabase('network'), 'prepare'])
  if (!subjects.some(({ name }) => name === 'http' || name === 'servers')) return
  const database = await postgres.createDatabase('service')
  mkdirSync(dataFolder)
  await withServers(database, dataFolder, 1, (urls) =>
    finished('any', ['transfer-client.ts', ...urls, dataFolder, 'setup']),
  )
}

interface Pair {
  readonly own: Measured
  readonly reference: Measured
}

/** Measures in either order. */
async function measure({ run, compare }: Subject): Promise<Pair> {
  if (Math.random() < 0.5) {
    const own = await run()
    return { own, reference: await compare() }
  }
  const reference = await compare()
  return { own: await run(), reference }
}

function summary({ what, reference, aim, cpuAim }: Subject, pairs: readonly Pair[]): string {
  const told = (name: string, each: readonly Measured[]): string => {
    const [own, session] = [
      each.map(({ ownCpu }) => ownCpu),
      each.map(({ sessionCpu }) => sessionCpu),
    ]
    const cpu = `${spread(own)} own and ${spread(session)} of the server`
    return `  ${name}: ${spread(each.map(({ rate }) => rate))} a second; CPU µs each ${cpu}`
  }
  const ratios = pairs.map(({ own, reference: { rate } }) => own.rate / rate)
  const cpuRatios = pairs.map(({ own, reference: other }) => cpuOf(other) / cpuOf(own))
  return [
    `${what}, against ${reference}: ratio ${spread(ratios, 2)}, by CPU ${spread(cpuRatios, 2)}`,
    told(
      'ours',
      pairs.map(({ own }) => own),
    ),
    told(
      'reference',
      pairs.map(({ reference: each }) => each),
    ),
    ...(aim === undefined ? [] : [aimLine(what, median(ratios), 'at least', aim, 'x')]),
    ...(cpuAim === undefined
      ? []
      : [aimLine(`${what}, by CPU`, median(cpuRatios), 'at least', cpuAim, 'x')]),
  ].join('\n')
}

function cpuOf({ ownCpu, sessionCpu }: Measured): number {
  return ownCpu + sessionCpu
}

try {
  const subjects = SUBJECTS.filter(({ name }) => values.subjects.split(';').includes(name))
  console.log(
    `${values.reps} repetitions of ${seconds} s, postgresql-15, fsync on, ${machineLine()}`,
  )
  await prepare(subjects)
  const pairs = new Map(subjects.map((subject): [Subject, Pair[]] => [subject, []]))
  for (let repetition = 0; repetition < Number(values.reps); repetition++) {
    for (const subject of shuffled(subjects)) pairs.get(subject)?.push(await measure(subject))
  }
  for (const subject of subjects) console.log(summary(subject, pairs.get(subject) ?? []))
  console.log(machineLine())
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
