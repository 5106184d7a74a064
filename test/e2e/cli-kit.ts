// Runs the command line as real processes in folders of their own.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export { MAIN } from '../support/service.ts'

/** `serve` with the operations of test/plugins/fixtures/stub-services.ts. */
export const SERVE_STUB = fileURLToPath(
  new URL('../plugins/fixtures/serve-stub.ts', import.meta.url),
)
export const RUNTIME = new URL('../../runtime/index.ts', import.meta.url).href

/** A process that hangs fails its test instead of the whole run. */
const LIFE_LIMIT_MS = 180_000
const READY_LIMIT_MS = 120_000

export interface Place {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Another Node than the one that runs the test. */
  readonly node?: string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A new folder with these files in it; `remove` deletes it. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): {
  readonly path: string
  remove(): void
} {
  const path = mkdtempSync(join(tmpdir(), 'lw-cli-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs to the end. */
export async function run(script: string, args: readonly string[], place: Place): Promise<Ended> {
  return await started(script, args, place).ended
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  text(): { readonly stdout: string; readonly stderr: string }
}

/** A process that runs. */
export function started(script: string, args: readonly string[], place: Place): Started {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(tmpdir(), 'lw-test-cache'),
    ...place.env,
  }
  const child = spawn(place.node ?? process.execPath, [script, ...args], {
    cwd: place.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    parts.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    parts.stderr += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIFE_LIMIT_MS)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (clearTimeout(timer), resolve({ code, ...parts })))
  })
  return { child, ended, text: () => ({ ...parts }) }
}

export interface Serving {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  readonly pid: number
  readonly ended: Promise<Ended>
  text(): { readonly stdout: string; readonly stderr: string }
  signal(name: NodeJS.Signals): void
  /** Sends the signal and waits for the end. */
  stop(name?: NodeJS.Signals): Promise<Ended>
}

/**
 * Starts a server on a free port and waits for its banner; rejects with its errors when it ends
 * instead.
 */
export async function serveStub(args: readonly string[], place: Place): Promise<Serving> {
  const { child, ended, text } = started(SERVE_STUB, ['--port', '0', ...args], place)
  const origin = await Promise.race([
    whenReady(child, text),
    ended.then(({ code, stderr }) => {
      throw new Error(`ended with ${code}: ${stderr}`)
    }),
  ])
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  return {
    origin,
    pid: child.pid ?? 0,
    ended,
    text,
    signal,
    stop: (name = 'SIGTERM') => (signal(name), ended),
  }
}

function whenReady(child: ChildProcess, text: Started['text']): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => (child.kill('SIGKILL'), reject(new Error(`not ready: ${text().stderr}`))),
      READY_LIMIT_MS,
    )
    child.once('close', () => clearTimeout(timer))
    child.stdout?.on('data', () => {
      const origin = /stub +(http:\S+)[\s\S]*ready in/.exec(text().stdout)?.[1]
      if (origin === undefined) return
      clearTimeout(timer)
      resolve(origin)
    })
  })
}
