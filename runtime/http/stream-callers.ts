// Who has how many streams: a user, or an address where nobody is named.
import type { Duplex } from 'node:stream'
import type { Problem } from './problem.ts'

/** Counts streams by who has them. */
export class Callers {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts until the connection is closed. */
  enter(caller: string, raw: Duplex): Problem | undefined {
    const count = this.#counts.get(caller) ?? 0
    if (count >= this.#most) return { kind: 'too-many-streams-of-caller', limit: this.#most }
    if (raw.closed) return undefined
    this.#counts.set(caller, count + 1)
    raw.once('close', () => this.#leave(caller))
    return undefined
  }

  #leave(caller: string): void {
    const count = (this.#counts.get(caller) ?? 1) - 1
    if (count === 0) this.#counts.delete(caller)
    else this.#counts.set(caller, count)
  }
}
