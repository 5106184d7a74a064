// Splits long work into stretches, with other work in between.
import { loopTurns } from './turns.ts'

/** Milliseconds. */
const STRETCH_MS = 2

/** Told how long a stretch took, milliseconds. */
type Spent = (ms: number) => void

/** One piece of such work. */
export class Stretches {
  readonly #spent: Spent | undefined
  /** Undefined before its first turn. */
  #since: number | undefined

  /** @param spent given where its first turn has come already */
  constructor(spent?: Spent) {
    this.#spent = spent
    if (spent !== undefined) this.#since = performance.now()
  }

  /**
   * To be called before each step: resolves in a later turn where the stretch is over, or, before
   * the first, where others have worked enough in this one.
   */
  pause(): Promise<void> | undefined {
    if (this.#since === undefined) return this.#begin()
    return performance.now() - this.#since < STRETCH_MS ? undefined : this.#rest()
  }

  /** The work is over. */
  end(): void {
    if (this.#since !== undefined) this.#spent?.(performance.now() - this.#since)
  }

  #begin(): Promise<void> | undefined {
    const turn = loopTurns.next('short')
    this.#since = performance.now()
    return turn?.then(() => {
      this.#since = performance.now()
    })
  }

  async #rest(): Promise<void> {
    this.end()
    await new Promise((resume) => setImmediate(resume))
    await loopTurns.next('long')
    this.#since = performance.now()
  }
}
