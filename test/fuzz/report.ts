// What a run of the fuzz did and found, in figures and in lines that can be pasted into a shell.
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { curlCommand } from '../../runtime/testing/conform/curl.ts'
import type { Wire } from './mutate-wire.ts'

export interface Finding {
  readonly sentence: string
  /** The place of the run: `seed 7, request 1234 (recipe, text) as alice`. */
  readonly where: string
  /** A shell command that sends the same bytes. */
  readonly command: string
  readonly answer: string
  /** Lines of the service's log that belong to it; they come later than the answer. */
  readonly log: () => readonly string[]
  count: number
}

interface Tally {
  requests: number
  successes: number
  rejections: number
}

const SHOWN = 500
/** Longer commands go to a file of their own. */
const LONG = 6_000

export class Report {
  readonly findings = new Map<string, Finding>()
  readonly tallies = new Map<string, Tally>()
  readonly statuses = new Map<number, number>()
  readonly excuses = new Map<string, number>()
  readonly #latencies: number[] = []
  readonly #liveness: number[] = []
  /** Memory of the service in MiB, from start to end; of each service of the run. */
  readonly memory: number[][] = []
  readonly notes: string[] = []
  requests = 0
  raw = 0
  lost = 0
  seconds = 0

  constructor(names: readonly string[]) {
    for (const name of names) this.tallies.set(name, { requests: 0, successes: 0, rejections: 0 })
  }

  count(name: string | undefined, status: number, milliseconds: number): void {
    this.requests += 1
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.#latencies.push(milliseconds)
    const tally = name === undefined ? undefined : this.tallies.get(name)
    if (tally === undefined) return
    tally.requests += 1
    if (status < 300) tally.successes += 1
    else tally.rejections += 1
  }

  alive(milliseconds: number): void {
    this.#liveness.push(milliseconds)
  }

  /** Findings of one cause are made once and counted. */
  find(cause: string, make: () => Omit<Finding, 'count'>): void {
    const known = this.findings.get(cause)
    if (known === undefined) this.findings.set(cause, { ...make(), count: 1 })
    else known.count += 1
  }

  /** The growth of the last service's memory, MiB. */
  get growth(): number {
    const series = this.memory.at(-1) ?? []
    return (series.at(-1) ?? 0) - (series[0] ?? 0)
  }

  /** A finding that no single request is to blame for. */
  note(sentence: string, where: string): void {
    this.find(sentence, () => ({ sentence, where, command: '', answer: '', log: () => [] }))
  }

  /** 5xx without a documented reason. */
  get failures(): number {
    const excused = [...this.excuses.values()].reduce((sum, count) => sum + count, 0)
    return (
      [...this.statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0) -
      excused
    )
  }

  /** Lines for a person. `least` operations are shown, the least covered first. */
  lines(least: number): readonly string[] {
    return [
      ...[...this.findings.values()].flatMap(findingLines),
      `requests: ${this.requests} and ${this.raw} raw, ${Math.round(this.requests / Math.max(this.seconds, 0.001))} a second,` +
        ` ${this.seconds.toFixed(1)} s`,
      `by status: ${this.#byClass()}; ${this.#byStatus()}`,
      ...[...this.excuses].map(([reason, count]) => `documented 5xx: ${count} times: ${reason}`),
      `latency in ms: ${quantiles(this.#latencies)}; /livez beside them: ${quantiles(this.#liveness)} of ${this.#liveness.length}`,
      ...this.memory.map(
        (series) =>
          `memory in MiB: start ${at(series, 0)}, middle ${at(series, 0.5)}, end ${at(series, 1)}, most` +
          ` ${Math.round(Math.max(...series, 0))}`,
      ),
      ...this.notes,
      ...this.#coverage(least),
      `findings: ${this.findings.size}; 5xx: ${this.failures}; lost: ${this.lost}`,
    ]
  }

  #byClass(): string {
    const classes = Map.groupBy(this.statuses, ([status]) => Math.floor(status / 100))
    const count = (all: readonly (readonly [number, number])[]): number =>
      all.reduce((sum, [, one]) => sum + one, 0)
    return [...classes]
      .sort(([a], [b]) => a - b)
      .map(([first, all]) => `${first}xx ${count(all)}`)
      .join(', ')
  }

  #byStatus(): string {
    return [...this.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')
  }

  #coverage(least: number): readonly string[] {
    const all = [...this.tallies].sort(
      ([, a], [, b]) => a.successes - b.successes || a.requests - b.requests,
    )
    const never = all.filter(([, { successes }]) => successes === 0).length
    const shown = all
      .slice(0, least)
      .map(
        ([name, { requests, successes, rejections }]) =>
          `  ${name}: ${requests} requests, ${successes} successes, ${rejections} refusals`,
      )
    return [`operations: ${all.length}, ${never} without a success; the least covered:`, ...shown]
  }
}

function findingLines({
  sentence,
  where,
  command,
  answer,
  log,
  count,
}: Finding): readonly string[] {
  const shown = [
    where,
    command,
    answer === '' ? '' : `answer: ${answer}`,
    ...log().map((line) => `log: ${line}`),
  ]
  return [
    `FOUND ${count} times: ${sentence}`,
    ...shown.filter((line) => line !== '').map((line) => `  ${line}`),
    '',
  ]
}

/**
 * A request as a curl command with its token in it, which nothing else holds; a long one is in a
 * file.
 */
export function commandOf(origin: string, { method, target, headers, body }: Wire): string {
  const command = curlCommand(origin, {
    method,
    target,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  if (command.length <= LONG) return command
  const file = join(tmpdir(), `fuzz-${hash('sha256', command).slice(0, 12)}.sh`)
  writeFileSync(file, `${command}\n`)
  return `sh ${file}`
}

export function shownAnswer(status: number, body: Buffer): string {
  return `${status} ${body.toString('utf8').slice(0, SHOWN)}`
}

function at(series: readonly number[], share: number): number {
  return Math.round(series[Math.round((series.length - 1) * share)] ?? 0)
}

function quantiles(values: readonly number[]): string {
  const sorted = Float64Array.from(values).sort()
  const of = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)}`
}
