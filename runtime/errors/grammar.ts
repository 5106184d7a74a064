// The grammars of identifiers that services check, and what is wrong with one.
// docs/ledger-rules.md, "Identifiers"
import type { ReasonName } from './catalogue.ts'
import { reasonText } from './catalogue.ts'

const USER_ID = "[a-zA-Z0-9@^$.!`\\-#+'~_|:\\(\\)]{1,128}"
const USER_ID_REGEX = new RegExp(`^${USER_ID}$`)

/** The problem with a user id, or undefined. docs/ledger-rules.md, "Identifiers" */
export function userIdProblem(id: string): string | undefined {
  return USER_ID_REGEX.test(id)
    ? undefined
    : reasonText('malformedUserIdInBody', { value: id, pattern: USER_ID })
}

/** The problem with a LedgerString, or undefined. */
export function ledgerStringProblem(text: string): string | undefined {
  return identifierProblem(text, LEDGER_STRING)
}

/** The problem with a party id, or undefined. */
export function partyProblem(party: string): string | undefined {
  return identifierProblem(party, PARTY)
}

interface Grammar {
  readonly stranger: RegExp
  readonly empty: ReasonName
  readonly tooLong: ReasonName
  readonly character: ReasonName
}

const MAX_LENGTH = 255
const LEDGER_STRING: Grammar = {
  stranger: /[^A-Za-z0-9._:\-#/ ]/u,
  empty: 'ledgerStringEmpty',
  tooLong: 'ledgerStringTooLong',
  character: 'ledgerStringCharacter',
}
const PARTY: Grammar = {
  stranger: /[^A-Za-z0-9:\-_ ]/u,
  empty: 'partyEmpty',
  tooLong: 'partyTooLong',
  character: 'partyCharacter',
}

function identifierProblem(value: string, grammar: Grammar): string | undefined {
  if (value === '') return reasonText(grammar.empty)
  if (value.length > MAX_LENGTH) return reasonText(grammar.tooLong)
  const stranger = grammar.stranger.exec(value)?.[0]
  if (stranger === undefined) return undefined
  return reasonText(grammar.character, { hex: (stranger.codePointAt(0) ?? 0).toString(16), value })
}
