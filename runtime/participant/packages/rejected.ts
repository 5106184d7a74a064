// How an error leaves the reading of a DAR: thrown inside, a value outside.
import type { LedgerError } from '../../errors/errors.ts'

/** Carries an error to where the reading began. */
export class Rejected extends Error {
  readonly error: LedgerError

  constructor(error: LedgerError) {
    super(error.cause)
    this.error = error
  }
}
