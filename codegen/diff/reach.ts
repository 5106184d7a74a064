// Which operations reach a pair of schemas, and which way: along the links that were noted, so that a schema which an operation only
// now refers to has not changed for it.
import { pairKey } from './schemas.ts'
import type { SchemaPair } from './schemas.ts'
import type { Link } from './comparison.ts'

export interface Reach {
  readonly operationId: string
  /** Bits of the ways. */
  readonly ways: number
}

/** By key of the pair, for those that have notes; operations in the order given. */
export function reachOf(
  pairs: ReadonlyMap<string, SchemaPair>, operations: readonly { readonly operationId: string; readonly links: readonly Link[] }[],
): ReadonlyMap<string, readonly Reach[]> {
  const reached = new Map<string, Reach[]>()
  for (const [key, pair] of pairs) if (pair.notes.length > 0) reached.set(key, [])
  if (reached.size === 0) return reached
  for (const { operationId, links } of operations) {
    for (const [key, ways] of walk(pairs, links)) reached.get(key)?.push({ operationId, ways })
  }
  return reached
}

/** A pair is looked at again when it is reached another way than before: at most twice. */
function walk(pairs: ReadonlyMap<string, SchemaPair>, links: readonly Link[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  const waiting: (readonly [string, number])[] = []
  const go = (link: Link, ways: number): void => {
    const key = pairKey(link)
    const known = seen.get(key) ?? 0
    const now = known | link.ways & ways
    if (now === known) return
    seen.set(key, now)
    waiting.push([key, now])
  }
  for (const link of links) go(link, link.ways)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const link of pairs.get(next[0])?.links ?? []) go(link, next[1])
  }
  return seen
}
