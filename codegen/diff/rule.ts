// What rules for changes judge. In their words `{name}`, `{before}` and `{after}` are filled in.
import type { Wording } from '../rules/rule.ts'
import type { Level } from './level.ts'

/** Levels for callers and for implementers. */
export type Levels = readonly [callers: Level, implementers: Level]

/**
 * What becomes of stored contracts, by a change of contracts.yaml or of a package. `no-upgrade`: a
 * ledger that has the older package refuses the newer.
 */
export type Stored = 'read' | 'upgrade' | 'refused' | 'no-upgrade'

/** Judges alike wherever it stands. */
export interface FixedVerdict {
  readonly kind: 'fixed'
  readonly levels: Levels
}

/** Judges what is stored, too. */
export interface StoredVerdict extends FixedVerdict {
  readonly stored: Stored
}

/** Judges a schema by the way that its values travel. */
export interface WaysVerdict extends Ways {
  readonly kind: 'ways'
}

export interface Ways {
  readonly request: Levels
  readonly response: Levels
}

export type ContractRule = Wording & StoredVerdict
export type Rule = Wording & (FixedVerdict | StoredVerdict | WaysVerdict)

export const [B, A, E, N] = ['breaking', 'additive', 'editorial', 'none'] as const

/** A verdict that is the same everywhere. */
export function fixed(callers: Level, implementers: Level): FixedVerdict {
  return { kind: 'fixed', levels: [callers, implementers] }
}

/** The same, with what becomes of stored contracts. */
export function stored(callers: Level, implementers: Level, becomes: Stored): StoredVerdict {
  return { ...fixed(callers, implementers), stored: becomes }
}

/** A verdict by the way in which values travel. */
export function ways(both: Ways): WaysVerdict {
  return { kind: 'ways', ...both }
}
