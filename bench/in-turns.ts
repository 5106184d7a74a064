// Servers compared by the CPU time that a request costs each: they run side by side and are loaded
// in turns, so that what else the machine does hits all of them alike. Only ratios within one turn
// count.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpuMilliseconds, shuffled } from './measure.ts'
import { finished, linesOf } from './pinned.ts'

/** A server under load. */
export interface Subject {
  readonly server: ChildProcess
  /** Token of every request. */
  readonly token: string
}

interface Turns {
  readonly variants: readonly string[]
  /** Fresh servers in each. */
  readonly repetitions: number
  readonly turns: number
  readonly seconds: number
  /** One of `http-load.ts`. */
  readonly kind: string
  /** A server that prints its port first. */
  start(variant: string): Promise<Subject>
}

interface Loaded extends Subject {
  readonly name: string
  readonly port: string
}

/** CPU microseconds a request of each variant; those of one index belong to one turn. */
export async function costsInTurns(given: Turns): Promise<ReadonlyMap<string, readonly number[]>> {
  const micros = new Map<string, number[]>(given.variants.map((name) => [name, []]))
  for (let repetition = 0; repetition < given.repetitions; repetition += 1)
    await repeat(given, micros)
  return micros
}

async function repeat(given: Turns, micros: ReadonlyMap<string, number[]>): Promise<void> {
  const { variants, turns, seconds, kind } = given
  const subjects: Loaded[] = []
  try {
    for (const name of shuffled(variants)) {
      const subject = await given.start(name)
      subjects.push({ ...subject, name, port: await firstLine(subject.server) })
    }
    for (const subject of subjects) await load(subject, kind, 2 * seconds)
    for (let turn = 0; turn < turns; turn += 1) {
      for (const subject of shuffled(subjects))
        micros.get(subject.name)?.push(await measure(subject, kind, seconds))
    }
  } finally {
    for (const { server } of subjects) {
      server.kill('SIGKILL')
      await once(server, 'close')
    }
  }
}

async function measure(subject: Loaded, kind: string, seconds: number): Promise<number> {
  const pid = subject.server.pid ?? 0
  const before = cpuMilliseconds(pid)
  const answered = await load(subject, kind, seconds)
  return ((cpuMilliseconds(pid) - before) * 1_000) / answered
}

async function load({ port, token }: Loaded, kind: string, seconds: number): Promise<number> {
  return Number((await finished(1, ['http-load.ts', port, kind, String(seconds), token]))[0])
}

async function firstLine(server: ChildProcess): Promise<string> {
  for await (const line of linesOf(server)) return line
  throw new Error('a server of the benchmark ended early')
}
