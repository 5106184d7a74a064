// Schemas that lead back to themselves about the very same value: no validator could ever end. A
// base that lists its children and that they extend has a meaning all the same.
import { refGraph } from '../ref-graph.ts'
import { fields, isFields, items, mapValues, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { LOSS } from './faults.ts'
import { refName } from './refs.ts'
import { report, reportFault } from './resolver.ts'
import type { Resolver } from './resolver.ts'

/** Keywords whose schemas describe the very same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf'] as const
/** Keywords by which a base speaks of its children, not of itself. */
const OF_CHILDREN: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'discriminator'])

/** The schemas such that none is defined by itself; says what was taken out of which. */
export function withoutCircles(resolver: Resolver, schemas: Fields): Fields {
  const opened = changeCircles(schemas, (name, schema, circle) => {
    const changed = extendBases(schemas, schema, circle)
    const at = resolver.targetByName.get(name)
    if (changed !== schema && at !== undefined) {
      const message = `'${name}' extends a schema that lists it: what that says besides is taken`
      report(resolver, at, 'base-alternatives', message)
    }
    return changed
  })
  return changeCircles(opened, (name, schema, circle) => {
    const at = resolver.targetByName.get(name)
    const message = `schema '${name}' is defined by itself alone`
    if (at !== undefined) reportFault(resolver, at, 'circular-schema', message, LOSS.reference)
    return resolver.isStrict ? schema : withoutRefs(schema, circle)
  })
}

/** Names of the schemas that lead to themselves without a property or item in between. */
export function selfDefined(schemas: Fields): readonly string[] {
  const { circleOf } = circlesIn(schemas)
  return Object.keys(schemas).filter((name) => circleOf(name).length > 0)
}

type Change = (name: string, schema: unknown, circle: readonly string[]) => unknown

/** The schemas with those in circles changed, each with the names that its circle goes through. */
function changeCircles(schemas: Fields, change: Change): Fields {
  const { isThere, circleOf } = circlesIn(schemas)
  if (!isThere) return schemas
  return mapValues(schemas, (schema, name) => {
    const circle = circleOf(name)
    return circle.length === 0 ? schema : change(name, schema, circle)
  })
}

function circlesIn(schemas: Fields): {
  readonly isThere: boolean
  circleOf(name: string): readonly string[]
} {
  const graph = refGraph(
    new Map(
      Object.entries(schemas).map(([name, schema]) => [name, new Set(sameValueRefs(schema))]),
    ),
  )
  return {
    isThere: graph.groups.some((_, index) => graph.isCircle(index)),
    circleOf: (name) => {
      const index = graph.groupOf(name) ?? -1
      return graph.isCircle(index) ? (graph.groups[index] ?? []) : []
    },
  }
}

function sameValueRefs(schema: unknown): readonly string[] {
  if (!isFields(schema)) return []
  const ref = text(schema['$ref'])
  const parts = SAME_VALUE.flatMap((key) => items(schema[key])).concat(schema['not'] ?? [])
  return [...(ref === undefined ? [] : [refName(ref)]), ...parts.flatMap(sameValueRefs)]
}

/** References in `allOf` to a base of the circle become what the base says of itself. */
function extendBases(schemas: Fields, schema: unknown, circle: readonly string[]): unknown {
  if (!isFields(schema)) return schema
  const changed: Record<string, unknown> = { ...schema }
  for (const key of SAME_VALUE) {
    if (schema[key] === undefined) continue
    const parts = items(schema[key]).flatMap((part) => {
      const own = key === 'allOf' ? ownOfBase(schemas, part, circle) : undefined
      return own ?? [extendBases(schemas, part, circle)]
    })
    if (parts.length > 0) changed[key] = parts
    else delete changed[key]
  }
  const isSame = SAME_VALUE.every((key) =>
    items(schema[key]).every((part, index) => items(changed[key])[index] === part),
  )
  return isSame ? schema : changed
}

function ownOfBase(
  schemas: Fields,
  part: unknown,
  circle: readonly string[],
): readonly unknown[] | undefined {
  const { $ref, ...beside } = fields(part)
  const name = refName(text($ref) ?? '')
  const base = fields(schemas[name])
  const isBase = circle.includes(name) && (base['oneOf'] ?? base['anyOf']) !== undefined
  if (!isBase) return undefined
  const own = Object.entries(base).filter(([key]) => !OF_CHILDREN.has(key))
  return [Object.fromEntries(own), beside].filter((one) => Object.keys(one).length > 0)
}

function withoutRefs(schema: unknown, circle: readonly string[]): unknown {
  if (!isFields(schema)) return schema
  const isBack = (one: unknown): boolean =>
    circle.includes(refName(text(fields(one)['$ref']) ?? ''))
  const kept = Object.entries(schema).flatMap(([key, value]): readonly [string, unknown][] => {
    if (key === '$ref') return isBack(schema) ? [] : [[key, value]]
    if (key === 'not') return isBack(value) ? [] : [[key, withoutRefs(value, circle)]]
    if (!SAME_VALUE.some((one) => one === key)) return [[key, value]]
    const parts = items(value).filter((part) => !isBack(part))
    return parts.length === 0 ? [] : [[key, parts.map((part) => withoutRefs(part, circle))]]
  })
  return Object.fromEntries(kept)
}
