// Work that is long in all, cut into stretches: others get their turn between two of them.
import { loopTurns } from './turns.ts'

/** Milliseconds. */
const STRETCH_MS = 2

/** Told how long a stretch took, milliseconds. */
type Spent = (ms: number) => void

/** One piece of such work. */
export class Stretches {
  readonly #spent: Spent | undefined
  #since = performance.now()

  constructor(spent?: Spent) {
    this.#spent = spent
  }

  /** To be called between two steps: resolves in a later turn where the stretch is over. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#since < STRETCH_MS ? undefined : this.#rest()
  }

  /** The work is over. */
  end(): void {
    this.#spent?.(performance.now() - this.#since)
  }

  async #rest(): Promise<void> {
    this.end()
    await new Promise((resume) => setImmediate(resume))
    await loopTurns.next('long')
    this.#since = performance.now()
  }
}
