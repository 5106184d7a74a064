// The forms in which findings are printed: a line each for editors, JSON for programs, Markdown for
// reviews.
import { formatFinding } from '../findings.ts'
import type { Finding, Severity } from '../findings.ts'
import { readableJson } from '../json.ts'
import { tableOf } from '../rules/report.ts'
import type { Format } from '../rules/report.ts'

/** The text of findings in a format, without a line break at the end. */
export function printFindings(findings: readonly Finding[], format: Format): string {
  switch (format) {
    case 'text':
      return [...findings.map(formatFinding), summary(findings)].join('\n')
    case 'json':
      return readableJson({ findings: findings.map(plain), counts: counts(findings) })
    case 'markdown':
      return markdown(findings)
  }
}

/** `2 errors, 1 warning, 0 notes`. */
function summary(findings: readonly Finding[]): string {
  const found = counts(findings)
  return (['error', 'warning', 'note'] as const)
    .map((severity) => `${found[severity]} ${severity}${found[severity] === 1 ? '' : 's'}`)
    .join(', ')
}

function counts(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const of = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length
  return { error: of('error'), warning: of('warning'), note: of('note') }
}

function plain({ rule, severity, message, at }: Finding): object {
  const { file, line, column, pointer } = at
  return { code: rule, severity, message, file, line, column, pointer }
}

function markdown(findings: readonly Finding[]): string {
  const rows = findings.map(({ severity, ...rest }) => ({ level: severity, ...rest }))
  return `**${summary(findings)}**\n${rows.length === 0 ? '' : `\n${tableOf(rows)}`}`.trimEnd()
}
