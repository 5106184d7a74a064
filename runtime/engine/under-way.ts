// The submissions that are under way: which command ids they have, how old the oldest is, and when
// there are none.
import type { Invariants } from './invariants.ts'

const LOOK_MS = 5_000

/** One submission, from its beginning to its end. */
export interface Passage {
  readonly commandKey: string
  readonly sinceMs: number
}

export class UnderWay {
  readonly #invariants: Invariants
  readonly #monotonicMs: () => number
  readonly #limitMs: number
  /** Oldest first. */
  readonly #passages = new Set<Passage>()
  readonly #commands = new Set<string>()
  #idle: (() => void)[] = []
  /** Told of already. */
  #late: Passage | undefined
  #timer: NodeJS.Timeout | undefined

  /**
   * What is under way for longer than `limitMs` hangs: whoever asked for it was answered long ago.
   */
  constructor(invariants: Invariants, monotonicMs: () => number, limitMs: number) {
    this.#invariants = invariants
    this.#monotonicMs = monotonicMs
    this.#limitMs = limitMs
  }

  /** Whether a command of this key is under way in this process. */
  has(commandKey: string): boolean {
    return this.#commands.has(commandKey)
  }

  get isIdle(): boolean {
    return this.#passages.size === 0 && this.#commands.size === 0
  }

  /** How many there are. */
  get size(): number {
    return this.#passages.size
  }

  /** `commandKey` is '' where there is nothing to deduplicate. */
  enter(commandKey: string): Passage {
    const passage = { commandKey, sinceMs: this.#monotonicMs() }
    this.#passages.add(passage)
    if (commandKey !== '') this.#commands.add(commandKey)
    this.#timer ??= setTimeout(() => this.#look(), LOOK_MS).unref()
    return passage
  }

  leave(passage: Passage): void {
    this.#passages.delete(passage)
    this.#commands.delete(passage.commandKey)
    if (this.#passages.size > 0) return
    const resumed = this.#idle
    this.#idle = []
    for (const resume of resumed) resume()
  }

  /** Resolves when nothing is under way. */
  async drained(): Promise<void> {
    while (this.#passages.size > 0) await new Promise<void>((resume) => this.#idle.push(resume))
  }

  /** Age of the oldest, milliseconds; 0 where none is under way. Says so where it is too old. */
  oldestMs(): number {
    const [oldest] = this.#passages
    const ageMs = oldest === undefined ? 0 : this.#monotonicMs() - oldest.sinceMs
    if (ageMs <= this.#limitMs) this.#invariants.holds('submission-age')
    else if (oldest !== this.#late) this.#tell(oldest)
    return ageMs
  }

  #tell(late: Passage | undefined): void {
    this.#late = late
    this.#invariants.breached(
      'submission-age',
      `a submission has been under way for more than ${this.#limitMs / 1_000} s`,
    )
  }

  /** Logs the oldest submission if nobody asks. No timer while there is nothing to look at. */
  #look(): void {
    this.oldestMs()
    this.#timer =
      this.#passages.size > 0 ? setTimeout(() => this.#look(), LOOK_MS).unref() : undefined
  }
}
