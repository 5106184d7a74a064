// Decides when a request begins. Whoever fills a turn of the event loop sets the time of all
// others, so while more than one caller is served, who has many requests open begins one every few
// turns and has the rest wait in its own line. docs/decisions/0018-fair-turns.md

/** For how long a caller counts as served after a request, milliseconds. */
const SERVED_MS = 1_000
/**
 * Turns from one request of a caller to its next. An idle loop turns at once; in a busy one the
 * first request is mostly done by then, so another caller's request meets one or two.
 */
const RESTS = 3
/** Open requests of a caller that nobody has to wait for: few fill no turn. */
const FEW_OPEN = 16

type Begin = () => void

/** Of one server. */
export class Starts {
  readonly #now: () => number
  /** The group of the last request, when it came, and when the last one of another group did. */
  #last = ''
  #lastMs = Number.NEGATIVE_INFINITY
  #otherMs = Number.NEGATIVE_INFINITY
  /** Turns until the next request of those who have begun one. */
  readonly #resting = new Map<string, number>()
  /** By group and caller, in order of arrival; whose turn comes next is first. */
  readonly #waiting = new Map<string, Map<string, Begin[]>>()
  readonly #open = new Map<string, number>()
  #isScheduled = false

  /** @param now a clock that only rises, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Undefined where the request may begin at once; else resolves in its caller's turn. To be
   * followed by `leave` when the request is over.
   *
   * @param group of callers that share what one may begin
   */
  enter(group: string, caller: string): Promise<void> | undefined {
    this.#note(group)
    const open = (this.#open.get(group) ?? 0) + 1
    this.#open.set(group, open)
    if (open <= FEW_OPEN && !this.#waiting.has(group)) return undefined
    if (!this.#waiting.has(group) && !this.#resting.has(group)) {
      if (this.#isShared()) this.#rest(group)
      return undefined
    }
    return new Promise((begin) => {
      const lines = this.#waiting.get(group) ?? new Map<string, Begin[]>()
      this.#waiting.set(group, lines)
      const line = lines.get(caller)
      if (line === undefined) lines.set(caller, [begin])
      else line.push(begin)
    })
  }

  leave(group: string): void {
    const open = (this.#open.get(group) ?? 0) - 1
    if (open > 0) this.#open.set(group, open)
    else this.#open.delete(group)
  }

  #note(group: string): void {
    if (this.#last !== group) this.#otherMs = this.#lastMs
    this.#last = group
    this.#lastMs = this.#now()
  }

  #isShared(): boolean {
    return this.#now() - this.#otherMs < SERVED_MS
  }

  #rest(group: string): void {
    this.#resting.set(group, RESTS)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#isScheduled = false
    const resting = [...this.#resting]
    this.#resting.clear()
    for (const [group, turns] of resting) if (turns > 1) this.#resting.set(group, turns - 1)
    if (!this.#isShared()) return this.#beginAll()
    const due = this.#waiting.keys().find((group) => !this.#resting.has(group))
    if (due !== undefined) this.#begin(due)
    if (this.#resting.size + this.#waiting.size > 0) this.#schedule()
  }

  /** Whoever is alone again would else meet its own lines for as long as it keeps them full. */
  #beginAll(): void {
    const all = [...this.#waiting.values()].flatMap((lines) => [...lines.values()].flat())
    this.#waiting.clear()
    this.#resting.clear()
    for (const begin of all) begin()
  }

  /** The first of the caller whose turn it is, who is last in its group then. */
  #begin(group: string): void {
    const lines = this.#waiting.get(group) ?? new Map<string, Begin[]>()
    const [[caller, line] = ['', []]] = lines
    const begin = line.shift()
    lines.delete(caller)
    if (line.length > 0) lines.set(caller, line)
    this.#waiting.delete(group)
    if (lines.size > 0) this.#waiting.set(group, lines)
    this.#rest(group)
    begin?.()
  }
}
