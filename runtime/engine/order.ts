// The order of an engine's work, which whoever runs it decides: the engine asks whose submission it
// may interpret next, and which updates go to the store together.

/** Resolves when the next part of long work may begin; undefined where that is now. */
export type Pause = () => Promise<void> | undefined

/** An update that waits for the store. */
export interface Pending {
  /** '' for what counts against nobody. */
  readonly payer: string
  /** Its nodes, or the parties that see it where those are more: each costs the store some rows. */
  readonly weight: number
  /** Whether it has a batch to itself. */
  readonly isLarge: boolean
  /** Contracts that it makes or archives: nothing that needs one may overtake it. */
  readonly changes: readonly string[]
  /** Contracts that it looks at: nothing that archives one may overtake it. */
  readonly uses: readonly string[]
}

/** Updates that wait for the store. */
export interface Batches<T extends Pending> {
  add(update: T): void
  /** The number of large ones that a payer may have waiting, where it has and this is one more. */
  fullFor(update: Pick<Pending, 'payer' | 'isLarge'>): number | undefined
  /** The next batch, as soon as one may go; empty where nothing waits. */
  next(): Promise<readonly T[]>
  /** The batch that may go now; empty where there is none. */
  take(): readonly T[]
  /** Tells how long a batch kept this thread, milliseconds. */
  took(batch: readonly T[], ms: number): void
}

/** Given from outside. */
export interface Order {
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
  /** Undefined where a submission of the payer may be interpreted now; else in its turn. */
  turn(payer: string): Promise<void> | undefined
  /** Parts of one interpretation that has had its turn. */
  parts(payer: string): Pause
  /** @param most updates in one batch */
  batches<T extends Pending>(most: number): Batches<T>
}
