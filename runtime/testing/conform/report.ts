// A run's outcome as text: for people, as JUnit XML and as JSON.
import { curlCommand } from './curl.ts'
import type { ConformReport, OperationReport } from './run.ts'
import type { Violation } from './violation.ts'

export interface ReportContext {
  /** `http://host:port` */
  readonly origin: string
  /** A text that no report may hold, and the shell that yields it. */
  readonly secret?: { readonly text: string; readonly shell: string }
  /** The command that runs this again for one operation. */
  replay(violation: Violation): string
}

/** Lines for people: an operation a line, then what was found. */
export function reportText(report: ConformReport, context: ReportContext): string {
  const { violations, operations, requests, milliseconds, seed } = report
  const width = Math.max(0, ...operations.map(({ operationId }) => operationId.length))
  const lines = [
    ...operations.map((operation) => operationLine(operation, violations, width)),
    ...report.unaskable.map(
      ({ operationId, reason, method, path }) =>
        `- ${operationId.padEnd(width)}  skipped: ${reason}  (${method} ${path})`,
    ),
  ]
  const found = violations.flatMap((violation, index) => [
    '',
    ...violationLines(violation, index + 1, context),
  ])
  const verdict =
    violations.length === 0
      ? 'no violation'
      : `${violations.length} violation${violations.length === 1 ? '' : 's'}`
  const examples = operations.filter((operation) => operation.examples > 0).length
  const untouched = operations.filter((operation) => operation.requests === 0).length
  return [
    ...lines,
    ...found,
    '',
    ...(examples === 0
      ? []
      : [
          `${examples} operation${examples === 1 ? ' was' : 's were'} answered by examples, of which no state is asked`,
        ]),
    ...(untouched === 0
      ? []
      : [`${untouched} operation${untouched === 1 ? ' was' : 's were'} not asked`]),
    `${verdict}: ${operations.length} operations, ${requests} requests, ${(milliseconds / 1000).toFixed(1)} s, seed ${seed}`,
    '',
  ].join('\n')
}

function operationLine(
  operation: OperationReport,
  violations: readonly Violation[],
  width: number,
): string {
  const { operationId, method, path, requests, accepted, refused, failed } = operation
  const isOwn = (violation: Violation): boolean =>
    violation.operationId === operationId && violation.interface === operation.interface
  const found = violations.filter(isOwn).length
  const mark = found > 0 ? '✗' : requests === 0 ? '-' : '✓'
  const counts = `${requests} sent, ${accepted} accepted, ${refused} refused${failed === 0 ? '' : `, ${failed} failed`}`
  return `${mark} ${operationId.padEnd(width)}  ${counts}${found === 0 ? '' : `, ${found} found`}  (${method} ${path})`
}

function violationLines(
  violation: Violation,
  number: number,
  context: ReportContext,
): readonly string[] {
  const { operationId, check, sentence, answer, isRepeatable } = violation
  return [
    `${number}. ${operationId}: ${check}`,
    `   ${sentence}`,
    ...(isRepeatable
      ? []
      : ['   the same request alone did not show it again: it depends on what came before']),
    ...curls(violation, context).map((command) => `   ${command}`),
    ...(answer === ''
      ? []
      : [`   answer: ${masked(answer, context).replaceAll(/\s*\n\s*/gu, ' ')}`]),
    `   again:  ${context.replay(violation)}`,
  ]
}

function curls({ requests }: Violation, { origin, secret }: ReportContext): readonly string[] {
  return requests.map((request) => curlCommand(origin, request, secret))
}

/** JUnit XML: an interface a suite, an operation a case. */
export function junitText(report: ConformReport, context: ReportContext): string {
  const all = [...report.operations, ...report.unaskable]
  const names = [...new Set(all.map((operation) => operation.interface))]
  const suites = names.map((name) => {
    const operations = report.operations.filter((operation) => operation.interface === name)
    const failures = report.violations.filter((violation) => violation.interface === name)
    const cases = operations.map(({ operationId, requests }) => {
      const own = failures.filter((violation) => violation.operationId === operationId)
      const inner =
        requests === 0 ? '<skipped/>' : own.map((violation) => failure(violation, context)).join('')
      return `    <testcase classname="${xml(name)}" name="${xml(operationId)}">${inner}</testcase>\n`
    })
    const skipped = report.unaskable
      .filter((one) => one.interface === name)
      .map(({ operationId, reason }) => {
        const inner = `<skipped message="${xml(reason)}"/>`
        return `    <testcase classname="${xml(name)}" name="${xml(operationId)}">${inner}</testcase>\n`
      })
    const failed = operations.filter(({ operationId }) =>
      failures.some((violation) => violation.operationId === operationId),
    ).length
    return `  <testsuite name="${xml(name)}" tests="${operations.length + skipped.length}" failures="${failed}">\n${cases.join('')}${skipped.join('')}  </testsuite>\n`
  })
  const time = (report.milliseconds / 1000).toFixed(3)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conform" time="${time}">\n${suites.join('')}</testsuites>\n`
}

function failure(violation: Violation, context: ReportContext): string {
  const text = violationLines(violation, 1, context)
    .slice(1)
    .map((line) => line.trim())
    .join('\n')
  return `<failure type="${violation.check}" message="${xml(violation.sentence)}">${xml(text)}</failure>`
}

function xml(text: string): string {
  // XML 1.0 has no way to write most control characters.
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}

/** JSON: counts by operation, and each violation with its curl commands. */
export function jsonText(report: ConformReport, context: ReportContext): string {
  const violations = report.violations.map((violation) => {
    const { requests: _requests, answer, ...facts } = violation
    return {
      ...facts,
      answer: masked(answer, context),
      curl: curls(violation, context),
      replay: context.replay(violation),
    }
  })
  return `${JSON.stringify({ ...report, violations }, null, 2)}\n`
}

function masked(text: string, { secret }: ReportContext): string {
  return secret === undefined || secret.text === '' ? text : text.replaceAll(secret.text, '(token)')
}
