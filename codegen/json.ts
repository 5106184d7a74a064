// Canonical JSON (sorted keys, integers of any size written exactly) and hashes over it.
import { createHash } from 'node:crypto'
import { isFields, sortedEntries } from './values.ts'

/** JSON text with sorted keys. `indent` spaces a level; 0 gives one line. A bigint is written as its digits. */
export function canonicalJson(value: unknown, indent = 0, level = 0): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return group('[', ']', value.map((item) => canonicalJson(item, indent, level + 1)), indent, level)
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const colon = indent > 0 ? ': ' : ':'
  const members = sortedEntries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}${colon}${canonicalJson(item, indent, level + 1)}`)
  return group('{', '}', members, indent, level)
}

function group(open: string, close: string, members: readonly string[], indent: number, level: number): string {
  if (members.length === 0) return open + close
  if (indent === 0) return open + members.join(',') + close
  const pad = ' '.repeat(indent * (level + 1))
  return `${open}\n${pad}${members.join(`,\n${pad}`)}\n${' '.repeat(indent * level)}${close}`
}

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const CR = 13

/** SHA-256 of a text file as it would be with LF alone: a checkout may have changed its line ends. */
export function sha256Text(bytes: Uint8Array): string {
  if (!bytes.includes(CR)) return sha256(bytes)
  // One character a byte, there and back: nothing but line ends changes.
  return sha256(Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))
}
