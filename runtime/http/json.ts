// JSON in and out without loss: duplicate names are refused, integers that a double cannot hold become bigint and
// go out as they came. The common case costs one JSON.parse and two short counts.

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly pointer: string; readonly message: string }

/** Deeper than any documented body; protects checks that call themselves per level. */
export const MAX_DEPTH = 256
const LONG_INTEGER = /\d{16}/
const INTEGER = /^-?\d+$/
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Beyond it no number is a decimal with 28 digits before and 10 after the point. */
const MAX_SHIFT = 50
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20

/**
 * Parses JSON text. `__proto__` and `constructor` stay plain members.
 *
 * @param text the whole body
 * @param int64 keeps integers beyond 2^53 as bigint; otherwise they are doubles
 * @param decimals names of members whose numbers come back as plain decimal text, as they are written
 * @param bytes the same text in UTF-8 where it is at hand: bytes are counted at half the cost of characters
 */
export function parseJson(
  text: string, int64: boolean, bytes: Uint8Array = Buffer.from(text), decimals: readonly string[] = [],
): ParsedJson {
  try {
    const value = parseNumbers(text, int64, decimals)
    const names = countNames(value, 0)
    if (names < 0) return { ok: false, pointer: '', message: `nested deeper than ${MAX_DEPTH} levels` }
    return names === countColons(bytes) ? { ok: true, value } : duplicateName(text)
  } catch {
    return { ok: false, pointer: '', message: 'not valid JSON' }
  }
}

/** JSON text of a value; with `int64`, a bigint is written as its digits (without it, a bigint throws). */
export function stringifyJson(value: unknown, int64: boolean): string {
  return (int64 ? JSON.stringify(value, rawInteger) : JSON.stringify(value)) ?? 'null'
}

function parseNumbers(text: string, int64: boolean, decimals: readonly string[]): unknown {
  if (decimals.length > 0) return JSON.parse(text, (name, value, context) => exactNumber(name, value, context, decimals))
  return int64 && LONG_INTEGER.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)
}

function exactNumber(name: string, value: unknown, context: { readonly source?: string }, decimals: readonly string[]): unknown {
  const isDecimal = typeof value === 'number' && context.source !== undefined && decimals.includes(name)
  return isDecimal ? plainDecimal(context.source) : exactInteger(name, value, context)
}

/** Without exponent; as it is where that would take more digits than any decimal has. */
function plainDecimal(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? []
  const shift = Number(exponent)
  if (shift === 0) return sign + whole + (fraction === '' ? '' : `.${fraction}`)
  if (Math.abs(shift) > MAX_SHIFT) return source
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction + '0'.repeat(Math.max(0, shift))
  const point = Math.max(0, -shift) + whole.length + shift
  const [left, right] = [digits.slice(0, point).replace(/^0+(?=\d)/, ''), digits.slice(point).replace(/0+$/, '')]
  return sign + left + (right === '' ? '' : `.${right}`)
}

function exactInteger(_name: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context.source === undefined) return value
  return INTEGER.test(context.source) ? BigInt(context.source) : value
}

function rawInteger(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value
}

function countNames(value: unknown, depth: number): number {
  if (!isObject(value)) return 0
  if (depth >= MAX_DEPTH) return Number.NEGATIVE_INFINITY
  return Array.isArray(value) ? countInItems(value, depth + 1) : countInMembers(value, depth + 1)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function countInItems(items: readonly unknown[], depth: number): number {
  let count = 0
  for (const item of items) if (typeof item === 'object') count += countNames(item, depth)
  return count
}

// for..in walks the names that the engine keeps for the object's shape, without an array of its own.
function countInMembers(members: Readonly<Record<string, unknown>>, depth: number): number {
  let count = 0
  for (const name in members) {
    const item = members[name]
    count += typeof item === 'object' ? 1 + countNames(item, depth) : 1
  }
  return count
}

// In valid JSON a colon outside strings follows a name, so counting them counts the names of the text. The bytes of
// characters beyond ASCII are none of those that count here.
function countColons(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]
    if (sign === COLON) count++
    else if (sign === QUOTE) at = closingQuoteByte(bytes, at)
  }
  return count
}

function closingQuoteByte(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    const sign = bytes[at]
    if (sign === QUOTE) return at
    if (sign === BACKSLASH) at++
  }
  return bytes.length
}

function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) return at + 1
    if (sign === BACKSLASH) at++
  }
  return text.length + 1
}

function skipBlanks(text: string, at: number): number {
  let next = at
  while (text.charCodeAt(next) <= SPACE) next++
  return next
}

interface Frame {
  readonly names: Set<string> | undefined
  member: string | number
}

// Only runs on a text that is known to be valid and to hold a name twice.
function duplicateName(text: string): ParsedJson {
  const frames: Frame[] = []
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === QUOTE) {
      const end = endOfString(text, at)
      const isName = text.charCodeAt(skipBlanks(text, end)) === COLON
      const name = isName ? String(JSON.parse(text.slice(at, end))) : undefined
      if (name !== undefined && isKnown(frames.at(-1), name)) return duplicate(frames, name)
      at = end - 1
    } else step(frames, text[at])
  }
  return duplicate(frames, '?')
}

function isKnown(frame: Frame | undefined, name: string): boolean {
  if (frame?.names === undefined) return false
  if (frame.names.has(name)) return true
  frame.names.add(name)
  frame.member = name
  return false
}

function step(frames: Frame[], sign: string | undefined): void {
  const frame = frames.at(-1)
  if (sign === '{') frames.push({ names: new Set(), member: '' })
  else if (sign === '[') frames.push({ names: undefined, member: 0 })
  else if (sign === '}' || sign === ']') frames.pop()
  else if (sign === ',' && typeof frame?.member === 'number') frame.member++
}

function duplicate(frames: readonly Frame[], name: string): ParsedJson {
  const path = [...frames.slice(0, -1).map((frame) => String(frame.member)), name]
  const pointer = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return { ok: false, pointer, message: `the name ${JSON.stringify(name)} appears twice in one object` }
}
