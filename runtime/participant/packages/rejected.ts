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

const MAX_LISTED = 10

/** Ids as one text, the first ones only. */
export function listed(texts: readonly string[]): string {
  const rest = texts.length - MAX_LISTED
  return [...texts.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
