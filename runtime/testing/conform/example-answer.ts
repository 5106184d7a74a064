// Answers that are marked as examples: they are held to the document, but know of no state.
// docs/examples.md
import type { Answer } from './sender.ts'

const MARK = 'x-example-answer'

/** True for an answer that says of itself that it is an example. */
export function isExample(answer: Answer | undefined): boolean {
  return answer?.headers.get(MARK) === 'true'
}
