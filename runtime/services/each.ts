// Work on many parties at once, within a bound, where one that fails must not keep the others waiting.

/**
 * Runs `run` for each item, at most `parallel` at a time, and begins no more once `signal` is aborted. Items may come page by page. A
 * failing item stops no other; at the end it rejects with what failed: the error itself where there is one, else an AggregateError of all.
 */
export async function forEachOf<T>(
  items: Iterable<T> | AsyncIterable<T>, parallel: number, signal: AbortSignal, run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const errors: unknown[] = []
  const work = async (): Promise<void> => {
    for (let next = await waiting.next(); next.done !== true && !signal.aborted; next = await waiting.next()) {
      await run(next.value).catch((error: unknown) => errors.push(error))
    }
  }
  const length = Array.isArray(items) ? Math.min(parallel, items.length) : parallel
  const workers = Array.from({ length }, () => work().catch((error: unknown) => errors.push(error)))
  await Promise.all(workers)
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} failed, the first of them: ${String(errors[0])}`)
}
