// The three nodes of the local network with the preset, at the ports that its clients expect, and
// the processes of those clients.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { call } from '../support/http.ts'
import type { CallOptions, Answer } from '../support/http.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { MAIN } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

/** The super validator's node, and that of the user. */
export const SV = 'http://127.0.0.1:4000'
export const USER = 'http://127.0.0.1:2975'
/** For a start, and for a client. */
const LIFE_LIMIT_MS = 180_000
/** The operator of each node. */
const OPERATOR = 'ledger-api-user'

export interface Localnet {
  /** A folder for the files of clients. */
  readonly folder: string
  readonly token: string
  /** Asks the user's node as its operator. */
  ask(request: string, options?: Omit<CallOptions, 'token'>): Promise<Answer>
  stop(): Promise<void>
}

/** Starts the nodes on empty data. */
export async function startLocalnet(): Promise<Localnet> {
  if (await isReady()) throw new Error(`something answers at ${USER} already`)
  const { path: folder, remove } = await tempDir()
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ vocabulary: { preset: 'network-0.6' } }))
  const args = ['serve', '--profile', 'localnet', '--data', join(folder, 'data')]
  const log = join(folder, 'service.log')
  const service = spawn(process.execPath, [MAIN, ...args, '--config', config], {
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  })
  process.once('exit', () => service.kill())
  const closed = once(service, 'close')
  await eventuallyHolds(
    'the nodes are ready',
    async () => {
      if (service.exitCode !== null) throw new Error(`the nodes did not start: ${log} says why`)
      return isReady()
    },
    LIFE_LIMIT_MS,
  )
  const token = await new SignJWT({ sub: OPERATOR })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode('unsafe'))
  return {
    folder,
    token,
    ask: (request, options = {}) => call(USER, request, { ...options, token }),
    stop: async () => {
      service.kill()
      await closed
      await remove()
    },
  }
}

function isReady(): Promise<boolean> {
  return fetch(`${USER}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

export interface Ended {
  readonly code: number | null
  /** All that it wrote, without colours. */
  readonly text: string
}

const COLOURS = /\u001b\[[0-9;]*m/g

/** Runs a client to its end; `code` is null where it was too slow or is not there. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIFE_LIMIT_MS,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.on('error', (error) => (text += error.message))
  await once(child, 'close').catch(() => undefined)
  return { code: child.exitCode, text: text.replaceAll(COLOURS, '') }
}
