// The three formats of a report: text for a terminal, Markdown for a pull request, JSON for
// programs.
import type { SourcePlace } from '../ir.ts'
import { readableJson } from '../json.ts'
import type { Level } from './level.ts'
import type { InterfaceChanges } from './change.ts'
import { lineOf, tableOf } from '../rules/report.ts'
import type { Format, Row } from '../rules/report.ts'
import { linesOf, reachText, SIDES, summaryOf, summaryText, levelText } from './report.ts'
import type { Line, ReportOptions } from './report.ts'

const GROUPS: readonly Level[] = ['breaking', 'additive', 'editorial']

/** A report in a format; it ends with a line break. */
export function printChanges(
  interfaces: readonly InterfaceChanges[],
  format: Format,
  options: ReportOptions,
): string {
  switch (format) {
    case 'text':
      return printText(interfaces, options)
    case 'json':
      return printJson(interfaces, options)
    case 'markdown':
      return printMarkdown(interfaces, options)
  }
}

function rowOf(line: Line, show: ReportOptions['show']): Row {
  const { at, message, rule } = line.change
  return {
    level: levelText(line),
    message: message + reachText(line.change),
    at: { ...at, file: show(at.file) },
    rule,
  }
}

/**
 * What breaks in one interface, a line each, and the counts: for commands that have more to say
 * than this.
 */
export function shortLines(one: InterfaceChanges, show: ReportOptions['show']): readonly string[] {
  const lines = linesOf([one], { sides: SIDES, accepted: {}, show })
  const breaking = lines
    .filter(({ level }) => level === 'breaking')
    .map((line) => lineOf(rowOf(line, show)))
  return [...breaking, `changes of ${one.interface}: ${summaryText(summaryOf(lines))}`]
}

function printText(interfaces: readonly InterfaceChanges[], options: ReportOptions): string {
  const lines = linesOf(interfaces, options)
  const groups = GROUPS.map((level) =>
    lines
      .filter((line) => line.level === level)
      .map((line) => `${lineOf(rowOf(line, options.show))}\n`)
      .join(''),
  )
  return [...groups.filter((group) => group !== ''), `${summaryText(summaryOf(lines))}\n`].join(
    '\n',
  )
}

function printJson(interfaces: readonly InterfaceChanges[], options: ReportOptions): string {
  const lines = linesOf(interfaces, options)
  const place = ({ file, line, column }: SourcePlace): unknown => ({
    file: options.show(file),
    line,
    column,
  })
  const changes = lines.map(({ interface: name, change, isAllowed }) => ({
    interface: name,
    ...change,
    at: place(change.at),
    ...(change.was === undefined ? {} : { was: place(change.was) }),
    ...(isAllowed ? { allowed: true } : {}),
  }))
  return `${readableJson({ changes, summary: summaryOf(lines) })}\n`
}

function printMarkdown(interfaces: readonly InterfaceChanges[], options: ReportOptions): string {
  const lines = linesOf(interfaces, options)
  const groups = GROUPS.map((level) =>
    table(
      level,
      lines.filter((line) => line.level === level),
      options.show,
    ),
  )
  return `### Changes of the interface\n\n${summaryText(summaryOf(lines))}\n${groups.join('')}`
}

/** Words are folded away: few who review a change read them. */
function table(level: Level, lines: readonly Line[], show: ReportOptions['show']): string {
  if (lines.length === 0) return ''
  const body = tableOf(lines.map((line) => rowOf(line, show)))
  if (level !== 'editorial')
    return `\n#### ${level.charAt(0).toUpperCase()}${level.slice(1)}\n\n${body}`
  return `\n<details><summary>${lines.length} editorial</summary>\n\n${body}\n</details>\n`
}
