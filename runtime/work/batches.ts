// Updates that wait for the store, and which of them go next: large ones alone, small ones between
// any two of those, and no payer's fill a batch. No update goes before one that it depends on. A
// payer that sends large ones while others are served gets a seventh of the time.
// docs/decisions/0052-one-scheduler.md
import { setTimeout as sleep } from 'node:timers/promises'
import { Callers } from './callers.ts'
import { BATCH, restMs, RESTS } from './limits.ts'

/** An update, as far as its turn goes. */
export interface Pending {
  /** '' for what counts against nobody. */
  readonly payer: string
  /** Rows that it costs the store, roughly. */
  readonly weight: number
  /** Whether it has a batch to itself. */
  readonly isLarge: boolean
  /** Contracts that it makes or archives. */
  readonly changes: readonly string[]
  /** Contracts that it looks at. */
  readonly uses: readonly string[]
}

/** In order of arrival. */
interface Placed extends Pending {
  readonly order: number
}

interface Waiting<T> extends Placed {
  readonly item: T
}

interface BatchesInput {
  /** Updates of one batch. */
  readonly most: number
  /** Resolves where a large update may begin; undefined is now. */
  readonly turn: () => Promise<void> | undefined
  /** Notes what a payer has had of the thread. */
  readonly charge: (payer: string, ms: number) => void
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
}

export class Batches<T extends Pending> {
  readonly #input: BatchesInput
  readonly #payers: Callers
  /** Times at which payers' next large ones may go; of those who have brought one. */
  readonly #restingUntil = new Map<string, number>()
  readonly #stakes = new Stakes()
  #waiting: Waiting<T>[] = []
  #order = 0
  #onAdd: () => void = () => undefined
  /** Small ones have gone before a large one. */
  #isLargeDue = false

  constructor(input: BatchesInput) {
    this.#input = input
    this.#payers = new Callers(input.nowMs)
  }

  add(item: T): void {
    const { payer, weight, isLarge, changes, uses } = item
    const waiting = { payer, weight, isLarge, changes, uses, item, order: this.#order++ }
    this.#waiting.push(waiting)
    this.#stakes.add(waiting)
    if (payer !== '') this.#payers.served(payer)
    if (isLarge) this.#payers.enter(payer)
    this.#onAdd()
  }

  /** The number of large ones that a payer may have waiting, where it has and this is one more. */
  fullFor({ payer, isLarge }: Pick<Pending, 'payer' | 'isLarge'>): number | undefined {
    const isFull = payer !== '' && isLarge && this.#payers.underWay(payer) >= BATCH.largeOfPayer
    return isFull ? BATCH.largeOfPayer : undefined
  }

  /** The next batch, as soon as one may go; empty where nothing waits. */
  async next(): Promise<readonly T[]> {
    await this.#gathered()
    while (this.#waiting.length > 0) {
      const turn = this.#isLargeNext ? this.#input.turn() : undefined
      if (turn !== undefined) await turn
      const batch = this.take()
      if (batch.length > 0) return batch
      await this.#rested()
    }
    return []
  }

  /** The batch that may go now; empty where nothing waits, or all that waits rests. */
  take(): readonly T[] {
    const due = this.#isLargeDue ? this.#pick(this.#mayGo, 1) : []
    const small = due.length > 0 ? [] : this.#pick(isSmall, this.#input.most)
    this.#isLargeDue = small.length > 0 && this.#waiting.some(({ isLarge }) => isLarge)
    if (due.length > 0) return due
    return small.length > 0 ? small : this.#pick(this.#mayGo, 1)
  }

  /**
   * Tells how long a batch took: whoever brought a large one rests before the next, if others come.
   */
  took([first, ...others]: readonly T[], ms: number): void {
    if (first === undefined || others.length > 0 || !first.isLarge) return
    const [{ payer }, nowMs] = [first, this.#input.nowMs()]
    this.#input.charge(payer, ms)
    for (const [one, until] of this.#restingUntil)
      if (until <= nowMs) this.#restingUntil.delete(one)
    if (payer !== '' && this.#payers.isServingBesides(payer))
      this.#restingUntil.set(payer, nowMs + restMs(RESTS.largeUpdate, ms))
  }

  get #isLargeNext(): boolean {
    return (this.#isLargeDue || !this.#waiting.some(isSmall)) && this.#waiting.some(this.#mayGo)
  }

  readonly #mayGo = ({ isLarge, payer }: Pending): boolean =>
    isLarge && (this.#restingUntil.get(payer) ?? 0) <= this.#input.nowMs()

  /**
   * Waits as long as each turn of the event loop brings more. Without a turn, a store that never
   * waits would get batches of one; and as long as each turn brings more, one commit for all of
   * them costs less than one for every few.
   */
  async #gathered(): Promise<void> {
    const { nowMs } = this.#input
    const beganMs = nowMs()
    for (let before = -1; this.#waiting.length > before && nowMs() - beganMs < BATCH.gatherMs;) {
      before = this.#waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits, where all that wait rest, until one of them may go, or another one has come. */
  async #rested(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onAdd = resolve
    const untilMs = Math.min(...this.#restingUntil.values())
    const over = new AbortController()
    const rest = sleep(Math.max(0, untilMs - this.#input.nowMs()), undefined, over)
    await Promise.race([promise, rest])
    over.abort()
  }

  #pick(isWanted: (waiting: Pending) => boolean, most: number): readonly T[] {
    const batch: T[] = []
    const left: Waiting<T>[] = []
    const room = new Room()
    for (const waiting of this.#waiting) {
      const goes =
        isWanted(waiting) &&
        batch.length < most &&
        room.has(waiting) &&
        !this.#stakes.isBehind(waiting)
      if (!goes) {
        left.push(waiting)
        continue
      }
      room.take(waiting)
      this.#stakes.remove(waiting)
      if (waiting.isLarge) this.#payers.leave(waiting.payer)
      batch.push(waiting.item)
    }
    this.#waiting = left
    return batch
  }
}

/** Updates that wait with a contract at stake, in order, by contract. */
type Index = Map<string, Set<Placed>>

/** The contracts that waiting updates change or use. */
class Stakes {
  readonly #changing: Index = new Map()
  readonly #using: Index = new Map()

  add(waiting: Placed): void {
    for (const id of waiting.changes) note(this.#changing, id, waiting)
    for (const id of waiting.uses) note(this.#using, id, waiting)
  }

  remove(waiting: Placed): void {
    for (const id of waiting.changes) forget(this.#changing, id, waiting)
    for (const id of waiting.uses) forget(this.#using, id, waiting)
  }

  /** Whether one that came earlier has to go first. */
  isBehind({ order, changes, uses }: Placed): boolean {
    const isFirst = (index: Index, id: string): boolean => {
      const [first] = index.get(id) ?? []
      return first === undefined || first.order >= order
    }
    return !(
      changes.every((id) => isFirst(this.#changing, id) && isFirst(this.#using, id)) &&
      uses.every((id) => isFirst(this.#changing, id))
    )
  }
}

function note(index: Index, id: string, waiting: Placed): void {
  const known = index.get(id)
  if (known === undefined) index.set(id, new Set([waiting]))
  else known.add(waiting)
}

function forget(index: Index, id: string, waiting: Placed): void {
  const known = index.get(id)
  known?.delete(waiting)
  if (known?.size === 0) index.delete(id)
}

/** The room of a batch; it has some for a single update always. */
class Room {
  #weight = 0
  readonly #shares = new Map<string, number>()

  has({ payer, weight }: Pending): boolean {
    const share = payer === '' ? 0 : (this.#shares.get(payer) ?? 0) + weight
    const fits = this.#weight + weight <= BATCH.weight && share <= BATCH.weightOfPayer
    return fits || this.#weight === 0
  }

  take({ payer, weight }: Pending): void {
    this.#weight += weight
    this.#shares.set(payer, (this.#shares.get(payer) ?? 0) + weight)
  }
}

function isSmall({ isLarge }: Pending): boolean {
  return !isLarge
}
