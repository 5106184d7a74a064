// Compares allOf: parts that both have are compared one by one, what is left is put together with
// the keywords beside it, so that properties which only moved into a part or out of it count as the
// same.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { labelOf, noteUnmatched, resolved } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { intersection } from './schema-merge.ts'
import { keyed, match } from './sets.ts'

interface Part {
  readonly index: number
  readonly schema: Schema
  readonly isReference: boolean
}

/**
 * Compares the parts that match. The rest of both sides comes back as plain schemas without allOf.
 */
export function compareAllOf(
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): readonly [SchemaObject, SchemaObject] {
  if (before.allOf === undefined && after.allOf === undefined) return [before, after]
  const old = partsOf(before, (name) => name)
  const now = partsOf(after, (name) => spot.in.renamed.get(name) ?? name)
  const matches = matchParts(old, now)
  for (const [one, other] of matches) {
    const at = {
      old: [...spot.old, 'allOf', String(one.index)],
      new: [...spot.new, 'allOf', String(other.index)],
    }
    spot.in.compare({ ...spot, ...at }, one.schema, other.schema)
  }
  const left = (parts: ReadonlyMap<string, Part>): readonly Schema[] =>
    [...parts.values()]
      .filter((part) => !matches.some((pair) => pair.includes(part)))
      .map(({ schema }) => schema)
  const [wholeOld, wholeNow] = [
    together(spot.in.before, before, left(old)),
    together(spot.in.after, after, left(now)),
  ]
  compareApart(spot, wholeOld.apart, wholeNow.apart)
  return [wholeOld.schema, wholeNow.schema]
}

/** Parts that cannot be put together with the rest. */
function compareApart(spot: Spot, before: readonly Schema[], after: readonly Schema[]): void {
  const known = new Map([...spot.in.renamed].map(([now, old]) => [old, now]))
  const matched = match(
    keyed(before, (part) => known.get(labelOf(part)) ?? labelOf(part)),
    keyed(after, labelOf),
  )
  noteUnmatched(spot, matched, ['part-added', 'part-removed'], (_, name) => ({
    name,
    keys: ['allOf'],
  }))
}

function partsOf(schema: SchemaObject, known: (name: string) => string): ReadonlyMap<string, Part> {
  return new Map(
    (schema.allOf ?? []).map((part, index) => {
      const $ref = typeof part === 'boolean' ? undefined : part.$ref
      const key =
        $ref === undefined ? `content ${labelOf(part)}` : `reference ${known(refName($ref))}`
      return [key, { index, schema: part, isReference: $ref !== undefined }]
    }),
  )
}

/**
 * By reference or content; where one part written in place is left on each side, these are the same
 * one, changed.
 */
function matchParts(
  old: ReadonlyMap<string, Part>,
  now: ReadonlyMap<string, Part>,
): readonly (readonly [Part, Part])[] {
  const pairs = [...old].flatMap(([key, part]): (readonly [Part, Part])[] => {
    const other = now.get(key)
    return other === undefined ? [] : [[part, other]]
  })
  const [one, ...moreOld] = [...old].filter(([key]) => !now.has(key)).map(([, part]) => part)
  const [other, ...moreNow] = [...now].filter(([key]) => !old.has(key)).map(([, part]) => part)
  const isOne =
    moreOld.length === 0 &&
    moreNow.length === 0 &&
    one?.isReference === false &&
    other?.isReference === false
  return isOne && one !== undefined && other !== undefined ? [...pairs, [one, other]] : pairs
}

interface Whole {
  readonly schema: SchemaObject
  /** Parts that say what the rest says too, in a way that one schema cannot. */
  readonly apart: readonly Schema[]
}

/** A schema's own keywords and those of parts as one schema. */
function together(
  ir: InterfaceIr,
  schema: SchemaObject,
  parts: readonly Schema[],
  seen: readonly string[] = [],
): Whole {
  const { allOf: _allOf, ...own } = schema
  return parts.reduce<Whole>(
    (whole, part) => {
      const { schema: target, names } = resolved(ir, part)
      if (target === true || names.some((name) => seen.includes(name))) return whole
      const inner =
        target === false ? undefined : together(ir, target, target.allOf ?? [], [...seen, ...names])
      const both = inner === undefined ? undefined : intersection(whole.schema, inner.schema)
      if (both === undefined) return { ...whole, apart: [...whole.apart, part] }
      return { schema: both, apart: [...whole.apart, ...(inner?.apart ?? [])] }
    },
    { schema: own, apart: [] },
  )
}
