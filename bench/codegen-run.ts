// One generator in a process of its own: what it cost from start to end.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

export const PROJECT = resolve(import.meta.dirname, '..')

/**
 * Runs first in every child: when it ends, peak memory in kB and CPU time in µs go to the fourth
 * stream.
 */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs'
  const peak = () => {
    try {
      return Number(/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    } catch {
      return process.resourceUsage().maxRSS
    }
  }
  process.once('exit', () => {
    const { user, system } = process.cpuUsage()
    writeSync(3, peak() + ' ' + (user + system))
  })
`)}`

export interface Sample {
  readonly ms: number
  /** Milliseconds in user and system mode, all threads. */
  readonly cpuMs: number
  readonly megabytes: number
}

/** How a process ended, and what it said. */
export interface Attempt extends Sample {
  readonly isDone: boolean
  readonly said: string
}

/** One process from start to end. Throws with its messages when it fails. */
export function run(command: readonly string[], env: NodeJS.ProcessEnv): Sample {
  const { isDone, said, ...sample } = attempt(command, env)
  if (!isDone) throw new Error(`${command.slice(0, 3).join(' ')} failed: ${said}`)
  return sample
}

/** The same for what may fail, or not end within a time. */
export function attempt(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs?: number,
): Attempt {
  const start = performance.now()
  const done = spawnSync(process.execPath, ['--import', REPORT_USAGE, ...command], {
    env,
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1e8,
    ...(limitMs === undefined ? {} : { timeout: limitMs, killSignal: 'SIGKILL' }),
  })
  const ms = performance.now() - start
  const [kilobytes = Number.NaN, cpuMicros = Number.NaN] = (done.output[3] ?? '')
    .split(' ')
    .map(Number)
  return {
    isDone: done.status === 0,
    said: done.signal === 'SIGKILL' ? 'killed' : `${done.stderr}${done.stdout}`,
    ms,
    cpuMs: cpuMicros / 1000,
    megabytes: (kilobytes * 1024) / 1e6,
  }
}

/** The command line of ours or of a reference over documents. */
export function commandOf(tool: string, files: readonly string[], out: string): readonly string[] {
  return tool === 'ledgerwright'
    ? [join(PROJECT, 'runtime/cli/start.mjs'), 'generate', '--spec', ...files, '--out', out]
    : [join(import.meta.dirname, 'codegen-tool.mjs'), tool, out, ...files]
}
