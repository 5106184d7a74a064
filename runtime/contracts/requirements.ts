// Messages of requirements that are not met: they name what was expected and what was found.
import { formatDecimal } from '../engine/decimal.ts'
import type { Tx } from '../engine/template.ts'

/** That a party is the one that it is to be; `what` says which: `the owner of the input`. */
export function requireParty(tx: Tx, what: string, given: string, expected: string): void {
  tx.require(given === expected, `${what} is ${expected}`, () => given)
}

/** That whoever acts is one of those who may. */
export function requireActor(tx: Tx, actor: string, allowed: readonly string[]): void {
  tx.require(
    allowed.includes(actor),
    `the actor is ${[...new Set(allowed)].join(' or ')}`,
    () => actor,
  )
}

/** That an amount of coin is above 0; `what` says which: `the price`. */
export function requirePositive(tx: Tx, what: string, amount: bigint): void {
  tx.require(amount > 0n, `${what} is above 0`, () => formatDecimal(amount))
}

/** That a sum covers an amount; `rest` is what is left of it. */
export function requireCover(tx: Tx, what: string, rest: bigint, amount: bigint): void {
  tx.require(rest >= 0n, `${what} add up to ${formatDecimal(amount)} at least`, () =>
    formatDecimal(rest + amount),
  )
}

/** Microseconds since 1970 as RFC 3339 has them. */
export function timeText(micros: bigint): string {
  return new Date(Number(micros / 1_000n)).toISOString()
}

/** For people: of a text that may be absent. */
export function orNone(text: string | null | undefined): string {
  return text ?? 'none'
}
