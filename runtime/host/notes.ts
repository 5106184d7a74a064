// What is offered to an extension besides routes: small texts that the services keep for its users,
// and the page that people get where there is nothing.
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

/** HTML for people, and the headers that it needs. */
export interface PageNotFound {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Services for the routes of an extension. */
export interface ExtensionOffers {
  /**
   * Gives the page for a path that belongs to nobody, for whoever asks for HTML; programs still get
   * a sentence. Of several pages the last one is shown.
   */
  readonly pageNotFound: (page: PageNotFound) => void
  /**
   * The plugin's notes of the user whose token the request carries; undefined where it carries
   * none. Absent where the services know no users.
   */
  readonly notesOf?: (request: IncomingMessage) => Promise<OwnNotes | undefined>
}
