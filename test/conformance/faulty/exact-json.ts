// JSON whose whole numbers stay exact: beyond 2^53 they are bigint, on the way in and on the way
// out.

/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether `value` is an object of JSON and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of JSON text, whole numbers beyond 2^53 as bigint; undefined where it is not JSON. */
export function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber)
  } catch {
    return undefined
  }
}

function exactNumber(...[, value, context]: readonly unknown[]): unknown {
  const source = isFields(context) ? context['source'] : undefined
  if (typeof value !== 'number' || Number.isSafeInteger(value) || typeof source !== 'string')
    return value
  return /^-?\d+$/u.test(source) ? BigInt(source) : value
}

/** JSON text; undefined members are left out. */
export function printExact(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item,
  )
}

/** The same value with rounded numbers, as validators read it. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]))
}

/** Pointers of the whole numbers in `value` that no 64 bits hold. */
export function beyondInt64(value: unknown, pointer = ''): readonly string[] {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) {
    return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? [] : [pointer]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => beyondInt64(item, `${pointer}/${key}`))
}
