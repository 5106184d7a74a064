// Times on the wire: RFC 3339 in UTC, whole seconds without fraction, else six digits.
// domain/ledger.md §7.1

/** Text of microseconds since 1970. */
export function timeText(micros: bigint): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - rest) / 1_000n)).toISOString().slice(0, 19)
  return rest === 0n ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0')}Z`
}

/**
 * Microseconds that an RFC 3339 text says, fractions beyond them cut off; undefined where it says
 * none.
 */
export function timeOf(text: string): bigint | undefined {
  const [, seconds = '', fraction = '', zone = ''] =
    /^(.+:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? []
  const ms = Date.parse(`${seconds}${zone}`)
  return Number.isNaN(ms)
    ? undefined
    : BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}
