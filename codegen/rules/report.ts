// The reporter of findings and of changes: lines that editors link, and tables for reviews.
import type { SourcePlace } from '../ir.ts'

export const FORMATS = ['text', 'json', 'markdown'] as const
export type Format = (typeof FORMATS)[number]

/** A finding or a change as it is shown. */
export interface Row {
  /** Severity of a finding, level of a change. */
  readonly level: string
  readonly message: string
  readonly at: Pick<SourcePlace, 'file' | 'line' | 'column'>
  readonly rule: string
}

/** `file:line:column: level: message [rule]`, the form that editors link. */
export function lineOf({ level, message, at: { file, line, column }, rule }: Row): string {
  const shown = `${file}:${line}:${column}: ${level}: ${message} [${rule}]`
  // A document may be anybody's: nothing of it may steer the terminal that shows it.
  return shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

/** Rows as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ level, message, at, rule }) =>
      `| ${level} | ${cell(message)} | ${code(`${at.file}:${at.line}`)} | \`${rule}\` |\n`,
  )
  return `| | what | where | rule |\n|---|---|---|---|\n${lines.join('')}`
}

/** Words as they are: nothing of a document is markup, nor ends a cell. */
function cell(words: string): string {
  return words.replaceAll(/[\\|`*<[\]]/gu, String.raw`\$&`).replaceAll(/\s+/gu, ' ')
}

/** Escapes bars, which end the cell of a table even in code. */
function code(words: string): string {
  return words.includes('`') ? cell(words) : `\`${words.replaceAll('|', '\\|')}\``
}
