// Fingerprints of what a handler sees of its operation: the types of its parameters, of its body and of its replies, each with
// every schema that they reach. Limits, texts, access and versions change none of them.
import type { HeaderIr, InterfaceIr, MediaIr, OperationIr, ParameterIr, ResponseIr, Schema, SchemaObject } from '../ir.ts'
import { fingerprints } from '../plan/fingerprint.ts'

/** The parts of a handler's types that can change. */
export const PARTS = ['parameters', 'body', 'replies'] as const

export type Part = (typeof PARTS)[number]

export type TypePrints = Readonly<Record<Part, string>>

/** Formats that have a type of their own. */
const TYPED_FORMATS: ReadonlySet<string> = new Set(['int64', 'decimal', 'binary', 'byte'])
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
const SINGLES = ['items', 'additionalProperties'] as const
const MAPS = ['properties', 'patternProperties'] as const

/** Fingerprints of every operation's types, by operation id. They do not depend on the operation's id, method or path. */
export function typePrints(ir: InterfaceIr): ReadonlyMap<string, TypePrints> {
  const schemas = Object.entries(ir.schemas).map(([name, schema]): [string, Schema] => [name, typeOnly(schema)])
  const parts = ir.operations.flatMap((operation) => PARTS.map((part): [string, Schema] => {
    return [partName(operation.operationId, part), { 'x-part': partOf(operation, part) }]
  }))
  const found = fingerprints({ ...ir, operations: [], schemas: Object.fromEntries([...schemas, ...parts]) }).schemas
  const print = (operationId: string, part: Part): string => found[partName(operationId, part)]?.shape ?? ''
  return new Map(ir.operations.map(({ operationId }) => [operationId, {
    parameters: print(operationId, 'parameters'), body: print(operationId, 'body'), replies: print(operationId, 'replies'),
  }]))
}

/** The space keeps it apart from every schema that can be referred to. */
const partName = (operationId: string, part: Part): string => `${part} ${operationId}`

function partOf({ parameters, body, responses }: OperationIr, part: Part): unknown {
  if (part === 'parameters') return parameters.map(parameterOnly)
  if (part === 'replies') return responses.map(responseOnly)
  return body === undefined ? undefined : { required: body.required, media: body.media.map(mediaOnly) }
}

/** A parameter with a default is always there. How it is written in the request is no type. */
function parameterOnly({ name, in: place, required, schema }: ParameterIr): ParameterIr {
  const isThere = required || (typeof schema === 'object' && schema.default !== undefined)
  return { name, in: place, required: isThere, schema: typeOnly(schema), style: 'simple', explode: false, extensions: {} }
}

function mediaOnly({ mediaType, schema }: MediaIr): MediaIr {
  return { mediaType, examples: [], ...schema === undefined ? {} : { schema: typeOnly(schema) } }
}

function responseOnly({ status, media, headers }: ResponseIr): ResponseIr {
  const required = headers.filter((header) => header.required)
  return { status, description: '', media: media.map(mediaOnly), headers: required.map((header): HeaderIr => ({ ...header, schema: true })) }
}

function typeOnly(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  const draft: { -readonly [K in keyof SchemaObject]: SchemaObject[K] } = {}
  for (const key of ['$ref', 'type', 'enum', 'const', 'required', 'contentEncoding', 'readOnly', 'writeOnly'] as const) {
    if (schema[key] !== undefined) Object.assign(draft, { [key]: schema[key] })
  }
  if (schema.discriminator !== undefined) draft.discriminator = schema.discriminator
  if (schema.format !== undefined && TYPED_FORMATS.has(schema.format)) draft.format = schema.format
  for (const key of LISTS) if (schema[key] !== undefined) draft[key] = schema[key].map(typeOnly)
  for (const key of SINGLES) if (schema[key] !== undefined) draft[key] = typeOnly(schema[key])
  for (const key of MAPS) if (schema[key] !== undefined) draft[key] = mapOnly(schema[key])
  return draft
}

function mapOnly(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, typeOnly(schema)]))
}
