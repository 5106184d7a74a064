// What a handler throws that `ledgerwright scaffold` added and nobody has written yet: 501, in the
// interface's own form.
import { ProblemError } from './body.ts'

/**
 * Ends a request with the problem `not-written`. Example answers, where they are on, take over from
 * it.
 */
export class NotWritten extends ProblemError {
  override readonly name = 'NotWritten'
  readonly operationId: string

  constructor(operationId: string) {
    super({ kind: 'not-written', reason: `operation ${operationId} is not written yet` })
    this.operationId = operationId
  }
}
