// Starts the real service as its user does: the command in a process of its own, from the bundle
// where that is up to date, on a free port, with a data folder of its own.
import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempDir } from './temp-dir.ts'

export const MAIN = fileURLToPath(new URL('../../runtime/cli/start.mjs', import.meta.url))
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT_MS = 120_000
const execute = promisify(execFile)

export interface Service {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  readonly banner: string
  token(userId: string): Promise<string>
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL: no chance to finish anything. */
  kill(): Promise<void>
}

interface Place {
  readonly data: string
  readonly config: string
}

export interface StartOptions {
  /**
   * Configuration besides the defaults of the development profile: `{ storage: { use: 'memory' }
   * }`.
   */
  readonly config?: object
  readonly dataDir?: string
  /** A free one where absent. */
  readonly port?: number
  readonly env?: NodeJS.ProcessEnv
  /** Whether it has the users and coins of the development profile. */
  readonly seeded?: boolean
  /** The one to serve of several nodes; all of them where absent. */
  readonly node?: string
  /** The command's file, of another version of the program. */
  readonly main?: string
}

/**
 * Starts the service and waits until it says that it is ready. A data folder of its own is gone
 * when the test process ends.
 */
export async function startService({
  config = {},
  dataDir,
  port = 0,
  env = {},
  seeded = false,
  node,
  main = MAIN,
}: StartOptions = {}): Promise<Service> {
  const folder = dataDir ?? (await ownFolder())
  const configFile = join(folder, 'ledgerwright.config.json')
  await writeFile(configFile, JSON.stringify(config))
  const args = [
    main,
    'serve',
    '--port',
    String(port),
    '--data',
    folder,
    '--config',
    configFile,
    ...(seeded ? [] : ['--empty']),
    ...(node === undefined ? [] : ['--node', node]),
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const banner = await readBanner(child)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0]
  if (url === undefined) throw new Error(`no address in the banner:\n${banner}`)
  return {
    url,
    dataDir: folder,
    process: child,
    banner,
    token: (userId) => issue(main, { data: folder, config: configFile }, userId),
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
  }
}

/**
 * What `token` prints. Our own version does so in this process, in a hundredth of the time; the
 * command itself has tests of its own.
 */
async function issue(main: string, { data, config }: Place, user: string): Promise<string> {
  if (main === MAIN) {
    const [{ nodeSettings, readSettings }, { issueToken }] = await Promise.all([
      import('../../runtime/cli/settings.ts'),
      import('../../runtime/cli/token.ts'),
    ])
    const read = await readSettings({ data, config })
    assert.ok(read.ok, 'the service runs with this configuration')
    return issueToken(nodeSettings(read.config, {}), user)
  }
  const args = ['token', '--user', user, '--data', data, '--config', config]
  return (await execute(process.execPath, [main, ...args], { cwd: ROOT })).stdout.trim()
}

async function ownFolder(): Promise<string> {
  const { path } = await tempDir()
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
  return child.exitCode
}

async function readBanner(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('the service has no output')
  const lines: string[] = []
  const problems: string[] = []
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (/ready in \d+ ms/.test(line)) {
      clearTimeout(timer)
      child.stdout.resume()
      return lines.join('\n')
    }
  }
  clearTimeout(timer)
  throw new Error(`the service did not start:\n${lines.join('\n')}\n${problems.join('')}`)
}
