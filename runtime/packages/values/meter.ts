// What an evaluation has used so far, against its limits. One meter serves a whole transaction.
import { EvaluationError } from './failure.ts'
import type { EvaluationLimits, Limited } from './failure.ts'

/** Characters that a step reads. */
const SHORT = 64

/** Steps that a transaction may repeat, as a multiple of those that it may take. */
const REPEATED = 10

export class Meter {
  steps = 0
  cells = 0
  #repeated = 0
  readonly limits: EvaluationLimits

  constructor(limits: EvaluationLimits) {
    this.limits = limits
  }

  /** Counts `read` characters, and all steps up to now as repeated: what runs begins again. */
  again(read: number): void {
    this.work(Math.ceil(read / SHORT))
    const limit = REPEATED * this.limits.steps
    this.#repeated += this.steps
    if (this.#repeated > limit) throw exceeded('repeated steps', limit)
  }

  /** Work that is no step of the machine: comparing, converting, hashing. */
  work(steps: number): void {
    this.steps += steps
    if (this.steps > this.limits.steps) throw exceeded('steps', this.limits.steps)
  }

  /** The work of reading a text. */
  read(text: string): void {
    if (text.length > SHORT) this.work(Math.ceil(text.length / SHORT))
  }

  allocate(cells: number): void {
    this.cells += cells
    if (this.cells > this.limits.cells) throw exceeded('cells', this.limits.cells)
  }
}

/** The error of a limit that is exceeded. */
export function exceeded(of: Limited, limit: number): EvaluationError {
  return new EvaluationError({ kind: 'limit', of, limit })
}
