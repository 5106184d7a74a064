// Processes of a benchmark that stay on one core each, where there is `taskset`: what is measured
// on core 0, its load on core 1.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { canPin, cleanEnvironment } from './measure.ts'

export const isPinned = canPin()

/** A core, or any where whatever is measured shares the machine with a database. */
export type Core = 0 | 1 | 'any'

/** Whether processes may be put before those of others. */
const mayHurry = spawnSync('nice', ['-n', '-10', 'true']).status === 0
/** How soon a process gets its turn: 0 like all others; `first` is for a client that measures. */
export type Niceness = number | 'first'

function turnOf(niceness: Niceness): readonly string[] {
  const value = niceness === 'first' ? -10 : niceness
  return value > 0 || (value < 0 && mayHurry) ? ['nice', '-n', String(value)] : []
}

/**
 * A Node process on a core; `errors` says where its standard error goes, `niceness` (below 0 and
 * `first` only where that is allowed) how soon it gets its turn.
 */
export function startNode(
  core: Core,
  args: readonly string[],
  errors: 'ignore' | 'inherit' = 'inherit',
  niceness: Niceness = 0,
  channel: readonly 'ipc'[] = [],
): ChildProcess {
  const command = [
    ...turnOf(niceness),
    ...(isPinned && core !== 'any' ? ['taskset', '-c', String(core)] : []),
    process.execPath,
    ...args,
  ]
  const stdio = ['ignore', 'pipe', errors, ...channel] as const
  return spawn(command[0] ?? '', command.slice(1), {
    cwd: import.meta.dirname,
    env: cleanEnvironment(),
    stdio: [...stdio],
  })
}

/** Output of a process, line by line. */
export async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<string> {
  if (stdout === null) throw new Error('no output')
  yield* createInterface({ input: stdout })
}

/**
 * The lines that a process prints until its end; throws where that is not a good one. `onLine`
 * hears them as they come.
 */
export async function finished(
  core: Core,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  const child = startNode(core, args)
  const closed = once(child, 'close')
  const lines: string[] = []
  for await (const line of linesOf(child)) {
    onLine(line)
    lines.push(line)
  }
  await closed
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} failed`)
  return lines
}
