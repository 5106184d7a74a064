// When the next of the contracts that end, or are due, at a time is so: their rank is that time.
import type { Reader, Template } from '../engine/index.ts'

/** Behind every contract of a rank. */
export const LAST_SEQUENCE = 2n ** 63n - 1n

/** The lowest rank above `rank` of a template's active contracts; undefined where there is none. */
export async function nextRank<T, K extends object>(
  reader: Reader,
  template: Template<T, K>,
  rank: bigint,
): Promise<bigint | undefined> {
  const after = { rank, sequence: LAST_SEQUENCE }
  const [next] = await reader.active(template, {}, { order: 'rank', after, limit: 1 })
  return next?.record.rank
}
