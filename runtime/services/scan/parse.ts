// Values of requests that scan's document cannot check, refused or known to be of nothing before anything is looked up. rulings.md 4
import { partyFault } from '../grammar.ts'
import { timeOf } from '../time.ts'
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

/** Microseconds since 1970 of an RFC 3339 text; 400 where it is none, or before 1970. */
export function instant(name: string, text: string): bigint | PlainError {
  const micros = timeOf(text)
  return micros === undefined || micros < 0n ? badRequest(`${name} is no time since 1970 in RFC 3339`) : micros
}
