// Why a file is no DAR that can be read, in the words of the error catalogue.

/** Thrown for what is wrong with the file; errors of the disk are others. */
export class UnreadableDar extends Error {
  readonly code: 'INVALID_DAR' | 'INVALID_ZIP_ENTRY' | 'ZIP_BOMB'
  /** Values by the names that the code's entry in spec/errors.yaml has. */
  readonly facts: Readonly<Record<string, string | readonly string[]>>

  constructor(code: UnreadableDar['code'], facts: UnreadableDar['facts'], reason: string) {
    super(reason)
    this.code = code
    this.facts = facts
  }
}
