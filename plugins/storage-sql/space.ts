// Whether there is room to write. A write that found none makes the storage full; it is so until a
// trial write succeeds, which is tried again and again, so nobody has to come by with a request.
import { StorageFull } from '../../runtime/index.ts'

const TRIAL_EVERY_MS = 1_000

export class Space {
  readonly #trial: () => Promise<void>
  #full: StorageFull | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param trial writes a little; rejects where there is no room */
  constructor(trial: () => Promise<void>) {
    this.#trial = trial
  }

  /** The error, having taken note of it. */
  noted(error: unknown): unknown {
    if (error instanceof StorageFull && this.#full === undefined) {
      this.#full = error
      this.#tryLater()
    }
    return error
  }

  /** Throws while the storage is full. */
  assertRoom(): void {
    if (this.#full !== undefined) throw this.#full
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#full = undefined
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => {
      this.#trial().then(
        () => (this.#full = undefined),
        () => {
          if (this.#full !== undefined) this.#tryLater()
        },
      )
    }, TRIAL_EVERY_MS).unref()
  }
}
