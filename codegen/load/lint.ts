// Faults of schemas that make no validator possible: found here, where their place is known.
import { items, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { refName } from './refs.ts'
import { report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/** Keywords whose schemas describe the very same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf'] as const

/** Reports schemas that are defined by themselves alone: no value could ever be checked against them. */
export function lintCircles(resolver: Resolver, schemas: Fields): void {
  const direct = new Map(Object.entries(schemas).map(([name, schema]) => [name, sameValueRefs(schema)]))
  for (const [name, next] of direct) {
    const reached = new Set(next)
    for (const one of reached) for (const further of direct.get(one) ?? []) reached.add(further)
    const at = resolver.targetByName.get(name)
    if (at === undefined || !reached.has(name)) continue
    report(resolver, at, 'error', 'circular-schema', `schema '${name}' is defined by itself alone`)
  }
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
