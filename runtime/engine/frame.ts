// Exercises within each other: what holds in a choice's body, and which arguments may name the
// contracts that it needs.
import type { Json } from './template.ts'

/** Authority and witnesses of a choice's body. */
export interface Frame {
  readonly authorisers: readonly string[]
  readonly witnesses: readonly string[]
  readonly depth: number
  readonly argument: Json
  /** Whether its argument, and those around it, were read for ids. */
  isRead: boolean
  readonly parent: Frame | undefined
}

/**
 * The argument of what is about to be exercised, and those around it that were not read yet, as
 * JSON texts.
 */
export function unreadArguments(around: Frame, innermost: Json): readonly string[] {
  const texts = [JSON.stringify(innermost)]
  let frame: Frame | undefined = around
  for (; frame !== undefined && !frame.isRead; frame = frame.parent) {
    texts.push(JSON.stringify(frame.argument))
    frame.isRead = true
  }
  return texts
}
