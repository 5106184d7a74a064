// Values of requests that scan's document cannot check, refused or known to be of nothing before
// anything is looked up. docs/ledger-rules.md, "Errors"
import { partyProblem } from '../../errors/grammar.ts'
import { badRequest } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'

/**
 * Whether anybody can have this id; with others there is nothing to be found, and stores refuse
 * some.
 */
export function isPartyId(text: string): boolean {
  return partyProblem(text) === undefined
}

/** 400 where one of the texts is no party id. */
export function partiesProblem(parties: readonly string[]): PlainError | undefined {
  const problem = parties.map(partyProblem).find((found) => found !== undefined)
  return problem === undefined ? undefined : badRequest(problem)
}
