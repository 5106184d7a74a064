// How long a user waits for a start: from the process to the first 200 on /readyz, with the code
// cache and the data of an earlier start, and on a folder without data; and how much memory the
// service then holds. Beside a bare `node` and a minimal Koa application.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import {
  aimLine,
  cleanEnvironment,
  cpuMilliseconds,
  machineLine,
  median,
  residentMb,
  shuffled,
  spread,
} from './measure.ts'

const { values } = parseArgs({ options: { reps: { type: 'string', default: '9' } } })
const repetitions = Number(values.reps)
const PROJECT = resolve(import.meta.dirname, '..')
const POLL_MS = 2
const REQUESTS = 1_000
const PATIENCE_MS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'bench-start-'))
const LOG_FILE = join(folder, 'log')
const LOG = openSync(LOG_FILE, 'a')

interface Sample {
  readonly ms: number
  /** Milliseconds of all threads until ready; absent for a process that has ended by then. */
  readonly cpuMs?: number
  readonly readyMb?: number
  readonly laterMb?: number
}

interface Place {
  readonly data: string
  readonly env: NodeJS.ProcessEnv
}

/** One attempt on a connection of its own: true for an answer with status 200. */
async function answers(port: number): Promise<boolean> {
  return await new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    })
    socket.once('data', (chunk) => {
      done(chunk.toString('latin1').startsWith('HTTP/1.1 200'))
      socket.destroy()
    })
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
  })
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > end) {
      throw new Error(`a server did not start: ${readFileSync(LOG_FILE, 'utf8').slice(-500)}`)
    }
    await delay(POLL_MS)
  }
}

function startNode(args: readonly string[], { env }: Place): ChildProcess {
  return spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'ignore', LOG] })
}

async function startBare(place: Place): Promise<Sample> {
  const start = performance.now()
  const child = startNode(['-e', '0'], place)
  await once(child, 'exit')
  return { ms: performance.now() - start }
}

async function startServer(
  args: readonly string[],
  port: number,
  place: Place,
  token?: string,
): Promise<Sample> {
  const start = performance.now()
  const child = startNode(args, place)
  const ended = once(child, 'exit')
  try {
    await untilReady(port, child)
    const ms = performance.now() - start
    const [readyMb, cpuMs] = [residentMb(child.pid ?? 0), cpuMilliseconds(child.pid ?? 0)]
    for (let sent = 0; sent < REQUESTS; sent++) await request(port, token)
    return { ms, cpuMs, readyMb, laterMb: residentMb(child.pid ?? 0) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const agent = new Agent({ keepAlive: true })

/**
 * Reads a user with the token, as the smallest request that goes through guard, storage and checks.
 */
async function request(port: number, token: string | undefined): Promise<void> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const path = token === undefined ? '/readyz' : '/v2/users/participant_admin'
  const status = await new Promise<number | undefined>((done, failed) => {
    get({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume().once('end', () => done(response.statusCode))
    }).once('error', failed)
  })
  if (status !== 200) throw new Error(`${path} answered ${status}`)
}

const BARE = 'node -e 0'
/** Flags that `npm start` gives to Node. */
const FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1']
const OURS = 'start.mjs serve (npm start)'
const FRESH = 'the same, fresh data'
const NODES = 'three nodes, fresh data'
const NODES_FILE = join(folder, 'nodes.json')
const SUBJECTS: Readonly<Record<string, (place: Place) => Promise<Sample>>> = {
  [BARE]: startBare,
  'minimal Koa': async (place) => {
    const port = await freePort()
    return await startServer(
      [join(import.meta.dirname, 'start-koa.mjs'), String(port)],
      port,
      place,
    )
  },
  [OURS]: (place) => startOurs('start.mjs', place),
  [FRESH]: (place) =>
    startOurs('start.mjs', { ...place, data: mkdtempSync(join(folder, 'data-')) }),
  [NODES]: (place) =>
    startOurs('start.mjs', { ...place, data: mkdtempSync(join(folder, 'data-')) }, [
      '--config',
      NODES_FILE,
    ]),
  'main.ts serve (the sources)': (place) => startOurs('main.ts', place),
}

/** The service by one of its entries. */
async function startOurs(
  entry: string,
  place: Place,
  more: readonly string[] = [],
): Promise<Sample> {
  const port = await freePort()
  const cli = join(PROJECT, 'runtime/cli', entry)
  const token = ['token', '--user', 'participant_admin', '--data', place.data, ...more]
  const text = execFileSync(process.execPath, [cli, ...token], {
    env: place.env,
    encoding: 'utf8',
  }).trim()
  return await startServer(
    [...FLAGS, cli, 'serve', '--port', String(port), '--data', place.data, ...more],
    port,
    place,
    text,
  )
}

function print(samples: ReadonlyMap<string, readonly Sample[]>): void {
  const times = (name: string): readonly number[] => (samples.get(name) ?? []).map(({ ms }) => ms)
  const middle = (name: string, of: 'cpuMs' | 'readyMb' | 'laterMb'): number =>
    median((samples.get(name) ?? []).map((sample) => sample[of] ?? Number.NaN))
  for (const name of samples.keys()) {
    const ratios = times(name).map((ms, repetition) => ms / (times(BARE)[repetition] ?? Number.NaN))
    const time = `${spread(times(name)).padStart(16)} ms, ${spread(ratios, 1)} of bare node`
    const [ready, later] = [middle(name, 'readyMb').toFixed(0), middle(name, 'laterMb').toFixed(0)]
    const memory = `${ready} MB when ready, ${later} after ${REQUESTS} requests`
    const more = name === BARE ? '' : `; CPU ${middle(name, 'cpuMs').toFixed(0)} ms; ${memory}`
    console.log(`  ${name.padEnd(28)} ${time}${more}`)
  }
  const aim = (name: string, figure: number, most: number, unit: string): void =>
    console.log(aimLine(name, figure, 'at most', most, unit))
  aim('first 200 on /readyz, warm', median(times(OURS)), 400, 'ms')
  aim('first 200 on /readyz, fresh', median(times(FRESH)), 700, 'ms')
  aim('three nodes, fresh', median(times(NODES)), 1_200, 'ms')
  aim('three nodes, resident memory when ready', middle(NODES, 'readyMb'), 160, 'MB')
  aim('resident memory when ready', middle(OURS, 'readyMb'), 100, 'MB')
  aim(`resident memory after ${REQUESTS} requests`, middle(OURS, 'laterMb'), 115, 'MB')
}

execFileSync(process.execPath, [join(PROJECT, 'bundle.mjs')])
const elsewhere = { server: { port: 0 } }
writeFileSync(NODES_FILE, JSON.stringify({ nodes: { a: {}, b: elsewhere, c: elsewhere } }))
const place = { data: join(folder, 'data'), env: cleanEnvironment({ TMPDIR: folder }) }
const samples = new Map<string, Sample[]>(Object.keys(SUBJECTS).map((name) => [name, []]))
console.log(
  `${machineLine()}, ${repetitions} repetitions, each after an earlier start on the same data`,
)
try {
  // The first round fills the code cache and makes the data file; it counts for nothing.
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [name, start] of shuffled(Object.entries(SUBJECTS))) {
      const sample = await start(place)
      if (repetition > 0) samples.get(name)?.push(sample)
    }
  }
  print(samples)
} finally {
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}
