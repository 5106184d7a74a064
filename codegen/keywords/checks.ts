// Prints the checks of keywords that look at a value by itself.
import { literal, quote } from '../literals.ts'
import type { PrintCheck } from './keyword.ts'

/** A lower limit; `measure` is the amount of the variable `v`, `rough` a quicker form of it. */
export function atLeast(noun: string, measure: (v: string, least: number) => string): PrintCheck {
  return (least, v) =>
    typeof least !== 'number' || least <= 0
      ? undefined
      : { fails: `${measure(v, least)} < ${least}`, must: `have at least ${count(least, noun)}` }
}

/** An upper limit; `fails` prints when that does not hold. */
export function atMost(noun: string, fails: (v: string, most: number) => string): PrintCheck {
  return (most, v) =>
    typeof most !== 'number'
      ? undefined
      : { fails: fails(v, most), must: `have at most ${count(most, noun)}` }
}

/** A number on one side of a limit: wrong where the operator holds. */
export function bound(operator: string, words: string): PrintCheck {
  return (limit, v) =>
    typeof limit !== 'number' && typeof limit !== 'bigint'
      ? undefined
      : { fails: `${v} ${operator} ${literal(limit)}`, must: `be ${words} ${limit}` }
}

/** A whole multiple of a step. */
export const multiple: PrintCheck = (step, v) =>
  typeof step !== 'number'
    ? undefined
    : { fails: `!isMultiple(${v}, ${step})`, must: `be a multiple of ${step}` }

/** A text that an expression matches. */
export const matching: PrintCheck = (pattern, v, constant) =>
  typeof pattern !== 'string'
    ? undefined
    : { fails: `!${constant('re', regExp(pattern))}.test(${v})`, must: `match ${pattern}` }

/** Items none of which equals another. */
export const distinct: PrintCheck = (isUnique, v) =>
  isUnique === true
    ? { fails: `firstDuplicate(${v}) >= 0`, must: 'not have equal items' }
    : undefined

/** Bytes as text; of encodings base64 alone is checked. */
export const encoded: PrintCheck = (encoding, v) =>
  encoding === 'base64' ? { fails: `!isByte(${v})`, must: 'be base64 text' } : undefined

/**
 * The expression of a pattern, with the `u` flag when it compiles so. Throws when it does not
 * compile at all.
 */
export function regExp(pattern: string): string {
  const { flags } = compiled(pattern)
  return `new RegExp(${quote(pattern)}${flags === '' ? '' : `, ${quote(flags)}`})`
}

/** The regular expression of a pattern: with the u flag where it has a meaning with it. */
export function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

function count(amount: number, noun: string): string {
  if (noun === 'property') return `${amount} properties`
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
