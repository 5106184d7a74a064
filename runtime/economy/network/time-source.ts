// A clock that can be asked where this machine's is in doubt: the `Date` that a web server answers
// with. docs/operations.md, Clocks
const LIMIT_MS = 3_000

/** Microseconds since 1970, to a second; undefined where no date comes back. Never rejects. */
export async function dateOf(url: string): Promise<bigint | undefined> {
  try {
    const { headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const ms = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000n
  } catch {
    return undefined
  }
}
