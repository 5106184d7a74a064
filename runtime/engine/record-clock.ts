// The ledger's clock. It follows elapsed time between looks at the machine's clock, and takes over
// what that shows only as far as a time service corrects it. Any other step is held in doubt until
// somebody confirms it: a wrong record time cannot be undone, as all deadlines before it have
// passed. docs/decisions/0050-the-ledgers-own-time.md
import type { HostClock } from '../host/plugin.ts'
import type { Logger } from '../host/log.ts'
import { CommitRejected } from '../store/rules.ts'
import type { CommitFacts, ContractStore, History, LedgerEnd } from '../store/store.ts'
import { endOf, FOLLOWED, isSteady } from './clock-doubt.ts'
import type { Doubt } from './clock-doubt.ts'
import { aheadText, spanOf, timeText } from './clock-words.ts'
import { Elapsed } from './elapsed.ts'
import type { Invariants } from './invariants.ts'
import { NO_WRITES } from './no-writes.ts'
import { MeasuredTime } from './measured-time.ts'
import { beatFact, readTimeRecord } from './time-record.ts'
import type { Anchor, Moment } from './moment.ts'
import type { TimeRecord } from './time-record.ts'

export interface ClockBound {
  /** How far clocks may be apart before that means anything, microseconds. */
  readonly maxSkewMicros: bigint
  /**
   * A step that nobody confirms is believed once the clock has gone on steadily for as long as it
   * stepped, but not for longer than this, microseconds.
   */
  readonly maxDoubtMicros: bigint
  /** An operator vouches for the machine's clock as it is at the start. */
  readonly isAccepted?: boolean
}

interface RecordClockInput {
  /** This machine's. */
  readonly clock: HostClock
  readonly store: Pick<ContractStore, 'commit' | 'facts' | 'history' | 'ledgerEnd'>
  /** The read of each look; the store's own when absent. */
  readonly read?: (() => Promise<Pick<History, 'end' | 'now'>>) | undefined
  readonly bound: ClockBound
  readonly invariants: Invariants
  /** Another clock that can be asked, microseconds; undefined where it does not answer. */
  readonly witness?: (() => Promise<bigint | undefined>) | undefined
  readonly log?: Logger | undefined
}

/** A check of a moment ago is good enough. */
const KEPT_MS = 1_000
const BEAT_MICROS = 60_000_000
const WITNESS_MICROS = 10_000_000
const FOLLOW_MICROS = 100_000
/** Milliseconds until the time service of a started machine has set its clock. */
const BOOTED_MS = 300_000
/** Clocks of two machines; one and the same is never as far from itself. */
const APART_MICROS = 5_000

export class RecordClock {
  readonly #input: RecordClockInput
  readonly #elapsed: Elapsed
  readonly #bound: number
  readonly #measured: MeasuredTime
  #anchor: Anchor
  #doubt: Doubt | undefined
  /**
   * The machine was started again since the last beat: for minutes, in which a time service sets
   * it, its clock alone says how long that took.
   */
  #isOpen = false
  /** The store's clock, and the one that can be asked, say that this machine's is wrong. */
  readonly #contradicts = { store: false, witness: false }
  /** The store's clock is another one than this machine's. */
  #isStoreApart = false
  /** The latest record time that is known. */
  #end = 0n
  #hasAgreed = false
  #line: string | undefined
  #check: Promise<void> | undefined
  #checkedMs = -Infinity
  #beatAt = -Infinity
  #askedAt = -Infinity
  /** Lead of the store's clock over the ledger's time when it was last compared. */
  storeLead = 0n

  constructor(input: RecordClockInput) {
    this.#input = input
    this.#elapsed = new Elapsed(input.clock)
    this.#bound = Number(input.bound.maxSkewMicros)
    this.#anchor = { elapsed: this.#elapsed.micros(), date: this.#wall() }
    this.#measured = new MeasuredTime(this.#anchor)
  }

  /**
   * Goes on from what the store knows of the time. To be called once, before anything else. Rejects
   * with a CommitRejected where the store's clock is another one and says otherwise.
   */
  async start(): Promise<void> {
    const { store, bound } = this.#input
    const [end, record] = await Promise.all([store.ledgerEnd(), readTimeRecord(store)])
    this.#end = end.recordTime
    const passed = this.#passedSince(record)
    this.#measured.goOn(end, record, passed)
    const estimate = Math.max(Number(record.beat?.at ?? 0n) + passed, Number(end.recordTime))
    if (bound.isAccepted !== true && estimate > 0 && this.#isFar(this.#wall() - estimate))
      this.#anchor = { ...this.#anchor, date: estimate }
    await this.look()
    this.#require()
  }

  /** The ledger's time, microseconds since 1970: of all that it may be, the earliest. */
  nowMicros(): bigint {
    return this.#nowAt(this.#step())
  }

  /**
   * The latest that the ledger's time may be, which is `now` at the earliest: what this machine's
   * clock shows, where it is ahead and nobody knows whether it is right.
   */
  latestMicros(now = this.nowMicros()): bigint {
    if (this.#doubt === undefined || this.#isContradicted()) return now
    const wall = BigInt(this.#wall())
    return wall < now ? now : wall
  }

  /** The time that servers have measured: behind record time by what nobody did. */
  measuredMicros(): bigint {
    const elapsed = this.#step()
    return this.#measured.at(elapsed, this.#nowAt(elapsed))
  }

  /** Lead of this machine's clock over the ledger's time, microseconds. */
  get lead(): bigint {
    const elapsed = this.#step()
    return BigInt(Math.round(this.#wall() - this.#estimate(elapsed)))
  }

  /** The size of `lead` while this machine's clock is in doubt; 0 while it is not. */
  get inDoubt(): bigint {
    const { lead } = this
    if (this.#doubt === undefined) return 0n
    return lead < 0n ? -lead : lead
  }

  /** Lead of the last record time over the ledger's time, microseconds. */
  get ledgerLead(): bigint {
    return this.#end - BigInt(Math.round(this.#estimate(this.#step())))
  }

  /** One line for people while something is amiss with the time that does not stop the ledger. */
  get note(): string | undefined {
    const { lead, ledgerLead } = this
    const doubt = this.#doubt
    if (doubt !== undefined) {
      const left = Math.max(0, Math.round(this.#left(doubt, this.#elapsed.micros())))
      const until = this.#isContradicted()
        ? 'another clock contradicts it'
        : `unless it changes, it is believed in ${spanOf(BigInt(left))}`
      return `${MACHINE} is ${aheadText(lead)} the ledger's time, which goes on by elapsed time; ${until}`
    }
    if (ledgerLead <= this.#input.bound.maxSkewMicros) return undefined
    const end = `the ledger's last record time, ${timeText(this.#end)},`
    return `${end} is ${spanOf(ledgerLead)} ahead of the clock; it stands still until then`
  }

  /**
   * To be called with what a commit reads under its lock, `waitedMs` after it was asked for. Throws
   * a CommitRejected where the store's clock is another one and says otherwise.
   */
  judge(facts: Pick<CommitFacts, 'end' | 'facts' | 'now'>, waitedMs: number): Moment {
    this.#hear(facts.end)
    const elapsed = this.#compare(facts.now, waitedMs)
    this.#require()
    const now = this.#nowAt(elapsed)
    const latest = now + this.#input.bound.maxSkewMicros
    return { now, latest, ...this.#measured.judge(facts, elapsed, now) }
  }

  /**
   * Before anything is decided by the time: undefined where that is possible; else resolves when it
   * is, or rejects with a CommitRejected.
   */
  trusted(): Promise<void> | undefined {
    return this.#line === undefined ? undefined : this.look().then(() => this.#require())
  }

  /** Looks, unless that was done within a second. Rejects as `judge`, or as the store does. */
  async checked(): Promise<void> {
    if (this.#input.clock.monotonicMs() - this.#checkedMs >= KEPT_MS) await this.look()
    this.#require()
  }

  /**
   * To be called every second: holds the clocks against each other, and leaves a beat every minute.
   * Rejects as the store does.
   */
  look(): Promise<void> {
    this.#check ??= this.#look().finally(() => void (this.#check = undefined))
    return this.#check
  }

  /** Leaves a beat, by which the next start knows how long this one has been over. */
  async beat(): Promise<void> {
    const { clock, store } = this.#input
    const uptimeMs = clock.uptimeMs?.()
    // A time that another clock contradicts is nobody else's to go on from.
    if (uptimeMs === undefined || this.#line !== undefined) return
    const elapsed = this.#step()
    const [at, measured] = [this.#nowAt(elapsed), this.#measured.most(elapsed)]
    const fact = beatFact({ at, measured, boot: clock.boot ?? '', uptimeMs })
    await store.commit({
      reads: { contractIds: [], commandKeys: [], facts: [] },
      decide: () => ({ writes: { ...NO_WRITES, facts: [fact] }, result: undefined }),
    })
  }

  #require(): void {
    if (this.#line !== undefined) throw new CommitRejected('record-time', this.#line)
  }

  async #look(): Promise<void> {
    const { clock, store, read = () => store.history(0n) } = this.#input
    this.#elapsed.compare()
    const before = { wall: this.#wall(), elapsed: this.#elapsed.micros() }
    const { end, now } = await read()
    const after = { wall: this.#wall(), elapsed: this.#elapsed.micros() }
    const passed = after.elapsed - before.elapsed
    const isSteady = Math.abs(after.wall - before.wall - passed) < APART_MICROS
    const date = Number(now)
    const isBetween = date >= before.wall - APART_MICROS && date <= after.wall + APART_MICROS
    if (isSteady && !isBetween) this.#isStoreApart = true
    this.#checkedMs = clock.monotonicMs()
    this.#hear(end)
    this.#compare(now, passed / 1_000)
    await this.#ask(after.elapsed)
    if (after.elapsed - this.#beatAt < BEAT_MICROS) return
    await this.beat()
    this.#beatAt = after.elapsed
  }

  async #ask(elapsed: number): Promise<void> {
    const { witness } = this.#input
    if (witness === undefined || this.#doubt === undefined) return
    if (elapsed - this.#askedAt < WITNESS_MICROS) return
    this.#askedAt = elapsed
    const date = await witness()
    if (date === undefined) return
    const lead = this.#wall() - Number(date)
    if (this.#isFar(lead)) {
      const since = this.#elapsed.micros()
      this.#anchor = { elapsed: since, date: Number(date) }
      this.#doubt = { since, lead }
      this.#contradicts.witness = true
    } else this.#believe('another clock confirms it')
  }

  /** Confirms the time of this machine's clock by another server's record of the same. */
  #hear({ recordTime }: Pick<LedgerEnd, 'recordTime'>): void {
    if (recordTime <= this.#end) return
    this.#end = recordTime
    const ahead = Number(recordTime) - this.#estimate(this.#step())
    if (this.#doubt !== undefined && ahead > this.#bound)
      if (!this.#isFar(this.#wall() - Number(recordTime)))
        this.#believe('another server records it')
  }

  /**
   * The store's clock is a witness where it is another one than this machine's. Answers the elapsed
   * time.
   */
  #compare(store: bigint, waitedMs: number): number {
    const { invariants } = this.#input
    const elapsed = this.#step()
    const date = Number(store)
    const [waited, wall] = [Math.ceil(waitedMs * 1_000), this.#wall()]
    const estimate = this.#estimate(elapsed)
    const isFarFrom = (clock: number): boolean =>
      clock - date - waited > this.#bound || date - clock > this.#bound
    this.storeLead = store - BigInt(Math.round(estimate))
    const isWallFar = isFarFrom(wall)
    const isFar = isFarFrom(estimate)
    if (isFar && !isWallFar && this.#isStoreApart) this.#believe("the database's clock confirms it")
    this.#contradicts.store = isWallFar && !isFar
    this.#line = isFar && isWallFar ? this.#storeLine(BigInt(Math.round(wall - date))) : undefined
    this.#hasAgreed ||= !isFar && !isWallFar
    if (this.#line === undefined) invariants.holds('record-time')
    else invariants.breached('record-time', this.#line)
    return elapsed
  }

  /** Follows this machine's clock, or holds it in doubt. Answers the elapsed time. */
  #step(): number {
    const elapsed = this.#elapsed.micros()
    const lead = this.#wall() - this.#estimate(elapsed)
    return this.#isFar(lead) ? this.#hold(elapsed, lead) : this.#follow(elapsed, lead)
  }

  /** Holds a clock that is far from the ledger's time in doubt, unless it is believed by now. */
  #hold(elapsed: number, lead: number): number {
    const doubt = this.#doubt
    if (doubt !== undefined && isSteady(doubt, elapsed, lead)) {
      if (!this.#isContradicted() && this.#left(doubt, elapsed) <= 0) this.#believe('it is steady')
      else if (this.#isOpen) this.#isOpen = !this.#hasBooted()
      return elapsed
    }
    // The machine may have been suspended.
    this.#elapsed.compare()
    const now = this.#elapsed.micros()
    if (now - elapsed > this.#bound) return this.#step()
    this.#contradicts.witness = false
    this.#doubt = { since: now, lead }
    if (this.#isOpen && this.#hasBooted()) {
      this.#isOpen = false
      if (lead > 0) this.#believe(NOT_MEASURED)
    }
    if (doubt === undefined && this.#doubt !== undefined)
      this.#input.log?.warn({ seconds: lead / 1e6 }, STEPPED)
    return now
  }

  #follow(elapsed: number, lead: number): number {
    if (this.#doubt !== undefined) this.#input.log?.info({}, AGREES)
    this.#doubt = undefined
    this.#isOpen = false
    const passed = elapsed - this.#anchor.elapsed
    if (passed < FOLLOW_MICROS) return elapsed
    const most = passed * FOLLOWED
    const date = this.#estimate(elapsed) + Math.max(-most, Math.min(most, lead))
    this.#anchor = { elapsed, date }
    return elapsed
  }

  #believe(reason: string): void {
    const [elapsed, date] = [this.#elapsed.micros(), this.#wall()]
    const seconds = (date - this.#estimate(elapsed)) / 1e6
    this.#input.log?.warn({ seconds, reason }, BELIEVED)
    this.#anchor = { elapsed, date }
    this.#doubt = undefined
    this.#isOpen = false
  }

  #hasBooted(): boolean {
    return (this.#input.clock.uptimeMs?.() ?? BOOTED_MS) >= BOOTED_MS
  }

  /** How long a steady clock is still in doubt. */
  #left(doubt: Doubt, elapsed: number): number {
    const { clock, bound } = this.#input
    const left = endOf(doubt, bound.maxDoubtMicros) - elapsed
    if (!this.#isOpen || doubt.lead < 0) return left
    return Math.min(left, (BOOTED_MS - (clock.uptimeMs?.() ?? BOOTED_MS)) * 1_000)
  }

  /** How long ago the last beat was, microseconds; 0 where nobody can tell. */
  #passedSince({ beat }: TimeRecord): number {
    const { clock } = this.#input
    const uptimeMs = clock.uptimeMs?.() ?? -1
    const isSameBoot =
      beat !== undefined &&
      beat.boot !== '' &&
      beat.boot === clock.boot &&
      beat.uptimeMs <= uptimeMs
    this.#isOpen = !isSameBoot
    return isSameBoot ? (uptimeMs - beat.uptimeMs) * 1_000 : 0
  }

  #estimate(elapsed: number): number {
    return this.#anchor.date + elapsed - this.#anchor.elapsed
  }

  #nowAt(elapsed: number): bigint {
    const date = BigInt(Math.floor(this.#estimate(elapsed) / 1_000)) * 1_000n
    return date > this.#end ? date : this.#end
  }

  #isContradicted(): boolean {
    return this.#contradicts.store || this.#contradicts.witness
  }

  /** Names the clock that is off: this server's, where nothing speaks for it. */
  #storeLine(lead: bigint): string {
    const isVouchedFor =
      this.#hasAgreed || (lead > 0n && !this.#isFar(this.#wall() - Number(this.#end)))
    return isVouchedFor && !this.#isFar(this.#wall() - this.#estimate(this.#elapsed.micros()))
      ? `the database's clock is ${aheadText(-lead)} this server's`
      : `this server's clock is ${aheadText(lead)} the database's`
  }

  #isFar(lead: number): boolean {
    return Math.abs(lead) > this.#bound
  }

  #wall(): number {
    return Number(this.#input.clock.nowMicros())
  }
}

const MACHINE = "this machine's clock"
const STEPPED = `${MACHINE} has stepped; the ledger goes on by elapsed time`
const NOT_MEASURED = 'nothing else says how long the machine was off'
const AGREES = `${MACHINE} agrees with the ledger's time again`
const BELIEVED = `the ledger follows ${MACHINE}`
