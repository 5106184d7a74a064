// Entries that wait for the store, and which of them go next: large ones by themselves, small ones
// between any two of those, and nobody's fill a batch. None goes before one that it depends on.
// docs/decisions/0018-fair-turns.md
import type { SpanId } from '../host/spans.ts'
import { SMALL_NODES } from './transaction.ts'
import type { BatchEntry, Verdict } from './commit-batch.ts'

/** Of one batch together, unless it is a single update. */
const MAX_NODES = 1_000
/** Of one payer in a batch, unless it is a single update. */
const SHARE_NODES = 200

export interface Waiting {
  readonly entry: BatchEntry
  /** The span that it was queued in, where its trace is kept. */
  readonly span: SpanId | undefined
  resolve(verdict: Verdict): void
  reject(error: unknown): void
}

export class BatchQueue {
  readonly #maxBatch: number
  #waiting: Waiting[] = []
  /** Small ones have gone before a large one. */
  #isLargeDue = false

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length
  }

  /** The next batch; empty only where nothing waits. */
  take(): readonly Waiting[] {
    const due = this.#isLargeDue ? this.#pick(isLarge, 1) : []
    const small = due.length > 0 ? [] : this.#pick(isSmall, this.#maxBatch)
    this.#isLargeDue = small.length > 0 && this.#waiting.some(isLarge)
    if (due.length > 0) return due
    return small.length > 0 ? small : this.#pick(isLarge, 1)
  }

  #pick(isWanted: (waiting: Waiting) => boolean, most: number): readonly Waiting[] {
    const batch = new Batch(most)
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
    return batch.entries
  }
}

/** One that is being put together. */
class Batch {
  readonly entries: Waiting[] = []
  readonly #most: number
  #nodes = 0
  readonly #shares = new Map<string, number>()
  /** Contracts that those make or archive that are left: nothing that needs one may go first. */
  readonly #changed = new Set<string>()
  /** Those that they only look at: nothing that archives one may. */
  readonly #used = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.entries.length >= this.#most || this.#nodes >= MAX_NODES
  }

  takes(waiting: Waiting): boolean {
    const { entry } = waiting
    const nodes = nodesOf(waiting)
    const payer = entry.kind === 'transaction' ? entry.payer : ''
    const share = (this.#shares.get(payer) ?? 0) + nodes
    const isFirst = this.entries.length === 0
    const isTooMuch = this.#nodes + nodes > MAX_NODES || (payer !== '' && share > SHARE_NODES)
    if (isTooMuch && !isFirst) return false
    if (this.#isBehind(entry)) return false
    this.entries.push(waiting)
    this.#nodes += nodes
    this.#shares.set(payer, share)
    return true
  }

  leave({ entry }: Waiting): void {
    for (const id of changedBy(entry)) this.#changed.add(id)
    for (const id of usedBy(entry)) this.#used.add(id)
  }

  #isBehind(entry: BatchEntry): boolean {
    if (this.#changed.size + this.#used.size === 0) return false
    const needed = [...changedBy(entry), ...usedBy(entry)]
    return (
      needed.some((id) => this.#changed.has(id)) ||
      changedBy(entry).some((id) => this.#used.has(id))
    )
  }
}

function nodesOf({ entry }: Waiting): number {
  return entry.kind === 'transaction' ? entry.transaction.events.length : 1
}

function isLarge(waiting: Waiting): boolean {
  return nodesOf(waiting) > SMALL_NODES
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
