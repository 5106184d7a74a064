// Many small reads for one answer, a few at a time: others want the store's connections, and their
// turns, too.
import { Stretches } from '../../loop/stretches.ts'

const AT_ONCE = 32

/** The results in the order of the items. */
export async function inTurns<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const stretches = new Stretches()
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await stretches.pause()
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(read))))
  }
  return results
}
