// Why a file is no DAR that can be read, in the words of the error catalogue.

/** Thrown for what is wrong with the file; errors of the disk are others. */
export class UnreadableDar extends Error {
  readonly code: 'INVALID_DAR' | 'INVALID_ZIP_ENTRY' | 'ZIP_BOMB'
  /** Values by the names that the code's entry in spec/errors.yaml has. */
  readonly facts: Readonly<Record<string, string>>

  constructor(code: UnreadableDar['code'], facts: UnreadableDar['facts'], reason: string) {
    super(reason)
    this.code = code
    this.facts = facts
  }
}

const MAX_LISTED = 10

/** Ids as one text, the first ones only. */
export function listed(texts: readonly string[]): string {
  const rest = texts.length - MAX_LISTED
  return [...texts.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
