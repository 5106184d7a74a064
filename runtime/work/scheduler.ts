// Decides when the next step of anybody's work begins. The event loop is one thread for all, so
// work is done in steps of a millisecond or two; what a caller's steps cost is measured, and next
// is whoever has had least. docs/decisions/0052-one-scheduler.md
import { AsyncLocalStorage } from 'node:async_hooks'
import { Callers } from './callers.ts'
import { Lines } from './lines.ts'
import { Shares } from './shares.ts'
import { systemClock } from '../host/clock.ts'

/** Time for which steps begin in one turn of the event loop, and of one step, milliseconds. */
const TURN_MS = 2
/**
 * Turns between two long steps, and between two requests of a caller that has many. An idle loop
 * turns at once; in a busy one, what others ask for takes about as many, so it meets few of them.
 */
const APART = 3
/** Time between two looks at those who are held back while nobody else waits, milliseconds. */
const HELD_MS = 1
/** Reads at once for one answer. */
const READS = 32

/** The callers whose next step has to wait for some turns after one. */
type Apart = 'nobody' | 'all' | 'caller'

const KINDS = {
  /** Is over in a millisecond or two. */
  short: 'nobody',
  /** Goes on with what has taken a step already. */
  long: 'all',
  /** A request of a caller that has many, while others are served. */
  request: 'caller',
} as const satisfies Readonly<Record<string, Apart>>

type Kind = keyof typeof KINDS
/** The orders of two turns, by turns: whatever floods one kind, others have every second turn. */
const ORDERS: readonly (readonly Kind[])[] = [
  ['long', 'request', 'short'],
  ['short', 'long', 'request'],
]
type Begin = () => void

/** The steps of one kind. */
class Lane {
  readonly lines = new Lines<Begin>()
  readonly #apart: Apart
  readonly #isHeld: (caller: string) => boolean
  /** Turns until the next step, by caller or of all. */
  readonly #resting = new Map<string, number>()

  constructor(apart: Apart, isHeld: (caller: string) => boolean) {
    this.#apart = apart
    this.#isHeld = isHeld
  }

  get isIdle(): boolean {
    return this.lines.isEmpty && this.#resting.size === 0
  }

  /** Whether those that wait do so until some time has passed, not for turns. */
  get isHeld(): boolean {
    return this.#resting.size === 0 && !this.lines.isEmpty
  }

  isFreeFor(caller: string): boolean {
    const isFirst =
      this.#apart === 'caller' ? this.lines.lengthOf(caller) === 0 : this.lines.isEmpty
    return isFirst && this.isReady(caller)
  }

  readonly isReady = (caller: string): boolean =>
    !this.#resting.has(this.#restOf(caller)) && !this.#isHeld(caller)

  rest(caller: string): void {
    if (this.#apart !== 'nobody') this.#resting.set(this.#restOf(caller), APART)
  }

  turn(): void {
    for (const [rest, turns] of this.#resting)
      if (turns > 1) this.#resting.set(rest, turns - 1)
      else this.#resting.delete(rest)
  }

  #restOf(caller: string): string {
    return this.#apart === 'caller' ? caller : ''
  }
}

/** Resolves when the next part may begin; undefined where that is now. */
export type Pause = () => Promise<void> | undefined

export class Scheduler {
  /** Callers whose requests are served. */
  readonly requests: Callers
  /** What callers have had of the thread. */
  readonly shares: Shares
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
  readonly #lanes: Readonly<Record<Kind, Lane>>
  /** The caller of the work at hand. */
  readonly #caller = new AsyncLocalStorage<string>()
  /** The beginning of the first step of this turn. */
  #sinceMs: number | undefined
  #isScheduled = false
  /** Looks again at those who are held back. */
  #later: NodeJS.Timeout | undefined
  #turns = 0

  constructor(nowMs: () => number) {
    this.nowMs = nowMs
    this.requests = new Callers(nowMs)
    this.shares = new Shares(nowMs)
    const isHeld = (caller: string): boolean => this.shares.isHeld(caller)
    this.#lanes = {
      short: new Lane(KINDS.short, isHeld),
      long: new Lane(KINDS.long, isHeld),
      request: new Lane(KINDS.request, isHeld),
    }
  }

  /** Runs work of a caller: steps of it that name nobody are the caller's. */
  as<T>(caller: string, work: () => T): T {
    return this.#caller.run(caller, work)
  }

  /**
   * Undefined where a step of the caller may begin at once; else resolves in its turn.
   *
   * @param sharer who shares the caller's line, where several do
   */
  enter(
    kind: Kind,
    caller = this.#caller.getStore() ?? '',
    sharer: unknown = caller,
  ): Promise<void> | undefined {
    this.#schedule()
    const lane = this.#lanes[kind]
    const isFree = lane.isFreeFor(caller) || (kind === 'request' && !this.requests.isShared)
    if (isFree && (kind === 'request' || this.#isEarly())) {
      this.#rest(kind, caller)
      if (kind !== 'request') this.#measured((ms) => this.shares.charge(caller, ms))
      return undefined
    }
    return new Promise((begin) => lane.lines.add(caller, begin, sharer))
  }

  /**
   * Long work of a caller in parts: to be asked before each of them.
   *
   * @param isBegun whether its first step has had its turn
   */
  parts(caller = this.#caller.getStore() ?? '', isBegun = false): Pause {
    let sinceMs = isBegun ? this.nowMs() : undefined
    const goOn = (): void => {
      sinceMs = this.nowMs()
    }
    return () => {
      if (sinceMs !== undefined && this.nowMs() - sinceMs < TURN_MS) return undefined
      const turn = this.enter(sinceMs === undefined ? 'short' : 'long', caller)
      goOn()
      return turn?.then(goOn)
    }
  }

  /** The results of many small reads for one answer, in order, a few at a time. */
  async all<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<readonly R[]> {
    const results: R[] = []
    const pause = this.parts()
    for (let start = 0; start < items.length; start += READS) {
      await pause()
      results.push(...(await Promise.all(items.slice(start, start + READS).map(read))))
    }
    return results
  }

  #isEarly(): boolean {
    this.#sinceMs ??= this.nowMs()
    return this.nowMs() - this.#sinceMs < TURN_MS
  }

  #schedule(): void {
    if (this.#isScheduled) return
    clearTimeout(this.#later)
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    this.#sinceMs = undefined
    this.#turns += 1
    for (const lane of Object.values(this.#lanes)) lane.turn()
    this.#next()
    const waiting = Object.values(this.#lanes).filter(({ isIdle }) => !isIdle)
    if (waiting.some(({ isHeld }) => !isHeld)) this.#schedule()
    else if (waiting.length > 0) this.#later = setTimeout(() => this.#turn(), HELD_MS)
  }

  /** Begins the next step, and once all of it that is done in this turn is done, the one after. */
  #next(): void {
    for (const kind of ORDERS[this.#turns % ORDERS.length] ?? []) {
      const lane = this.#lanes[kind]
      const next = this.#isEarly() ? lane.lines.next(lane.isReady) : undefined
      if (next === undefined) continue
      const { caller, item: begin } = next
      this.#rest(kind, caller)
      this.#measured((ms) => {
        lane.lines.charge(caller, ms)
        if (kind !== 'request') this.shares.charge(caller, ms)
        this.#next()
      })
      begin()
      return
    }
  }

  /** Tells how long the step that begins now takes: all it has promised comes before a tick. */
  #measured(tell: (ms: number) => void): void {
    const beganMs = this.nowMs()
    queueMicrotask(() => process.nextTick(() => tell(this.nowMs() - beganMs)))
  }

  /** Keeps the next step apart; who is alone need not leave room for anybody's requests. */
  #rest(kind: Kind, caller: string): void {
    if (kind !== 'request' || this.requests.isShared) this.#lanes[kind].rest(caller)
  }
}

/**
 * The event loop is one for the process, and so is what decides on it. It measures work by the
 * machine's clock: a simulated one stands still while the thread works.
 */
export const scheduler = new Scheduler(systemClock.monotonicMs)
