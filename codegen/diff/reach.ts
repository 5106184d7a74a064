// Which operations reach a pair of schemas, and which way: along the links that were noted, so that
// a schema which an operation only now refers to has not changed for it.
import { pairKey } from './schemas.ts'
import type { SchemaPair } from './schemas.ts'
import type { Link } from './comparison.ts'

export interface Reach {
  readonly operationId: string
  /** Bits of the ways. */
  readonly ways: number
}

/**
 * Pairs by number: every operation walks the same graph, and keys of text would take most of the
 * time.
 */
interface Graph {
  readonly size: number
  readonly edges: readonly (readonly Edge[])[]
  edgesOf(links: readonly Link[]): readonly Edge[]
}

interface Edge {
  readonly to: number
  readonly ways: number
}

/** Reach by key of the pair, for pairs with notes; operations in the order given. */
export function reachOf(
  pairs: ReadonlyMap<string, SchemaPair>,
  operations: readonly { readonly operationId: string; readonly links: readonly Link[] }[],
): ReadonlyMap<string, readonly Reach[]> {
  const noted = [...pairs]
    .map(([key, { notes }], index) => ({ key, index, count: notes.length }))
    .filter(({ count }) => count > 0)
  const reached = new Map(noted.map(({ key }): [string, Reach[]] => [key, []]))
  if (noted.length === 0) return reached
  const graph = graphOf(pairs)
  for (const { operationId, links } of operations) {
    const seen = walk(graph, graph.edgesOf(links))
    for (const { key, index } of noted) {
      const ways = seen[index] ?? 0
      if (ways > 0) reached.get(key)?.push({ operationId, ways })
    }
  }
  return reached
}

function graphOf(pairs: ReadonlyMap<string, SchemaPair>): Graph {
  const numbers = new Map([...pairs.keys()].map((key, index) => [key, index]))
  const edgesOf = (links: readonly Link[]): readonly Edge[] =>
    links.flatMap((link) => {
      const to = numbers.get(pairKey(link))
      return to === undefined ? [] : [{ to, ways: link.ways }]
    })
  return {
    size: pairs.size,
    edges: [...pairs.values()].map(({ links }) => edgesOf(links)),
    edgesOf,
  }
}

/**
 * Bits by number of the pair. A pair is looked at again when it is reached another way than before:
 * at most twice.
 */
function walk({ size, edges }: Graph, start: readonly Edge[]): Uint8Array {
  const seen = new Uint8Array(size)
  const waiting: number[] = []
  const go = ({ to, ways }: Edge, allowed: number): void => {
    const known = seen[to] ?? 0
    const now = known | (ways & allowed)
    if (now === known) return
    seen[to] = now
    waiting.push(to)
  }
  for (const edge of start) go(edge, edge.ways)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const edge of edges[next] ?? []) go(edge, seen[next] ?? 0)
  }
  return seen
}
