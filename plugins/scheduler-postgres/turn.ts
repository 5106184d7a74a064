// A task while it is this server's: it runs here at its interval until the turn is given up or
// lost. No statement is needed for a run, so an interval may be as short as one likes.
import type { Logger } from '../../runtime/index.ts'

export interface Task {
  readonly name: string
  readonly everyMs: number
  /** What counts is where it is: it is due wherever it arrives. */
  readonly isHold?: boolean
  run(signal: AbortSignal): Promise<void>
}

/** The longest time that a timer of the platform holds. */
const MAX_TIMER_MS = 2_147_483_647

/** Times are those of `performance.now()`. */
export class Turn {
  readonly id: string
  readonly task: Task
  readonly sinceMs = performance.now()
  readonly #log: Logger
  readonly #lost = new AbortController()
  #open = true
  #runs = 0
  #nextMs = performance.now()
  #trustedMs: number
  #timer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  /** Nobody else takes the task before `trustedMs`. */
  constructor({
    id,
    task,
    trustedMs,
    log,
  }: {
    id: string
    task: Task
    trustedMs: number
    log: Logger
  }) {
    this.id = id
    this.task = task
    this.#log = log
    this.#trustedMs = trustedMs
    this.trust(trustedMs)
    this.#wait()
  }

  /** Whether it may run again. */
  get open(): boolean {
    return this.#open
  }

  /** The run under way. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  get runs(): number {
    return this.#runs
  }

  /** Milliseconds until the next run. */
  get restMs(): number {
    return Math.max(0, this.#nextMs - performance.now())
  }

  /**
   * The others know that the holder lives: they leave the task alone until then. A turn that was
   * lost stays so.
   */
  trust(untilMs: number): void {
    this.#trustedMs = untilMs
    clearTimeout(this.#watch)
    if (!this.#open && this.#running === undefined) return
    this.#watch = setTimeout(
      () => this.lose('the database was not reached in time'),
      timerMs(untilMs),
    ).unref()
  }

  /** No run begins any more; one under way ends as it would. */
  close(): void {
    this.#open = false
    clearTimeout(this.#timer)
    if (this.#running === undefined) clearTimeout(this.#watch)
  }

  /** Closes like `close`, and tells the current run to stop. */
  lose(reason: string): void {
    if (this.#lost.signal.aborted) return
    this.close()
    clearTimeout(this.#watch)
    this.#lost.abort(new Error(reason))
    this.#log.debug({ task: this.task.name, reason }, 'turn lost')
  }

  #wait(): void {
    if (!this.#open) return
    this.#timer = setTimeout(() => void this.#begin(), timerMs(this.#nextMs)).unref()
  }

  async #begin(): Promise<void> {
    const now = performance.now()
    // A process that was held up may be late for everything: others may have the task by now.
    if (now >= this.#trustedMs) return this.lose('this server was held up')
    if (now < this.#nextMs - 1) return this.#wait()
    this.#runs += 1
    this.#running = this.#run()
    await this.#running
    this.#running = undefined
    if (!this.#open) clearTimeout(this.#watch)
    // What was missed while the run lasted is dropped.
    this.#nextMs =
      now +
      this.task.everyMs * Math.max(1, Math.ceil((performance.now() - now) / this.task.everyMs))
    this.#wait()
  }

  async #run(): Promise<void> {
    try {
      await this.task.run(this.#lost.signal)
    } catch (error) {
      this.#log.error({ task: this.task.name, err: error }, 'a scheduled task failed')
    }
  }
}

function timerMs(untilMs: number): number {
  return Math.min(MAX_TIMER_MS, Math.max(0, untilMs - performance.now()))
}
