// One party's operations, batch after batch: operations that arrive while a batch runs wait for the
// next. Independent of the ledger. docs/economy-rules.md, "Treasury"

import { within } from '../../host/deadline.ts'
import { StoreUnavailable } from '../../store/rules.ts'

/** The way a queue takes and runs what waits. */
interface SerialQueueOptions<O, R> {
  /**
   * Asked before each batch; what arrives until it resolves may share the batch. Undefined is now.
   * Never rejects.
   */
  ready?(): Promise<void> | undefined
  /** Number that may wait; those that run do not count. */
  readonly capacity: number
  /**
   * A batch that takes longer is given up, and so is a turn that does not come: those behind it are
   * not to wait for ever.
   */
  readonly limitMs: number
  /** Number from the front that form the next batch, at least one; `waiting` is never empty. */
  batchLength(waiting: readonly O[]): number
  /**
   * Answers one result per operation, in order, each of which may fail by itself. Called for one
   * batch at a time.
   */
  run(batch: readonly O[]): Promise<readonly (R | Promise<R>)[]>
  /** Called when nothing is left to do, however many operations there were. */
  idle?(): void
}

interface Waiting<O, R> {
  readonly operation: O
  readonly result: PromiseWithResolvers<R>
}

/** Order of arrival is kept; each operation that was taken is settled exactly once. */
export class SerialQueue<O, R> {
  readonly #options: SerialQueueOptions<O, R>
  #waiting: Waiting<O, R>[] = []
  #running: Promise<void> | undefined

  constructor(options: SerialQueueOptions<O, R>) {
    this.#options = options
  }

  /** Number of operations that wait; those that run do not count. */
  get length(): number {
    return this.#waiting.length
  }

  /** Nothing more is taken for now. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#options.capacity
  }

  /**
   * The operation's result; undefined where the queue is full. Rejects with what `run` rejects
   * with, and with a StoreUnavailable where it does not end in time: then it may still happen.
   */
  enqueue(operation: O): Promise<R> | undefined {
    if (this.isFull) return undefined
    const result = Promise.withResolvers<R>()
    this.#waiting.push({ operation, result })
    this.#running ??= this.#drain()
    return result.promise
  }

  /** Resolves when nothing waits and nothing runs. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #drain(): Promise<void> {
    // What the caller of the first operation adds in the same turn shares its batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      await this.#turn()
      const length = this.#options.batchLength(this.#waiting.map(({ operation }) => operation))
      await this.#runBatch(this.#waiting.splice(0, Math.max(1, length)))
    }
    this.#running = undefined
    this.#options.idle?.()
  }

  async #turn(): Promise<void> {
    const turn = this.#options.ready?.()
    if (turn !== undefined) await within(this.#options.limitMs, () => turn)
  }

  async #runBatch(batch: readonly Waiting<O, R>[]): Promise<void> {
    const { run, limitMs } = this.#options
    const ended = await within(limitMs, () => run(batch.map(({ operation }) => operation)))
    if (ended.ok) return batch.forEach(({ result }, index) => settle(result, ended.value, index))
    const error = ended.timedOut
      ? new StoreUnavailable(`A payment has not ended within ${limitMs / 1_000} s`)
      : ended.error
    for (const { result } of batch) result.reject(error)
  }
}

function settle<R>(
  result: PromiseWithResolvers<R>,
  results: readonly (R | Promise<R>)[],
  index: number,
): void {
  const own = results[index]
  if (own === undefined)
    result.reject(new Error('a batch answered fewer results than it had operations'))
  else result.resolve(own)
}
