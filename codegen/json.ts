// Canonical JSON (sorted keys, integers of any size written exactly) and hashes over it.
import { createHash } from 'node:crypto'
import { filled, LINE } from './layout.ts'
import { isFields, sortedEntries } from './values.ts'
import type { Fields } from './values.ts'

/** JSON text in one line with sorted keys. A bigint is written as its digits. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isFields(value)) return scalar(value)
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const item = value[key]
    if (item !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item)}`
  }
  return `{${text}}`
}

/**
 * The same JSON for people: indented by two spaces. Objects and lists that fit into a line of 100
 * columns stand in one, plain values of longer lists as many to a line as fit. The outermost always
 * has a line for each member. No line break at the end.
 */
export function readableJson(value: unknown): string {
  return broken(value, '') ?? scalar(value)
}

function broken(value: unknown, pad: string): string | undefined {
  const deeper = `${pad}  `
  const isList = Array.isArray(value)
  if (
    isList &&
    value.length > 0 &&
    value.every((item) => !isFields(item) && !Array.isArray(item))
  ) {
    return `[\n${filled(value.map(scalar), deeper).join('\n').slice(0, -1)}\n${pad}]`
  }
  const lines = isList
    ? value.map((item) => printed(item, deeper, 0))
    : isFields(value)
      ? membersOf(value).map(([key, item]) => `${key}: ${printed(item, deeper, key.length + 2)}`)
      : []
  if (lines.length === 0) return undefined
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${deeper}${lines.join(`,\n${deeper}`)}\n${pad}${close}`
}

/** `used`: columns that the key takes. A comma may follow. */
function printed(value: unknown, pad: string, used: number): string {
  const line = inLine(value, LINE - 1 - pad.length - used)
  return line ?? broken(value, pad) ?? inLine(value, Infinity) ?? ''
}

/** The value in one line; undefined where that is longer than `room`, which is soon found out. */
function inLine(value: unknown, room: number): string | undefined {
  const isList = Array.isArray(value)
  if (!isList && !isFields(value)) return within(scalar(value), room)
  const parts = isList
    ? value.map((item): readonly [string, unknown] => ['', item])
    : membersOf(value).map(([key, item]) => [`${key}: `, item] as const)
  if (parts.length === 0) return within(isList ? '[]' : '{}', room)
  let text = isList ? '[' : '{ '
  for (const [index, [key, item]] of parts.entries()) {
    text += index === 0 ? key : `, ${key}`
    const rest = inLine(item, room - text.length)
    if (rest === undefined) return undefined
    text += rest
  }
  return within(text + (isList ? ']' : ' }'), room)
}

function within(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined
}

function scalar(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null')
}

function membersOf(value: Fields): readonly (readonly [string, unknown])[] {
  return sortedEntries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [JSON.stringify(key), item] as const)
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
