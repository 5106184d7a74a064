// What contracts say, read where it is needed: create arguments come as JSON of which nothing is
// promised but that it is an object.

/**
 * What is at a path of member names (or places in lists) below a value; undefined where there is
 * none.
 */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? Reflect.get(at, name)
        : undefined,
    value,
  )
}

/**
 * The text at a path, '' where there is none. Decimals, times and 64-bit integers are text on the
 * wire.
 */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The texts of the list at a path. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : []
}

/** The 64-bit integer at a path, undefined where there is none. */
export function integerAt(value: unknown, ...path: readonly string[]): bigint | undefined {
  const text = textAt(value, ...path)
  return /^-?\d{1,19}$/u.test(text) ? BigInt(text) : undefined
}
