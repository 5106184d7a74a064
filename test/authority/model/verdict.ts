// What the page says of an operation: refused, done, or open where it says neither; and what
// follows when it is done.
import type { Answer } from './ops.ts'

/** Effects of a done operation besides what the model has written down already. */
export interface Effect {
  /** Parties in whose name something may have happened on the ledger. */
  readonly acting: readonly string[]
  /** Parties whose coins may have become fewer; all if absent. */
  readonly spending?: readonly string[]
  /**
   * What every party's coins become more or less by, in 10^-10 coin; absent where only the sum is
   * known to stay.
   */
  readonly moves?: ReadonlyMap<string, bigint>
  /** Growth of the sum if moves are absent; 0 if this is absent, too. */
  readonly minted?: bigint
  /**
   * What the operation may have changed besides; the service says, and no more than this is
   * believed.
   */
  readonly mayPrefer?: readonly (readonly [user: string, primaryParty: string])[]
  /** The reason why the answer cannot be right. */
  readonly fault?: string
}

export type Verdict =
  /**
   * `statuses` where the page or the interface says which; `hides` names a user or party that must
   * look like none.
   */
  | {
      readonly kind: 'refused'
      readonly rule: string
      readonly statuses?: readonly number[]
      readonly hides?: string
    }
  /** `done`: an over-refusal is a fault, too. */
  | {
      readonly kind: 'done' | 'open'
      readonly rule: string
      readonly effect: (answer: Answer) => Effect
    }

/** Nobody has more or less than before. */
export const STILL: ReadonlyMap<string, bigint> = new Map()
/** Nothing happened on the ledger. */
export const NOTHING: Effect = { acting: [], moves: STILL }

export function refused(rule: string, ...statuses: readonly number[]): Verdict {
  return { kind: 'refused', rule, ...(statuses.length === 0 ? {} : { statuses }) }
}

export function done(rule: string, effect: (answer: Answer) => Effect): Verdict {
  return { kind: 'done', rule, effect }
}

export function open(rule: string, effect: (answer: Answer) => Effect): Verdict {
  return { kind: 'open', rule, effect }
}

/** `done` unless there is a reason to leave it open. */
export function doneUnless(
  isOpen: boolean,
  rule: string,
  effect: (answer: Answer) => Effect,
): Verdict {
  return { kind: isOpen ? 'open' : 'done', rule, effect }
}

/** The joined effects of two operations. */
export function joined(one: Effect, other: Effect): Effect {
  const spending = [...(one.spending ?? one.acting), ...(other.spending ?? other.acting)]
  const moves =
    one.moves === undefined || other.moves === undefined ? undefined : sum(one.moves, other.moves)
  return {
    acting: [...one.acting, ...other.acting],
    spending,
    ...(moves === undefined ? { minted: mintedBy(one) + mintedBy(other) } : { moves }),
    mayPrefer: [...(one.mayPrefer ?? []), ...(other.mayPrefer ?? [])],
  }
}

function mintedBy({ moves, minted = 0n }: Effect): bigint {
  return moves === undefined
    ? minted
    : [...moves.values()].reduce((total, change) => total + change, 0n)
}

function sum(
  one: ReadonlyMap<string, bigint>,
  other: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  return new Map(
    [...one.keys(), ...other.keys()].map((party) => [
      party,
      (one.get(party) ?? 0n) + (other.get(party) ?? 0n),
    ]),
  )
}
