// The grammars of identifiers that services check, with the texts of their faults. domain/ledger.md §9

const USER_ID = '[a-zA-Z0-9@^$.!`\\-#+\'~_|:\\(\\)]{1,128}'
const USER_ID_REGEX = new RegExp(`^${USER_ID}$`)

/** The fault of a user id, or undefined. interface.md §2.3 */
export function userIdFault(id: string): string | undefined {
  return USER_ID_REGEX.test(id) ? undefined : `User ID "${id}" does not match regex "${USER_ID}"`
}

/** The fault of a LedgerString, or undefined. */
export function ledgerStringFault(text: string): string | undefined {
  return identifierFault(text, 'Ledger String', /[A-Za-z0-9._:\-#/ ]/)
}

/** The fault of a party id, or undefined. */
export function partyFault(party: string): string | undefined {
  return identifierFault(party, 'Party', /[A-Za-z0-9:\-_ ]/)
}

function identifierFault(text: string, type: string, allowed: RegExp): string | undefined {
  if (text === '') return `${type} is empty`
  if (text.length > 255) return `${type} is too long (max: 255)`
  const stranger = [...text].find((character) => !allowed.test(character))
  if (stranger === undefined) return undefined
  return `non expected character 0x${(stranger.codePointAt(0) ?? 0).toString(16)} in ${type} "${text}"`
}
