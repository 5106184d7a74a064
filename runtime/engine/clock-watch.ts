// Compares this server's clock and the ledger's time with the store's clock, which all servers
// share. A wrong record time cannot be undone: with one that is far ahead, every deadline and every
// command id has expired. docs/operations.md, Clocks
import type { HostClock } from '../host/plugin.ts'
import { CommitRejected } from '../store/rules.ts'
import type { ContractStore } from '../store/store.ts'
import type { Invariants } from './invariants.ts'
import { DAY_MICROS, HOUR_MICROS } from './durations.ts'

export interface ClockBound {
  /**
   * How far apart this server's clock, the ledger's time and the store's clock may be,
   * microseconds.
   */
  readonly maxSkewMicros: bigint
  /**
   * Where somebody chose to go on with a ledger that is ahead: the record time that it had then.
   */
  readonly aheadUntil?: bigint
}

interface ClockWatchInput {
  /** This server's own. */
  readonly clock: HostClock
  readonly store: Pick<ContractStore, 'ledgerEnd' | 'now'>
  readonly bound: ClockBound
  readonly invariants: Invariants
}

/** All in microseconds since 1970. */
interface Times {
  /** The store's clock. */
  readonly store: bigint
  /** Of the last update. */
  readonly recordTime: bigint
  /** How long ago the store's clock may have been read, microseconds. */
  readonly waited: bigint
}

/** This server's clock when it was held against the store's. */
interface Seen {
  readonly server: bigint
  readonly monotonicMs: number
  /** By which it was ahead of the store's. */
  readonly lead: bigint
}

/** A check of a moment ago is good enough where nobody's clock has jumped. */
const KEPT_MS = 1_000

export class ClockWatch {
  readonly #input: ClockWatchInput
  /** When they agreed first. */
  #agreed: Seen | undefined
  #seen: Seen | undefined
  #check: Promise<void> | undefined
  #checkedMs = -Infinity
  #line: string | undefined
  /**
   * Of the last time that it was held against the store's; microseconds, positive where it is
   * ahead.
   */
  lead = 0n
  /** By how much the ledger's time is ahead of the store's clock, likewise. */
  ledgerLead = 0n

  constructor(input: ClockWatchInput) {
    this.#input = input
  }

  /**
   * To be called with what a commit reads under its lock, `waitedMs` after it was asked for.
   * Answers the latest record time that it may give. Throws a CommitRejected that says which clock
   * is off.
   */
  judge(
    { recordTime, now }: { readonly recordTime: bigint; readonly now: bigint },
    waitedMs: number,
  ): bigint {
    const {
      bound: { maxSkewMicros, aheadUntil = 0n },
      invariants,
    } = this.#input
    const times = { store: now, recordTime, waited: BigInt(Math.ceil(waitedMs * 1_000)) }
    this.#line = this.#problem(times)
    this.#seen = {
      server: this.#input.clock.nowMicros(),
      monotonicMs: this.#input.clock.monotonicMs(),
      lead: this.lead,
    }
    if (this.#line !== undefined) {
      invariants.breached('record-time', this.#line)
      throw new CommitRejected('record-time', this.#line)
    }
    invariants.holds('record-time')
    this.#agreed ??= this.#seen
    const latest = times.store + times.waited
    return (latest > aheadUntil ? latest : aheadUntil) + maxSkewMicros
  }

  /**
   * Before anything is decided by this server's clock: undefined where it has gone on as it should
   * since it was last held against the store's; else resolves when it has been, or rejects with a
   * CommitRejected.
   */
  trusted(): Promise<void> | undefined {
    return this.#line === undefined && !this.#hasJumped() ? undefined : this.checked()
  }

  /**
   * Holds the clocks against each other, unless that was done within a second. Rejects with a
   * CommitRejected, or as the store does.
   */
  checked(): Promise<void> {
    this.#check ??= this.#look().finally(() => void (this.#check = undefined))
    return this.#check
  }

  async #look(): Promise<void> {
    const { clock, store } = this.#input
    const beganMs = clock.monotonicMs()
    if (beganMs - this.#checkedMs < KEPT_MS && !this.#hasJumped()) {
      if (this.#line !== undefined) throw new CommitRejected('record-time', this.#line)
      return
    }
    const [{ recordTime }, now] = await Promise.all([store.ledgerEnd(), store.now()])
    this.#checkedMs = clock.monotonicMs()
    this.judge({ recordTime, now }, this.#checkedMs - beganMs)
  }

  /** Measured by time that passes, which costs nothing: standing still is a jump too. */
  #hasJumped(): boolean {
    return (
      this.#seen === undefined ||
      sizeOf(this.#jumpSince(this.#seen)) > this.#input.bound.maxSkewMicros / 4n
    )
  }

  #jumpSince({ server, monotonicMs }: Seen): bigint {
    const { clock } = this.#input
    return (
      clock.nowMicros() - server - BigInt(Math.round((clock.monotonicMs() - monotonicMs) * 1_000))
    )
  }

  #problem({ store, recordTime, waited }: Times): string | undefined {
    const {
      clock,
      bound: { maxSkewMicros, aheadUntil = 0n },
    } = this.#input
    this.lead = clock.nowMicros() - store
    this.ledgerLead = recordTime - store
    if (this.lead - waited > maxSkewMicros || -this.lead > maxSkewMicros)
      return this.#clockOff(recordTime)
    const isChosen = recordTime <= aheadUntil + maxSkewMicros
    if (this.ledgerLead <= maxSkewMicros || isChosen) return undefined
    return `the ledger's last record time, ${textOf(recordTime)}, is ${spanOf(this.ledgerLead)} ahead of the clocks of this server and of the database`
  }

  #clockOff(recordTime: bigint): string {
    const way = this.lead > 0n ? 'ahead of' : 'behind'
    const other = this.lead > 0n ? 'behind' : 'ahead of'
    const span = spanOf(sizeOf(this.lead))
    return this.#isOurs(recordTime)
      ? `this server's clock is ${span} ${way} the database's`
      : `the database's clock is ${span} ${other} this server's`
  }

  /**
   * The clock that is off is the one that has not gone on as time does since the two agreed. Where
   * they never did, it is ours, unless ours is ahead and the ledger's time with it.
   */
  #isOurs(recordTime: bigint): boolean {
    const {
      clock,
      bound: { maxSkewMicros },
    } = this.#input
    if (this.#agreed === undefined)
      return this.lead < 0n || sizeOf(recordTime - clock.nowMicros()) > maxSkewMicros
    const change = this.lead - this.#agreed.lead
    return 2n * sizeOf(change - this.#jumpSince(this.#agreed)) < sizeOf(change)
  }
}

function sizeOf(micros: bigint): bigint {
  return micros < 0n ? -micros : micros
}

const UNITS = [
  ['days', DAY_MICROS],
  ['hours', HOUR_MICROS],
  ['minutes', 60_000_000n],
  ['seconds', 1_000_000n],
] as const

/** In the largest unit of which there are two, with one digit behind the point. */
function spanOf(micros: bigint): string {
  const [unit, length] = UNITS.find(([, each]) => micros >= 2n * each) ?? UNITS[3]
  return `${(Number(micros) / Number(length)).toFixed(1)} ${unit}`
}

function textOf(micros: bigint): string {
  return new Date(Number(micros / 1_000n)).toISOString()
}
