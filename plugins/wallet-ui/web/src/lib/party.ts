// What a party id says by itself: a hint for people, and the namespace that says whose it is.
import { apart } from './language.ts'

const PARTY_ID = /^(?=.{4,255}$)[A-Za-z0-9_ -]+(?::[A-Za-z0-9_ -]+)*::[A-Za-z0-9_-]+$/u

/** True for what can be a whole party id. */
export function isPartyId(text: string): boolean {
  return PARTY_ID.test(text)
}

/** `alice` of `alice::1220…`. */
export function hintOf(party: string): string {
  return party.split('::')[0] ?? party
}

/** `1220…` of `alice::1220…`; '' where there is none. */
export function namespaceOf(party: string): string {
  return party.split('::')[1] ?? ''
}

let names: ReadonlyMap<string, string> = new Map()

/** The names that the person has given to parties, by party id. */
export function keepNames(given: ReadonlyMap<string, string>): void {
  names = given
}

/** The name that the person has given; undefined where there is none. */
export function givenName(party: string): string | undefined {
  return names.get(party)
}

/** The party's name for people: the given one, else the hint. */
export function nameOf(party: string): string {
  return apart(names.get(party) ?? hintOf(party))
}

/**
 * For sentences: the name that was given, the hint alone of a party of the reader's own validator,
 * else enough of the id to tell it from others of that name.
 */
export function partyText(party: string, own: string): string {
  const isPlain = names.has(party) || namespaceOf(party) === namespaceOf(own)
  return isPlain ? nameOf(party) : shortened(party)
}

const LONGEST_HINT = 16

/**
 * `alice::1220a1b2c3d4…e5f69f8e` of a party id, which is more than can be searched for; of another
 * long text its beginning and its end.
 */
export function shortened(text: string): string {
  if (!isPartyId(text)) return cut(text, 22, 15, 4)
  const hint = cut(hintOf(text), LONGEST_HINT, LONGEST_HINT - 5, 4)
  return `${hint}::${cut(namespaceOf(text), 22, 12, 8)}`
}

/** Never longer than the text itself, and no part of it twice. */
function cut(text: string, longest: number, first: number, last: number): string {
  return text.length <= Math.max(longest, first + last + 1)
    ? text
    : `${text.slice(0, first)}…${text.slice(-last)}`
}
