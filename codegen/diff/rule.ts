// How a row of the table of rules is written.
import type { Level } from './level.ts'

/** For callers, for implementers. */
export type Levels = readonly [callers: Level, implementers: Level]

export interface Wording {
  /**
   * What the change's sentence says of its subject; `{name}`, `{before}` and `{after}` are filled
   * in.
   */
  readonly says: string
  /** The rule that the reverse change falls under. */
  readonly mirror: string
}

/** Judges alike wherever it stands. */
export type FixedRule = Wording & { readonly kind: 'fixed'; readonly levels: Levels }

/** `ways`: a schema's, judged by the way that its values travel. */
export type Rule =
  | FixedRule
  | (Wording & { readonly kind: 'ways'; readonly request: Levels; readonly response: Levels })

export const [B, A, E, N] = ['breaking', 'additive', 'editorial', 'none'] as const

/** A rule that judges alike everywhere. */
export function fixed(
  says: string,
  mirror: string,
  callers: Level,
  implementers: Level,
): FixedRule {
  return { kind: 'fixed', says, mirror, levels: [callers, implementers] }
}

/** A rule that judges by the way in which values travel. */
export function ways(says: string, mirror: string, { request, response }: Ways): Rule {
  return { kind: 'ways', says, mirror, request, response }
}

export interface Ways {
  readonly request: Levels
  readonly response: Levels
}
