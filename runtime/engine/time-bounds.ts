// What choices say about the time at which their transaction may be recorded. rulings.md 21
import { refused } from './interrupt.ts'

export class TimeBounds {
  notBefore: bigint | undefined
  before: bigint | undefined
  /** The earliest record time that the update can get. */
  readonly #earliest: bigint

  constructor(earliest: bigint) {
    this.#earliest = earliest
  }

  /** Halts already now where the update cannot be recorded late enough. */
  demandNotBefore(time: bigint): void {
    if (this.#earliest < time) throw refused({ kind: 'too-early', notBefore: time })
    if (this.notBefore === undefined || this.notBefore < time) this.notBefore = time
  }

  /** Halts already now where it is too late whatever happens. */
  demandBefore(time: bigint): void {
    if (this.#earliest >= time) throw refused({ kind: 'too-late', before: time })
    if (this.before === undefined || this.before > time) this.before = time
  }
}
