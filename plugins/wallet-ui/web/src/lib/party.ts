// What a party id says by itself: a hint for people, and the namespace that says whose it is.

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

/** For people: the name that was given, else the hint. */
export function nameOf(party: string): string {
  return names.get(party) ?? hintOf(party)
}

/**
 * For sentences: the name that was given, the hint alone of a party of the reader's own validator,
 * else enough of the id to tell it from others of that name.
 */
export function partyText(party: string, own: string): string {
  const isNear = namespaceOf(party) === namespaceOf(own)
  return names.get(party) ?? (isNear ? hintOf(party) : shortened(party))
}

const SHORT = 12
const LONGEST_HINT = 16

/** `alice::1220a1b2…9f8e` of a party id; of another long text its beginning and its end. */
export function shortened(text: string): string {
  if (!isPartyId(text)) return cut(text, 22, 15)
  const hint = hintOf(text)
  return `${cut(hint, LONGEST_HINT, LONGEST_HINT - 5)}::${cut(namespaceOf(text), SHORT, SHORT - 4)}`
}

/** Never longer than the text itself, and no part of it twice. */
function cut(text: string, longest: number, first: number): string {
  return text.length <= Math.max(longest, first + 5)
    ? text
    : `${text.slice(0, first)}…${text.slice(-4)}`
}
