// Notes that extensions keep on users: types only; store.ts has the rules that hold for every
// method. No operation of an interface reads or writes them, so they are the user's alone.
// docs/authority.md

/** The user of a note, and its name. */
export interface NoteKey {
  readonly userId: string
  /** The user's provider: in another one, the user begins without notes. */
  readonly identityProviderId: string
  /** Name of the plugin. */
  readonly name: string
}

/** Notes end with their user, and with their provider. */
export interface NoteStore {
  /** '' where nothing was written. */
  read(key: NoteKey): Promise<string>
  /**
   * Writes `text` if the stored text still is `expected`; one conditional write. `missing`: there
   * is no such user in that provider.
   */
  write(key: NoteKey, expected: string, text: string): Promise<'written' | 'stale' | 'missing'>
}
