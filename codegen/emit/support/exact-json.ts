// JSON whose integers keep every digit: beyond 2^53 they are bigint, in and out.

/**
 * What may stand before an integer of so many digits. Ids and hashes have that many too, but as a
 * rule behind a quote or a letter: looking at every member takes five times as long as the rest.
 */
const LONG_INTEGER = /(?:^|[:[,\s-])\d{16}/u

/** Parses JSON; integers that a number cannot hold exactly become bigint. Throws SyntaxError. */
export function parseExact(json: string): unknown {
  return LONG_INTEGER.test(json) ? JSON.parse(json, exactInteger) : JSON.parse(json)
}

function exactInteger(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/u.test(source) ? BigInt(source) : value
}

/**
 * JSON text of a value, a bigint as its digits. Throws where the platform has no raw JSON and a
 * bigint is beyond 2^53.
 */
export function stringifyExact(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'bigint' ? rawInteger(item) : item,
    ) ?? 'null'
  )
}

function rawInteger(value: bigint): unknown {
  if (Number.isSafeInteger(Number(value))) return Number(value)
  const raw: unknown = Reflect.get(JSON, 'rawJSON')
  if (typeof raw !== 'function')
    throw new TypeError('this platform cannot write integers beyond 2^53 as JSON')
  return raw.call(JSON, value.toString())
}
