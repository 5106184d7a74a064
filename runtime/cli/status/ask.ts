// The requests of `status` to a service: whether it is ready, its version, and its metrics. None
// needs a token.
import { answerText } from '../../host/answer-text.ts'
import { messageOf } from '../../host/problem.ts'
import { member } from '../../host/member.ts'
import { printable } from '../../host/printable.ts'
import { Samples } from './samples.ts'

/** A container's health check is given up after seconds; so is each question. */
const LIMIT_MS = 4_000
const MAX_BYTES = 65_536
/** There are some hundred series for each automation and operation. */
const MAX_METRICS_BYTES = 16_777_216

export interface Answers {
  /** The reason why the service is not ready; undefined if it is. */
  readonly problem: string | undefined
  /** Faults of a service that is ready. */
  readonly notes: readonly string[]
  readonly reached: boolean
  readonly version: string | undefined
  /** Undefined where the service tells none, or none there. */
  readonly samples: Samples | undefined
}

/** Asks all at once. Never rejects. */
export async function askAll(url: string, metricsUrl: string): Promise<Answers> {
  const [ready, version, metrics] = await Promise.all([
    asked(`${url}/readyz`),
    asked(`${url}/v2/version`),
    asked(metricsUrl, MAX_METRICS_BYTES),
  ])
  return {
    reached: ready.reached,
    problem: problemOf(ready),
    notes: notesIn(ready),
    version: versionIn(version),
    samples: metrics.status === 200 ? new Samples(metrics.text) : undefined,
  }
}

interface Asked {
  readonly reached: boolean
  readonly status: number
  /** The body, or why there is none. */
  readonly text: string
}

async function asked(url: string, maxBytes = MAX_BYTES): Promise<Asked> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) })
    return { reached: true, status: answer.status, text: await answerText(answer, maxBytes) }
  } catch (error) {
    return { reached: false, status: 0, text: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (member(error, 'name') === 'TimeoutError') return `no answer for ${LIMIT_MS / 1_000} s`
  return messageOf(member(error, 'cause') ?? error)
}

function problemOf({ reached, status, text }: Asked): string | undefined {
  if (!reached) return `not reached: ${text}`
  if (status === 200) return undefined
  // `[-] ledger failed (reason)`
  const [line = ''] = text.split('\n', 1)
  const [from, to] = [line.indexOf('('), line.lastIndexOf(')')]
  return from >= 0 && from < to ? printable(line.slice(from + 1, to)) : `it answers ${status}`
}

/** `[!] note`, a line each. */
function notesIn({ text }: Asked): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(NOTE) ? printable(line.slice(NOTE.length)) : []))
}

const NOTE = '[!] '

function versionIn({ status, text }: Asked): string | undefined {
  if (status !== 200) return undefined
  try {
    const version = member(JSON.parse(text), 'implementationVersion')
    return typeof version === 'string' ? printable(version) : undefined
  } catch {
    return undefined
  }
}
