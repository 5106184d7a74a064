// What an evaluation has used so far, against its limits. One meter serves a whole transaction.
import { EvaluationError } from './failure.ts'
import type { EvaluationLimits } from './failure.ts'

/** Characters that a step reads. */
const SHORT = 64

export class Meter {
  steps = 0
  cells = 0
  readonly limits: EvaluationLimits

  constructor(limits: EvaluationLimits) {
    this.limits = limits
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
export function exceeded(of: keyof EvaluationLimits, limit: number): EvaluationError {
  return new EvaluationError({ kind: 'limit', of, limit })
}
