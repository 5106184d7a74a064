// What the generator has to say about a document: values with a place, never exceptions.
import type { SourcePlace } from './ir.ts'
import { lineOf } from './rules/report.ts'

/**
 * `error`: nothing is generated. `warning`: generated, but something was not understood. `note`: a
 * decision worth knowing.
 */
export type Severity = 'error' | 'warning' | 'note'

/** Something that a document says and people should know, and where it says it. */
export interface Finding {
  readonly severity: Severity
  /** Stable kebab-case name of the rule. */
  readonly rule: string
  readonly message: string
  readonly at: SourcePlace
  /**
   * The part that generation leaves out because of it; absent if it costs nothing, and for
   * errors.
   */
  readonly loss?: string
}

/** The rule of a file that is not there, or cannot be read. */
export const UNREADABLE = 'unreadable'

/** A finding as a line that editors link, with what it costs. */
export function formatFinding({ severity, rule, message, at, loss }: Finding): string {
  const text = loss === undefined ? message : `${message}: ${loss}`
  return lineOf({ level: severity, message: text, at, rule })
}

/** True when nothing may be generated. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}
