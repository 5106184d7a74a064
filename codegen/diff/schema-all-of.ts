// Compares allOf: parts that both have are compared one by one, what is left is put together with the keywords beside it, so that
// properties which only moved into a part or out of it count as the same.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { compareText } from '../values.ts'
import { labelOf, resolved } from './comparison.ts'
import type { Compare, Comparison, Spot } from './comparison.ts'

interface Part {
  readonly index: number
  readonly schema: Schema
  readonly isReference: boolean
}

/** Compares the parts that match. The rest of both sides comes back as plain schemas without allOf. */
export function compareAllOf(
  comparison: Comparison, spot: Spot, before: SchemaObject, after: SchemaObject, compare: Compare,
): readonly [SchemaObject, SchemaObject] {
  if (before.allOf === undefined && after.allOf === undefined) return [before, after]
  const old = partsOf(before, (name) => name)
  const now = partsOf(after, (name) => comparison.renamed.get(name) ?? name)
  const matches = matchParts(old, now)
  for (const [one, other] of matches) {
    const at = { old: [...spot.old, 'allOf', String(one.index)], new: [...spot.new, 'allOf', String(other.index)] }
    compare(comparison, { ...spot, ...at }, one.schema, other.schema)
  }
  const left = (parts: ReadonlyMap<string, Part>): readonly Schema[] =>
    [...parts.values()].filter((part) => !matches.some((pair) => pair.includes(part))).map(({ schema }) => schema)
  return [together(comparison.before, before, left(old)), together(comparison.after, after, left(now))]
}

function partsOf(schema: SchemaObject, known: (name: string) => string): ReadonlyMap<string, Part> {
  return new Map((schema.allOf ?? []).map((part, index) => {
    const $ref = typeof part === 'boolean' ? undefined : part.$ref
    const key = $ref === undefined ? `content ${labelOf(part)}` : `reference ${known(refName($ref))}`
    return [key, { index, schema: part, isReference: $ref !== undefined }]
  }))
}

/** By reference or content; where one part written in place is left on each side, these are the same one, changed. */
function matchParts(old: ReadonlyMap<string, Part>, now: ReadonlyMap<string, Part>): readonly (readonly [Part, Part])[] {
  const pairs = [...old].flatMap(([key, part]): (readonly [Part, Part])[] => {
    const other = now.get(key)
    return other === undefined ? [] : [[part, other]]
  })
  const [one, ...moreOld] = [...old].filter(([key]) => !now.has(key)).map(([, part]) => part)
  const [other, ...moreNow] = [...now].filter(([key]) => !old.has(key)).map(([, part]) => part)
  const isOne = moreOld.length === 0 && moreNow.length === 0 && one?.isReference === false && other?.isReference === false
  return isOne && one !== undefined && other !== undefined ? [...pairs, [one, other]] : pairs
}

/** A schema's own keywords and those of parts as one schema; where two say the same keyword, the first has it. */
function together(ir: InterfaceIr, schema: SchemaObject, parts: readonly Schema[], seen: readonly string[] = []): SchemaObject {
  const { allOf: _allOf, ...own } = schema
  return parts.reduce<SchemaObject>((whole, part) => {
    const { schema: target, names } = resolved(ir, part)
    if (typeof target === 'boolean' || names.some((name) => seen.includes(name))) return whole
    return merged(whole, together(ir, target, target.allOf ?? [], [...seen, ...names]))
  }, own)
}

function merged(a: SchemaObject, b: SchemaObject): SchemaObject {
  const required = [...new Set([...a.required ?? [], ...b.required ?? []])].sort(compareText)
  const properties = a.properties === undefined && b.properties === undefined
    ? {}
    : { properties: { ...b.properties, ...a.properties } }
  return { ...b, ...a, ...properties, ...required.length === 0 ? {} : { required } }
}
