// Rules for composed schemas: unions whose variants cannot be told apart, discriminators that do
// not discriminate, conflicting parts.
import { canonicalJson } from '../json.ts'
import { namesWhere } from '../keywords/table.ts'
import { refName, schemaRef } from '../load/refs.ts'
import { fields, isFields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { deref, typesOf } from './model.ts'
import type { Model } from './model.ts'
import { forSchemas, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

const UNIONS = ['oneOf', 'anyOf'] as const
const NARROWING = ['items', ...namesWhere({ role: 'rule' })]
const COMPOSED = ['allOf', 'oneOf', 'anyOf'] as const

interface Variant {
  readonly keys: readonly string[]
  /** Schema name, else its place in the list. */
  readonly label: string
  readonly value: Fields
}

function variantsOf(
  schema: Fields,
  model: Model,
  key: (typeof COMPOSED)[number],
): readonly Variant[] {
  return items(schema[key]).map((one, index) => {
    const ref = text(fields(one)['$ref'])
    return {
      keys: [key, String(index)],
      label: ref === undefined ? `${key}[${index}]` : refName(ref),
      value: merged(model, one),
    }
  })
}

/**
 * A schema with the parts of its `allOf` put in, each once: properties, required and type are all
 * that is compared.
 */
function merged(model: Model, schema: unknown, seen: Set<unknown> = new Set()): Fields {
  const value = deref(model, schema)
  if (seen.has(value)) return {}
  seen.add(value)
  const parts = items(value['allOf']).map((part) => merged(model, part, seen))
  if (parts.length === 0) return value
  const all = [...parts, value]
  return {
    ...parts.at(0),
    ...value,
    properties: Object.assign({}, ...all.map((part) => fields(part['properties']))),
    required: [...new Set(all.flatMap((part) => texts(part['required'])))],
  }
}

/** Values that a schema lists; undefined when it lists none. */
function listed(schema: Fields): readonly string[] | undefined {
  if ('const' in schema) return [canonicalJson(schema['const'])]
  return Array.isArray(schema['enum']) ? schema['enum'].map((one) => canonicalJson(one)) : undefined
}

/** True when no value can satisfy both, as far as types and listed values say. */
function disjoint(model: Model, a: unknown, b: unknown): boolean {
  const [one, other] = [merged(model, a), merged(model, b)]
  const [values, others] = [listed(one), listed(other)]
  if (values !== undefined && others !== undefined)
    return !values.some((value) => others.includes(value))
  const [types, otherTypes] = [kinds(one), kinds(other)]
  return (
    types.length > 0 && otherTypes.length > 0 && !types.some((type) => otherTypes.includes(type))
  )
}

function kinds(schema: Fields): readonly string[] {
  return typesOf(schema).map((type) => (type === 'integer' ? 'number' : type))
}

/** True when every value of `b` that names its own members only may satisfy `a` as well. */
function admits(model: Model, a: Fields, b: Fields): boolean {
  const [mine, theirs] = [fields(a['properties']), fields(b['properties'])]
  const required = texts(b['required'])
  const isMissing = texts(a['required']).some((name) => !required.includes(name))
  const isClosed =
    a['additionalProperties'] === false && required.some((name) => !Object.hasOwn(mine, name))
  const isTold = required.some(
    (name) => Object.hasOwn(mine, name) && disjoint(model, mine[name], theirs[name]),
  )
  return !isMissing && !isClosed && !isTold
}

function isObject(schema: Fields): boolean {
  return typesOf(schema).includes('object') || 'properties' in schema
}

/**
 * True when something that is plainly a value of one is also a value of the other. Patterns and
 * formats are not judged.
 */
function overlap(model: Model, a: Fields, b: Fields): boolean {
  if (disjoint(model, a, b) || [a, b].some((one) => UNIONS.some((key) => key in one))) return false
  if (isObject(a) && isObject(b)) return admits(model, a, b) || admits(model, b, a)
  return isPlain(a) && isPlain(b)
}

/** One type and nothing that narrows it. */
function isPlain(schema: Fields): boolean {
  return (
    typesOf(schema).length === 1 &&
    listed(schema) === undefined &&
    !NARROWING.some((key) => key in schema)
  )
}

function indistinctHits(schema: Fields, model: Model): readonly Hit[] {
  if ('discriminator' in schema) return []
  const variants = variantsOf(schema, model, 'oneOf')
  return variants.flatMap((one, index) => {
    const isLike = ({ value }: Variant): boolean =>
      canonicalJson(value) !== canonicalJson(one.value) && overlap(model, value, one.value)
    const other = variants.slice(0, index).find(isLike)
    return other === undefined
      ? []
      : [
          hit(
            `${one.label} cannot be distinguished from ${other.label}: a value of both is rejected`,
            ...one.keys,
          ),
        ]
  })
}

function repeatedHits(schema: Fields): readonly Hit[] {
  return COMPOSED.flatMap((key) => {
    const printed = items(schema[key]).map((one) => canonicalJson(one))
    return printed.flatMap((one, index) =>
      hitIf(
        printed.indexOf(one) < index,
        `the same schema is listed twice in ${key}`,
        key,
        String(index),
      ),
    )
  })
}

/** Variants of a discriminated union with the discriminator's property. */
function tagged(
  schema: Fields,
  model: Model,
): { readonly tag: string; readonly variants: readonly Variant[] } | undefined {
  const tag = text(fields(schema['discriminator'])['propertyName'])
  const variants = UNIONS.flatMap((key) => variantsOf(schema, model, key)).filter(
    ({ value }) => !UNIONS.some((key) => key in value),
  )
  return tag === undefined || variants.length === 0 ? undefined : { tag, variants }
}

function eachVariant(
  schema: Fields,
  model: Model,
  check: (variant: Variant, tag: string) => readonly Hit[],
): readonly Hit[] {
  const found = tagged(schema, model)
  return found === undefined ? [] : found.variants.flatMap((variant) => check(variant, found.tag))
}

function missingTagHits({ value, label, keys }: Variant, tag: string): readonly Hit[] {
  const has = Object.hasOwn(fields(value['properties']), tag)
  return [
    ...hitIf(!has, `${label} has no property '${tag}'`, ...keys),
    ...hitIf(
      has && !texts(value['required']).includes(tag),
      `${label} does not require '${tag}'`,
      ...keys,
    ),
  ]
}

function mappingHits(schema: Fields): readonly Hit[] {
  const refs = UNIONS.flatMap((key) => items(schema[key])).flatMap(
    (one) => text(fields(one)['$ref']) ?? [],
  )
  if (refs.length === 0) return []
  return Object.entries(fields(fields(schema['discriminator'])['mapping'])).flatMap(
    ([tag, target]) => {
      const ref = text(target) ?? ''
      return hitIf(
        !refs.includes(ref) && !refs.includes(schemaRef(ref)),
        `'${tag}' leads to ${refName(ref) || ref}, which is not a variant`,
        'discriminator',
        'mapping',
        tag,
      )
    },
  )
}

function impossibleHits(schema: Fields, model: Model): readonly Hit[] {
  const parts = variantsOf(schema, model, 'allOf')
  return parts.flatMap((one, index) => {
    const other = [{ label: 'the schema itself', value: schema }, ...parts.slice(0, index)].find(
      (before) => disjoint(model, before.value, one.value),
    )
    return other === undefined
      ? []
      : [hit(`no value is both ${one.label} and ${other.label}`, ...one.keys)]
  })
}

function closedHits(schema: Fields, model: Model): readonly Hit[] {
  const { allOf: _, ...own } = schema
  const parts = [
    ...variantsOf(schema, model, 'allOf'),
    { keys: [], label: 'the schema itself', value: own },
  ]
  return parts
    .filter(
      ({ value }) => value['additionalProperties'] === false && !('patternProperties' in value),
    )
    .flatMap((closed) => {
      const admitted = fields(closed.value['properties'])
      const others = parts
        .filter((part) => part !== closed)
        .flatMap(({ value }) => Object.keys(fields(value['properties'])))
      const refused = others.find((name) => !Object.hasOwn(admitted, name))
      return refused === undefined
        ? []
        : [
            hit(
              `${closed.label} admits no further properties, so '${refused}' of another part is refused`,
              ...closed.keys,
            ),
          ]
    })
}

/** Rules for allOf, anyOf, oneOf and discriminators. */
export const UNION_RULES = {
  'variants-indistinct': forSchemas(
    'warning',
    'A value that matches two variants of a oneOf is rejected. Give each a property with its own constant, or use anyOf.',
    indistinctHits,
  ),
  'variant-repeated': forSchemas(
    'warning',
    'In oneOf, its values are all rejected; elsewhere, it has no effect.',
    repeatedHits,
  ),
  'discriminator-missing-tag': forSchemas(
    'warning',
    'Each variant must declare and require the tag that selects it.',
    (schema, model) => eachVariant(schema, model, missingTagHits),
  ),
  'discriminator-open-tag': forSchemas(
    'warning',
    'If a tag can be any text, the compiler cannot distinguish variants: give it a `const` or an `enum`.',
    (schema, model) =>
      eachVariant(schema, model, ({ value, label, keys }, tag) => {
        const property = fields(value['properties'])[tag]
        return hitIf(
          isFields(property) && listed(deref(model, property)) === undefined,
          `'${tag}' of ${label} has neither const nor enum`,
          ...keys,
        )
      }),
  ),
  'discriminator-mapping': forSchemas(
    'error',
    'The tag selects a schema outside the union: it is never accepted.',
    mappingHits,
  ),
  'all-of-impossible': forSchemas(
    'error',
    'No value satisfies every part of the allOf.',
    impossibleHits,
  ),
  'all-of-closed': forSchemas(
    'warning',
    '`additionalProperties: false` rejects the properties of other parts.',
    closedHits,
  ),
}
