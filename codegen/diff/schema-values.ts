// Compares what schemas say of single values: type, format, enum, bounds, lengths, pattern.
import type { SchemaObject, SchemaType } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { note } from './comparison.ts'
import type { Comparison, Detail, Spot } from './comparison.ts'
import type { RuleName } from './rules.ts'
import { valuesOf } from './schema-core.ts'
import { byContent, match, same } from './sets.ts'

const EVERY: readonly SchemaType[] = [
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
  'null',
]

/** Notes a change of type; true when no value has both. */
export function compareTypes(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): boolean {
  const [old, now] = [typesOf(before), typesOf(after)]
  if (same(old, now)) return false
  const detail: Detail = {
    before: before.type ?? 'any',
    after: after.type ?? 'any',
    keys: ['type'],
  }
  const [isNarrower, isWider] = [
    [...now].every((type) => old.has(type)),
    [...old].every((type) => now.has(type)),
  ]
  note(
    comparison,
    spot,
    isNarrower ? 'type-narrowed' : isWider ? 'type-widened' : 'type-changed',
    detail,
  )
  return ![...old].some((type) => now.has(type))
}

/** Where no type is given, listed values have theirs. */
function typesOf(schema: SchemaObject): ReadonlySet<SchemaType> {
  const { type = valuesOf(schema)?.map(typeOf) ?? EVERY } = schema
  const types = typeof type === 'string' ? [type] : type
  return new Set([...types, ...(types.includes('number') ? ['integer' as const] : [])])
}

function typeOf(value: unknown): SchemaType {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number'
    case 'bigint':
      return 'integer'
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object'
  }
}

/** Notes changes of every keyword that restricts a value as a whole. */
export function compareValues(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  compareFormats(comparison, spot, before.format, after.format)
  compareEnums(comparison, spot, before, after)
  compareBounds(comparison, spot, before, after)
  compareMultiples(comparison, spot, before.multipleOf, after.multipleOf)
  comparePatterns(comparison, spot, before.pattern, after.pattern)
  if (before.uniqueItems !== after.uniqueItems) {
    note(
      comparison,
      spot,
      after.uniqueItems === true ? 'unique-items-added' : 'unique-items-removed',
      { keys: ['uniqueItems'] },
    )
  }
  for (const [key, rule] of [
    ['contentEncoding', 'content-encoding-changed'],
    ['contentMediaType', 'content-media-type-changed'],
  ] as const) {
    if (before[key] !== after[key])
      note(comparison, spot, rule, { before: before[key], after: after[key], keys: [key] })
  }
}

function compareFormats(
  comparison: Comparison,
  spot: Spot,
  before: string | undefined,
  after: string | undefined,
): void {
  if (before === after) return
  const rule =
    after === 'int64'
      ? 'int64-added'
      : before === 'int64'
        ? 'int64-removed'
        : before === undefined
          ? 'format-added'
          : after === undefined
            ? 'format-removed'
            : 'format-changed'
  note(comparison, spot, rule, { before, after, keys: ['format'] })
}

function compareEnums(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  if (before.enum === undefined && after.enum === undefined)
    return compareConstants(comparison, spot, before, after)
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const keys = ['enum']
  if (same(old, now)) return
  if (old === undefined)
    return note(comparison, spot, 'enum-declared', { after: now, keys, only: 'new' })
  if (now === undefined)
    return note(comparison, spot, 'enum-dropped', { before: old, keys, only: 'old' })
  const { gone, fresh } = match(byContent(old), byContent(now))
  for (const [name, value] of gone)
    note(comparison, spot, 'enum-value-removed', {
      name,
      before: value,
      keys: placeIn(before, value),
      only: 'old',
    })
  for (const [name, value] of fresh)
    note(comparison, spot, 'enum-value-added', {
      name,
      after: value,
      keys: placeIn(after, value),
      only: 'new',
    })
  if (gone.length + fresh.length === 0)
    note(comparison, spot, 'enum-reordered', { before: old, after: now, keys })
}

function placeIn(schema: SchemaObject, value: unknown): readonly string[] {
  const index = (schema.enum ?? []).findIndex((one) => canonicalJson(one) === canonicalJson(value))
  return index < 0 ? ['enum'] : ['enum', String(index)]
}

function compareConstants(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  const [isOld, isNow] = ['const' in before, 'const' in after]
  const detail = { before: before.const, after: after.const, keys: ['const'] }
  if (isOld && isNow && !same(before.const, after.const))
    note(comparison, spot, 'const-changed', detail)
  if (isOld && !isNow) note(comparison, spot, 'const-removed', { ...detail, only: 'old' })
  if (isNow && !isOld) note(comparison, spot, 'const-added', { ...detail, only: 'new' })
}

interface Bound {
  readonly key: string
  readonly value: number | bigint
  readonly isExclusive: boolean
}

/** The stricter of the two lower (sign 1) or upper (-1) bounds. */
function boundOf(schema: SchemaObject, sign: 1 | -1): Bound | undefined {
  const [plain, strict] =
    sign > 0
      ? (['minimum', 'exclusiveMinimum'] as const)
      : (['maximum', 'exclusiveMaximum'] as const)
  const [one, other] = [schema[plain], schema[strict]]
  const [a, b] = [
    one === undefined ? undefined : { key: plain, value: one, isExclusive: false },
    other === undefined ? undefined : { key: strict, value: other, isExclusive: true },
  ]
  return a === undefined || (b !== undefined && isTighter(b, a, sign)) ? b : a
}

function isTighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): boolean {
  if (a === undefined || b === undefined) return a !== undefined
  if (a.value === b.value) return a.isExclusive && !b.isExclusive
  return a.value > b.value === sign > 0
}

function compareBounds(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  for (const [sign, tightened, loosened] of BOUNDS) {
    const [old, now] = [boundOf(before, sign), boundOf(after, sign)]
    if (old?.value === now?.value && old?.isExclusive === now?.isExclusive) continue
    const rule = isTighter(now, old, sign) ? tightened : loosened
    const keys = [(now ?? old)?.key ?? '']
    note(comparison, spot, rule, {
      before: showBound(old),
      after: showBound(now),
      keys,
      ...onlyIn(old, now),
    })
  }
  for (const [key, sign, tightened, loosened] of COUNTS) {
    const [old, now] = [before[key], after[key]]
    if (old === now) continue
    const isMore = (now ?? (sign > 0 ? 0 : Infinity)) > (old ?? (sign > 0 ? 0 : Infinity))
    const rule = isMore === sign > 0 ? tightened : loosened
    note(comparison, spot, rule, { before: old, after: now, keys: [key], ...onlyIn(old, now) })
  }
}

const BOUNDS = [
  [1, 'minimum-tightened', 'minimum-loosened'],
  [-1, 'maximum-tightened', 'maximum-loosened'],
] as const
const COUNTS = [
  ['minLength', 1, 'min-length-tightened', 'min-length-loosened'],
  ['maxLength', -1, 'max-length-tightened', 'max-length-loosened'],
  ['minItems', 1, 'min-items-tightened', 'min-items-loosened'],
  ['maxItems', -1, 'max-items-tightened', 'max-items-loosened'],
  ['minProperties', 1, 'min-properties-tightened', 'min-properties-loosened'],
  ['maxProperties', -1, 'max-properties-tightened', 'max-properties-loosened'],
] as const satisfies readonly (readonly [keyof SchemaObject, 1 | -1, RuleName, RuleName])[]

function showBound(bound: Bound | undefined): unknown {
  return bound?.isExclusive === true ? `${bound.value} (excluded)` : bound?.value
}

/** Where only one side says something, that side is where it stands. */
export function onlyIn(before: unknown, after: unknown): Pick<Detail, 'only'> {
  if (before === undefined) return { only: 'new' }
  return after === undefined ? { only: 'old' } : {}
}

function compareMultiples(
  comparison: Comparison,
  spot: Spot,
  before: number | undefined,
  after: number | undefined,
): void {
  if (before === after) return
  const isMultiple = (a?: number, b?: number): boolean =>
    b === undefined || (a !== undefined && Number.isInteger(a / b))
  const rule = isMultiple(after, before)
    ? 'multiple-of-tightened'
    : isMultiple(before, after)
      ? 'multiple-of-loosened'
      : 'multiple-of-changed'
  note(comparison, spot, rule, { before, after, keys: ['multipleOf'], ...onlyIn(before, after) })
}

function comparePatterns(
  comparison: Comparison,
  spot: Spot,
  before: string | undefined,
  after: string | undefined,
): void {
  if (before === after) return
  const rule =
    before === undefined
      ? 'pattern-added'
      : after === undefined
        ? 'pattern-removed'
        : 'pattern-changed'
  note(comparison, spot, rule, { before, after, keys: ['pattern'], ...onlyIn(before, after) })
}
