// What documents say of the fields of forms and the parts of multipart bodies: how their values are
// written, and what is printed to read them.
import type { MediaIr, ParameterIr, Schema } from '../ir.ts'
import { formObject } from './context.ts'
import type { EmitContext } from './context.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { textPlan } from './reader.ts'
import { typesOf } from '../keywords/types.ts'
import { dereference, filesOf } from './schema-facts.ts'
import { fields, text } from '../values.ts'

const STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
type FormStyle = (typeof STYLES)[number]

/** An `encoding` of one field, as printed clients and routes hold it. */
export interface FieldEncoding {
  readonly style?: FormStyle
  readonly explode?: boolean
  /** The one media type that a part is sent with. */
  readonly contentType?: string
}

/** Fields of a body, by name, that are written differently from others. */
export function fieldEncodings(media: MediaIr): Readonly<Record<string, FieldEncoding>> {
  const found = Object.entries(media.encoding ?? {}).map(([name, value]) => {
    const encoding = isMultipart(media) ? partOf(fields(value)) : styleOf(fields(value))
    return [name, encoding] as const
  })
  return Object.fromEntries(found.filter(([, encoding]) => Object.keys(encoding).length > 0))
}

/** Said of every field whose `encoding` has a style, whether it says so or not. */
function styleOf(encoding: Readonly<Record<string, unknown>>): FieldEncoding {
  if (!['style', 'explode', 'allowReserved'].some((key) => key in encoding)) return {}
  const style = STYLES.find((known) => known === encoding['style']) ?? 'form'
  return { style, explode: booleanOf(encoding['explode']) ?? style === 'form' }
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** Text needs no type of its own, and of several nobody knows which. */
function partOf(encoding: Readonly<Record<string, unknown>>): FieldEncoding {
  const contentType = text(encoding['contentType'])?.trim() ?? ''
  return contentType === '' || /[,*]|^text\/plain\b/iu.test(contentType) ? {} : { contentType }
}

function isMultipart({ mediaType }: MediaIr): boolean {
  return /^multipart\//iu.test(mediaType)
}

/** True for a form whose fields travel in styles of their own. */
export function isStyled(media: MediaIr): boolean {
  return !isMultipart(media) && Object.keys(fieldEncodings(media)).length > 0
}

/** `, fields: {…}` for tables of routes and clients; '' where all fields are written alike. */
export function printEncodings(media: MediaIr): string {
  const encodings = fieldEncodings(media)
  return Object.keys(encodings).length === 0 ? '' : `, fields: ${literal(encodings)}`
}

/** The member that decodes a form with styles; none for another. */
export function printFormDecoder(context: EmitContext, media: MediaIr): readonly string[] {
  const target = isStyled(media) ? formObject(context, media.schema ?? true) : undefined
  if (target?.properties === undefined) return []
  const encodings = fieldEncodings(media)
  const plans = Object.entries(target.properties).map(([name, schema]) =>
    textPlan(context, fieldParameter(context, name, schema, encodings[name])),
  )
  return [
    `decode: (text: string, problems: Problem[]): unknown => styledForm(text, [${plans.join(', ')}], problems)`,
  ]
}

/** A field as the query parameter that it would be; an object without a style is JSON. */
function fieldParameter(
  context: EmitContext,
  name: string,
  schema: Schema,
  encoding: FieldEncoding | undefined,
): ParameterIr {
  const { style = 'form', explode = true } = encoding ?? {}
  const isJson = encoding === undefined && isObject(context, schema)
  return {
    name,
    in: 'query',
    required: false,
    style,
    explode,
    schema,
    ...(isJson ? { mediaType: 'application/json' } : {}),
    extensions: {},
  }
}

function isObject(context: EmitContext, schema: Schema): boolean {
  const target = dereference(context.ir, schema)
  return typeof target === 'object' && typesOf(target).includes('object')
}

/** The member that names parts whose content is JSON, which some clients send as files. */
export function printTextParts(context: EmitContext, media: MediaIr): readonly string[] {
  const target = isMultipart(media) ? formObject(context, media.schema ?? true) : undefined
  const names = Object.entries(target?.properties ?? {})
    .filter(([name, schema]) => isJsonPart(context, media, name, schema))
    .map(([name]) => quote(name))
  return names.length === 0 ? [] : [`textParts: [${names.join(', ')}]`]
}

function isJsonPart(context: EmitContext, media: MediaIr, name: string, schema: Schema): boolean {
  if (filesOf(context.ir, schema) !== undefined) return false
  const declared = text(fields(media.encoding?.[name])['contentType'])
  return declared === undefined ? isObject(context, schema) : !/^text\/plain\b/iu.test(declared)
}

/** Media types of a file, by name; undefined if any may come. */
export function printPartTypes(context: EmitContext, media: MediaIr): string | undefined {
  const target = isMultipart(media) ? formObject(context, media.schema ?? true) : undefined
  const types = Object.entries(target?.properties ?? {}).flatMap(([name, schema]) => {
    const declared = text(fields(media.encoding?.[name])['contentType'])
    if (declared === undefined || filesOf(context.ir, schema) === undefined) return []
    const list = declared.split(',').map((type) => quote(type.trim().toLowerCase()))
    return [`${propertyKey(name)}: [${list.join(', ')}]`]
  })
  return types.length === 0 ? undefined : `{ ${types.join(', ')} }`
}
