// Amounts of coin: decimal text on the wire, an integer of 10^-10 inside. No amount is ever a
// JavaScript number. For people they are written as their language writes numbers.
import { localeTag, numberSeparators } from './language.ts'

/** Units of 10^-10 coin. */
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

/** The wire's form: ten places. */
export function wireAmount(amount: Amount): string {
  const size = amount < 0n ? -amount : amount
  return `${amount < 0n ? '-' : ''}${size / ONE}.${String(size % ONE).padStart(PLACES, '0')}`
}

/** The amount that a person has typed, with the language's own point and without groups. */
export function typedAmount(text: string): Amount | undefined {
  const { point } = numberSeparators()
  if (point !== '.' && text.includes('.')) return undefined
  return parseAmount(text.replace(point, '.'))
}

/** The form for reading: groups of three, trailing zeros cut, at least two places. Exact. */
export function shownAmount(amount: Amount): string {
  const [whole = '0', fraction = ''] = wireAmount(amount).split('.')
  return `${grouped(whole)}${numberSeparators().point}${trimmed(fraction)}`
}

/**
 * For headlines: two places, rounded down so that nobody reads more than there is; below a cent of
 * coin exact.
 */
export function roundedAmount(amount: Amount): string {
  const cent = ONE / 100n
  return magnitude(amount) < cent ? shownAmount(amount) : shownAmount((amount / cent) * cent)
}

/** The form for fields that are typed into: as shown, without groups. */
export function plainAmount(amount: Amount): string {
  const [whole = '0', fraction = ''] = wireAmount(amount).split('.')
  return `${whole}${numberSeparators().point}${trimmed(fraction)}`
}

/** The typed form of dollars, to the cent. */
export function plainDollars(amount: Amount, rate: Amount | undefined): string | undefined {
  return rate === undefined ? undefined : plainAmount((centsOf(amount, rate) * ONE) / 100n)
}

function trimmed(fraction: string): string {
  return fraction.replace(/0+$/u, '').padEnd(2, '0')
}

/**
 * Worth in US dollars at a rate in dollars for a coin, to the cent, half up; undefined without a
 * rate.
 */
export function shownDollars(amount: Amount, rate: Amount | undefined): string | undefined {
  if (rate === undefined) return undefined
  const cents = centsOf(amount, rate)
  const sign = amount < 0n && cents > 0n ? '-' : ''
  const { point } = numberSeparators()
  const text = `${grouped(String(cents / 100n))}${point}${String(cents % 100n).padStart(2, '0')}`
  return `${sign}${asDollars(text)}`
}

/** `$0.50`, or `0,50 $` where the language puts the sign behind. */
export function asDollars(number: string): string {
  const isBehind = dollarsBehind.get(localeTag()) ?? signIsBehind(localeTag())
  return isBehind ? `${number} $` : `$${number}`
}

const dollarsBehind = new Map<string, boolean>()

function signIsBehind(tag: string): boolean {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD' })
  const isBehind = format.formatToParts(1)[0]?.type !== 'currency'
  dollarsBehind.set(tag, isBehind)
  return isBehind
}

/** Hundredths of a dollar, half up, of the size without its sign. */
function centsOf(amount: Amount, rate: Amount): bigint {
  return (magnitude(amount) * rate * 100n + (ONE * ONE) / 2n) / (ONE * ONE)
}

/** Worth in US dollars at a rate, rounded down to 10^-10. */
export function worthOf(amount: Amount, rate: Amount): Amount {
  return (amount * rate) / ONE
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
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, numberSeparators().group)
}
