// What a document gets wrong costs what it concerns, and nothing else: everything beside it is
// generated (docs/decisions/0034-what-a-fault-costs.md).
import type { Finding } from '../findings.ts'
import type { SourcePlace } from '../ir.ts'
import type { DocumentRule } from '../rules/document-rules.ts'

/** Parts that generation leaves out. */
export const LOSS = {
  path: 'its operations are left out',
  operation: 'the operation is left out',
  parameter: 'the parameter is left out',
  header: 'the header is left out',
  answer: 'the answer is left out',
  scheme: 'it is left out',
  rule: 'the rule is left out',
  reference: 'the reference to itself is left out',
  tag: 'the tag is left out',
  schema: 'any value passes here',
} as const

export type Loss = (typeof LOSS)[keyof typeof LOSS]

interface Fault {
  readonly rule: DocumentRule
  readonly message: string
  readonly loss: Loss
  readonly at: SourcePlace
}

/** The finding of a fault: an error in a document that is read strictly, else a warning. */
export function faultOf(isStrict: boolean, { loss, ...fault }: Fault): Finding {
  return isStrict ? { severity: 'error', ...fault } : { severity: 'warning', ...fault, loss }
}

/** True when an operation is left out because of one of the findings. */
export function losesOperation(findings: readonly Finding[]): boolean {
  return findings.some(({ loss }) => loss === LOSS.operation)
}
