// Bodies that are in memory become values, by kind of media type.
import { isUtf8 } from 'node:buffer'
import type { Issue, WireMedia } from './wire.ts'
import { JsonReader, type JsonLimits, type ParsedJson } from './json-reader.ts'

/** A decoded body: the value, or violations with keyword `syntax`. */
export type DecodedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Bytes of JSON that are read without a look at the clock. */
const PIECE_BYTES = 16_384
/** Parts of a multipart body: each costs far more than its bytes. */
const MAX_PARTS = 1_000

/** Decodes a body at one go. */
export function decodeBody(
  bytes: Buffer,
  media: WireMedia,
  contentType: string | undefined,
  limits: JsonLimits,
): Promise<DecodedBody> | DecodedBody {
  if (media.kind === 'json') return decodeJson(bytes, media, limits)
  if (media.kind === 'multipart') return decodeMultipart(bytes, contentType ?? '', media)
  if (!isUtf8(bytes)) return notUtf8()
  const text = bytes.toString('utf8')
  return media.kind === 'form' ? decodeForm(text, media, limits) : { ok: true, value: text }
}

function decodeJson(bytes: Buffer, media: WireMedia, limits: JsonLimits): DecodedBody {
  const read = jsonReading(bytes, media, limits)
  for (;;) {
    const decoded = read()
    if (decoded !== undefined) return decoded
  }
}

/** Decodes JSON a piece a call; undefined as long as there is more. */
export function jsonReading(
  bytes: Buffer,
  { int64, decimals = [] }: WireMedia,
  limits: JsonLimits,
): () => DecodedBody | undefined {
  if (!isUtf8(bytes)) return notUtf8
  const reader = new JsonReader(bytes, { int64, decimals, limits })
  return () => {
    const parsed = reader.advance(PIECE_BYTES)
    return parsed === undefined ? undefined : decodedOf(parsed)
  }
}

function decodedOf(parsed: ParsedJson): DecodedBody {
  return parsed.ok ? parsed : failed(syntax(parsed.message, parsed.pointer))
}

function decodeForm(text: string, { decode }: WireMedia, { maxMembers }: JsonLimits): DecodedBody {
  if (text.split('&', maxMembers + 1).length > maxMembers)
    return failed(syntax(`more than ${maxMembers} members`))
  if (/%(?![0-9a-f]{2})/i.test(text)) return failed(syntax('malformed percent escape'))
  if (decode === undefined) return { ok: true, value: formFields(text) }
  const issues: Issue[] = []
  const value = decode(text, issues)
  return issues.length === 0 ? { ok: true, value } : { ok: false, issues }
}

/** The fields of a form without styles: a text each, or a list where a name repeats. */
export function formFields(text: string): unknown {
  return gather(new URLSearchParams(text))
}

async function decodeMultipart(
  bytes: Buffer,
  contentType: string,
  { textParts }: WireMedia,
): Promise<DecodedBody> {
  if (hasManyParts(bytes, contentType)) return failed(syntax(`more than ${MAX_PARTS} parts`))
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData()
    return {
      ok: true,
      value: gather(textParts === undefined ? form : await texts(form, textParts)),
    }
  } catch {
    return failed(syntax('not a valid multipart body'))
  }
}

/** Parts by name; files among those that are read as text become that. */
function texts(
  form: FormData,
  names: readonly string[],
): Promise<readonly (readonly [string, File | string])[]> {
  return Promise.all(
    [...form].map(async ([name, value]) => {
      const isText = typeof value !== 'string' && names.includes(name)
      return [name, isText ? await value.text() : value] as const
    }),
  )
}

function hasManyParts(bytes: Buffer, contentType: string): boolean {
  const boundary = /boundary="?([^\s;"]+)/i.exec(contentType)?.[1]
  if (boundary === undefined) return false
  let parts = 0
  for (
    let at = bytes.indexOf(`--${boundary}`);
    at !== -1 && parts <= MAX_PARTS;
    at = bytes.indexOf(`--${boundary}`, at + 1)
  )
    parts++
  return parts > MAX_PARTS
}

// Object.fromEntries defines members, so a field named __proto__ stays a field.
function gather<T>(fields: Iterable<readonly [string, T]>): unknown {
  const all = new Map<string, T[]>()
  for (const [name, value] of fields) {
    const known = all.get(name)
    if (known === undefined) all.set(name, [value])
    else known.push(value)
  }
  return Object.fromEntries(
    [...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

function syntax(message: string, pointer = ''): Issue {
  return { in: 'body', pointer, keyword: 'syntax', message }
}

const notUtf8 = (): DecodedBody => failed(syntax('not valid UTF-8'))
const failed = (issue: Issue): DecodedBody => ({ ok: false, issues: [issue] })
