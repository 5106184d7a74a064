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

/**
 * For sentences: the hint alone of a party of the reader's own validator, else enough of the id to
 * tell it from others of that name.
 */
export function partyText(party: string, own: string): string {
  const namespace = namespaceOf(party)
  return namespace === namespaceOf(own)
    ? hintOf(party)
    : `${hintOf(party)}::${namespace.slice(0, 6)}…${namespace.slice(-4)}`
}
