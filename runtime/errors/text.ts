// Small rules about texts that several services share.

const SHOWN_LENGTH = 50
const MAX_LISTED = 10

/**
 * A long key or path is shown by its first 50 characters. docs/ledger-rules.md, "Metadata and
 * annotations"
 */
export function shortKey(text: string): string {
  return text.length > SHOWN_LENGTH + 3 ? `${text.slice(0, SHOWN_LENGTH)}...` : text
}

/** `primaryParty` → `primary_party`; dots stay. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A text for people, of at most so many characters before the dots that say that it goes on. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}...` : text
}

/** The first of some texts as one, and how many more there are. */
export function listed(texts: readonly string[]): string {
  const rest = texts.length - MAX_LISTED
  return [...texts.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
