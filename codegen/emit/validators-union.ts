// Decides how a oneOf or anyOf finds the variant of a value, so that findings point inside that
// variant: by type, by discriminator, by the one property each variant requires, by a tag's
// constant, else by trying all.
import type { Schema, SchemaObject } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { type Facts, typeOfValue, type ValueType } from './validators-facts.ts'

export type UnionKeyword = 'oneOf' | 'anyOf'

export type UnionPlan =
  | { readonly kind: 'single'; readonly branch: Schema }
  | { readonly kind: 'types'; readonly groups: readonly TypeGroup[] }
  | {
      readonly kind: 'tag'
      readonly property: string
      readonly keyword: string
      readonly cases: readonly TagCase[]
    }
  | {
      readonly kind: 'external'
      readonly cases: readonly { readonly tag: string; readonly branch: Schema }[]
    }
  | { readonly kind: 'try'; readonly branches: readonly Schema[] }

export interface TypeGroup {
  readonly types: readonly ValueType[]
  readonly plan: UnionPlan
}

export interface TagCase {
  readonly values: readonly string[]
  readonly branch: Schema
}

/**
 * The dispatch of `schema[keyword]`. All but the discriminator decide exactly as JSON Schema does.
 */
export function planUnion(facts: Facts, schema: SchemaObject, keyword: UnionKeyword): UnionPlan {
  const branches = schema[keyword] ?? []
  const groups = typeGroups(facts, branches)
  if (groups.length === 1) return planObjects(facts, schema, keyword, branches)
  return {
    kind: 'types',
    groups: groups.map((group) => ({
      types: group.types,
      plan: planObjects(facts, schema, keyword, group.branches),
    })),
  }
}

interface Group {
  types: readonly ValueType[]
  branches: readonly Schema[]
}

// Branches that share a type belong together; a value's type then leaves one group.
function typeGroups(facts: Facts, branches: readonly Schema[]): readonly Group[] {
  let groups: readonly Group[] = []
  for (const branch of branches) {
    const types = facts.types(branch)
    const touching = groups.filter((group) => group.types.some((type) => types.has(type)))
    const merged = {
      types: [...new Set([...touching.flatMap((group) => group.types), ...types])],
      branches: [...touching.flatMap((group) => group.branches), branch],
    }
    groups = [...groups.filter((group) => !touching.includes(group)), merged]
  }
  return groups
}

function planObjects(
  facts: Facts,
  schema: SchemaObject,
  keyword: UnionKeyword,
  branches: readonly Schema[],
): UnionPlan {
  const [first] = branches
  if (first !== undefined && branches.length === 1) return { kind: 'single', branch: first }
  const objects = branches.every((branch) => isObjectOnly(facts, branch))
  const plan =
    objects && branches.length > 0
      ? (planDiscriminator(facts, schema, branches) ??
        planExternal(facts, branches) ??
        planConstants(facts, keyword, branches))
      : undefined
  return plan ?? { kind: 'try', branches }
}

function isObjectOnly(facts: Facts, branch: Schema): boolean {
  const types = facts.types(branch)
  return types.size === 1 && types.has('object')
}

/**
 * The tags that choose each variant by the discriminator of `schema[keyword]`; none where it tells
 * no variants apart. Types narrow by them as checks do.
 */
export function discriminatedCases(
  facts: Facts,
  schema: SchemaObject,
  keyword: UnionKeyword,
): readonly TagCase[] {
  const plan = planUnion(facts, schema, keyword)
  const plans = plan.kind === 'types' ? plan.groups.map((group) => group.plan) : [plan]
  return plans.flatMap((one) =>
    one.kind === 'tag' && one.keyword === 'discriminator' ? one.cases : [],
  )
}

// What a variant itself admits as its tag, then the mapping, then its name: a tag that the variant
// refuses would leave a union without values.
function planDiscriminator(
  facts: Facts,
  schema: SchemaObject,
  branches: readonly Schema[],
): UnionPlan | undefined {
  const { discriminator } = schema
  if (discriminator === undefined) return undefined
  const { mapping = {} } = discriminator
  const mapped = Map.groupBy(Object.keys(mapping), (value) => refName(mapping[value] ?? ''))
  const property = discriminator.propertyName
  const own = branches.map((branch) => ({
    values: constantsOf(facts, facts.shape(branch).properties.get(property), 0),
    branch,
  }))
  const isOwn = areDistinct(own)
  const cases = own.map(({ values, branch }) => {
    if (isOwn && values.length > 0) return { values, branch }
    const named = tagsOf(branch, mapped)
    const both = named.filter((tag) => values.includes(tag))
    return { values: both.length > 0 ? both : values.length > 0 ? values : named, branch }
  })
  if (cases.some(({ values }) => values.length === 0) || !areDistinct(cases)) return undefined
  return { kind: 'tag', property, keyword: 'discriminator', cases }
}

function tagsOf(branch: Schema, mapped: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (typeof branch === 'boolean' || branch.$ref === undefined) return []
  const name = refName(branch.$ref)
  return mapped.get(name) ?? [name]
}

function planExternal(facts: Facts, branches: readonly Schema[]): UnionPlan | undefined {
  const required = branches.map((branch) => [...facts.shape(branch).required])
  const tags = new Set(required.map(([tag]) => tag))
  if (required.some((names) => names.length !== 1) || tags.size !== branches.length)
    return undefined
  return {
    kind: 'external',
    cases: branches.map((branch, i) => ({ tag: required[i]?.[0] ?? '', branch })),
  }
}

function planConstants(
  facts: Facts,
  keyword: UnionKeyword,
  branches: readonly Schema[],
): UnionPlan | undefined {
  const [first, ...others] = branches.map((branch) => facts.shape(branch))
  if (first === undefined) return undefined
  const shared = [...first.required].filter((name) =>
    others.every((other) => other.required.has(name)),
  )
  for (const property of shared.sort()) {
    const cases = branches.map((branch) => {
      return { values: constantsOf(facts, facts.shape(branch).properties.get(property), 0), branch }
    })
    const isTagged = cases.every(({ values }) => values.length > 0) && areDistinct(cases)
    if (isTagged) return { kind: 'tag', property, keyword, cases }
  }
  return undefined
}

// The texts that a schema admits, when it lists them; [] otherwise.
function constantsOf(facts: Facts, schema: Schema | undefined, depth: number): readonly string[] {
  if (schema === undefined || typeof schema === 'boolean' || depth > 20) return []
  const listed = schema.const === undefined ? schema.enum : [schema.const]
  if (listed !== undefined) {
    const texts = listed.filter((value) => typeof value === 'string')
    return listed.every((value) => typeOfValue(value) === 'string') ? texts : []
  }
  const [only, ...others] = schema.allOf ?? []
  const inner = schema.$ref === undefined ? only : facts.ir.schemas[refName(schema.$ref)]
  return inner === undefined || others.length > 0 ? [] : constantsOf(facts, inner, depth + 1)
}

function areDistinct(cases: readonly TagCase[]): boolean {
  const all = cases.flatMap(({ values }) => values)
  return new Set(all).size === all.length
}
