// When an automation runs next: what it asked for, what commits ask of it, its interval, and the
// pause after failures, which comes before all of them.
import type { Again, Clock, HostClock } from './plugin.ts'

interface NextRunOptions {
  readonly clock: HostClock
  /** What the ledger takes for the time. */
  readonly ledger: Clock
  /** From one run to the next, where nothing asks for one sooner. */
  readonly everyMs: number
  /** What `soon` waits for. */
  readonly pauseMs: number
}

/** Times are those of the clock that only rises, where they are no ledger's. */
export class NextRun implements Again {
  readonly #options: NextRunOptions
  #regularMs: number
  #askedMs = Number.POSITIVE_INFINITY
  #askedMicros: bigint | undefined
  #isHeld = false
  #isRunning = false
  /** `soon` was asked during the run: the pause begins with its end. */
  #isSoon = false

  constructor(options: NextRunOptions) {
    this.#options = options
    this.#regularMs = options.clock.monotonicMs() + options.everyMs
  }

  soon(): void {
    const { clock, pauseMs } = this.#options
    if (this.#isRunning) this.#isSoon = true
    else this.#askedMs = Math.min(this.#askedMs, clock.monotonicMs() + pauseMs)
  }

  at(micros: bigint): void {
    if (micros <= this.#options.ledger.nowMicros()) this.soon()
    else this.#ask(micros)
  }

  /** A commit asks for a run at this time of the ledger's clock, which may be over. */
  wake(micros = 0n): void {
    this.#ask(micros)
  }

  /** A run begins: it does what was asked for until now, and may see a part of what comes later. */
  begin(): void {
    this.#isRunning = true
    this.#askedMs = Number.POSITIVE_INFINITY
    if (this.#askedMicros !== undefined && this.#askedMicros <= this.#options.ledger.nowMicros())
      this.#askedMicros = undefined
    this.#regularMs = this.#options.clock.monotonicMs() + this.#options.everyMs
  }

  /** A run has ended: `pauseMs` after its failure, 0 after a success. */
  end(begunMs: number, pauseMs: number): void {
    const { clock, everyMs } = this.#options
    this.#isHeld = pauseMs > 0
    this.#regularMs = Math.max(begunMs + (this.#isHeld ? pauseMs : everyMs), clock.monotonicMs())
    this.#isRunning = false
    if (this.#isSoon) this.soon()
    this.#isSoon = false
  }

  /** The pause after a failure is not over, but for `earlyMs`. */
  isHeld(earlyMs = 0): boolean {
    return this.#isHeld && this.#options.clock.monotonicMs() < this.#regularMs - earlyMs
  }

  /** Something has asked for a run whose time has come; or, where that counts, the regular time. */
  isDue(countsRegular: boolean): boolean {
    const { clock, ledger } = this.#options
    const nowMs = clock.monotonicMs()
    if (countsRegular && this.#regularMs <= nowMs) return true
    const isAsked =
      this.#askedMs <= nowMs ||
      (this.#askedMicros !== undefined && this.#askedMicros <= ledger.nowMicros())
    return isAsked && !this.#isHeld
  }

  /** How long until then, milliseconds. */
  inMs(): number {
    const { clock, ledger } = this.#options
    const micros = this.#askedMicros
    const asked = Math.min(
      this.#askedMs - clock.monotonicMs(),
      micros === undefined ? Number.POSITIVE_INFINITY : Number(micros - ledger.nowMicros()) / 1_000,
    )
    const regular = this.#regularMs - clock.monotonicMs()
    return this.#isHeld ? regular : Math.min(regular, Math.max(0, asked))
  }

  #ask(micros: bigint): void {
    if (this.#askedMicros === undefined || micros < this.#askedMicros) this.#askedMicros = micros
  }
}
