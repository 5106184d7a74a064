// Breaking changes that a team knows of: `--allow RULE` or `--allow RULE:PLACE`.
import type { Change } from './change.ts'
import { isRuleName } from './rules.ts'
import type { RuleName } from './rules.ts'

export interface Allowance {
  readonly rule: RuleName
  /** A change's `place` or a JSON pointer; everywhere when absent. */
  readonly place?: string
  /** The text as it was written. */
  readonly text: string
}

/** The allowance in a text; undefined if it names no rule, or no place behind a colon. */
export function parseAllowance(text: string): Allowance | undefined {
  const colon = text.indexOf(':')
  const rule = colon < 0 ? text : text.slice(0, colon)
  if (!isRuleName(rule) || colon === text.length - 1) return undefined
  return colon < 0 ? { rule, text } : { rule, place: text.slice(colon + 1), text }
}

/** True when an allowance is for this change. */
export function allows({ rule, place }: Allowance, change: Change): boolean {
  return (
    change.rule === rule &&
    (place === undefined || place === change.place || place === change.pointer)
  )
}
