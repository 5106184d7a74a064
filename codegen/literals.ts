// Names and values as TypeScript writes them.

/**
 * A property key as TypeScript writes it. Bare, `__proto__` would set the prototype of an object
 * literal.
 */
export function propertyKey(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/u.test(name) ? name : quote(name)
}

/** A text literal in single quotes. */
export function quote(value: string): string {
  const json = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

/** A value as a TypeScript expression, bigint included; object keys keep the order they have. */
export function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(
    ([key, item]) => `${propertyKey(key)}: ${literal(item)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
