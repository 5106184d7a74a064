// Work on many parties at once, within a bound, where one that fails must not keep the others
// waiting.

/**
 * Errors that are kept: where a store cannot be reached everything fails, and the log is to say so
 * in one line of bounded length.
 */
const MAX_ERRORS = 10

/**
 * Runs `run` for each item, at most `parallel` at a time, and begins no more once `signal` is
 * aborted. Items may come page by page. A failing item stops no other; at the end it rejects with
 * what failed: the error itself where there is one, else an AggregateError that counts all and has
 * the first ten.
 */
export async function forEachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  parallel: number,
  signal: AbortSignal,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const errors: unknown[] = []
  let failed = 0
  const note = (error: unknown): void => {
    failed += 1
    if (errors.length < MAX_ERRORS) errors.push(error)
  }
  const work = async (): Promise<void> => {
    for (
      let next = await waiting.next();
      next.done !== true && !signal.aborted;
      next = await waiting.next()
    ) {
      await run(next.value).catch(note)
    }
  }
  const length = Array.isArray(items) ? Math.min(parallel, items.length) : parallel
  const workers = Array.from({ length }, () => work().catch(note))
  await Promise.all(workers)
  if (failed === 1) throw errors[0]
  if (failed > 1)
    throw new AggregateError(errors, `${failed} failed, the first of them: ${String(errors[0])}`)
}
