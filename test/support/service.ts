// Starts the real service as its user does: the command in a process of its own, on a free port,
// with a data folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tempDir } from './temp-dir.ts'

export const MAIN = fileURLToPath(new URL('../../runtime/cli/main.ts', import.meta.url))
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT_MS = 120_000

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
  /** With the users and coins of the development profile. */
  readonly seeded?: boolean
  /** The command's file, of another version of the program. */
  readonly main?: string
}

/** Runs the command to its end. */
async function runCommand(
  main: string,
  args: readonly string[],
  cwd: string = ROOT,
  env: NodeJS.ProcessEnv = {},
) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout, stderr }
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
    token: async (userId) =>
      (
        await runCommand(main, [
          'token',
          '--user',
          userId,
          '--data',
          folder,
          '--config',
          configFile,
        ])
      ).stdout.trim(),
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
  }
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
