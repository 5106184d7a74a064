// JSON in and out without loss: duplicate names are refused, integers that a double cannot hold
// become bigint and go out as they came.
import { DEFAULT_JSON_LIMITS, JsonReader, type ParsedJson } from './json-reader.ts'

export type { ParsedJson } from './json-reader.ts'

/**
 * Parses JSON text, under the default limits. `__proto__` and `constructor` stay plain members.
 *
 * @param text the whole text
 * @param int64 keeps integers beyond 2^53 as bigint; otherwise they are doubles
 * @param bytes the same text in UTF-8, where it is at hand
 * @param decimals names of members whose numbers come back as plain decimal text, as they are
 *   written
 */
export function parseJson(
  text: string,
  int64: boolean,
  bytes: Buffer = Buffer.from(text),
  decimals: readonly string[] = [],
): ParsedJson {
  const reader = new JsonReader(bytes, { int64, decimals, limits: DEFAULT_JSON_LIMITS })
  let parsed = reader.advance(bytes.length + 1)
  while (parsed === undefined) parsed = reader.advance(1)
  return parsed
}

/**
 * JSON text of a value; with `int64`, a bigint is written as its digits (without it, a bigint
 * throws).
 */
export function stringifyJson(value: unknown, int64: boolean): string {
  return (int64 ? JSON.stringify(value, rawInteger) : JSON.stringify(value)) ?? 'null'
}

function rawInteger(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value
}
