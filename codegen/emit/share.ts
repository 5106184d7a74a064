// Documents that programs write repeat whole objects in line, hundreds of times. Each becomes a
// component here, so that its type, check and kind of values are printed once. Only printers see
// these components.
import { canonicalJson } from '../json.ts'
import type { InterfaceIr, MediaIr, OperationIr, Schema, SchemaObject } from '../ir.ts'
import { innerSchemas, mapInner } from '../keywords/walk.ts'
import { mapBodies } from '../load/map-operation.ts'
import { schemaRef } from '../load/refs.ts'
import { once } from '../once.ts'
import { pascal, schemaTypeNames } from './names.ts'
import { typesOf } from '../keywords/types.ts'
import { sortedEntries } from '../values.ts'

/** Schemas with fewer parts are hardly longer than a reference. */
const LEAST_PARTS = 6
/** Objects with so many members get functions of their own, which may be parted. */
const WIDE = 250
/** Keywords about a member, not about its values: they stay beside the reference. */
const BESIDE: ReadonlySet<string> = new Set(['description', 'deprecated'])
/** These mean something where they stand: no reference can take the place of such a schema. */
const PLACED = ['$ref', 'readOnly', 'writeOnly', 'default', 'x-error'] as const

/** The interface with a component for each object in line that is wide or large and repeated. */
export const sharedIr = once((ir: InterfaceIr): InterfaceIr => {
  const ids = new Ids()
  const names = repeatedNames(ir, ids)
  if (names.size === 0) return ir
  const changed = new Map<string, Schema>()
  const inside = replacing(ids, names, changed)
  const schemas = Object.entries(ir.schemas).map(([name, one]): [string, Schema] => [
    name,
    inside(one),
  ])
  const operations = ir.operations.map((operation) => mapBodies(operation, inside))
  return {
    ...ir,
    operations,
    schemas: Object.fromEntries(sortedEntries(Object.fromEntries([...schemas, ...changed]))),
  }
})

/** Numbers of schemas: equal ones, but for what stands beside references, have the same. */
class Ids {
  readonly #numbers = new Map<string, number>()

  readonly of = once((schema: SchemaObject): { readonly id: number; readonly parts: number } => {
    let parts = 1
    const inner = innerSchemas(schema).map(([one, key, at]) => {
      const place = [key, at]
      if (typeof one === 'boolean') return [place, one]
      const { id, parts: own } = this.of(one)
      parts += own
      return [place, id, Object.entries(one).filter(([name]) => BESIDE.has(name))]
    })
    const keys = new Set<string>(innerSchemas(schema).map(([, key]) => key))
    const rest = Object.entries(schema).filter(([key]) => !keys.has(key) && !BESIDE.has(key))
    const text = canonicalJson([Object.fromEntries(rest), inner])
    const id = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, id)
    return { id, parts }
  })
}

interface Occurrence {
  count: number
  /** The place where it first occurs, as a name. */
  readonly place: string
  readonly isWide: boolean
}

/** Names for the objects that are repeated or wide, by their numbers. */
function repeatedNames(ir: InterfaceIr, ids: Ids): ReadonlyMap<number, string> {
  const counts = new Map<number, Occurrence>()
  const visit = (schema: Schema, place: string, isMember: boolean): void => {
    if (typeof schema === 'boolean') return
    if (isMember && isShareable(ids, schema)) {
      const { id } = ids.of(schema)
      const isWide = Object.keys(schema.properties ?? {}).length >= WIDE
      const known = counts.get(id) ?? { count: 0, place, isWide }
      counts.set(id, known)
      known.count += 1
      if (known.count > 1) return
    }
    for (const [one, key, at] of innerSchemas(schema)) {
      const name = typeof at === 'string' ? at : key === 'items' ? 'item' : ''
      visit(one, name === '' ? place : `${place}_${name}`, isOther(key, at))
    }
  }
  for (const [name, schema] of Object.entries(ir.schemas)) visit(schema, name, false)
  for (const { operationId, media } of ir.operations.flatMap(mediaOf))
    visit(media.schema ?? true, operationId, false)
  const used = new Set(schemaTypeNames(ir).values())
  const named = [...counts].filter(([, { count, isWide }]) => count > 1 || isWide)
  return new Map(named.map(([id, { place }]) => [id, freeName(place, used)]))
}

/** A name whose type is none of `used`: the document's own schemas keep theirs. */
function freeName(place: string, used: Set<string>): string {
  const wanted = place.replaceAll(/[^\w.-]+/gu, '_')
  let free = wanted
  for (let count = 2; used.has(pascal(free)); count += 1) free = `${wanted}_${count}`
  used.add(pascal(free))
  return free
}

function isShareable(ids: Ids, schema: SchemaObject): boolean {
  return (
    typesOf(schema).includes('object') &&
    schema.properties !== undefined &&
    PLACED.every((key) => !(key in schema)) &&
    ids.of(schema).parts >= LEAST_PARTS
  )
}

/**
 * Parts of unions and of `allOf` are seen as part of what is around them, not as others: references
 * among them mean more than what they refer to.
 */
function isOther(keyword: string, at: string | number | undefined): boolean {
  return keyword === 'items' || typeof at === 'string'
}

/** Puts references in; the components that they refer to are added to `components`. */
function replacing(
  ids: Ids,
  names: ReadonlyMap<number, string>,
  components: Map<string, Schema>,
): (schema: Schema) => Schema {
  const member = (schema: Schema): Schema => {
    if (typeof schema === 'boolean') return schema
    const name = isShareable(ids, schema) ? names.get(ids.of(schema).id) : undefined
    if (name === undefined) return inside(schema)
    if (!components.has(name)) {
      components.set(name, true)
      components.set(name, inside(schema))
    }
    const beside = Object.entries(schema).filter(([key]) => BESIDE.has(key))
    return { ...Object.fromEntries(beside), $ref: schemaRef(name) }
  }
  const inside = (schema: Schema): Schema =>
    typeof schema === 'boolean'
      ? schema
      : mapInner(schema, (one, key, at) => (isOther(key, at) ? member(one) : inside(one)))
  return inside
}

function mediaOf({ operationId, body, responses }: OperationIr): readonly {
  readonly operationId: string
  readonly media: MediaIr
}[] {
  const all = [...(body?.media ?? []), ...responses.flatMap(({ media }) => media)]
  return all.map((media) => ({ operationId, media }))
}
