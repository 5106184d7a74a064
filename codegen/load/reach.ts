// What schemas hold anywhere, over any number of references.
import type { Schema, SchemaObject } from '../ir.ts'
import { innerSchemas } from '../keywords/walk.ts'
import { once } from '../once.ts'
import { refGraph } from '../ref-graph.ts'
import { refName } from './refs.ts'

type Schemas = Readonly<Record<string, Schema>>

/** The schema object itself and all that stand inside it, `$ref`s not followed. */
export function parts(schema: Schema): readonly SchemaObject[] {
  return typeof schema === 'boolean' ? [] : partsOf(schema)
}

const partsOf = once((schema: SchemaObject): readonly SchemaObject[] => [
  schema,
  ...innerSchemas(schema).flatMap(([one]) => parts(one)),
])

/** Names of the components that a schema refers to by itself. */
export function directRefs(schema: Schema): ReadonlySet<string> {
  return new Set(
    parts(schema).flatMap((part) => (part.$ref === undefined ? [] : [refName(part.$ref)])),
  )
}

/** Names of the components that schemas refer to, by any number of steps. */
export function reachedFrom(schemas: Schemas, start: readonly Schema[]): ReadonlySet<string> {
  const reached = new Set(start.flatMap((schema) => [...directRefs(schema)]))
  for (const name of reached)
    for (const next of directRefs(schemas[name] ?? true)) reached.add(next)
  return reached
}

interface Reach {
  /** The components and their direct references. */
  readonly graph: ReturnType<typeof refGraph>
  /** What `find` finds in the parts of a schema and of all that it reaches. */
  gather<T>(find: (part: SchemaObject) => readonly T[]): (schema: Schema) => ReadonlySet<T>
  /** Whether a part of a schema, or of one that it reaches, passes. */
  somewhere(test: (part: SchemaObject) => boolean): (schema: Schema) => boolean
}

/** The reach of components; the same object for the same ones. */
export const reachIn = once((schemas: Schemas): Reach => {
  const entries = Object.entries(schemas)
  const graph = refGraph(new Map(entries.map(([name, schema]) => [name, directRefs(schema)])))
  const gather: Reach['gather'] = <T>(find: (part: SchemaObject) => readonly T[]) => {
    const byGroup = graph.fold<ReadonlySet<T>>((members, below) =>
      union([...members.map((name) => parts(schemas[name] ?? true).flatMap(find)), ...below]),
    )
    const inObject = once((schema: SchemaObject): ReadonlySet<T> => {
      const { $ref } = schema
      const target = $ref === undefined ? undefined : byGroup[graph.groupOf(refName($ref)) ?? -1]
      return union([find(schema), ...innerSchemas(schema).map(([one]) => found(one)), target ?? []])
    })
    const found = (schema: Schema): ReadonlySet<T> =>
      typeof schema === 'boolean' ? new Set() : inObject(schema)
    return found
  }
  const somewhere: Reach['somewhere'] = (test) => {
    const found = gather((part) => (test(part) ? [true] : []))
    return (schema) => found(schema).size > 0
  }
  return { graph, gather, somewhere }
})

function union<T>(lists: readonly Iterable<T>[]): ReadonlySet<T> {
  const all = new Set<T>()
  for (const list of lists) for (const one of list) all.add(one)
  return all
}
