// What the services keep for an extension and its users: small texts, one for each user.
import type { IncomingMessage } from 'node:http'

/** One user's text, kept with the user for one plugin. */
export interface OwnNotes {
  /** '' where nothing was written. */
  read(): Promise<string>
  /**
   * Replaces the text by what `to` makes of it; `to` is called again where another writer came
   * between. `no-room`: nothing was written, since it is more than 64 kB, or more than the user has
   * left.
   */
  change(to: (text: string) => string): Promise<'written' | 'no-room'>
}

/** What the services offer to the routes of an extension. */
export interface ExtensionOffers {
  /**
   * The plugin's notes of the user whose token the request carries; undefined where it carries
   * none. Absent where the services know no users.
   */
  readonly notesOf?: (request: IncomingMessage) => Promise<OwnNotes | undefined>
}
