// Which members are only for reading or only for writing, asked of schemas that may reach each
// other in very many ways.
import type { Schema, SchemaObject } from '../ir.ts'
import { refGraph } from '../ref-graph.ts'
import { once } from '../once.ts'
import { refName } from './refs.ts'

type Schemas = Readonly<Record<string, Schema>>

export const WAYS = ['readOnly', 'writeOnly'] as const
export type Way = (typeof WAYS)[number]

/** Members are looked for through so many references and `allOf`s. */
const MOST_STEPS = 8

export interface OneWayMembers {
  /** Members that the schema requires and that go one way, however they are declared. */
  required(schema: SchemaObject, way: Way): readonly string[]
}

/** The members of some components and of all schemas that refer to them. */
export function oneWayMembers(schemas: Schemas): OneWayMembers {
  const declaring = (way: Way): ((schema: SchemaObject) => ReadonlySet<string>) => {
    const components = goingOneWay(schemas, way)
    return once((schema) => declaredBy(schema, way, components))
  }
  const declared = { readOnly: declaring('readOnly'), writeOnly: declaring('writeOnly') }
  return {
    required: ({ required = [], ...schema }, way) => {
      if (required.length === 0) return []
      const members = sameValue(schemas, schema).map(declared[way])
      return required.filter((name) => members.some((names) => names.has(name)))
    },
  }
}

/** Components all of whose values go one way: a component comes after those that it refers to. */
function goingOneWay(schemas: Schemas, way: Way): ReadonlySet<string> {
  const refs = Object.entries(schemas).map(
    ([name, schema]) => [name, new Set(refsOf(schema))] as const,
  )
  const found = new Set<string>()
  for (const name of refGraph(new Map(refs)).groups.flat())
    if (goes(schemas[name] ?? true, way, found)) found.add(name)
  return found
}

function refsOf(schema: Schema): readonly string[] {
  if (typeof schema === 'boolean') return []
  const { $ref, allOf = [] } = schema
  return [...($ref === undefined ? [] : [refName($ref)]), ...allOf.flatMap(refsOf)]
}

function goes(schema: Schema, way: Way, components: ReadonlySet<string>): boolean {
  if (typeof schema === 'boolean') return false
  const { $ref, allOf = [] } = schema
  return (
    schema[way] === true ||
    ($ref !== undefined && components.has(refName($ref))) ||
    allOf.some((one) => goes(one, way, components))
  )
}

function declaredBy(
  { properties = {} }: SchemaObject,
  way: Way,
  components: ReadonlySet<string>,
): ReadonlySet<string> {
  const members = Object.entries(properties).filter(([, one]) => goes(one, way, components))
  return new Set(members.map(([name]) => name))
}

/** The schema and those that hold for its values too, each once. */
function sameValue(schemas: Schemas, schema: SchemaObject): readonly SchemaObject[] {
  const steps = new Map([[schema, 0]])
  for (const [{ $ref, allOf = [] }, step] of steps) {
    const target = $ref === undefined ? [] : [schemas[refName($ref)] ?? true]
    for (const one of step < MOST_STEPS ? [...target, ...allOf] : [])
      if (typeof one === 'object' && !steps.has(one)) steps.set(one, step + 1)
  }
  return [...steps.keys()]
}
