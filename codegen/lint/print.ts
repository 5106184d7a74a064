// The forms in which findings are printed: a line each for editors, JSON for programs, Markdown for
// reviews.
import { formatFinding } from '../findings.ts'
import type { Finding, Severity } from '../findings.ts'

const FORMATS = ['text', 'json', 'markdown'] as const

export type Format = (typeof FORMATS)[number]

/** The text of findings in a format, without a line break at the end. */
export function printFindings(findings: readonly Finding[], format: Format): string {
  switch (format) {
    case 'text':
      return [...findings.map(formatFinding), summary(findings)].join('\n')
    case 'json':
      return JSON.stringify(
        { findings: findings.map(plain), counts: counts(findings) },
        undefined,
        2,
      )
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

function plain({
  rule,
  severity,
  message,
  at,
}: Finding): Readonly<Record<string, string | number>> {
  return {
    code: rule,
    severity,
    message,
    file: at.file,
    line: at.line,
    column: at.column,
    pointer: at.pointer,
  }
}

function markdown(findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ rule, severity, message, at }) =>
      `| ${severity} | \`${rule}\` | ${at.file}:${at.line}:${at.column} | ${message.replaceAll('|', '\\|')} |`,
  )
  const table =
    rows.length === 0 ? [] : ['', '| | code | place | what |', '|---|---|---|---|', ...rows]
  return [`**${summary(findings)}**`, ...table].join('\n')
}
