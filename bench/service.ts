// The service as a process of its own, for benchmarks over HTTP.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { linesOf, startNode } from './pinned.ts'
import type { Core } from './pinned.ts'

const MAIN = join(import.meta.dirname, '../runtime/cli/start.mjs')
/** Flags of `npm start`. */
const FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1']
/** Base traffic that never ends; it is counted and charged all the same. */
const TRAFFIC = { network: { traffic: { baseBurstBytes: Number.MAX_SAFE_INTEGER } } }

export interface ServiceOptions {
  readonly core: Core
  /** Its data folder; several servers may share one. */
  readonly dir: string
  /** Sections of the configuration besides traffic. */
  readonly config?: object
  /** Whether it has the users and coins of the development profile. */
  readonly seeded?: boolean
  /** How soon it gets its turn beside other work; 0 like all others. */
  readonly niceness?: number
  /** Loaded before anything else. */
  readonly preloads?: readonly string[]
  /** Folder for a CPU profile of the whole run. */
  readonly profile?: string | undefined
}

/** Starts a service, and stops it when `use` has ended. */
export async function withService<T>(
  { core, dir, config = {}, seeded = false, niceness = 0, preloads = [], profile }: ServiceOptions,
  use: (url: string, pid: number) => Promise<T>,
): Promise<T> {
  const file = join(dir, 'bench.config.json')
  writeFileSync(file, JSON.stringify({ ...TRAFFIC, ...config }))
  const before = [
    ...preloads.flatMap((url) => ['--import', url]),
    ...(profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]),
  ]
  const server = startNode(
    core,
    [
      ...FLAGS,
      ...before,
      MAIN,
      'serve',
      '--port',
      '0',
      '--data',
      dir,
      '--config',
      file,
      ...(seeded ? [] : ['--empty']),
    ],
    'ignore',
    niceness,
  )
  const closed = once(server, 'close')
  try {
    return await use(await addressOf(server), server.pid ?? 0)
  } finally {
    server.kill('SIGTERM')
    await closed
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  const said: string[] = []
  for await (const line of linesOf(server)) {
    said.push(line)
    if (/ready in \d+ ms/.test(line))
      return /http:\/\/127\.0\.0\.1:\d+/.exec(said.join('\n'))?.[0] ?? ''
  }
  // What it said on standard error is lost; a second start by hand tells.
  throw new Error(`the service did not start: ${said.join('\n')}, ${server.spawnargs.join(' ')}`)
}
