// Messages of requirements that are not met: they name what was expected and what was found.
import { formatDecimal } from '../engine/decimal.ts'
import type { Tx } from '../engine/template.ts'

/** Requires a party to be the expected one; `what` names it: `the owner of the input`. */
export function requireParty(tx: Tx, what: string, given: string, expected: string): void {
  tx.require(given === expected, `${what} is ${expected}`, () => given)
}

/** The party that a choice names as its actor, as who controls it. */
export const byActor = (_payload: unknown, { actor }: { readonly actor: string }) => [actor]

/** Requires the actor to be one of the allowed parties. */
export function requireActor(tx: Tx, actor: string, allowed: readonly string[]): void {
  tx.require(
    allowed.includes(actor),
    `the actor is ${[...new Set(allowed)].join(' or ')}`,
    () => actor,
  )
}

/** Requires an amount of coin above 0; `what` names it: `the price`. */
export function requirePositive(tx: Tx, what: string, amount: bigint): void {
  tx.require(amount > 0n, `${what} is above 0`, () => formatDecimal(amount))
}

/** Requires a sum to cover an amount; `rest` is what is left of it. */
export function requireCover(tx: Tx, what: string, rest: bigint, amount: bigint): void {
  tx.require(rest >= 0n, `${what} add up to ${formatDecimal(amount)} at least`, () =>
    formatDecimal(rest + amount),
  )
}

/** Microseconds since 1970 as RFC 3339 has them. */
export function timeText(micros: bigint): string {
  return new Date(Number(micros / 1_000n)).toISOString()
}

/** A text for people that may be absent. */
export function orNone(text: string | null | undefined): string {
  return text ?? 'none'
}
