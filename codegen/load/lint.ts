// Faults of schemas that make no validator possible: found here, where their place is known.
import { refGraph } from '../ref-graph.ts'
import { items, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { refName } from './refs.ts'
import { report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/** Keywords whose schemas describe the very same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Reports schemas that are defined by themselves alone: no value could ever be checked against
 * them.
 */
export function lintCircles(resolver: Resolver, schemas: Fields): void {
  for (const name of selfDefined(schemas)) {
    const at = resolver.targetByName.get(name)
    if (at !== undefined)
      report(
        resolver,
        at,
        'error',
        'circular-schema',
        `schema '${name}' is defined by itself alone`,
      )
  }
}

/** Names of the schemas that lead to themselves without a property or item in between. */
export function selfDefined(schemas: Fields): readonly string[] {
  const graph = refGraph(
    new Map(
      Object.entries(schemas).map(([name, schema]) => [name, new Set(sameValueRefs(schema))]),
    ),
  )
  return Object.keys(schemas).filter((name) => graph.isCircle(graph.groupOf(name) ?? -1))
}

function sameValueRefs(schema: unknown): readonly string[] {
  if (!isFields(schema)) return []
  const ref = text(schema['$ref'])
  const parts = SAME_VALUE.flatMap((key) => items(schema[key])).concat(schema['not'] ?? [])
  return [...(ref === undefined ? [] : [refName(ref)]), ...parts.flatMap(sameValueRefs)]
}

/** Reports a pattern that is no regular expression of ECMA-262, with the u flag or without. */
export function lintPattern(resolver: Resolver, at: Located): void {
  const pattern = text(at.value)
  if (pattern === undefined || compiles(pattern, 'u') || compiles(pattern, '')) return
  report(resolver, at, 'error', 'bad-pattern', `'${pattern}' is not a regular expression`)
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source !== ''
  } catch {
    return false
  }
}
