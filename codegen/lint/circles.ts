// Finds references that lead in a circle anywhere in the files of a document. The engine is not
// given those: it leaves promises behind that fail when nobody waits for them any more, and such a
// failure ends the process.
import { child, follow, startResolver } from '../load/resolver.ts'
import type { Located, Resolver } from '../load/resolver.ts'
import type { Source } from '../load/source.ts'
import { isFields, text } from '../values.ts'

/**
 * True where following a reference comes back to it. `sources`: the root, then what it refers to.
 */
export function leadsInCircle(sources: readonly Source[]): boolean {
  const [root] = sources
  if (root === undefined) return false
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const resolver = startResolver(
    root,
    (file) => byFile.get(file) ?? { ...root, file, data: {}, findings: [] },
  )
  return sources.some((source) => hasCircle(resolver, { source, path: [], value: source.data }))
}

function hasCircle(resolver: Resolver, at: Located): boolean {
  const { value } = at
  if (typeof value !== 'object' || value === null) return false
  const isReference = isFields(value) && text(value['$ref']) !== undefined
  if (isReference && follow(resolver, at) === undefined && isCircular(resolver)) return true
  return Object.keys(value).some((key) => hasCircle(resolver, child(at, key)))
}

function isCircular({ findings }: Resolver): boolean {
  return findings.at(-1)?.rule === 'circular-reference'
}
