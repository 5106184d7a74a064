// What came of an episode.
import type { Violation } from './driver/observe.ts'
import type { Answer } from './model/ops.ts'

export interface Failure {
  /** From 0. */
  readonly step: number
  /** What was done, for people. */
  readonly deeds: string
  readonly answers: readonly Answer[]
  readonly violations: readonly Violation[]
}

export interface Outcome {
  readonly steps: number
  /** `register done`, `register refused`: how often. */
  readonly counts: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
  /** What was done so far, for people. */
  readonly trail: readonly string[]
}
