// Parts that are written in another way: what they mean has not changed, or nobody noticed.
import { shapeText } from '../plan/fingerprint.ts'
import type { Note } from './comparison.ts'
import type { RuleName } from './rules.ts'
import { same } from './sets.ts'

/** Changes of what only people read. */
const WORDS: ReadonlySet<RuleName> = new Set([
  'description-changed',
  'examples-changed',
  'operation-summary-changed',
  'operation-description-changed',
  'operation-tags-changed',
  'parameter-description-changed',
  'body-examples-changed',
  'response-description-changed',
  'response-examples-changed',
] as const)

/** Whether two versions of a part differ in more than what was noted of them. */
export function isRewritten(notes: readonly Note[], before: unknown, after: unknown): boolean {
  if (notes.length === 0) return !same(before, after)
  return notes.every(({ rule }) => WORDS.has(rule)) && shapeText(before) !== shapeText(after)
}
