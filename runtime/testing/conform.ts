// The conformance runner: holds any server to its OpenAPI documents. Gets routes, arbitraries and
// the facts of the documents as data. docs/conformance.md
export { isUnshowable } from './conform/authority.ts'
export type * from './conform/facts.ts'
export type { ConformOptions } from './conform/options.ts'
export { runConformance } from './conform/run.ts'
export type { ConformReport, OperationReport, UnaskableReport } from './conform/run.ts'
export { jsonText, junitText, reportText } from './conform/report.ts'
export type { ReportContext } from './conform/report.ts'
export { NoAnswerError } from './conform/sender.ts'
export { CHECKS } from './conform/violation.ts'
export type { CheckName, Violation } from './conform/violation.ts'
