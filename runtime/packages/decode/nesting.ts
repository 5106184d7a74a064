// How deep reading may recurse. One count for a whole program, since reading a definition may read
// another on the way.
import { MalformedArchive } from '../archive/message.ts'
import { TOO_DEEP } from '../program/malformed-definition.ts'

/** Known packages have 59; the encoding of version 2.1 holds 500 arguments inside each other. */
const MAX_NESTING = 500
/** Levels that a definition within another counts for. */
const DEFINITION = 10

export class Nesting {
  #depth = 0

  /** Throws MalformedArchive where it is too deep. */
  enter(levels = 1): void {
    this.#depth += levels
    if (this.#depth > MAX_NESTING) throw new MalformedArchive(TOO_DEEP)
  }

  leave(): void {
    this.#depth--
  }

  /** Reads a definition; what it throws leaves the count as it was. */
  definition<T>(read: () => T): T {
    const before = this.#depth
    try {
      this.enter(DEFINITION)
      return read()
    } finally {
      this.#depth = before
    }
  }
}
