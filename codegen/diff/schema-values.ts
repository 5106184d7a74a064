// Compares what schemas say of single values: type, format, enum, bounds, lengths, pattern.
import type { SchemaObject, SchemaType } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import type { Keyword } from '../keywords/keyword.ts'
import { keywords } from '../keywords/table.ts'
import { typeOf, TYPES, typesOf } from '../keywords/types.ts'
import { isLimit, keywordValue } from '../keywords/values.ts'
import { note, noteOneSided, onlyIn } from './comparison.ts'
import type { Detail, Spot } from './comparison.ts'
import { keywordRule } from './rules-keywords.ts'
import type { Ending } from './rules-keywords.ts'
import { valuesOf } from './schema-core.ts'
import { compareOptional } from './schema-texts.ts'
import { byContent, match, same } from './sets.ts'

/** Notes a change of type; true when no value has both. */
export function compareTypes(spot: Spot, before: SchemaObject, after: SchemaObject): boolean {
  const [old, now] = [typesIn(before), typesIn(after)]
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
  note(spot, isNarrower ? 'type-narrowed' : isWider ? 'type-widened' : 'type-changed', detail)
  return ![...old].some((type) => now.has(type))
}

/** Types of a schema; without a type, those of its listed values. */
function typesIn(schema: SchemaObject): ReadonlySet<SchemaType> {
  const listed = valuesOf(schema)?.map(typeOf) ?? TYPES
  const types = schema.type === undefined ? listed : typesOf(schema)
  return new Set([...types, ...(types.includes('number') ? ['integer' as const] : [])])
}

/** Notes changes of every keyword that restricts a value as a whole. */
export function compareValues(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  compareFormats(spot, before.format, after.format)
  compareEnums(spot, before, after)
  compareBounds(spot, before, after)
  compareKeywords(spot, before, after)
}

function compareFormats(spot: Spot, before: string | undefined, after: string | undefined): void {
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
  note(spot, rule, { before, after, keys: ['format'] })
}

function compareEnums(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  if (before.enum === undefined && after.enum === undefined)
    return compareOptional(spot, before, after, 'const')
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const keys = ['enum']
  if (same(old, now)) return
  if (noteOneSided(spot, old, now, ['enum-declared', 'enum-dropped'], { keys })) return
  const { gone, fresh } = match(byContent(old ?? []), byContent(now ?? []))
  for (const [name, value] of gone)
    note(spot, 'enum-value-removed', {
      name,
      before: value,
      keys: placeIn(before, value),
      only: 'old',
    })
  for (const [name, value] of fresh)
    note(spot, 'enum-value-added', { name, after: value, keys: placeIn(after, value), only: 'new' })
  if (gone.length + fresh.length === 0)
    note(spot, 'enum-reordered', { before: old, after: now, keys })
}

function placeIn(schema: SchemaObject, value: unknown): readonly string[] {
  const index = (schema.enum ?? []).findIndex((one) => canonicalJson(one) === canonicalJson(value))
  return index < 0 ? ['enum'] : ['enum', String(index)]
}

interface Bound {
  readonly key: string
  readonly value: number | bigint
  readonly isExclusive: boolean
}

/** The stricter of the bounds by a keyword and by the one that excludes the bound itself. */
function boundOf(schema: SchemaObject, [plain, row]: Row): Bound | undefined {
  const of = (key: string, isExclusive: boolean): Bound | undefined => {
    const value = keywordValue(schema, key)
    return isLimit(value) ? { key, value, isExclusive } : undefined
  }
  const [a, b] = [of(plain, false), of(row.strict ?? '', true)]
  return a === undefined || (b !== undefined && isTighter(b, a, row)) ? b : a
}

function isTighter(a: Bound | undefined, b: Bound | undefined, { stricter }: Keyword): boolean {
  if (a === undefined || b === undefined) return a !== undefined
  if (a.value === b.value) return a.isExclusive && !b.isExclusive
  return a.value > b.value === (stricter === 'higher')
}

type Row = readonly [string, Keyword]

const BOUNDS = keywords(({ strict }) => strict !== undefined)

function compareBounds(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  for (const bound of BOUNDS) {
    const [, row] = bound
    const [old, now] = [boundOf(before, bound), boundOf(after, bound)]
    const isSame = old?.value === now?.value && old?.isExclusive === now?.isExclusive
    if (isSame || row.change === undefined) continue
    note(spot, keywordRule(row.change, isTighter(now, old, row) ? 'tightened' : 'loosened'), {
      before: showBound(old),
      after: showBound(now),
      keys: [(now ?? old)?.key ?? ''],
      ...onlyIn(old, now),
    })
  }
}

function showBound(bound: Bound | undefined): unknown {
  return bound?.isExclusive === true ? `${bound.value} (excluded)` : bound?.value
}

const JUDGED = keywords(({ change, strict }) => change !== undefined && strict === undefined)

/** Every other keyword whose row in the table says how a change of it is judged. */
function compareKeywords(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  for (const [name, row] of JUDGED) {
    const [old, now] = [keywordValue(before, name), keywordValue(after, name)]
    if (old === now || row.change === undefined) continue
    const detail = row.change.as === 'flag' ? {} : { before: old, after: now }
    const side = row.change.as === 'flag' || row.change.as === 'value' ? {} : onlyIn(old, now)
    note(spot, keywordRule(row.change, ending(row, old, now)), {
      ...detail,
      keys: [name],
      ...side,
    })
  }
}

function ending(row: Keyword, old: unknown, now: unknown): Ending {
  switch (row.change?.as) {
    case 'limit':
      return isMore(row, old, now) ? 'tightened' : 'loosened'
    case 'multiple':
      return isMultiple(now, old) ? 'tightened' : isMultiple(old, now) ? 'loosened' : 'changed'
    case 'flag':
      return now === true ? 'added' : 'removed'
    case 'text':
      return old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
    default:
      return 'changed'
  }
}

/** True where the limit `now` lets less pass than `old`; one that is missing lets all pass. */
function isMore({ stricter, idle }: Keyword, old: unknown, now: unknown): boolean {
  const [was = idle, is = idle] = [old, now]
  if (!isLimit(was) || !isLimit(is)) return isLimit(is)
  return stricter === 'higher' ? is > was : is < was
}

function isMultiple(a: unknown, b: unknown): boolean {
  return b === undefined || (typeof a === 'number' && Number.isInteger(a / Number(b)))
}
