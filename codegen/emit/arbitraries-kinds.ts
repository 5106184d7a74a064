// Prints a schema as an expression of the combinators in arbitrary.gen.ts.
import { canonicalJson } from '../json.ts'
import type { Schema, SchemaObject, SchemaType } from '../ir.ts'
import { keywords } from '../keywords/table.ts'
import { refName } from '../load/refs.ts'
import { mergedSchema } from './arbitraries-merge.ts'
import type { Keys, Merged, MergedUnion } from './arbitraries-merge.ts'
import { objectKind } from './arbitraries-objects.ts'
import type { KindSheet } from './arbitraries-objects.ts'
import { limitsOf, realKind, textKind, wholeKind, withOptions } from './arbitraries-scalars.ts'
import { conjuncts, isFull, shareKind } from './arbitraries-shared.ts'
import { isUntyped } from './arbitraries-types.ts'
import { kindName, typeOf, validatorsOf } from './context.ts'
import { literal } from '../literals.ts'
import { typesOf } from '../keywords/types.ts'
import { checkName } from './validators.ts'
import { ALL_TYPES, factsOf, typeOfValue, valueType } from './validators-facts.ts'
import { planUnion } from './validators-union.ts'
import type { UnionPlan } from './validators-union.ts'

/** Keywords that say nothing about values. */
const SILENT: ReadonlySet<string> = new Set(
  keywords(({ role }) => role === 'note' || role === 'hint')
    .map(([name]) => name)
    .filter((name) => name !== 'discriminator'),
)
const MOST_DEPTH = 24

/** True for a schema that is a reference with nothing but notes beside it. */
export function isReference(
  schema: SchemaObject,
): schema is SchemaObject & { readonly $ref: string } {
  return schema.$ref !== undefined && speaking(schema).every((key) => key === '$ref')
}

/** The keywords that say something of values. */
export function speaking(schema: object): readonly string[] {
  return Object.keys(schema).filter((key) => !SILENT.has(key) && !key.startsWith('x-'))
}

/** The expression of a schema's kind. */
export function kindOf(sheet: KindSheet, schema: Schema): string {
  if (schema === true || sheet.depth > MOST_DEPTH) return 'anything()'
  if (schema === false) return 'nothing()'
  if (isReference(schema)) return reference(sheet, schema.$ref)
  const parts =
    schema.allOf === undefined && schema.$ref === undefined
      ? []
      : conjuncts(schema).filter((part) => typeof part === 'boolean' || speaking(part).length > 0)
  return parts.length > 1 && parts.some(leadsOn)
    ? sharedKind(sheet, schema, parts)
    : ownKind(sheet, schema)
}

/** True for what leads on to other schemas when it is taken together with its neighbours. */
function leadsOn(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  return [schema.$ref, schema.oneOf, schema.anyOf].some((one) => one !== undefined)
}

/** The kind of what references and rules say together, as a constant of its own. */
function sharedKind(sheet: KindSheet, schema: SchemaObject, parts: readonly Schema[]): string {
  const { context, isForm } = sheet
  const facts = factsOf(context.ir)
  const flat: SchemaObject = { allOf: parts }
  const key = [String(isForm), ...parts.map((part) => canonicalJson(part)).sort()].join('\n')
  const name = shareKind(context.kinds, key, (own) => {
    const code = ownKind({ ...sheet, current: undefined, hint: own, depth: 0 }, flat)
    const isTyped = facts.isDeep(flat) && !isForm
    const type = isUntyped(context.ir, flat) ? 'unknown' : typeOf(context, schema)
    return `const ${own}${isTyped ? `: Kind<${type}>` : ''} = named(() => ${code})\n`
  })
  if (name === undefined) return firstKind(sheet, flat, parts)
  return facts.isDeep(flat) ? `again(() => ${name})` : name
}

/** Values of the first part that leads on, as far as they fit the others too. */
function firstKind(sheet: KindSheet, schema: SchemaObject, parts: readonly Schema[]): string {
  const first = parts.find(leadsOn) ?? true
  return checked(sheet, schema, kindOf(sheet, first), false)
}

/** The kind of a component's own schema, which may be a reference to another. */
export function ownKind(sheet: KindSheet, schema: SchemaObject): string {
  const deeper = { ...sheet, depth: sheet.depth + 1 }
  if (isReference(schema)) return kindOf(deeper, schema)
  const [first, ...rest] = schema.allOf ?? []
  const isWrapped = first !== undefined && rest.length === 0 && speaking(schema).length === 1
  if (isWrapped) return kindOf(deeper, first)
  const merged = mergedSchema(sheet.context.ir, schema)
  if (merged.isEmpty) return 'nothing()'
  const [union, ...others] = merged.unions
  if (union === undefined)
    return checked(
      sheet,
      schema,
      typedKind(deeper, merged.keys),
      merged.isExact && !isLimitedList(merged.keys),
    )
  const { code, isExact } = unionKind(deeper, merged, union, others)
  return checked(sheet, schema, code, isExact && merged.isExact)
}

/** Values are listed, and some of them may break another rule. */
function isLimitedList(keys: Keys): boolean {
  return (
    keys.enum !== undefined &&
    speaking(keys).some((key) => !['enum', 'type', 'format'].includes(key))
  )
}

/** Code that checks values against the schema, because combinators do not say all. */
function checked(
  { context, current, hint }: KindSheet,
  schema: SchemaObject,
  code: string,
  isExact: boolean,
): string {
  if (isExact) return code
  const isComponent = current !== undefined && context.ir.schemas[current] === schema
  const check = isComponent ? checkName(current) : validatorsOf(context, schema, hint).check
  return check === undefined ? code : `only(${code}, ${check})`
}

function reference({ context, current }: KindSheet, ref: string): string {
  const name = refName(ref)
  const identifier = kindName(context, name)
  const isCircle = current !== undefined && factsOf(context.ir).isCircle(name, current)
  return isCircle ? `again(() => ${identifier})` : identifier
}

function unionKind(
  sheet: KindSheet,
  { keys }: Merged,
  union: MergedUnion,
  others: readonly MergedUnion[],
): { readonly code: string; readonly isExact: boolean } {
  const facts = factsOf(sheet.context.ir)
  const rest: SchemaObject = {
    ...keys,
    ...(others.length === 0 ? {} : { allOf: others.map(({ schema }) => schema) }),
  }
  const plan = planUnion(facts, union.schema, union.keyword)
  const cases = casesOf(plan)
  const printed = isFull(sheet.context.kinds) ? cases.branches.slice(0, 1) : cases.branches
  const branches = printed
    .map((branch) => branchOf(sheet, rest, branch))
    .filter((code) => code !== 'nothing()')
  const types = facts.types({ ...rest, allOf: [...(rest.allOf ?? []), union.schema] })
  const options = [
    ...(types.size >= ALL_TYPES.length ? [] : [`types: ${literal([...types])}`]),
    ...(cases.isBlurred ? ['blurred: true'] : []),
    ...(cases.isBlurred && union.keyword === 'oneOf' ? ['alone: true'] : []),
  ]
  if (branches.length === 0) return { code: 'nothing()', isExact: true }
  const code = `union([${branches.join(', ')}]${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`
  return { code, isExact: !cases.isBlurred || union.keyword === 'anyOf' }
}

interface Cases {
  readonly branches: readonly Schema[]
  /** Nothing but trying tells the variants apart. */
  readonly isBlurred: boolean
}

function casesOf(plan: UnionPlan): Cases {
  switch (plan.kind) {
    case 'single':
      return { branches: [plan.branch], isBlurred: false }
    case 'try':
      return { branches: plan.branches, isBlurred: true }
    case 'external':
      return { branches: plan.cases.map(({ branch }) => branch), isBlurred: false }
    case 'tag':
      return {
        branches: plan.cases.map(({ values, branch }) => tagged(plan.property, values, branch)),
        isBlurred: false,
      }
    case 'types': {
      const groups = plan.groups.map((group) => casesOf(group.plan))
      return {
        branches: groups.flatMap(({ branches }) => branches),
        isBlurred: groups.some(({ isBlurred }) => isBlurred),
      }
    }
  }
}

interface TaggedSchema extends SchemaObject {
  readonly 'x-tag': {
    readonly property: string
    readonly values: readonly string[]
    readonly branch: Schema
  }
}

/**
 * A variant with the values of its tag; `branchOf` drops them where the variant says them itself.
 */
function tagged(property: string, values: readonly string[], branch: Schema): TaggedSchema {
  const tag: SchemaObject = {
    type: 'object',
    properties: { [property]: { enum: values } },
    required: [property],
  }
  return { ...tag, allOf: [branch], 'x-tag': { property, values, branch } }
}

function isTagged(schema: Schema): schema is TaggedSchema {
  return typeof schema === 'object' && 'x-tag' in schema
}

function branchOf(sheet: KindSheet, rest: SchemaObject, branch: Schema): string {
  const facts = factsOf(sheet.context.ir)
  const plain = isTagged(branch) && saysTag(sheet, branch) ? branch['x-tag'].branch : branch
  const inner = facts.types(plain)
  const isBlank = speaking(rest).every(
    (key) =>
      key === 'type' && [...inner].every((type) => typesOf(rest).map(valueType).includes(type)),
  )
  if (isBlank) return kindOf(sheet, plain)
  const whole: SchemaObject = { ...rest, allOf: [...(rest.allOf ?? []), plain] }
  return isFull(sheet.context.kinds) ? ownKind(sheet, whole) : kindOf(sheet, whole)
}

function saysTag(
  { context }: KindSheet,
  { 'x-tag': { property, values, branch } }: TaggedSchema,
): boolean {
  const { properties, required } = factsOf(context.ir).shape(branch)
  const { keys } = mergedSchema(context.ir, properties.get(property) ?? true)
  return (
    required.has(property) &&
    keys.enum !== undefined &&
    canonicalJson([...keys.enum].sort()) === canonicalJson([...values].sort())
  )
}

/** The kind of a schema without references and variants. */
function typedKind(sheet: KindSheet, keys: Keys): string {
  const types = keys.type === undefined ? [] : typesOf(keys)
  if (keys.enum !== undefined) return listedKind(keys, keys.enum, types)
  if (types.length === 0) return impliedKind(sheet, keys)
  const [first] = types
  if (first !== undefined && types.length === 1) return kindOfType(sheet, keys, first, false)
  if (keys.format === 'decimal' && types.includes('string') && types.includes('number')) {
    // Text says more than a number, and is what the type of such values is.
    const others = types.filter((type) => type !== 'number')
    return several(sheet, keys, others, types)
  }
  return several(sheet, keys, types, types)
}

function several(
  sheet: KindSheet,
  keys: Keys,
  types: readonly SchemaType[],
  known: readonly SchemaType[],
): string {
  const kinds = types.map((type) => kindOfType(sheet, keys, type, false))
  return `union([${kinds.join(', ')}], { types: ${literal([...new Set(known.map(valueType))])} })`
}

function listedKind(keys: Keys, listed: readonly unknown[], types: readonly SchemaType[]): string {
  const allowed = types.map(valueType)
  const values = listed.filter(
    (value) => types.length === 0 || allowed.includes(typeOfValue(value)),
  )
  const texts = values.map((value) =>
    keys.format === 'int64' && Number.isSafeInteger(value) ? `${String(value)}n` : literal(value),
  )
  return `pick(${texts.join(', ')})`
}

const IMPLIED = (['object', 'array', 'string', 'number'] as const).map(
  (type) =>
    [
      type,
      keywords(({ of, role }) => of === type && (role === 'rule' || role === 'type')),
    ] as const,
)

/**
 * Keywords without a type hold for one type and let all others pass: values are of that one, and no
 * type is wrong.
 */
function impliedKind(sheet: KindSheet, keys: Keys): string {
  const found = IMPLIED.find(([, rows]) => rows.some(([name]) => name in keys))
  const type =
    found?.[0] ??
    (keys.format === undefined
      ? undefined
      : /^int(?:32|64)$/u.test(keys.format)
        ? 'integer'
        : 'string')
  if (type === undefined) return 'anything()'
  const code = kindOfType(sheet, keys, type, true)
  return type === 'object' ? code : `union([${code}])`
}

function kindOfType(sheet: KindSheet, keys: Keys, type: SchemaType, isLoose: boolean): string {
  switch (type) {
    case 'null':
      return 'nil()'
    case 'boolean':
      return 'bool()'
    case 'integer':
      return wholeKind(keys)
    case 'number':
      return keys.format === 'int64' || keys.format === 'int32' ? wholeKind(keys) : realKind(keys)
    case 'string':
      return textKind(sheet.isForm, keys)
    case 'array':
      return arrayKind(sheet, keys)
    case 'object':
      return objectKind(sheet, keys, isLoose)
  }
}

function arrayKind(sheet: KindSheet, keys: Keys): string {
  if (keys.prefixItems !== undefined) {
    const items = keys.prefixItems.map((item) => kindOf(sheet, item))
    const rest =
      keys.items === undefined
        ? 'anything()'
        : keys.items === false
          ? 'false'
          : kindOf(sheet, keys.items)
    return `tuple([${items.join(', ')}], ${rest}, ${keys.minItems ?? 0})`
  }
  return withOptions('list', limitsOf(keys, 'array'), kindOf(sheet, keys.items ?? true))
}
