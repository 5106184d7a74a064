// Compares oneOf and anyOf: which variants came and went, and whether a plain schema became one of
// several.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { refName } from '../load/refs.ts'
import { labelOf, link, note, noteOneSided, resolved } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { isNull, isWords, unwrapped, UNIONS, valuesOf } from './schema-core.ts'
import { text } from '../values.ts'
import { differing, same } from './sets.ts'

type Union = (typeof UNIONS)[number]

interface Variant {
  readonly keys: readonly [Union, string]
  readonly schema: Schema
  /** Marks that distinguish it from its neighbours, the surest first; '' without one. */
  readonly marks: readonly [reference: string, tag: string, content: string, signature: string]
}

/**
 * Notes what differs. True when a plain schema is one of the other side's variants: then nothing is
 * left to compare but words.
 */
export function compareVariants(spot: Spot, before: SchemaObject, after: SchemaObject): boolean {
  compareDiscriminators(spot, before, after)
  const [old, now] = [
    UNIONS.filter((key) => before[key] !== undefined),
    UNIONS.filter((key) => after[key] !== undefined),
  ]
  if (old.length === 0 && now.length === 0) return false
  if (old.length === 0) return fromPlain(spot, before, after, 'new')
  if (now.length === 0) return fromPlain(spot, after, before, 'old')
  // Where a tag decides, one variant matches however many might.
  const isTagged = before.discriminator !== undefined && after.discriminator !== undefined
  if (old.length === 1 && now.length === 1 && !isTagged) compareKinds(spot, old[0], now[0])
  const of = (
    schema: SchemaObject,
    ir: InterfaceIr,
    known: (name: string) => string,
    keys: readonly Union[],
  ): readonly Variant[] => keys.flatMap((key) => variantsOf(schema, key, ir, known))
  const isMixed = old.length + now.length > 2
  for (const keys of isMixed ? UNIONS.map((key) => [key]) : [UNIONS]) {
    const lists = [
      of(before, spot.in.before, (name) => name, keys),
      of(after, spot.in.after, (name) => spot.in.renamed.get(name) ?? name, keys),
    ] as const
    if (lists.every((list) => list.length > 0)) compareLists(spot, lists[0], lists[1])
    else noteAll(spot, lists[0], lists[1])
  }
  return false
}

/** One side alone must fit one of several. */
function noteAll(spot: Spot, before: readonly Variant[], after: readonly Variant[]): void {
  const labels = [...before, ...after].map(({ schema }) => labelOf(schema))
  if (after.length > 0) note(spot, 'variants-declared', { after: labels })
  if (before.length > 0) note(spot, 'variants-dropped', { before: labels })
}

function compareKinds(spot: Spot, before: Union | undefined, after: Union | undefined): void {
  if (before === after) return
  note(spot, after === 'anyOf' ? 'one-of-became-any-of' : 'any-of-became-one-of', {
    before,
    after,
  })
}

function variantsOf(
  schema: SchemaObject,
  key: Union,
  ir: InterfaceIr,
  known: (name: string) => string,
): readonly Variant[] {
  const tags = new Map(
    Object.entries(schema.discriminator?.mapping ?? {}).map(([tag, target]) => [target, tag]),
  )
  return (schema[key] ?? [])
    .map((written, index): Variant => {
      const variant = typeof written === 'boolean' ? written : unwrapped(written).schema
      const $ref = typeof variant === 'boolean' ? undefined : variant.$ref
      const tag = $ref === undefined ? undefined : tags.get($ref)
      const content = canonicalJson(resolved(ir, variant).schema)
      const marks = [
        $ref === undefined ? '' : known(refName($ref)),
        tag ?? '',
        content,
        signatureOf(ir, variant),
      ] as const
      return { keys: [key, String(index)], schema: variant, marks }
    })
    .filter(({ schema: variant }) => !isNull(variant))
}

/** The signature of a variant: its type, what it requires, its tags. */
function signatureOf(ir: InterfaceIr, variant: Schema): string {
  const { schema } = resolved(ir, variant)
  if (typeof schema === 'boolean') return String(schema)
  const tags = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const values = typeof property === 'boolean' ? [] : (valuesOf(unwrapped(property).schema) ?? [])
    return values.length === 1 ? [[name, values[0]]] : []
  })
  return canonicalJson([schema.type ?? '', (schema.required ?? []).toSorted(), tags])
}

function compareLists(spot: Spot, before: readonly Variant[], after: readonly Variant[]): void {
  const pairs = pairUp(before, after)
  for (const [old, now] of pairs) compareOne(spot, old, now)
  const [oldPaired, nowPaired] = [
    new Set(pairs.map(([old]) => old)),
    new Set(pairs.map(([, now]) => now)),
  ]
  for (const old of before) if (!oldPaired.has(old)) noteVariant(spot, old, 'old')
  for (const now of after) if (!nowPaired.has(now)) noteVariant(spot, now, 'new')
  const [oldOrder, nowOrder] = [
    pairs.map(([old]) => old),
    after.flatMap((now) => pairs.find((pair) => pair[1] === now)?.[0] ?? []),
  ]
  if (!oldOrder.every((old, index) => old === nowOrder[index])) {
    note(spot, 'variants-reordered', {
      before: before.map(({ schema }) => labelOf(schema)),
      after: after.map(({ schema }) => labelOf(schema)),
    })
  }
}

function compareOne(spot: Spot, old: Variant, now: Variant): void {
  const subject =
    now.marks[0] !== '' ? spot.subject : `${spot.subject} (variant ${Number(now.keys[1]) + 1})`
  spot.in.compare(
    { ...spot, subject, old: [...spot.old, ...old.keys], new: [...spot.new, ...now.keys] },
    old.schema,
    now.schema,
  )
}

function noteVariant(spot: Spot, { schema, keys }: Variant, only: 'old' | 'new'): void {
  const rule = only === 'new' ? 'variant-added' : 'variant-removed'
  note(spot, rule, {
    name: labelOf(schema),
    keys,
    only,
    [only === 'new' ? 'after' : 'before']: labelOf(schema),
  })
}

/**
 * By the surest mark that both have, in the old order; those that are alike in order where there
 * are as many of them.
 */
function pairUp(
  before: readonly Variant[],
  after: readonly Variant[],
): readonly (readonly [Variant, Variant])[] {
  const partner = new Map<Variant, Variant>()
  for (const index of [0, 1, 2, 3] as const) {
    const taken = new Set(partner.values())
    const left = (list: readonly Variant[]): ReadonlyMap<string, Variant[]> =>
      Map.groupBy(list, ({ marks }) => marks[index])
    const [old, now] = [
      left(before.filter((one) => !partner.has(one))),
      left(after.filter((one) => !taken.has(one))),
    ]
    for (const [mark, list] of old) {
      const others = now.get(mark) ?? []
      if (mark !== '' && (others.length === list.length || index === 2)) {
        for (const [place, other] of others.slice(0, list.length).entries())
          partner.set(list[place] ?? other, other)
      }
    }
  }
  return [...partner].sort(([a], [b]) => before.indexOf(a) - before.indexOf(b))
}

/** `union` has variants and `plain` has none. */
function fromPlain(
  spot: Spot,
  plain: SchemaObject,
  union: SchemaObject,
  side: 'old' | 'new',
): boolean {
  const ir = side === 'new' ? spot.in.after : spot.in.before
  const variants = UNIONS.flatMap((key) => variantsOf(union, key, ir, (name) => name))
  const beside = Object.keys(union).filter(
    (key) => key !== 'oneOf' && key !== 'anyOf' && key !== 'discriminator' && !isWords(key),
  )
  const value = withoutWords(plain)
  const signature = signatureOf(side === 'new' ? spot.in.before : spot.in.after, value)
  const alike = variants.filter(
    (variant) => variant.marks[3] === signature || same(variant.schema, value),
  )
  const [found] = alike
  if (
    beside.length > 0 ||
    found === undefined ||
    alike.length > 1 ||
    Object.keys(value).length === 0
  ) {
    noteAll(spot, side === 'new' ? [] : variants, side === 'new' ? variants : [])
    return false
  }
  for (const variant of variants) if (variant !== found) noteVariant(spot, variant, side)
  const at = { ...spot, [side]: [...spot[side], ...found.keys] }
  spot.in.compare(at, side === 'new' ? value : found.schema, side === 'new' ? found.schema : value)
  return true
}

function withoutWords(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isWords(key)))
}

function compareDiscriminators(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const [old, now] = [before.discriminator, after.discriminator]
  const [was, is] = [old?.propertyName, now?.propertyName]
  const keys = ['discriminator']
  if (noteOneSided(spot, was, is, ['discriminator-added', 'discriminator-removed'], { keys }))
    return
  if (was !== is) note(spot, 'discriminator-property-changed', { before: was, after: is, keys })
  for (const [name, oldRef, nowRef] of differing(old?.mapping ?? {}, now?.mapping ?? {}))
    compareTag(spot, name, text(oldRef), text(nowRef))
}

const TAGS = ['discriminator-tag-added', 'discriminator-tag-removed'] as const

function compareTag(
  spot: Spot,
  name: string,
  was: string | undefined,
  is: string | undefined,
): void {
  const keys = ['discriminator', 'mapping', name]
  if (noteOneSided(spot, was, is, TAGS, { name, keys })) return
  const [before, after] = [refName(was ?? ''), refName(is ?? '')]
  if (link(spot, before, after))
    note(spot, 'discriminator-target-changed', { name, before, after, keys })
}
