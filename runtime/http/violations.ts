// What is wrong with a request, cut to a size that an answer can have whatever was sent.
import type { Exchange } from './exchange.ts'
import type { Problem } from './problem.ts'
import type { CheckPhase, Issue } from './wire.ts'
import { DECODE_KEYWORDS } from './wire.ts'

/** Violations that an answer tells of. */
const MAX_ISSUES = 100
const MAX_POINTER_LENGTH = 200
const MAX_TEXT_LENGTH = 300

/** Issues that say "not decodable" answer now; the rest waits for the constraints phase. */
export function sift<P>(
  exchange: Exchange<P>,
  phase: CheckPhase,
  issues: readonly Issue[],
): Problem | undefined {
  const undecodable = issues.filter((issue) => DECODE_KEYWORDS.has(issue.keyword))
  if (undecodable.length > 0) return invalid(phase, undecodable)
  exchange.kept = [...exchange.kept, ...issues]
  return undefined
}

/** The problem of a request that breaks the document. */
export function invalid(phase: CheckPhase, issues: readonly Issue[]): Problem {
  return { kind: 'invalid', phase, issues: issues.slice(0, MAX_ISSUES).map(shortened) }
}

function shortened(issue: Issue): Issue {
  const { pointer, message, value } = issue
  const isShort = pointer.length <= MAX_POINTER_LENGTH && message.length <= MAX_TEXT_LENGTH
  if (isShort && !(typeof value === 'string' && value.length > MAX_TEXT_LENGTH)) return issue
  return {
    ...issue,
    pointer: cut(pointer, MAX_POINTER_LENGTH),
    message: cut(message, MAX_TEXT_LENGTH),
    ...(typeof value === 'string' ? { value: cut(value, MAX_TEXT_LENGTH) } : {}),
  }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
