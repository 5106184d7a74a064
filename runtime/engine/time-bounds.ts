// What choices say about the time at which their transaction may be recorded. docs/ledger-rules.md,
// "Time"
import { refused } from './interrupt.ts'

export class TimeBounds {
  notBefore: bigint | undefined
  before: bigint | undefined
  /** The earliest record time that the update can get. */
  readonly #earliest: bigint
  /** The latest possible time, if the date is in doubt. */
  readonly #latest: bigint

  constructor(earliest: bigint, latest: bigint) {
    this.#earliest = earliest
    this.#latest = latest
  }

  /** Halts already now where the update cannot be recorded late enough. */
  demandNotBefore(time: bigint): void {
    if (this.#earliest < time) throw refused({ kind: 'too-early', notBefore: time })
    if (this.notBefore === undefined || this.notBefore < time) this.notBefore = time
  }

  /** Halts already now where it is too late whatever happens. */
  demandBefore(time: bigint): void {
    if (this.#earliest < time && this.#latest >= time)
      throw refused({ kind: 'time-in-doubt', before: time })
    this.demandUntil(time)
  }

  /** Likewise, for a time that was reckoned from the ledger's own. */
  demandUntil(time: bigint): void {
    if (this.#earliest >= time) throw refused({ kind: 'too-late', before: time })
    if (this.before === undefined || this.before > time) this.before = time
  }
}
