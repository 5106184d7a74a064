// Measured time: record time less what it skipped, such as a step of the machine's clock that was
// believed. Ids are kept and forgotten by it, so that no clock makes one free before its time.
// docs/decisions/0050-the-ledgers-own-time.md
import type { CommitFacts, LedgerEnd } from '../store/store.ts'
import { unmeasuredOf } from './time-record.ts'
import type { Anchor, Moment } from './moment.ts'
import type { TimeRecord } from './time-record.ts'

/** More than was skipped counts as unmeasured, so that not every commit has to write it. */
const SLACK = 1_000_000n

export class MeasuredTime {
  /** The record time reached by elapsed time alone. */
  #reach: Anchor
  #unmeasured = 0n

  constructor(now: Anchor) {
    this.#reach = now
  }

  /** @param passed since the beat, microseconds, as far as that is known */
  goOn({ recordTime }: LedgerEnd, { unmeasured, beat }: TimeRecord, passed: number): void {
    this.#unmeasured = unmeasured
    if (beat === undefined && recordTime === 0n) return
    const last = beat === undefined ? 0 : Number(beat.measured + unmeasured) + passed
    this.#reach = { ...this.#reach, date: Math.max(last, Number(recordTime)) }
  }

  /** The measured time at the ledger's time `now`, which is reached with so much elapsed. */
  at(elapsed: number, now: bigint): bigint {
    const reach = this.#reached(elapsed)
    return (now < reach ? now : reach) - this.#unmeasured
  }

  /** The most that measured time may have come to. */
  most(elapsed: number): bigint {
    return this.#reached(elapsed) - this.#unmeasured
  }

  /** The verdict on a commit at the ledger's time `now`. */
  judge(
    facts: Pick<CommitFacts, 'end' | 'facts'>,
    elapsed: number,
    now: bigint,
  ): Pick<Moment, 'unmeasured' | 'measured'> {
    const { recordTime } = facts.end
    const before = unmeasuredOf(facts)
    const reached = this.#reached(elapsed) + before - this.#unmeasured
    const reach = reached > recordTime ? reached : recordTime
    this.#reach = { elapsed, date: Number(reach) }
    this.#unmeasured = before
    const skipped = (now > recordTime ? now : recordTime + 1n) - reach
    const unmeasured = skipped > 0n ? before + skipped + SLACK : before
    return { unmeasured, measured: reach - before }
  }

  #reached(elapsed: number): bigint {
    return BigInt(Math.floor(this.#reach.date + elapsed - this.#reach.elapsed))
  }
}
