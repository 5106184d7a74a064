// Members that are only for reading are required in answers alone, those only for writing in
// requests alone: a schema that has such members and goes both ways becomes two.
import type { Finding } from '../findings.ts'
import type { InterfaceIr, MediaIr, OperationIr, Schema } from '../ir.ts'
import { mapSchema, renameRefs } from './map-schema.ts'
import { mapBodies } from './map-operation.ts'
import { finding } from '../rules/document-rules.ts'
import { oneWayMembers, WAYS } from './one-way.ts'
import type { OneWayMembers, Way } from './one-way.ts'
import { directRefs, reachedFrom, reachIn } from './reach.ts'
import { schemaRef } from './refs.ts'

type Schemas = Readonly<Record<string, Schema>>

/**
 * The IR with `NAMERequest` beside each component whose requests and answers differ. A note for
 * each, at the first request that has it.
 */
export function splitByWay(ir: InterfaceIr, findings: Finding[]): InterfaceIr {
  const members = oneWayMembers(ir.schemas)
  const differs = reachIn(ir.schemas).somewhere((part) =>
    WAYS.some((way) => members.required(part, way).length > 0),
  )
  const differing = new Set(
    Object.keys(ir.schemas).filter((name) => differs({ $ref: schemaRef(name) })),
  )
  if (differing.size === 0 && !bodiesOf(ir).some(differs)) return ir
  const asked = reachedFrom(ir.schemas, ir.operations.flatMap(requestSchemas))
  const answered = reachedFrom(ir.schemas, ir.operations.flatMap(responseSchemas))
  const names = new Map<string, string>()
  for (const name of differing)
    if (asked.has(name) && answered.has(name))
      names.set(name, freeName(ir.schemas, `${name}Request`))
  const forRequests = (schema: Schema): Schema => relaxed(members, schema, 'readOnly', names)
  const forAnswers = (schema: Schema): Schema => relaxed(members, schema, 'writeOnly', new Map())
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
  findings.push(...notes(ir, differing, names))
  const operations = ir.operations.map((one) => mapBodies(one, forRequests, forAnswers))
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

function relaxed(
  members: OneWayMembers,
  schema: Schema,
  way: Way,
  names: ReadonlyMap<string, string>,
): Schema {
  return mapSchema(schema, (one) => {
    const free = new Set(members.required(one, way))
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

/** Names that a note gives; documents have thousands. */
const MOST_NAMED = 20

/** Schemas of what each operation sends of what it sends; only differing ones are noted. */
function notes(
  ir: InterfaceIr,
  differing: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): readonly Finding[] {
  if (names.size === 0) return []
  const leading = (schema: Schema): ReadonlySet<string> =>
    new Set([...directRefs(schema)].filter((name) => differing.has(name)))
  const direct = new Map([...differing].map((name) => [name, leading(ir.schemas[name] ?? true)]))
  return ir.operations.flatMap((operation): readonly Finding[] => {
    const reached = new Set(requestSchemas(operation).flatMap((schema) => [...leading(schema)]))
    for (const name of reached) for (const next of direct.get(name) ?? []) reached.add(next)
    const used = [...reached].flatMap((name) => names.get(name) ?? []).sort()
    if (used.length === 0) return []
    const more = used.length > MOST_NAMED ? [`${used.length - MOST_NAMED} more`] : []
    const message = `requests and answers require other members: here ${[...used.slice(0, MOST_NAMED), ...more].join(', ')} ${used.length === 1 ? 'stands' : 'stand'} for what is sent`
    return [finding('read-write-schema', message, operation.at)]
  })
}
