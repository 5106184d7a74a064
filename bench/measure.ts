// What the benchmarks of whole processes share: medians, shuffling, a clean environment, memory of
// a process, aims.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** Linux counts in hundredths of a second whatever the kernel's own clock. */
const MILLISECONDS_PER_TICK = 10

/** Middle value; NaN of nothing. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** A copy in random order, so that no subject always runs first. */
export function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** This environment without what slows every start of Node by a constant, plus `more`. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, NODE_COMPILE_CACHE: ___, ...rest } = process.env
  return { ...rest, ...more }
}

/** Resident memory of a process in MB (10^6 bytes); NaN where there is no /proc. */
export function residentMb(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return (Number(line?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}

/** CPU time of a process so far, in user and system mode, to 10 ms; NaN where there is no /proc. */
export function cpuMilliseconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK
}

/**
 * CPU time of the children of a process that have ended so far, to 10 ms; NaN where there is no
 * /proc.
 */
export function cpuMillisecondsOfChildren(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[13]) + Number(fields[14])) * MILLISECONDS_PER_TICK
}

/** Fields from the process state on, which is behind the name. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}

/** `412 [401..430]`: the median with the extremes. */
export function spread(numbers: readonly number[], digits = 0): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  return `${median(numbers).toFixed(digits)} [${least.toFixed(digits)}..${most.toFixed(digits)}]`
}

/**
 * One line: a figure, its aim, and whether it was met. `bound` says on which side of the aim the
 * figure must lie.
 */
export function aimLine(
  what: string,
  figure: number,
  bound: 'at most' | 'at least',
  aim: number,
  unit: string,
): string {
  const met = bound === 'at most' ? figure <= aim : figure >= aim
  const digits = unit === 'x' ? 2 : 0
  const measured = `${what.padEnd(46)} ${figure.toFixed(digits).padStart(6)} ${unit.padEnd(2)}`
  return `  ${measured}  aim ${bound} ${aim} ${unit}: ${met ? 'ok' : 'MISSED'}`
}

/** Whether processes can be kept on one core each. */
export function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Node's version and how busy the machine is: absolute figures mean little above a load of 1. */
export function machineLine(): string {
  return `node ${process.version}, load average ${loadavg()
    .map((load) => load.toFixed(2))
    .join(' ')}`
}
