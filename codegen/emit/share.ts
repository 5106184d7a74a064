// Documents that programs write repeat whole objects in line, hundreds of times. Each becomes a
// component here, so that its type, check and kind of values are printed once. Only printers see
// these components.
import { canonicalJson } from '../json.ts'
import type { InterfaceIr, MediaIr, OperationIr, Schema, SchemaObject } from '../ir.ts'
import { namesWhere } from '../keywords/table.ts'
import { schemaRef } from '../load/refs.ts'
import { pascal, schemaTypeNames } from './names.ts'
import { typesOf } from './schema-facts.ts'
import { sortedEntries } from '../values.ts'

/** Schemas with fewer parts are hardly longer than a reference. */
const LEAST_PARTS = 6
/** Objects with so many members get functions of their own, which may be parted. */
const WIDE = 250
const LISTS = namesWhere({ form: 'schemas', kept: true })
const SINGLES = namesWhere({ form: 'schema', kept: true })
const MAPS = namesWhere({ form: 'schemaMap', kept: true })
const INNER: ReadonlySet<string> = new Set([...LISTS, ...SINGLES, ...MAPS])
/** What is said of a member, not of its values, stays beside the reference. */
const BESIDE: ReadonlySet<string> = new Set(['description', 'deprecated'])
/** These mean something where they stand: no reference can take the place of such a schema. */
const PLACED = ['$ref', 'readOnly', 'writeOnly', 'default', 'x-error'] as const

const memo = new WeakMap<InterfaceIr, InterfaceIr>()

/** The interface with a component for each object in line that is wide or large and repeated. */
export function sharedIr(ir: InterfaceIr): InterfaceIr {
  const known = memo.get(ir) ?? share(ir)
  memo.set(ir, known)
  return known
}

function share(ir: InterfaceIr): InterfaceIr {
  const ids = new Ids()
  const names = repeatedNames(ir, ids)
  if (names.size === 0) return ir
  const changed = new Map<string, Schema>()
  const inside = replacing(ids, names, changed)
  const schemas = Object.entries(ir.schemas).map(([name, one]): [string, Schema] => [
    name,
    inside(one),
  ])
  const operations = ir.operations.map((operation) => withMedia(operation, inside))
  return {
    ...ir,
    operations,
    schemas: Object.fromEntries(sortedEntries(Object.fromEntries([...schemas, ...changed]))),
  }
}

/** Numbers of schemas: equal ones, but for what stands beside references, have the same. */
class Ids {
  readonly #numbers = new Map<string, number>()
  readonly #known = new WeakMap<SchemaObject, { readonly id: number; readonly parts: number }>()

  of(schema: SchemaObject): { readonly id: number; readonly parts: number } {
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    let parts = 1
    const inner = (one: Schema): string => {
      if (typeof one === 'boolean') return String(one)
      const { id, parts: own } = this.of(one)
      parts += own
      const beside = Object.entries(one).filter(([key]) => BESIDE.has(key))
      return beside.length === 0 ? String(id) : `${id} ${canonicalJson(beside)}`
    }
    const rest = Object.entries(schema).filter(([key]) => !INNER.has(key) && !BESIDE.has(key))
    const text = [canonicalJson(Object.fromEntries(rest)), ...innerTexts(schema, inner)].join('\n')
    const id = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, id)
    const found = { id, parts }
    this.#known.set(schema, found)
    return found
  }
}

function innerTexts(schema: SchemaObject, inner: (one: Schema) => string): readonly string[] {
  const texts: string[] = []
  for (const key of LISTS) for (const one of schema[key] ?? []) texts.push(`${key} ${inner(one)}`)
  for (const key of SINGLES) {
    const one = schema[key]
    if (one !== undefined) texts.push(`${key} ${inner(one)}`)
  }
  for (const key of MAPS)
    for (const [name, one] of Object.entries(schema[key] ?? {}))
      texts.push(`${key} ${JSON.stringify(name)} ${inner(one)}`)
  return texts
}

interface Occurrence {
  count: number
  /** Where it stands first, as a name. */
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
    eachInner(schema, (one, name, isOther) => {
      visit(one, name === '' ? place : `${place}_${name}`, isOther)
    })
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
 * The schemas right inside, named by their members. Parts of unions and of `allOf` are seen as part
 * of what is around them, not as others: references among them mean more than what they refer to.
 */
function eachInner(
  schema: SchemaObject,
  visit: (one: Schema, name: string, isOther: boolean) => void,
): void {
  for (const key of LISTS) for (const one of schema[key] ?? []) visit(one, '', false)
  for (const key of SINGLES) {
    const one = schema[key]
    if (one !== undefined) visit(one, key === 'items' ? 'item' : '', key === 'items')
  }
  for (const key of MAPS)
    for (const [name, one] of Object.entries(schema[key] ?? {})) visit(one, name, true)
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
  const inside = (schema: Schema): Schema => {
    if (typeof schema === 'boolean') return schema
    const changed: Record<string, unknown> = {}
    for (const key of LISTS) if (schema[key] !== undefined) changed[key] = schema[key].map(inside)
    for (const key of SINGLES)
      if (schema[key] !== undefined)
        changed[key] = key === 'items' ? member(schema[key]) : inside(schema[key])
    for (const key of MAPS)
      if (schema[key] !== undefined)
        changed[key] = Object.fromEntries(
          Object.entries(schema[key]).map(([name, one]) => [name, member(one)]),
        )
    return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed }
  }
  return inside
}

function mediaOf({ operationId, body, responses }: OperationIr): readonly {
  readonly operationId: string
  readonly media: MediaIr
}[] {
  const all = [...(body?.media ?? []), ...responses.flatMap(({ media }) => media)]
  return all.map((media) => ({ operationId, media }))
}

function withMedia(operation: OperationIr, inside: (schema: Schema) => Schema): OperationIr {
  const change = (media: MediaIr): MediaIr =>
    media.schema === undefined ? media : { ...media, schema: inside(media.schema) }
  const { body, responses } = operation
  return {
    ...operation,
    ...(body === undefined ? {} : { body: { ...body, media: body.media.map(change) } }),
    responses: responses.map((one) => ({ ...one, media: one.media.map(change) })),
  }
}
