// Sizes of traffic in words and back, and what traffic costs: counted as the ledger counts, so that
// what is shown is what is paid.
import { grouped, typedAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { numberSeparators, t } from './language.ts'

export type Unit = 'MB' | 'kB' | 'bytes'

const BYTES: Readonly<Record<Unit, bigint>> = { MB: 1_000_000n, kB: 1_000n, bytes: 1n }
const ONE = 10n ** 10n

/**
 * The bytes that a decimal text says in a unit; undefined where they are no whole number above 0.
 */
export function bytesOf(text: string, unit: Unit): bigint | undefined {
  const amount = typedAmount(text)
  if (amount === undefined || amount <= 0n) return undefined
  const scaled = amount * BYTES[unit]
  return scaled % ONE === 0n ? scaled / ONE : undefined
}

/** `1.95 MB`, cut after two places, no zeros at the end; whole bytes below a kilobyte. */
export function shownBytes(bytes: bigint): string {
  if (bytes < BYTES.kB) return allBytes(bytes)
  const unit = bytes < BYTES.MB ? 'kB' : 'MB'
  const hundredths = (bytes * 100n) / BYTES[unit]
  const fraction = String(hundredths % 100n)
    .padStart(2, '0')
    .replace(/0+$/u, '')
  return `${grouped(String(hundredths / 100n))}${fraction === '' ? '' : `${numberSeparators().point}${fraction}`} ${unit}`
}

/** Every single byte: `1,950,000 bytes`. */
export function allBytes(bytes: bigint): string {
  return t('{0} bytes', grouped(String(bytes)))
}

export interface Cost {
  readonly usd: Amount
  readonly coin: Amount
}

/**
 * At a price in US dollars for 10^6 bytes and a rate in dollars for a coin; each step is rounded
 * half to even, as on the ledger.
 */
export function trafficCost(bytes: bigint, pricePerMb: Amount, rate: Amount): Cost | undefined {
  if (rate <= 0n) return undefined
  const megabytes = divideHalfEven(bytes * ONE, BYTES.MB)
  const usd = divideHalfEven(megabytes * pricePerMb, ONE)
  return { usd, coin: divideHalfEven(usd * ONE, rate) }
}

/** The quotient of numbers that are not negative, rounded half to even. */
function divideHalfEven(a: bigint, b: bigint): bigint {
  const [quotient, twice] = [a / b, (a % b) * 2n]
  const isUp = twice > b || (twice === b && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}
