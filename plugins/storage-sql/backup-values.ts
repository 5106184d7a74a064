// How values of the databases are written in a backup, and how those of a backup are given to a
// database.
import { fitsInt64 } from './database.ts'
import { WIRE } from './tables.ts'
import type { ColumnKind } from './tables.ts'

/** A value as JSON has it. */
type Written = string | boolean | null

/** A value as the drivers take it. */
type Cell = string | bigint | number | boolean | Buffer | null

/** Digits of a rank in SQLite. */
export const RANK_DIGITS = 38

/**
 * Throws a TypeError for what the column cannot hold: the schema is not what the program takes it
 * for.
 */
export function written(kind: ColumnKind, value: unknown): Written {
  if (value === null) return null
  switch (WIRE[kind]) {
    case 'text':
      return textOf(value)
    case 'boolean':
      return value === true || value === 1n
    case 'bytea':
      return bytesOf(value).toString('base64')
    default:
      return wholeNumber(value)
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('A text column holds no text')
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  throw new TypeError('A column of bytes holds none')
}

/** A number without the zeros in front that SQLite's ranks have. */
function wholeNumber(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string')
    return String(BigInt(value))
  throw new TypeError('A column of numbers holds none')
}

/**
 * A cell for PostgreSQL, which reads numbers as texts. Undefined for what is no value of this kind.
 */
export function postgresCell(kind: ColumnKind, value: unknown): Cell | undefined {
  if (value === null) return null
  const type = WIRE[kind]
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (typeof value !== 'string') return undefined
  if (type === 'text') return value
  return type === 'bytea' ? fromBase64(value) : numberText(kind, value)
}

/**
 * A cell for SQLite, which has no type for flags and large numbers. Undefined for what is no value
 * of this kind.
 */
export function sqliteCell(kind: ColumnKind, value: unknown): Cell | undefined {
  const cell = postgresCell(kind, value)
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell !== 'string') return cell
  if (isInt64(kind)) return BigInt(cell)
  return kind === 'rank' ? cell.padStart(RANK_DIGITS, '0') : cell
}

function isInt64(kind: ColumnKind): boolean {
  return WIRE[kind] === 'bigint' || WIRE[kind] === 'int4'
}

function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

function numberText(kind: ColumnKind, text: string): string | undefined {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return undefined
  if (isInt64(kind)) return fitsInt64(BigInt(text)) ? text : undefined
  return kind === 'sum' || (text.length <= RANK_DIGITS && !text.startsWith('-')) ? text : undefined
}
