// Compares two schemas that stand in the same place. References are noted, not followed: what they
// lead to is compared once.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { refName } from '../load/refs.ts'
import type { Path } from '../load/source.ts'
import { isFields } from '../values.ts'
import { link, note, resolved } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { compareAllOf } from './schema-all-of.ts'
import { coreOf } from './schema-core.ts'
import type { Core } from './schema-core.ts'
import { compareShape } from './schema-shape.ts'
import { compareTexts } from './schema-texts.ts'
import { compareTypes, compareValues } from './schema-values.ts'
import { compareVariants } from './schema-variants.ts'

/**
 * Notes how `after` differs from `before`; an absent schema admits everything, but says so to
 * nobody.
 */
export function compareSchemas(
  spot: Spot,
  before: Schema | undefined,
  after: Schema | undefined,
): void {
  if (before === undefined && after === undefined) return
  if (before === undefined) return note(spot, 'schema-declared', { only: 'new' })
  if (after === undefined) return note(spot, 'schema-dropped', { only: 'old' })
  if (before === false && after === false) return
  if (after === false) return note(spot, 'schema-closed')
  if (before === false) return note(spot, 'schema-opened')
  compareObjects(spot, before === true ? {} : before, after === true ? {} : after)
}

/** One side, without its null. */
interface Side extends Core {
  readonly path: Path
}

function sideOf(path: Path, schema: SchemaObject): Side {
  const core = coreOf(schema)
  return { ...core, path: [...path, ...core.keys] }
}

function compareObjects(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const [old, now] = opened(spot, sideOf(spot.old, before), sideOf(spot.new, after))
  if (old.orNull && !now.orNull && !admitsAll(now.schema)) note(spot, 'null-forbidden')
  if (now.orNull && !old.orNull && !admitsAll(old.schema)) note(spot, 'null-allowed')
  compareCores({ ...spot, old: old.path, new: now.path }, old.schema, now.schema)
}

/**
 * Where one side alone is a reference, what it leads to is compared here; so too where the null
 * stands on either side of one.
 */
function opened(spot: Spot, old: Side, now: Side): readonly [Side, Side] {
  const [was, is] = [old.schema.$ref, now.schema.$ref]
  const [inOld, inNow] = [leadsTo(spot.in.before, old), leadsTo(spot.in.after, now)]
  const areBoth =
    was !== undefined &&
    is !== undefined &&
    old.orNull !== now.orNull &&
    inOld.orNull === inNow.orNull
  const isOld =
    areBoth || (was !== undefined && is === undefined && !holdsReference(now.schema, was))
  const isNow =
    areBoth || (is !== undefined && was === undefined && !holdsReference(old.schema, is))
  if (isOld || isNow) {
    const name = ($ref: string | undefined): string =>
      $ref === undefined ? 'written in place' : refName($ref)
    if (was !== is) note(spot, 'reference-changed', { before: name(was), after: name(is) })
  }
  return [isOld ? inOld : old, isNow ? inNow : now]
}

function leadsTo(ir: InterfaceIr, side: Side): Side {
  if (side.schema.$ref === undefined) return side
  const { schema, names } = resolved(ir, side.schema)
  const inner = sideOf(
    ['components', 'schemas', names.at(-1) ?? ''],
    schema === true ? {} : schema === false ? { not: {} } : schema,
  )
  return { ...inner, orNull: side.orNull || inner.orNull }
}

function admitsAll({
  $ref,
  type,
  enum: values,
  const: only,
  allOf,
  anyOf,
  oneOf,
}: SchemaObject): boolean {
  return [$ref, type, values, only, allOf, anyOf, oneOf].every((keyword) => keyword === undefined)
}

function compareCores(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  if (before.$ref !== undefined && after.$ref !== undefined)
    return compareReferences(spot, before, after)
  const [plainOld, plainNow] = compareAllOf(spot, asHolder(before, after), asHolder(after, before))
  if (compareVariants(spot, plainOld, plainNow)) return compareTexts(spot, plainOld, plainNow)
  compareTexts(spot, plainOld, plainNow)
  // Types that exclude each other make every other keyword another's.
  if (compareTypes(spot, plainOld, plainNow)) return
  compareValues(spot, plainOld, plainNow)
  compareShape(spot, plainOld, plainNow)
}

function compareReferences(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const { $ref: old = '', ...oldBeside } = before
  const { $ref: now = '', ...nowBeside } = after
  if (link(spot, refName(old), refName(now))) {
    note(spot, 'reference-changed', { before: refName(old), after: refName(now) })
  }
  compareCores(spot, oldBeside, nowBeside)
}

function holdsReference(schema: SchemaObject, $ref: string): boolean {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  return parts.some((part) => isFields(part) && part['$ref'] === $ref)
}

/** A bare reference beside a schema that is composed of the same: composed of it alone. */
function asHolder(schema: SchemaObject, other: SchemaObject): SchemaObject {
  const { $ref, ...beside } = schema
  if ($ref === undefined) return schema
  const isPart = (list: readonly Schema[] | undefined): boolean =>
    (list ?? []).some((part) => isFields(part) && part['$ref'] === $ref)
  const key = (['allOf', 'oneOf', 'anyOf'] as const).find((one) => isPart(other[one])) ?? 'allOf'
  return { [key]: [{ $ref }], ...beside }
}
