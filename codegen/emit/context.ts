// What the emitters of one interface share: its IR, the names given, and the schemas that need a
// validator of their own.
import { canonicalJson } from '../json.ts'
import type {
  InterfaceIr,
  MediaIr,
  OperationIr,
  ParameterIr,
  ParameterPlace,
  Schema,
  SchemaObject,
} from '../ir.ts'
import { propertyKey, quote } from '../literals.ts'
import { sharedKinds } from './arbitraries-shared.ts'
import type { SharedKinds } from './arbitraries-shared.ts'
import { operationTypeNames, schemaTypeNames } from './names.ts'
import { withRequired } from './required.ts'
import { dereference, filesOf, isBareReference } from './schema-facts.ts'
import { refName } from '../load/refs.ts'
import { tsType } from './ts-type.ts'
import { sortedEntries } from '../values.ts'
import { factsOf } from './validators-facts.ts'
import { checkName, liftName, needsLift } from './validators.ts'
import type { ValidatorRoot } from './validators.ts'

export type BodyKind = 'json' | 'text' | 'binary' | 'form' | 'multipart' | 'events' | 'json-lines'

/** The end of the wire that a type is for, and the direction of the value. */
type Side = 'handler-in' | 'handler-out' | 'client-in' | 'client-out'

export interface EmitContext {
  readonly ir: InterfaceIr
  /** Schema name to emitted type name. */
  readonly typeNames: ReadonlyMap<string, string>
  /** Operation id to the base of its type names. */
  readonly operationNames: ReadonlyMap<string, string>
  /** Inline schemas that printed routes check; filled while routes are printed. */
  readonly roots: ValidatorRoot[]
  /** Root names by content, so that equal inline schemas share one validator. */
  readonly rootNames: Map<string, string>
  /** The values of `rootNames`. */
  readonly usedNames: Set<string>
  /** Kinds of values that no component is; filled while arbitraries are printed. */
  readonly kinds: SharedKinds
}

/** Identifiers in validators.gen.ts for one schema; none where nothing is checked or changed. */
interface ValidatorNames {
  readonly check?: string
  readonly lift?: string
}

/** The context of one interface before anything is printed. */
export function emitContext(ir: InterfaceIr): EmitContext {
  const names = { typeNames: schemaTypeNames(ir), operationNames: operationTypeNames(ir) }
  return {
    ir,
    ...names,
    roots: [],
    rootNames: new Map(),
    usedNames: new Set(),
    kinds: sharedKinds(Object.keys(ir.schemas).length),
  }
}

/** The base of an operation's type names. */
export function operationName(context: EmitContext, operationId: string): string {
  return context.operationNames.get(operationId) ?? operationId
}

const GROUPS: readonly (readonly [ParameterPlace, string])[] = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
]

/** Parameters by the member that they are in decoded requests; places without any are left out. */
export function parameterGroups({
  parameters,
}: OperationIr): readonly (readonly [member: string, parameters: readonly ParameterIr[]])[] {
  return GROUPS.map(
    ([place, member]) => [member, parameters.filter((one) => one.in === place)] as const,
  ).filter(([, found]) => found.length > 0)
}

/** Types that kinds of values are printed with: no constant may have their names. */
const KIND_TYPES: ReadonlySet<string> = new Set(['FastCheck', 'Kind'])

/** The constant of a component's kind in arbitraries.gen.ts, called like its type if possible. */
export function kindName(context: EmitContext, schemaName: string): string {
  const name = context.typeNames.get(schemaName) ?? schemaName
  return KIND_TYPES.has(name) ? `${name}_` : name
}

/** The type of a schema where types.gen.ts is imported as `types`. */
export function typeOf(context: EmitContext, schema: Schema): string {
  return tsType(
    context.ir,
    withRequired(context.ir, schema),
    (name) => `types.${context.typeNames.get(name) ?? name}`,
  )
}

/** Validators of a schema; an inline schema becomes a root under a name made from `hint`. */
export function validatorsOf(
  context: EmitContext,
  schema: Schema | undefined,
  hint: string,
): ValidatorNames {
  if (schema === undefined || schema === true) return {}
  const name = isBareReference(schema) ? refName(schema.$ref) : addRoot(context, schema, hint)
  return {
    check: checkName(name),
    ...(needsLift(context.ir, schema) ? { lift: liftName(name) } : {}),
  }
}

function addRoot(context: EmitContext, schema: Schema, hint: string): string {
  const content = canonicalJson(schema)
  const known = context.rootNames.get(content)
  if (known !== undefined) return known
  let name = hint
  for (
    let suffix = 2;
    Object.hasOwn(context.ir.schemas, name) || context.usedNames.has(name);
    suffix += 1
  )
    name = `${hint}_${suffix}`
  context.rootNames.set(content, name)
  context.usedNames.add(name)
  context.roots.push({ name, schema })
  return name
}

/** How a body of a media type travels. */
export function bodyKind(mediaType: string): BodyKind {
  const essence = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^application\/(?:x-)?(?:nd-?json|jsonl|json-lines|jsonlines|json-seq)$/u.test(essence))
    return 'json-lines'
  if (/^[^/]+\/(?:[^/]+\+)?json$/u.test(essence)) return 'json'
  if (essence === 'text/event-stream') return 'events'
  if (essence === 'application/x-www-form-urlencoded') return 'form'
  if (essence === 'multipart/form-data') return 'multipart'
  return essence.startsWith('text/') ? 'text' : 'binary'
}

/** The type of a media type's name: a range stands for any name in it. */
export function mediaTypeName(mediaType: string): string {
  if (!isRange(mediaType)) return quote(mediaType)
  const [type] = mediaType.split('/')
  return type === '*' ? '`${string}/${string}`' : `\`${type ?? ''}/\${string}\``
}

/** True where a handler has to be told which media type came. */
export function tellsMediaType(media: readonly MediaIr[]): boolean {
  return media.length > 1 || media.some((one) => isRange(one.mediaType))
}

/** True for `text/*` and the like. */
export function isRange(mediaType: string): boolean {
  return /^[^/]+\/\*\s*(?:;|$)/u.test(mediaType)
}

/** True when the text of this media type must be read and written without rounding. */
export function mediaHasInt64(context: EmitContext, media: MediaIr): boolean {
  return media.schema !== undefined && factsOf(context.ir).hasInt64(media.schema)
}

/** The TypeScript type of a body. */
export function bodyType(context: EmitContext, media: MediaIr, side: Side): string {
  const schema = media.schema ?? true
  switch (bodyKind(media.mediaType)) {
    case 'json':
      return typeOf(context, schema)
    case 'text':
      return textType(context, schema)
    case 'form':
      return orBytes(formType(context, schema), side)
    case 'multipart':
      return orBytes(multipartType(context, schema), side)
    case 'binary':
      return BINARY_TYPE[side]
    case 'events':
      return eventsType(itemType(context, schema), side)
    case 'json-lines':
      return streamType(itemType(context, schema), side)
  }
}

const BINARY_TYPE: Readonly<Record<Side, string>> = {
  'handler-in': 'AsyncIterable<Uint8Array>',
  'handler-out': 'Uint8Array | AsyncIterable<Uint8Array>',
  'client-in': 'Uint8Array | Blob | ReadableStream<Uint8Array>',
  'client-out': 'ReadableStream<Uint8Array>',
}

/** A handler may also give the bytes of a form that it has from elsewhere. */
function orBytes(type: string, side: Side): string {
  return side === 'handler-out' ? `${type} | ${BINARY_TYPE[side]}` : type
}

function eventsType(item: string, side: Side): string {
  const event = `ServerSentEvent<${item}>`
  return streamType(
    side === 'handler-out' && item !== 'unknown' ? `${event} | ${item}` : event,
    side,
  )
}

/** A client may also send the text of a stream. */
function streamType(item: string, side: Side): string {
  const items = `AsyncIterable<${item}>`
  return side === 'client-in' ? `${items} | ${BINARY_TYPE['client-in']}` : items
}

/** Documents write a stream's schema as that of one item, as a list of items, or as text. */
export function itemSchema(context: EmitContext, schema: Schema): Schema {
  const target = dereference(context.ir, schema)
  return typeof target === 'object' && target.type === 'array' && target.items !== undefined
    ? target.items
    : schema
}

function itemType(context: EmitContext, schema: Schema): string {
  return typeOf(context, itemSchema(context, schema))
}

function textType(context: EmitContext, schema: Schema): string {
  const target = dereference(context.ir, schema)
  return typeof target === 'object' && target.type === 'string' ? typeOf(context, schema) : 'string'
}

/** The type of a form: parts without declared fields come as they are. */
function formType(context: EmitContext, schema: Schema): string {
  return formObject(context, schema) === undefined
    ? 'Readonly<Record<string, string | Array<string>>>'
    : typeOf(context, schema)
}

function multipartType(context: EmitContext, schema: Schema): string {
  const target = formObject(context, schema)
  if (target?.properties === undefined)
    return 'Readonly<Record<string, string | File | Array<string | File>>>'
  const required = new Set(target.required ?? [])
  const members = Object.entries(target.properties).map(([name, property]) => {
    return `${propertyKey(name)}${required.has(name) ? '' : '?'}: ${partType(context, property)}`
  })
  return `{ ${members.join('; ')} }`
}

function partType(context: EmitContext, schema: Schema): string {
  const files = filesOf(context.ir, schema)
  return files === undefined ? typeOf(context, schema) : FILE_TYPES[files]
}

const FILE_TYPES = { one: 'File', list: 'File[]', either: 'File | File[]' } as const

/**
 * The object that a form's schema describes, its parts taken together; undefined where it names no
 * field.
 */
export function formObject(context: EmitContext, schema: Schema): SchemaObject | undefined {
  const target = dereference(context.ir, schema)
  if (typeof target !== 'object') return undefined
  const { allOf, ...rest } = target
  if (allOf === undefined) return target.properties === undefined ? undefined : target
  const { properties, required } = factsOf(context.ir).shape(target)
  if (properties.size === 0) return undefined
  const sorted = Object.fromEntries(sortedEntries(Object.fromEntries(properties)))
  return { ...rest, type: 'object', properties: sorted, required: [...required].sort() }
}

/** The schema of a form's values as a validator sees them: files are not its business. */
export function formSchema(context: EmitContext, schema: Schema): Schema {
  const target = formObject(context, schema)
  if (target?.properties === undefined) return schema
  const properties = Object.entries(target.properties).map(([name, property]): [string, Schema] => {
    return [name, filesOf(context.ir, property) === undefined ? property : true]
  })
  const changed: SchemaObject = { ...target, properties: Object.fromEntries(properties) }
  return changed
}
