// Amounts of coin: decimal text on the wire, an integer of 10^-10 inside. No amount is ever a
// JavaScript number.

/** Of 10^-10 coin. */
export type Amount = bigint

const PLACES = 10
const ONE = 10n ** BigInt(PLACES)
const DECIMAL = /^(-?)(\d{1,28})(?:\.(\d{1,10}))?$/u

/** The amount that a text says; undefined where it says none. */
export function parseAmount(text: string): Amount | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(PLACES, '0'))
  return sign === '-' ? -size : size
}

/** As the wire has it: ten places. */
export function wireAmount(amount: Amount): string {
  const size = amount < 0n ? -amount : amount
  return `${amount < 0n ? '-' : ''}${size / ONE}.${String(size % ONE).padStart(PLACES, '0')}`
}

/** For reading: groups of three, trailing zeros cut, at least two places. Exact. */
export function shownAmount(amount: Amount): string {
  const [whole = '0', fraction = ''] = wireAmount(amount).split('.')
  return `${grouped(whole)}.${fraction.replace(/0+$/u, '').padEnd(2, '0')}`
}

/** For fields that are typed into: as it is shown, without groups. */
export function plainAmount(amount: Amount): string {
  return shownAmount(amount).replaceAll(',', '')
}

/**
 * Worth in US dollars at a rate in dollars for a coin, to the cent, half up; undefined without a
 * rate.
 */
export function shownDollars(amount: Amount, rate: Amount | undefined): string | undefined {
  if (rate === undefined) return undefined
  const cents = (magnitude(amount) * rate * 100n + (ONE * ONE) / 2n) / (ONE * ONE)
  const sign = amount < 0n && cents > 0n ? '-' : ''
  return `${sign}$${grouped(String(cents / 100n))}.${String(cents % 100n).padStart(2, '0')}`
}

/** Coin for an amount of dollars, rounded down to 10^-10. */
export function coinFor(dollars: Amount, rate: Amount): Amount {
  return rate === 0n ? 0n : (dollars * ONE) / rate
}

/** Coin that is worth an amount of dollars at least: rounded up to 10^-10. */
export function coinCovering(dollars: Amount, rate: Amount): Amount {
  return rate === 0n ? 0n : (dollars * ONE + rate - 1n) / rate
}

function magnitude(amount: Amount): Amount {
  return amount < 0n ? -amount : amount
}

/** Groups of three of whole digits. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
}
