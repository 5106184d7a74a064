// Entries that wait for the store, and which of them go next: large ones alone, small ones between
// any two of those, and no party's entries fill a batch. No entry goes before one that it depends
// on. A party that sends large entries while others are served gets a third of the time.
// docs/decisions/0018-fair-turns.md
import type { SpanId } from '../host/spans.ts'
import { Stakes } from './stakes.ts'
import { SMALL_NODES } from './transaction.ts'
import type { BatchEntry, Verdict } from './commit-batch.ts'

/** Of one batch together, unless it is a single update. */
const MAX_WEIGHT = 1_000
/** Of one payer in a batch, unless it is a single update. */
const SHARE_WEIGHT = 200
/**
 * Large ones of one payer that wait: they come faster than they go, and are kept in full. More than
 * what one wallet has under way by default.
 */
export const MAX_LARGE = 128
/** How long a payer's next large one waits after one, of the time that this one took. */
const REST_SHARE = 2
/** The longest such wait, and for how long others count as served after an entry, milliseconds. */
const [MAX_REST_MS, SERVED_MS] = [100, 1_000]

export interface Waiting {
  readonly entry: BatchEntry
  /** The span that it was queued in, where its trace is kept. */
  readonly span: SpanId | undefined
  resolve(verdict: Verdict): void
  reject(error: unknown): void
}

/** Whose entry came last, and when. */
interface Comer {
  readonly payer: string
  readonly atMs: number
}

export class BatchQueue {
  readonly #maxBatch: number
  /** Of those that have a payer, and of another one than that. */
  #last: Comer | undefined
  #lastOther: Comer | undefined
  /** By payer, when its next large one may go; of those who have brought one. */
  readonly #restingUntil = new Map<string, number>()
  #wake: () => void = () => undefined
  #waiting: Waiting[] = []
  /** How many large ones wait, by payer. */
  readonly #large = new Map<string, number>()
  /** What the large ones change and use. */
  readonly #stakes = new Stakes<Waiting>()
  /** Small ones have gone before a large one. */
  #isLargeDue = false

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (isLarge(waiting)) this.#addLarge(waiting)
    const payer = payerOf(waiting)
    if (payer !== '') this.#note({ payer, atMs: performance.now() })
    this.#wake()
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length
  }

  /** Whether so much of its payer waits that this one may not. */
  isFullFor(entry: BatchEntry): boolean {
    const payer = payerOf({ entry })
    return payer !== '' && isLarge({ entry }) && (this.#large.get(payer) ?? 0) >= MAX_LARGE
  }

  /** Whether the next batch is a large one. */
  get isLargeNext(): boolean {
    return (this.#isLargeDue || !this.#waiting.some(isSmall)) && this.#waiting.some(this.#mayGo)
  }

  /** How long a batch took: whoever brought a large one rests before the next, if others come. */
  took([first, ...others]: readonly Waiting[], ms: number): void {
    if (first === undefined || others.length > 0 || isSmall(first)) return
    const [payer, nowMs] = [payerOf(first), performance.now()]
    for (const [one, until] of this.#restingUntil)
      if (until <= nowMs) this.#restingUntil.delete(one)
    const other = this.#last?.payer === payer ? this.#lastOther : this.#last
    if (payer === '' || other === undefined || nowMs - other.atMs > SERVED_MS) return
    this.#restingUntil.set(payer, nowMs + Math.min(MAX_REST_MS, REST_SHARE * ms))
  }

  /** Where all that wait rest: until one of them may go, or another one has come. */
  async rested(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const untilMs = Math.min(...this.#restingUntil.values())
    const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()))
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  /** The next batch; empty where nothing waits, or all that waits rests. */
  take(): readonly Waiting[] {
    const due = this.#isLargeDue ? this.#pick(this.#mayGo, 1) : []
    const small = due.length > 0 ? [] : this.#pick(isSmall, this.#maxBatch)
    this.#isLargeDue = small.length > 0 && this.#waiting.some(isLarge)
    if (due.length > 0) return due
    return small.length > 0 ? small : this.#pick(this.#mayGo, 1)
  }

  readonly #mayGo = (waiting: Waiting): boolean =>
    isLarge(waiting) && (this.#restingUntil.get(payerOf(waiting)) ?? 0) <= performance.now()

  #note(comer: Comer): void {
    if (this.#last?.payer !== comer.payer) this.#lastOther = this.#last
    this.#last = comer
  }

  #addLarge(waiting: Waiting): void {
    const payer = payerOf(waiting)
    this.#large.set(payer, (this.#large.get(payer) ?? 0) + 1)
    this.#stakes.add(waiting, changedBy(waiting.entry), usedBy(waiting.entry))
  }

  #removeLarge(waiting: Waiting): void {
    const payer = payerOf(waiting)
    const left = (this.#large.get(payer) ?? 0) - 1
    if (left > 0) this.#large.set(payer, left)
    else this.#large.delete(payer)
    this.#stakes.remove(waiting, changedBy(waiting.entry), usedBy(waiting.entry))
  }

  #pick(isWanted: (waiting: Waiting) => boolean, most: number): readonly Waiting[] {
    const batch = new Batch(most, this.#stakes)
    const left: Waiting[] = []
    for (const [at, waiting] of this.#waiting.entries()) {
      if (batch.isFull) {
        left.push(...this.#waiting.slice(at))
        break
      }
      if (isWanted(waiting) && batch.takes(waiting)) continue
      batch.leave(waiting)
      left.push(waiting)
    }
    this.#waiting = left
    for (const waiting of batch.entries) if (isLarge(waiting)) this.#removeLarge(waiting)
    return batch.entries
  }
}

/** One that is being put together. */
class Batch {
  readonly entries: Waiting[] = []
  readonly #most: number
  #weight = 0
  readonly #shares = new Map<string, number>()
  /** Large ones that are left; what they change and use is known without a look at each. */
  readonly #large = new Set<Waiting>()
  readonly #stakes: Stakes<Waiting>
  /** Contracts that small ones left make or archive: nothing that needs one may go first. */
  readonly #changed = new Set<string>()
  /** Those that they only look at: nothing that archives one may. */
  readonly #used = new Set<string>()

  constructor(most: number, stakes: Stakes<Waiting>) {
    this.#most = most
    this.#stakes = stakes
  }

  get isFull(): boolean {
    return this.entries.length >= this.#most || this.#weight >= MAX_WEIGHT
  }

  takes(waiting: Waiting): boolean {
    const { entry } = waiting
    const weight = weightOf(waiting)
    const payer = payerOf(waiting)
    const share = (this.#shares.get(payer) ?? 0) + weight
    const isFirst = this.entries.length === 0
    const isTooMuch = this.#weight + weight > MAX_WEIGHT || (payer !== '' && share > SHARE_WEIGHT)
    if (isTooMuch && !isFirst) return false
    if (this.#isBehind(entry)) return false
    this.entries.push(waiting)
    this.#weight += weight
    this.#shares.set(payer, share)
    return true
  }

  leave(waiting: Waiting): void {
    if (isLarge(waiting)) return void this.#large.add(waiting)
    const { entry } = waiting
    for (const id of changedBy(entry)) this.#changed.add(id)
    for (const id of usedBy(entry)) this.#used.add(id)
  }

  #isBehind(entry: BatchEntry): boolean {
    if (this.#changed.size + this.#used.size + this.#large.size === 0) return false
    const [changed, used] = [changedBy(entry), usedBy(entry)]
    return (
      [...changed, ...used].some((id) => this.#changed.has(id)) ||
      changed.some((id) => this.#used.has(id)) ||
      this.#stakes.areIn(this.#large, changed, used)
    )
  }
}

/** Its nodes, or the parties that see it where those are more: each costs the store some rows. */
function weightOf({ entry }: Pick<Waiting, 'entry'>): number {
  const nodes = entry.kind === 'transaction' ? entry.transaction.events.length : 1
  return Math.max(nodes, entry.seenBy.length)
}

/** '' for what counts against nobody. */
function payerOf({ entry }: Pick<Waiting, 'entry'>): string {
  return entry.kind === 'transaction' ? entry.payer : ''
}

function isLarge(waiting: Pick<Waiting, 'entry'>): boolean {
  return weightOf(waiting) > SMALL_NODES
}

function isSmall(waiting: Waiting): boolean {
  return !isLarge(waiting)
}

function changedBy(entry: BatchEntry): readonly string[] {
  if (entry.kind === 'move') return [entry.contractId]
  const made = entry.created.map(({ contract }) => contract.contractId)
  return [...made, ...entry.transaction.consumed.map(({ contractId }) => contractId)]
}

function usedBy(entry: BatchEntry): readonly string[] {
  return entry.kind === 'move' ? [] : entry.transaction.used
}
