// Fingerprints of what a handler sees of its operation: the types of its parameters, of its body
// and of its replies, each with every schema that they reach. Limits, texts, access and versions
// change none of them.
import type {
  HeaderIr,
  InterfaceIr,
  MediaIr,
  OperationIr,
  ParameterIr,
  ResponseIr,
  Schema,
  SchemaObject,
} from '../ir.ts'
import { namesWhere } from '../keywords/table.ts'
import { canonicalJson, sha256 } from '../json.ts'
import { directRefs } from '../load/reach.ts'
import { refName } from '../load/refs.ts'
import { refGraph } from '../ref-graph.ts'
import { compareText, isFields, mapValues } from '../values.ts'

/** The parts of a handler's types that can change. */
export const PARTS = ['parameters', 'body', 'replies'] as const

export type Part = (typeof PARTS)[number]

export type TypePrints = Readonly<Record<Part, string>>

/** Formats that have a type of their own. */
const TYPED_FORMATS: ReadonlySet<string> = new Set(['int64', 'decimal', 'binary', 'byte'])
const LISTS = namesWhere({ form: 'schemas', typed: true })
const SINGLES = namesWhere({ form: 'schema', typed: true })
const MAPS = namesWhere({ form: 'schemaMap', typed: true })
const PRINT_LENGTH = 16
/** Steps that are told apart within a circle of schemas. */
const ROUNDS = 3

/**
 * Fingerprints of every operation's types, by operation id. They depend neither on the operation's
 * id, method and path nor on what schemas are called: a type under another name is the same type.
 */
export function typePrints(ir: InterfaceIr): ReadonlyMap<string, TypePrints> {
  const printOf = structures(
    new Map(Object.entries(ir.schemas).map(([name, schema]) => [name, typeOnly(schema)])),
  )
  return new Map(
    ir.operations.map((operation) => {
      const print = (part: Part): string => printOf(partOf(operation, part)).slice(0, PRINT_LENGTH)
      return [
        operation.operationId,
        { parameters: print('parameters'), body: print('body'), replies: print('replies') },
      ]
    }),
  )
}

/** Hashes values that refer to schemas, with the structure of these in place of their names. */
function structures(schemas: ReadonlyMap<string, Schema>): (value: unknown) => string {
  const done = new Map<string, string>()
  const graph = refGraph(new Map([...schemas].map(([name, schema]) => [name, directRefs(schema)])))
  for (const members of graph.groups) {
    let own = new Map(members.map((name) => [name, '']))
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = own
      own = new Map(
        members.map((name) => [
          name,
          hashWith(schemas.get(name), (ref) => before.get(ref) ?? done.get(ref) ?? ref),
        ]),
      )
    }
    // Whoever leads to one of a circle leads to all of them.
    const all = [...own.values()].sort(compareText).join('\n')
    for (const [name, hash] of own) done.set(name, sha256(`${hash}\n${all}`))
  }
  return (value) => hashWith(value, (ref) => done.get(ref) ?? ref)
}

function hashWith(value: unknown, hashOf: (name: string) => string): string {
  const replaced = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(replaced)
    if (!isFields(item)) return item
    return mapValues(item, (inner, key) =>
      key === '$ref' && typeof inner === 'string' ? hashOf(refName(inner)) : replaced(inner),
    )
  }
  return sha256(canonicalJson(replaced(value) ?? null))
}

function partOf({ parameters, body, responses }: OperationIr, part: Part): unknown {
  if (part === 'parameters') return parameters.map(parameterOnly)
  if (part === 'replies') return responses.map(responseOnly)
  return body === undefined
    ? undefined
    : { required: body.required, media: body.media.map(mediaOnly) }
}

/** A parameter with a default is always there. How it is written in the request is no type. */
function parameterOnly({ name, in: place, required, schema }: ParameterIr): ParameterIr {
  const isThere = required || (typeof schema === 'object' && schema.default !== undefined)
  return {
    name,
    in: place,
    required: isThere,
    schema: typeOnly(schema),
    style: 'simple',
    explode: false,
    extensions: {},
  }
}

function mediaOnly({ mediaType, schema }: MediaIr): MediaIr {
  return { mediaType, examples: [], ...(schema === undefined ? {} : { schema: typeOnly(schema) }) }
}

function responseOnly({ status, media, headers }: ResponseIr): ResponseIr {
  const required = headers.filter((header) => header.required)
  return {
    status,
    description: '',
    media: media.map(mediaOnly),
    headers: required.map((header): HeaderIr => ({ ...header, schema: true })),
  }
}

function typeOnly(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  const draft: { -readonly [K in keyof SchemaObject]: SchemaObject[K] } = {}
  for (const key of [
    '$ref',
    'type',
    'enum',
    'const',
    'required',
    'contentEncoding',
    'readOnly',
    'writeOnly',
  ] as const) {
    if (schema[key] !== undefined) Object.assign(draft, { [key]: schema[key] })
  }
  // Without a mapping, the names of the alternatives are values.
  if (schema.discriminator !== undefined)
    Object.assign(draft, {
      discriminator: schema.discriminator,
      'x-names': [...directRefs(schema)],
    })
  if (schema.format !== undefined && TYPED_FORMATS.has(schema.format)) draft.format = schema.format
  for (const key of LISTS) if (schema[key] !== undefined) draft[key] = schema[key].map(typeOnly)
  for (const key of SINGLES) if (schema[key] !== undefined) draft[key] = typeOnly(schema[key])
  for (const key of MAPS) if (schema[key] !== undefined) draft[key] = mapOnly(schema[key])
  return draft
}

function mapOnly(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return mapValues(schemas, typeOnly)
}
