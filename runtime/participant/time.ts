// Times on the wire: RFC 3339 in UTC, whole seconds without fraction, else six digits.
// docs/ledger-rules.md, "Updates"

const SECOND = 1_000_000n

/** The last one that was asked for: what is written together is mostly of one second. */
let last = { second: 0n, text: '1970-01-01T00:00:00' }

/** Text of microseconds since 1970. */
export function timeText(micros: bigint): string {
  const rest = ((micros % SECOND) + SECOND) % SECOND
  const seconds = secondText((micros - rest) / SECOND)
  return rest === 0n ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0')}Z`
}

function secondText(second: bigint): string {
  if (second !== last.second) {
    const text = new Date(Number(second) * 1_000).toISOString().slice(0, 19)
    last = { second, text }
  }
  return last.text
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
