// What a vocabulary changes in the values of each schema. One plan serves both directions, printed
// code and the examples.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { isBareReference } from '../emit/schema-facts.ts'
import type { Plan } from '../emit/support/translation.ts'
import { canonicalJson } from '../json.ts'
import { refName } from '../load/refs.ts'
import { sortedEntries, text } from '../values.ts'

/** Values of the extension `x-vocabulary` of a schema. */
export const ANNOTATIONS = [
  'payload',
  'template-id',
  'interface-id',
  'package-name',
  'package-keys',
  'name',
  'message',
] as const
export const ANNOTATION_KEY = 'x-vocabulary'

type Annotation = (typeof ANNOTATIONS)[number]

const SAME: Plan = { kind: 'same' }

/** All that may be said of a value by a schema and what it is composed of. */
interface Facets {
  readonly properties: Map<string, Schema[]>
  readonly rest: Schema[]
  readonly items: Schema[]
  readonly first: (readonly Schema[])[]
  readonly annotations: Set<Annotation>
  /** A union has a variant whose keys are data beside one whose keys are names. */
  hasMap: boolean
}

export class Planner {
  readonly #ir: InterfaceIr
  readonly #rename: (name: string) => string
  readonly #nodes = new Map<string, Plan>()
  readonly #live = new Map<string, boolean>()
  readonly #blurred = new Set<string>()
  /** Keys of unions by their content. */
  readonly #unions = new Map<string, string>()

  /** `rename` gives a property's name on the wire. */
  constructor(ir: InterfaceIr, rename: (name: string) => string) {
    this.#ir = ir
    this.#rename = rename
  }

  /**
   * Keys of nodes whose variants no schema tells apart: records with renamed members beside maps.
   */
  get blurred(): ReadonlySet<string> {
    return this.#blurred
  }

  /** The plan of a schema; 'same' when nothing in such values is named otherwise. */
  planOf(schema: Schema | undefined): Plan {
    return this.pruned(this.#raw(schema))
  }

  /** The plan of a node. */
  node(key: string): Plan {
    return this.pruned(this.#nodes.get(key) ?? SAME)
  }

  /** The plans of all nodes that change any value, by key. */
  nodes(): Readonly<Record<string, Plan>> {
    const live = [...this.#nodes.keys()].filter((key) => this.#isLive({ kind: 'node', key }))
    return Object.fromEntries(live.map((key) => [key, this.node(key)]))
  }

  /** The plan without what changes no value. */
  pruned(plan: Plan): Plan {
    const inner = (one: Plan): Plan => this.pruned(one)
    if (!this.#isLive(plan)) return SAME
    if (plan.kind === 'mixed') {
      const live = plan.plans.map(inner).filter(({ kind }) => kind !== 'same')
      return { ...plan, plans: live }
    }
    if (plan.kind === 'list')
      return { ...plan, first: plan.first.map(inner), rest: inner(plan.rest) }
    if (plan.kind !== 'record') return plan
    const members = Object.entries(plan.members)
      .map(([name, { wire, plan: one }]) => [name, { wire, plan: inner(one) }] as const)
      .filter(([name, { wire, plan: one }]) => name !== wire || one.kind !== 'same')
    return { ...plan, members: Object.fromEntries(members), rest: inner(plan.rest) }
  }

  #isLive(plan: Plan): boolean {
    return this.#reaches(plan, new Set())
  }

  #raw(schema: Schema | undefined): Plan {
    if (typeof schema !== 'object') return SAME
    if (isBareReference(schema)) return this.#node(schema.$ref, schema)
    const isComposed = [schema.$ref, schema.allOf, schema.anyOf, schema.oneOf].some(
      (part) => part !== undefined,
    )
    return isComposed ? this.#node(this.#unionKey(schema), schema) : this.#plain(schema)
  }

  #unionKey(schema: SchemaObject): string {
    const content = canonicalJson(schema)
    const key = this.#unions.get(content) ?? `union ${this.#unions.size + 1}`
    this.#unions.set(content, key)
    return key
  }

  #node(key: string, schema: SchemaObject): Plan {
    const plan: Plan = { kind: 'node', key }
    if (this.#nodes.has(key)) return plan
    this.#nodes.set(key, SAME)
    this.#nodes.set(key, this.#plain(schema, key))
    return plan
  }

  #plain(schema: SchemaObject, key = ''): Plan {
    const facets: Facets = {
      properties: new Map(),
      rest: [],
      items: [],
      first: [],
      annotations: new Set(),
      hasMap: false,
    }
    this.#gather(schema, facets, new Set())
    const plans = [
      ...this.#recordPlans(facets, key),
      ...this.#listPlans(facets),
      ...annotated(facets),
    ]
    const [only = SAME] = plans
    return plans.length > 1 ? { kind: 'mixed', plans } : only
  }

  /**
   * A value may be of any variant: rules of all variants go into one, since a name has the same
   * name on the wire everywhere.
   */
  #gather(schema: Schema, facets: Facets, seen: Set<string>): void {
    if (typeof schema !== 'object') return
    if (schema.$ref !== undefined && !seen.has(schema.$ref)) {
      seen.add(schema.$ref)
      this.#gather(this.#ir.schemas[refName(schema.$ref)] ?? true, facets, seen)
    }
    const annotation = ANNOTATIONS.find((known) => known === text(schema[ANNOTATION_KEY]))
    if (annotation !== undefined) facets.annotations.add(annotation)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      facets.properties.set(name, [...(facets.properties.get(name) ?? []), property])
    }
    for (const name of undeclaredNames(schema)) {
      const { additionalProperties: rest } = schema
      facets.properties.set(name, [
        ...(facets.properties.get(name) ?? []),
        ...(typeof rest === 'object' ? [rest] : []),
      ])
    }
    const isMap = schema.properties === undefined && typeof schema.additionalProperties === 'object'
    if (isMap) facets.hasMap = true
    facets.rest.push(
      ...Object.values(schema.patternProperties ?? {}),
      schema.additionalProperties ?? true,
    )
    if (schema.items !== undefined) facets.items.push(schema.items)
    if (schema.prefixItems !== undefined) facets.first.push(schema.prefixItems)
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      this.#gather(part, facets, seen)
  }

  #recordPlans({ properties, rest, hasMap }: Facets, key: string): readonly Plan[] {
    if (properties.size === 0 && rest.every((one) => typeof one === 'boolean')) return []
    const beside = [...properties]
      .filter(([, schemas]) => schemas.some((schema) => this.#saysWhose(schema)))
      .map(([name]) => [name, this.#rename(name)] as const)
    const members = sortedEntries(Object.fromEntries(properties)).map(([name, schemas]) => {
      const plan = this.#anyOf(schemas)
      const placed: Plan = this.#isPayload(plan) ? { kind: 'payload', beside } : plan
      return [name, { wire: this.#rename(name), plan: placed }] as const
    })
    if (hasMap && members.some(([name, { wire }]) => name !== wire)) this.#blurred.add(key)
    return [{ kind: 'record', members: Object.fromEntries(members), rest: this.#anyOf(rest) }]
  }

  /** Also where a component is nothing but a payload. */
  #isPayload(plan: Plan): boolean {
    return (plan.kind === 'node' ? this.#nodes.get(plan.key) : plan)?.kind === 'payload'
  }

  #saysWhose(schema: Schema): boolean {
    if (typeof schema !== 'object') return false
    const { $ref } = schema
    const own = text(schema[ANNOTATION_KEY])
    if (own === undefined && $ref !== undefined)
      return this.#saysWhose(this.#ir.schemas[refName($ref)] ?? true)
    return own === 'template-id' || own === 'name'
  }

  #listPlans({ items, first }: Facets): readonly Plan[] {
    if (items.length === 0 && first.length === 0) return []
    const longest = Math.max(0, ...first.map((one) => one.length))
    const places = Array.from({ length: longest }, (_, index) =>
      this.#anyOf(first.flatMap((one) => one[index] ?? items)),
    )
    return [{ kind: 'list', first: places, rest: this.#anyOf(items) }]
  }

  #anyOf(schemas: readonly Schema[]): Plan {
    const objects = schemas.filter((one) => typeof one === 'object')
    const distinct = sortedEntries(
      Object.fromEntries(objects.map((one) => [canonicalJson(one), one])),
    )
    const [first] = distinct
    if (first === undefined) return SAME
    return this.#raw(
      distinct.length === 1 ? first[1] : { anyOf: distinct.map(([, schema]) => schema) },
    )
  }

  #reaches(plan: Plan, seen: Set<string>): boolean {
    switch (plan.kind) {
      case 'same':
        return false
      case 'text':
      case 'payload':
        return true
      case 'mixed':
        return plan.plans.some((one) => this.#reaches(one, seen))
      case 'list':
        return [plan.rest, ...plan.first].some((one) => this.#reaches(one, seen))
      case 'record': {
        const members = Object.entries(plan.members)
        return (
          members.some(
            ([name, { wire, plan: one }]) => name !== wire || this.#reaches(one, seen),
          ) || this.#reaches(plan.rest, seen)
        )
      }
      case 'node': {
        const known = this.#live.get(plan.key)
        if (known !== undefined || seen.has(plan.key)) return known ?? false
        seen.add(plan.key)
        const isLive = this.#reaches(this.#nodes.get(plan.key) ?? SAME, seen)
        // False may only mean that a circle was met; of the outermost question it is final.
        if (isLive || seen.size === 1) this.#live.set(plan.key, isLive)
        return isLive
      }
    }
  }
}

/**
 * Names that a schema speaks of without describing the member: they are renamed where it says them,
 * so they are here.
 */
function undeclaredNames({
  required = [],
  discriminator,
  properties = {},
}: SchemaObject): readonly string[] {
  const named = [...required, ...(discriminator === undefined ? [] : [discriminator.propertyName])]
  return named.filter((name) => !Object.hasOwn(properties, name))
}

function annotated({ annotations }: Facets): readonly Plan[] {
  return [...annotations].map((of) =>
    of === 'payload' ? { kind: 'payload', beside: [] } : { kind: 'text', of },
  )
}
