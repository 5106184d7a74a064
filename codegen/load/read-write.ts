// Members that are only for reading are required in answers alone, those only for writing in
// requests alone: a schema that has such members and goes both ways becomes two.
import type { Finding } from '../findings.ts'
import type { InterfaceIr, MediaIr, OperationIr, Schema, SchemaObject } from '../ir.ts'
import { changedBodies } from './change-bodies.ts'
import { refName } from './refs.ts'
import { directRefs, mapSchema, reachedFrom, renameRefs } from './map-schema.ts'

type Schemas = Readonly<Record<string, Schema>>
type Way = 'readOnly' | 'writeOnly'

/**
 * The IR with `NAMERequest` beside each component whose requests and answers differ. A note for
 * each, at the first request that has it.
 */
export function splitByWay(ir: InterfaceIr, findings: Finding[]): InterfaceIr {
  const differing = differingNames(ir.schemas)
  const inline = bodiesOf(ir).some((schema) => hasOneWay(ir.schemas, schema))
  if (differing.size === 0 && !inline) return ir
  const asked = reachedFrom(ir.schemas, ir.operations.flatMap(requestSchemas))
  const answered = reachedFrom(ir.schemas, ir.operations.flatMap(responseSchemas))
  const names = new Map<string, string>()
  for (const name of differing)
    if (asked.has(name) && answered.has(name))
      names.set(name, freeName(ir.schemas, `${name}Request`))
  const forRequests = (schema: Schema): Schema => relaxed(ir.schemas, schema, 'readOnly', names)
  const forAnswers = (schema: Schema): Schema => relaxed(ir.schemas, schema, 'writeOnly', new Map())
  const schemas = Object.entries(ir.schemas).flatMap(
    ([name, schema]): (readonly [string, Schema])[] => {
      const other = names.get(name)
      if (other !== undefined)
        return [
          [name, forAnswers(schema)],
          [other, forRequests(schema)],
        ]
      return [
        [name, differing.has(name) ? (asked.has(name) ? forRequests : forAnswers)(schema) : schema],
      ]
    },
  )
  ir.operations.forEach((operation) => {
    note(ir.schemas, operation, names, findings)
  })
  const operations = ir.operations.map((operation) =>
    changedBodies(operation, forRequests, forAnswers),
  )
  return {
    ...ir,
    schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))),
    operations,
  }
}

function requestSchemas(operation: OperationIr): readonly Schema[] {
  return [
    ...operation.parameters.map(({ schema }) => schema),
    ...schemasOf(operation.body?.media ?? []),
  ]
}

function responseSchemas(operation: OperationIr): readonly Schema[] {
  return operation.responses.flatMap(({ media }) => schemasOf(media))
}

function schemasOf(media: readonly MediaIr[]): readonly Schema[] {
  return media.flatMap(({ schema }) => schema ?? [])
}

function bodiesOf(ir: InterfaceIr): readonly Schema[] {
  return ir.operations.flatMap((operation) => [
    ...requestSchemas(operation),
    ...responseSchemas(operation),
  ])
}

/** Components that require a member of one way, or refer to one that does. */
function differingNames(schemas: Schemas): ReadonlySet<string> {
  const own = new Set(
    Object.entries(schemas)
      .filter(([, schema]) => hasOneWay(schemas, schema))
      .map(([name]) => name),
  )
  const users = new Map<string, string[]>()
  for (const [name, schema] of own.size === 0 ? [] : Object.entries(schemas)) {
    for (const target of directRefs(schema)) users.set(target, [...(users.get(target) ?? []), name])
  }
  for (const name of own) for (const user of users.get(name) ?? []) own.add(user)
  return own
}

function hasOneWay(schemas: Schemas, schema: Schema): boolean {
  let isFound = false
  mapSchema(schema, (one) => {
    isFound ||= (['readOnly', 'writeOnly'] as const).some(
      (way) => oneWayNames(schemas, one, way).length > 0,
    )
    return one
  })
  return isFound
}

/** Required members that go one way. */
function oneWayNames(schemas: Schemas, schema: SchemaObject, way: Way): readonly string[] {
  return (schema.required ?? []).filter((name) =>
    members(schemas, schema, name).some((one) => isOneWay(schemas, one, way)),
  )
}

/** How a member is declared: here, or in what is combined with this. */
function members(schemas: Schemas, schema: Schema, name: string, depth = 0): readonly Schema[] {
  if (typeof schema === 'boolean' || depth > 8) return []
  const own = Object.entries(schema.properties ?? {})
    .filter(([key]) => key === name)
    .map(([, one]) => one)
  const target = schema.$ref === undefined ? [] : [schemas[refName(schema.$ref)] ?? true]
  return [
    ...own,
    ...[...target, ...(schema.allOf ?? [])].flatMap((one) =>
      members(schemas, one, name, depth + 1),
    ),
  ]
}

function isOneWay(schemas: Schemas, schema: Schema, way: Way, depth = 0): boolean {
  if (typeof schema === 'boolean' || depth > 8) return false
  const target = schema.$ref === undefined ? [] : [schemas[refName(schema.$ref)] ?? true]
  return (
    schema[way] === true ||
    [...target, ...(schema.allOf ?? [])].some((one) => isOneWay(schemas, one, way, depth + 1))
  )
}

function relaxed(
  schemas: Schemas,
  schema: Schema,
  way: Way,
  names: ReadonlyMap<string, string>,
): Schema {
  return mapSchema(schema, (one) => {
    const free = new Set(oneWayNames(schemas, one, way))
    const { required = [], ...rest } = renameRefs(one, names)
    const kept = required.filter((name) => !free.has(name))
    return kept.length === 0 ? rest : { ...rest, required: kept }
  })
}

function freeName(schemas: Schemas, wanted: string): string {
  let name = wanted
  for (let suffix = 2; Object.hasOwn(schemas, name); suffix += 1) name = `${wanted}${suffix}`
  return name
}

function note(
  schemas: Schemas,
  operation: OperationIr,
  names: ReadonlyMap<string, string>,
  findings: Finding[],
): void {
  const used = [...reachedFrom(schemas, requestSchemas(operation))]
    .flatMap((name) => names.get(name) ?? [])
    .sort()
  if (used.length === 0) return
  const message = `requests and answers require other members: here ${used.join(', ')} ${used.length === 1 ? 'stands' : 'stand'} for what is sent`
  findings.push({ severity: 'note', rule: 'read-write-schema', message, at: operation.at })
}
