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
