// Forms and multipart bodies on their way over the wire, at both ends: values become fields in the
// styles that the document gives them, and fields become values again.
import { namedTexts, plainText } from './parameter-texts.ts'
import { decodeQuery, encodedValue, splitQuery } from './parameters.ts'
import type { Parameter } from './parameters.ts'
import { step } from './validation.ts'
import type { Problem } from './validation.ts'

/** How a field is written that is not written as any other is. */
export interface FieldEncoding {
  readonly style?: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode?: boolean
  /** A part goes with this type of content. */
  readonly contentType?: string
}

type FieldEncodings = Readonly<Record<string, FieldEncoding>>

/** Text of a form: lists as repeated fields, objects as JSON, others in their own styles. */
export function formText(value: unknown, encodings: FieldEncodings = {}): string {
  const texts = fieldsOf(value).flatMap(([name, item]) => {
    const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined
    if (encoding?.style !== undefined) {
      const { style, explode = false } = encoding
      return namedTexts({ in: 'query', name, style, explode }, item)
    }
    const pairs = listOf(item).map((one): [string, string] => [name, plainText(one)])
    return pairs.length === 0 ? [] : [new URLSearchParams(pairs).toString()]
  })
  return texts.filter((text) => text !== '').join('&')
}

/** Parts of a multipart body; what is not a file goes as text, objects as JSON. */
export function multipartForm(value: unknown, encodings: FieldEncodings = {}): FormData {
  const form = new FormData()
  for (const [name, item] of fieldsOf(value)) {
    const type = Object.hasOwn(encodings, name) ? encodings[name]?.contentType : undefined
    for (const one of listOf(item)) {
      const part = partOf(one, type)
      if (typeof part === 'string') form.append(name, part)
      else form.append(name, part)
    }
  }
  return form
}

function partOf(value: unknown, type: string | undefined): Blob | string {
  const typed = type === undefined ? {} : { type }
  if (value instanceof Uint8Array) return new Blob([new Uint8Array(value)], typed)
  if (value instanceof File && value.type === '' && type !== undefined)
    return new File([value], value.name, typed)
  if (value instanceof Blob)
    return value.type === '' && type !== undefined ? new Blob([value], typed) : value
  return type === undefined ? plainText(value) : new Blob([plainText(value)], typed)
}

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return []
  const given: readonly (readonly [string, unknown])[] = Object.entries(value)
  return given.filter(([, item]) => item !== undefined)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/**
 * The fields of a form that travel in styles of their own; a field that nobody declares stays text.
 */
export function styledForm(
  text: string,
  fields: readonly Parameter[],
  problems: Problem[],
): unknown {
  const found: Problem[] = []
  const texts = splitQuery(text, found)
  const values = fields.map((field): [string, unknown] => [
    field.name,
    encodedValue(field, texts, found),
  ])
  const others = [...texts].filter(([name]) => !fields.some((field) => isOf(field, name)))
  for (const problem of found)
    problems.push({ ...problem, in: 'body', pointer: step(problem.pointer) })
  return Object.fromEntries([
    ...others.map(([name, given]): [string, unknown] => {
      const decoded = given.map((one) => decodeQuery(one) ?? one)
      return [name, decoded.length === 1 ? decoded[0] : decoded]
    }),
    ...values.filter(([, value]) => value !== undefined),
  ])
}

/** True for a text that stands for the field or a member of it. */
function isOf({ name, object }: Parameter, key: string): boolean {
  if (object?.form === 'deep')
    return key.startsWith(`${name}[`) || (object.orText === true && key === name)
  return object?.form === 'spread' ? Object.hasOwn(object.properties, key) : key === name
}

/** The fields of a form that has come, by name; those that came often as lists. */
export async function receivedFields(
  form: FormData,
  textParts: readonly string[] = [],
): Promise<unknown> {
  const all = new Map<string, unknown[]>()
  for (const [name, value] of form) {
    const isText = typeof value !== 'string' && textParts.includes(name)
    all.set(name, [...(all.get(name) ?? []), isText ? await value.text() : value])
  }
  return Object.fromEntries(
    [...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** Reports files whose type of content is not among those that the document admits. */
export function checkParts(
  value: unknown,
  types: Readonly<Record<string, readonly string[]>>,
  problems: Problem[],
): void {
  for (const [name, item] of fieldsOf(value)) {
    const admitted = Object.hasOwn(types, name) ? types[name] : undefined
    const files = listOf(item).filter((one) => one instanceof File)
    if (admitted === undefined || files.every((file) => isAmong(file.type, admitted))) continue
    const message = `must be of ${admitted.join(' or ')}`
    problems.push({ in: 'body', pointer: step(name), keyword: 'contentMediaType', message })
  }
}

/** A file that says nothing of its type is taken for what it should be. */
function isAmong(type: string, admitted: readonly string[]): boolean {
  const essence = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (essence === '' || essence === 'application/octet-stream') return true
  return admitted.some(
    (one) =>
      one === essence ||
      one === '*/*' ||
      (one.endsWith('/*') && essence.startsWith(one.slice(0, -1))),
  )
}
