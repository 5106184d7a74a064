// Decoding of path, query, header and cookie parameters. Printed routes say how; everything that is
// wrong becomes a problem.
import { placeProblems } from './validation.ts'
import type { Problem, ProblemPlace } from './validation.ts'
import { parseExact } from './exact-json.ts'
import type { RawParameters } from './wire.ts'

/** Turns one text into a value; undefined when it cannot be decoded. */
export type Reader = (text: string) => unknown

/** How one parameter is read. */
export interface Parameter {
  readonly in: Exclude<ProblemPlace, 'body'>
  readonly name: string
  readonly required: boolean
  /** The expected value, for the message: `an int64`. */
  readonly what: string
  readonly read: Reader
  /**
   * Sign between items when the parameter is a list in one text; '' when it is a list of several
   * texts.
   */
  readonly list?: string
  /** Values that a list may be instead, such as null: they come as single texts. */
  readonly alone?: readonly unknown[]
  /** The reader of one value or a list: reads each of several texts. */
  readonly items?: Reader
  readonly object?: ObjectForm
  readonly check?: (value: unknown, problems: Problem[]) => void
  readonly lift?: (value: unknown) => unknown
  readonly fallback?: unknown
  /** The parameter's own `x-error`. */
  readonly error?: unknown
}

export interface ObjectForm {
  /**
   * `deep`: name[key]=value; `spread`: key=value as parameters of their own; a sign: k,v,k,v or
   * (with `pairs`) k=v,k=v.
   */
  readonly form: 'deep' | 'spread' | 'joined'
  readonly sign: string
  readonly pairs: boolean
  readonly properties: Readonly<Record<string, Reader>>
  readonly rest: Reader | undefined
  /** Whether a value that is no object comes under the plain name. */
  readonly orText?: true
}

/** Query or cookie texts by name, still percent-encoded. */
export type EncodedTexts = ReadonlyMap<string, readonly string[]>

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** The text itself. */
export const readText: Reader = (text) => text

/** `true` or `false` in any case; nothing else is a boolean. */
export const readBoolean: Reader = (text) => {
  const lower = text.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : undefined
}

/** A bigint within 64 bits, written in digits. */
export const readInt64: Reader = (text) => {
  if (!/^-?\d{1,19}$/u.test(text)) return undefined
  const value = BigInt(text)
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined
}

/** A number within 32 bits. */
export const readInt32: Reader = (text) => {
  const value = readInteger(text)
  return typeof value === 'number' && value === (value | 0) ? value : undefined
}

/** A number without fraction that a double holds exactly. */
export const readInteger: Reader = (text) => {
  const value = /^-?\d{1,16}$/u.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? (value === 0 ? 0 : value) : undefined
}

/** A finite number in decimal notation. */
export const readNumber: Reader = (text) => {
  const value = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** The word null. */
export const readNull: Reader = (text) => (text === 'null' ? null : undefined)

/** JSON text, large integers exact. */
export const readJson: Reader = (text) => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** The first reading that decodes. */
export function readFirst(...readers: readonly Reader[]): Reader {
  return (text) => {
    for (const reader of readers) {
      const value = reader(text)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** The input of every operation without parameters. */
export const noParameters = (): unknown => ({ path: {}, query: {}, headers: {}, cookies: {} })

/** Splits a query into encoded texts by decoded name; one that cannot be decoded is a problem. */
export function splitQuery(query: string, problems: Problem[]): EncodedTexts {
  const texts = new Map<string, string[]>()
  if (query === '') return texts
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodeQuery(equals < 0 ? part : part.slice(0, equals))
    if (name === undefined) {
      problems.push({
        in: 'query',
        pointer: part,
        keyword: 'syntax',
        message: 'is not percent-encoded correctly',
      })
    } else {
      append(texts, name, equals < 0 ? '' : part.slice(equals + 1))
    }
  }
  return texts
}

/** Splits a Cookie header. */
export function splitCookies(raw: RawParameters): EncodedTexts {
  const texts = new Map<string, string[]>()
  for (const part of (raw.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0)
      append(
        texts,
        part.slice(0, equals).trim(),
        part
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/u, '$1'),
      )
  }
  return texts
}

function append(texts: Map<string, string[]>, name: string, text: string): void {
  const known = texts.get(name)
  if (known === undefined) texts.set(name, [text])
  else known.push(text)
}

/** Text of a query or form; undefined where it is not percent-encoded correctly. */
export function decodeQuery(text: string): string | undefined {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Value of a path parameter. `prefix` is what its style puts before it: '' or '.' or ';name='. */
export function pathValue(
  parameter: Parameter,
  text: string | undefined,
  problems: Problem[],
  prefix = '',
): unknown {
  if (text === undefined || !text.startsWith(prefix))
    return refuse(parameter, 'syntax', `must begin with '${prefix}'`, problems)
  const bare = text.slice(prefix.length)
  return finish(
    parameter,
    readJoined(parameter, bare, (part) => part, problems),
    problems,
  )
}

/**
 * Value of a header parameter; absent or empty headers count as not given unless the value is text.
 */
export function headerValue(
  parameter: Parameter,
  raw: RawParameters,
  problems: Problem[],
): unknown {
  const text = raw.header(parameter.name.toLowerCase())
  return text === undefined
    ? absent(parameter, problems)
    : finish(
        parameter,
        readJoined(parameter, text, (part) => part.trim(), problems),
        problems,
      )
}

/** Value of a query or cookie parameter. */
export function encodedValue(
  parameter: Parameter,
  texts: EncodedTexts,
  problems: Problem[],
): unknown {
  const decode = parameter.in === 'query' ? decodeQuery : decodePercent
  if (parameter.object !== undefined && parameter.object.form !== 'joined')
    return spreadObject(parameter, parameter.object, texts, problems)
  const given = texts.get(parameter.name)
  const first = given?.[0]
  if (given === undefined || first === undefined) return absent(parameter, problems)
  const text = given.length > 1 ? undefined : decode(first)
  const own = parameter.alone?.find((one) => String(one) === text)
  if (own !== undefined) return finish(parameter, own, problems)
  if (given.length > 1 && parameter.items !== undefined) {
    const { items: read } = parameter
    return finish(parameter, readAll({ ...parameter, read }, given, decode, problems), problems)
  }
  if (parameter.list === '')
    return finish(parameter, readAll(parameter, given, decode, problems), problems)
  if (given.length > 1) return refuse(parameter, 'multiple', 'must be given once', problems)
  return finish(parameter, readJoined(parameter, first, decode, problems), problems)
}

type Decode = (text: string) => string | undefined

/** A value, list or object that stands in one text. */
function readJoined(
  parameter: Parameter,
  text: string,
  decode: Decode,
  problems: Problem[],
): unknown {
  if (parameter.object !== undefined)
    return readObject(parameter, parameter.object, text, decode, problems)
  if (parameter.list === undefined)
    return readOne(parameter, parameter.read, text, decode, problems)
  return readAll(parameter, splitAt(text, parameter.list), decode, problems)
}

/**
 * A separator may come percent-encoded where it is no comma: documents disagree, so both are taken.
 */
function splitAt(text: string, sign: string): readonly string[] {
  if (sign === ' ') return text.split(/%20|\+| /u)
  return sign === '|' ? text.split(/%7C|\|/iu) : text.split(sign)
}

function readAll(
  parameter: Parameter,
  texts: readonly string[],
  decode: Decode,
  problems: Problem[],
): unknown {
  const values: unknown[] = []
  for (const text of texts) {
    const value = readOne(parameter, parameter.read, text, decode, problems)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function readOne(
  parameter: Parameter,
  read: Reader,
  text: string,
  decode: Decode,
  problems: Problem[],
): unknown {
  const plain = decode(text)
  if (plain === undefined)
    return refuse(parameter, 'syntax', 'is not percent-encoded correctly', problems)
  const value = read(plain)
  return value === undefined
    ? refuse(parameter, 'type', `must be ${parameter.what}`, problems, plain)
    : value
}

function readObject(
  parameter: Parameter,
  object: ObjectForm,
  text: string,
  decode: Decode,
  problems: Problem[],
): unknown {
  const parts = text === '' ? [] : splitAt(text, object.sign)
  const pairs = object.pairs
    ? parts.map(
        (part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const,
      )
    : parts.flatMap((part, index) =>
        index % 2 === 0 ? [[part, parts[index + 1] ?? ''] as const] : [],
      )
  return readMembers(
    parameter,
    object,
    pairs.map(([key, value]) => [decode(key) ?? key, value]),
    decode,
    problems,
  )
}

function spreadObject(
  parameter: Parameter,
  object: ObjectForm,
  texts: EncodedTexts,
  problems: Problem[],
): unknown {
  const members: (readonly [string, string])[] = []
  for (const [name, given] of texts) {
    const key =
      object.form === 'deep'
        ? deepKey(parameter.name, name)
        : Object.hasOwn(object.properties, name)
          ? name
          : undefined
    const first = given[0]
    if (key === undefined || first === undefined) continue
    if (given.length > 1)
      return refuse(parameter, 'multiple', `'${name}' must be given once`, problems)
    members.push([key, first])
  }
  if (members.length === 0 && object.orText === true) {
    const { object: _object, ...rest } = parameter
    return encodedValue(rest, texts, problems)
  }
  if (members.length === 0) return absent(parameter, problems)
  return finish(parameter, readMembers(parameter, object, members, decodeQuery, problems), problems)
}

function deepKey(parameter: string, name: string): string | undefined {
  const isMember = name.startsWith(`${parameter}[`) && name.endsWith(']')
  return isMember ? name.slice(parameter.length + 1, -1) : undefined
}

function readMembers(
  parameter: Parameter,
  object: ObjectForm,
  members: readonly (readonly [string, string])[],
  decode: Decode,
  problems: Problem[],
): unknown {
  const values: [string, unknown][] = []
  for (const [key, text] of members) {
    const read = Object.hasOwn(object.properties, key) ? object.properties[key] : object.rest
    if (read === undefined) continue
    const value = readOne(parameter, read, text, decode, problems)
    if (value === undefined) return undefined
    values.push([key, value])
  }
  return Object.fromEntries(values)
}

function absent(parameter: Parameter, problems: Problem[]): unknown {
  return parameter.required
    ? refuse(parameter, 'required', 'is required', problems)
    : parameter.fallback
}

function finish(parameter: Parameter, value: unknown, problems: Problem[]): unknown {
  if (value === undefined || parameter.check === undefined) return value
  const before = problems.length
  parameter.check(value, problems)
  if (problems.length > before)
    placeProblems(problems, before, parameter.in, parameter.name, parameter.error)
  else if (parameter.lift !== undefined) return parameter.lift(value)
  return value
}

function refuse(
  parameter: Parameter,
  keyword: string,
  message: string,
  problems: Problem[],
  value?: unknown,
): undefined {
  problems.push({
    in: parameter.in,
    pointer: parameter.name,
    keyword,
    message,
    ...(parameter.error !== undefined ? { error: parameter.error } : {}),
    ...(value !== undefined ? { value } : {}),
  })
  return undefined
}
