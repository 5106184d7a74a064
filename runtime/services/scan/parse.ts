// Values of requests that scan's document cannot check, refused or known to be of nothing before anything is looked up. rulings.md 4
import { partyFault } from '../grammar.ts'
import { badRequest } from '../wallet/errors.ts'
import type { PlainError } from '../wallet/errors.ts'

/** Whether anybody can have this id; with others there is nothing to be found, and stores refuse some. */
export function isPartyId(text: string): boolean {
  return partyFault(text) === undefined
}

/** 400 where one of the texts is no party id. */
export function partiesFault(parties: readonly string[]): PlainError | undefined {
  const fault = parties.map(partyFault).find((found) => found !== undefined)
  return fault === undefined ? undefined : badRequest(fault)
}
