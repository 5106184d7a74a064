// Compares oneOf and anyOf: which variants came and went, and whether a plain schema became one of several.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { refName } from '../load/refs.ts'
import { isFields } from '../values.ts'
import { labelOf, note, resolved } from './comparison.ts'
import type { Compare, Comparison, Spot } from './comparison.ts'
import { differing, same } from './sets.ts'

export const UNIONS = ['oneOf', 'anyOf'] as const
type Union = typeof UNIONS[number]

/** Keywords that say nothing of which values are valid. */
const WORDS: ReadonlySet<string> = new Set(['description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'discriminator'])

interface Variant {
  readonly keys: readonly [Union, string]
  readonly schema: Schema
  readonly id: string
  readonly signature: string
}

/** Notes what differs. True when a plain schema is one of the other side's variants: then nothing is left to compare but words. */
export function compareVariants(
  comparison: Comparison, spot: Spot, before: SchemaObject, after: SchemaObject, compare: Compare,
): boolean {
  compareDiscriminators(comparison, spot, before, after)
  const [old, now] = [UNIONS.filter((key) => before[key] !== undefined), UNIONS.filter((key) => after[key] !== undefined)]
  if (old.length === 0 && now.length === 0) return false
  if (old.length === 0) return fromPlain(comparison, spot, before, after, 'new', compare)
  if (now.length === 0) return fromPlain(comparison, spot, after, before, 'old', compare)
  if (old.length === 1 && now.length === 1) compareKinds(comparison, spot, old[0], now[0])
  const of = (schema: SchemaObject, ir: InterfaceIr, known: (name: string) => string): readonly Variant[] =>
    UNIONS.flatMap((key) => variantsOf(schema, key, ir, known))
  const lists = [of(before, comparison.before, (name) => name), of(after, comparison.after, formerName(comparison))] as const
  compareLists(comparison, spot, lists[0], lists[1], compare)
  return false
}

function formerName(comparison: Comparison): (name: string) => string {
  return (name) => comparison.renamed.get(name) ?? name
}

function compareKinds(comparison: Comparison, spot: Spot, before: Union | undefined, after: Union | undefined): void {
  if (before === after) return
  note(comparison, spot, after === 'anyOf' ? 'one-of-became-any-of' : 'any-of-became-one-of', { before, after })
}

function variantsOf(schema: SchemaObject, key: Union, ir: InterfaceIr, known: (name: string) => string): readonly Variant[] {
  const tags = new Map(Object.entries(schema.discriminator?.mapping ?? {}).map(([tag, target]) => [target, tag]))
  return (schema[key] ?? []).map((variant, index) => {
    const $ref = isFields(variant) ? variant['$ref'] : undefined
    const id = typeof $ref === 'string' ? `reference ${known(refName($ref))}` : `content ${canonicalJson(variant)}`
    const tag = typeof $ref === 'string' ? tags.get($ref) : undefined
    return { keys: [key, String(index)], schema: variant, id, signature: tag === undefined ? signatureOf(ir, variant) : `tag ${tag}` }
  })
}

/** What tells a variant from its neighbours: its type, what it requires, the tags that it bears. */
function signatureOf(ir: InterfaceIr, variant: Schema): string {
  const { schema } = resolved(ir, variant)
  if (typeof schema === 'boolean') return String(schema)
  const tags = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const values = typeof property === 'boolean' ? [] : property.enum ?? [property.const ?? '']
    return values.length === 1 && values[0] !== '' ? [[name, values[0]]] : []
  })
  return canonicalJson([schema.type ?? '', (schema.required ?? []).toSorted(), tags])
}

function compareLists(comparison: Comparison, spot: Spot, before: readonly Variant[], after: readonly Variant[], compare: Compare): void {
  const pairs = pairUp(before, after)
  for (const [old, now] of pairs) compareOne(comparison, spot, old, now, compare)
  const [oldPaired, nowPaired] = [new Set(pairs.map(([old]) => old)), new Set(pairs.map(([, now]) => now))]
  for (const old of before) if (!oldPaired.has(old)) noteVariant(comparison, spot, old, 'old')
  for (const now of after) if (!nowPaired.has(now)) noteVariant(comparison, spot, now, 'new')
  const [oldOrder, nowOrder] = [pairs.map(([old]) => old), after.flatMap((now) => pairs.find((pair) => pair[1] === now)?.[0] ?? [])]
  if (!oldOrder.every((old, index) => old === nowOrder[index])) {
    note(comparison, spot, 'variants-reordered', {
      before: before.map(({ schema }) => labelOf(schema)), after: after.map(({ schema }) => labelOf(schema)),
    })
  }
}

function compareOne(comparison: Comparison, spot: Spot, old: Variant, now: Variant, compare: Compare): void {
  const subject = now.id.startsWith('reference') ? spot.subject : `${spot.subject} (variant ${Number(now.keys[1]) + 1})`
  compare(comparison, { ...spot, subject, old: [...spot.old, ...old.keys], new: [...spot.new, ...now.keys] }, old.schema, now.schema)
}

function noteVariant(comparison: Comparison, spot: Spot, { schema, keys }: Variant, only: 'old' | 'new'): void {
  const isNull = same(schema, { type: 'null' })
  const rule = only === 'new' ? isNull ? 'null-allowed' : 'variant-added' : isNull ? 'null-forbidden' : 'variant-removed'
  note(comparison, spot, rule, { name: labelOf(schema), keys, only, [only === 'new' ? 'after' : 'before']: labelOf(schema) })
}

/** The same reference or content; then what alone has its signature on both sides. In the old order. */
function pairUp(before: readonly Variant[], after: readonly Variant[]): readonly (readonly [Variant, Variant])[] {
  const partner = new Map<Variant, Variant>()
  const taken = new Set<Variant>()
  const pair = (old: Variant, now: Variant | undefined): void => {
    if (now === undefined) return
    partner.set(old, now)
    taken.add(now)
  }
  for (const old of before) pair(old, after.find((now) => now.id === old.id && !taken.has(now)))
  const [oldLeft, nowLeft] = [before.filter((old) => !partner.has(old)), after.filter((now) => !taken.has(now))]
  for (const old of oldLeft) {
    const alike = nowLeft.filter((now) => now.signature === old.signature)
    if (alike.length === 1 && oldLeft.filter((one) => one.signature === old.signature).length === 1) pair(old, alike[0])
  }
  return before.flatMap((old): (readonly [Variant, Variant])[] => {
    const now = partner.get(old)
    return now === undefined ? [] : [[old, now]]
  })
}

/** `union` has variants and `plain` has none. */
function fromPlain(
  comparison: Comparison, spot: Spot, plain: SchemaObject, union: SchemaObject, side: 'old' | 'new', compare: Compare,
): boolean {
  const ir = side === 'new' ? comparison.after : comparison.before
  const variants = UNIONS.flatMap((key) => variantsOf(union, key, ir, (name) => name))
  const beside = Object.keys(union).filter((key) => key !== 'oneOf' && key !== 'anyOf' && !isWords(key))
  const value = withoutWords(plain)
  const signature = signatureOf(side === 'new' ? comparison.before : comparison.after, value)
  const alike = variants.filter((variant) => variant.signature === signature || same(variant.schema, value))
  const [found] = alike
  if (beside.length > 0 || found === undefined || alike.length > 1 || Object.keys(value).length === 0) {
    const labels = variants.map(({ schema }) => labelOf(schema))
    note(comparison, spot, side === 'new' ? 'variants-declared' : 'variants-dropped', side === 'new' ? { after: labels } : { before: labels })
    return false
  }
  for (const variant of variants) if (variant !== found) noteVariant(comparison, spot, variant, side)
  const at = { ...spot, [side]: [...spot[side], ...found.keys] }
  compare(comparison, at, side === 'new' ? value : found.schema, side === 'new' ? found.schema : value)
  return true
}

function isWords(key: string): boolean {
  return WORDS.has(key) || key.startsWith('x-')
}

function withoutWords(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isWords(key)))
}

function compareDiscriminators(comparison: Comparison, spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const [old, now] = [before.discriminator, after.discriminator]
  const keys = ['discriminator']
  if (old === undefined && now === undefined) return
  if (old === undefined) return note(comparison, spot, 'discriminator-added', { after: now?.propertyName, keys, only: 'new' })
  if (now === undefined) return note(comparison, spot, 'discriminator-removed', { before: old.propertyName, keys, only: 'old' })
  if (old.propertyName !== now.propertyName) {
    note(comparison, spot, 'discriminator-property-changed', { before: old.propertyName, after: now.propertyName, keys })
  }
  for (const [name, was, is] of differing(old.mapping ?? {}, now.mapping ?? {})) compareTag(comparison, spot, name, was, is)
}

function compareTag(comparison: Comparison, spot: Spot, name: string, was: unknown, is: unknown): void {
  const keys = ['discriminator', 'mapping', name]
  if (typeof was !== 'string') return note(comparison, spot, 'discriminator-tag-added', { name, after: is, keys, only: 'new' })
  if (typeof is !== 'string') return note(comparison, spot, 'discriminator-tag-removed', { name, before: was, keys, only: 'old' })
  if (formerName(comparison)(refName(is)) !== refName(was)) {
    note(comparison, spot, 'discriminator-target-changed', { name, before: refName(was), after: refName(is), keys })
  }
}
