// Canonical JSON (sorted keys, integers of any size written exactly) and hashes over it.
import { createHash } from 'node:crypto'
import { filled, LINE } from './layout.ts'
import { isFields } from './values.ts'
import type { Fields } from './values.ts'

/**
 * JSON text in one line with sorted keys. A bigint is written as its digits. `isSaid`: whether a
 * member is among it.
 */
export function canonicalJson(
  value: unknown,
  isSaid?: (key: string, item: unknown) => boolean,
): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, isSaid)).join(',')}]`
  if (!isFields(value)) return scalar(value)
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const item = value[key]
    if (item !== undefined && isSaid?.(key, item) !== false)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item, isSaid)}`
  }
  return `{${text}}`
}

/**
 * The same JSON for people: indented by two spaces. Objects and lists that fit into a line of 100
 * columns stand in one, plain values of longer lists as many to a line as fit. The outermost always
 * has a line for each member. No line break at the end.
 */
export function readableJson(value: unknown): string {
  const text = new LongText()
  if (isParted(value)) putBroken(text, value, '')
  else text.add(isFields(value) ? '{}' : scalar(value))
  return text.join()
}

/**
 * A text in the making: pieces are joined soon, for what lives on is costly to collect as thousands
 * of small strings.
 */
class LongText {
  readonly #parts: string[] = []
  #last: string[] = []

  add(piece: string): void {
    if (this.#last.push(piece) < 512) return
    this.#parts.push(this.#last.join(''))
    this.#last = []
  }

  join(): string {
    return [...this.#parts, ...this.#last].join('')
  }
}

/** Adds the value's text, each member or item on lines of its own. */
function putBroken(text: LongText, value: unknown, pad: string): void {
  const deeper = `${pad}  `
  const isList = Array.isArray(value)
  if (
    isList &&
    value.length > 0 &&
    value.every((item) => !isFields(item) && !Array.isArray(item))
  ) {
    const lines = filled(value.map(scalar), deeper).join('\n').slice(0, -1)
    text.add(`[\n${lines}\n${pad}]`)
  } else if (isList) {
    for (const [index, item] of value.entries()) {
      text.add(`${index === 0 ? '[' : ','}\n${deeper}`)
      put(text, item, deeper, 0)
    }
    text.add(`\n${pad}]`)
  } else if (isFields(value)) {
    for (const [index, key] of keysOf(value).entries()) {
      const name = `${JSON.stringify(key)}: `
      text.add(`${index === 0 ? '{' : ','}\n${deeper}${name}`)
      put(text, value[key], deeper, name.length)
    }
    text.add(`\n${pad}}`)
  } else text.add(scalar(value))
}

/** `used`: columns that the key takes. A comma may follow. */
function put(text: LongText, value: unknown, pad: string, used: number): void {
  const line = inLine(value, LINE - 1 - pad.length - used)
  if (line === undefined && isParted(value)) putBroken(text, value, pad)
  else text.add(line ?? inLine(value, Infinity) ?? '')
}

/** The value in one line; undefined where that is longer than `room`, which is soon found out. */
function inLine(value: unknown, room: number): string | undefined {
  const isList = Array.isArray(value)
  if (typeof value === 'string' && value.length > room) return undefined
  if (!isList && !isFields(value)) return within(scalar(value), room)
  if (!isParted(value)) return within(isList ? '[]' : '{}', room)
  let text = ''
  for (const key of isList ? value.keys() : keysOf(value)) {
    text += text === '' ? (isList ? '[' : '{ ') : ', '
    if (typeof key === 'string') text += `${JSON.stringify(key)}: `
    const rest = inLine(isList ? value[Number(key)] : value[key], room - text.length)
    if (rest === undefined) return undefined
    text += rest
  }
  return within(text + (isList ? ']' : ' }'), room)
}

function isParted(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (!isFields(value)) return false
  for (const key in value) if (value[key] !== undefined) return true
  return false
}

function within(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined
}

function scalar(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null')
}

/** Names of the members that are said, sorted. */
function keysOf(value: Fields): readonly string[] {
  return Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
}

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const CR = 13

/**
 * SHA-256 of a text file as it would be with LF alone: a checkout may have changed its line ends.
 */
export function sha256Text(bytes: Uint8Array): string {
  if (!bytes.includes(CR)) return sha256(bytes)
  // One character a byte, there and back: nothing but line ends changes.
  return sha256(
    Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  )
}
