// Counters of an engine's work, as plain numbers: to count is one addition, and readers take the
// numbers when they need them.
import type { Distribution } from '../host/measurement.ts'
import type { Rejected } from './rejection.ts'

/** `failed` where the store could not be reached or a choice has a fault. */
export type SubmissionOutcome = 'ok' | 'failed' | Rejected['kind']

/** A distribution that grows. */
class Tally implements Distribution {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = [...bounds, 0].map(() => 0)
  }

  add(value: number): void {
    const found = this.bounds.findIndex((bound) => value <= bound)
    const at = found < 0 ? this.bounds.length : found
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += value
  }
}

interface CommitCounts {
  readonly batches: Tally
  readonly commitSeconds: Tally
}

function newCommitCounts(): CommitCounts {
  return {
    batches: new Tally([1, 2, 4, 8, 16, 32, 64, 128]),
    commitSeconds: new Tally([
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
    ]),
  }
}

/** Counts of one engine since its start; what nodes submit is counted for each of them. */
export class EngineCounts {
  /** Submissions by outcome, watched from 0 on: otherwise a first rise is not seen. */
  readonly submissions = new Map<SubmissionOutcome, number>([
    ['ok', 0],
    ['failed', 0],
  ])
  /** Interpretations after the first, since others were faster. */
  retries = 0
  /** Entries a commit. */
  readonly batches: Tally
  /** Seconds that the store took for a commit, failed ones too. */
  readonly commitSeconds: Tally
  readonly #nodes = new Map<string, EngineCounts>()

  /** Commits have submissions of any node: there is one count of them. */
  constructor({ batches, commitSeconds }: CommitCounts = newCommitCounts()) {
    this.batches = batches
    this.commitSeconds = commitSeconds
  }

  /** Counts of the node whose traffic a submission uses; the engine's own if it names none. */
  of(member: string | undefined): EngineCounts {
    if (member === undefined) return this
    const known = this.#nodes.get(member)
    if (known !== undefined) return known
    const counts = new EngineCounts(this)
    this.#nodes.set(member, counts)
    return counts
  }

  submitted(outcome: SubmissionOutcome): void {
    this.submissions.set(outcome, (this.submissions.get(outcome) ?? 0) + 1)
  }
}
