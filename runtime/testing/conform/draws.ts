// What is drawn for an operation, or why nothing can be.
import type { Draws, OperationFacts } from './facts.ts'

/** Requests of an operation; undefined where nobody can ask it or answer it. */
export function drawsOf(operation: OperationFacts): Draws | undefined {
  const found = operation.draws()
  return 'reason' in found ? undefined : found
}

/** The reason why an operation is left out; undefined if it can be asked. */
export function reasonAgainst(operation: OperationFacts): string | undefined {
  const found = operation.draws()
  return 'reason' in found ? found.reason : undefined
}
