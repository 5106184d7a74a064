// Reads keywords of schemas by the rows of the table.
import type { Keyword } from './keyword.ts'

/** A schema's value of a keyword; undefined without one. */
export function keywordValue(schema: object, name: string): unknown {
  return Object.hasOwn(schema, name) ? Reflect.get(schema, name) : undefined
}

/** The stricter of two limits by one keyword. */
export function stricterLimit({ stricter }: Keyword, a: unknown, b: unknown): unknown {
  if (!isLimit(a) || !isLimit(b)) return a ?? b
  return (stricter === 'higher') === a > b ? a : b
}

/** True for what two limits can be compared by. */
export function isLimit(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
