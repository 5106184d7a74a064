// What a run finds: the checks by name, and one violation for an operation, check and status.
import type { WireRequest } from './facts.ts'

/** docs/decisions/0005-conformance.md, Checks */
export const CHECKS = [
  'not-a-server-error',
  'status',
  'content-type',
  'response-headers',
  'response-body',
  'flawed-refused',
  'valid-accepted',
  'missing-header-refused',
  'unsupported-method',
  'allow-header',
  'use-after-delete',
  'created-is-there',
  'authentication',
  'response-time',
] as const

export type CheckName = (typeof CHECKS)[number]

/** A fault of one answer. */
export interface Complaint {
  readonly check: CheckName
  /** One sentence, without an end. */
  readonly sentence: string
  /** 0 where no answer came. */
  readonly status: number
}

export interface Violation extends Complaint {
  readonly interface: string
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Requests in order: the last one is answered wrongly, those before it prepare. */
  readonly requests: readonly WireRequest[]
  /** The answer's body, shortened. */
  readonly answer: string
  readonly seed: number
  /** The same request was answered in the same wrong way once more. */
  readonly isRepeatable: boolean
}

/** Violations of one operation, check and status are one. */
export function violationKey(operationId: string, { check, status }: Complaint): string {
  return `${operationId} ${check} ${status}`
}
