// The table of docs/corpus.md: a row for each document, replaced when the document is run again.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from './one.ts'

const PAGE = join(import.meta.dirname, '../../../docs/corpus.md')
const [START, END] = ['<!-- made: corpus -->', '<!-- end -->']
const COLUMNS = ['#', 'KB', 'operations', 'findings', 's', 'requests', 'skipped', 'wrong']

/** The head of the table. */
export const HEAD = `| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}\n`

/** True where a document is generated, checked and answered without anything wrong. */
export function isWhole(outcome: Outcome | string): outcome is Outcome {
  return (
    typeof outcome === 'object' &&
    [outcome.typeErrors, outcome.violations, outcome.differences].every((count) => count === 0)
  )
}

/** A document's row, a line; `outcome` is a text where its process failed. */
export function rowOf(number: number, bytes: number, outcome: Outcome | string): string {
  const counts = (one: Outcome): readonly (number | string)[] => [
    one.operations,
    one.findings,
    one.seconds,
    one.requests,
    one.skipped,
    one.typeErrors + one.violations + one.differences + one.unread,
  ]
  const found = typeof outcome === 'string' ? ['failed', ...'-----'] : counts(outcome)
  return `| ${[number, Math.ceil(bytes / 1_024), ...found].join(' | ')} |\n`
}

/** Puts a row into the page in place of the document's earlier one. */
export function writeRow(row: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(START)
  const [table = '', after = ''] = rest.split(END)
  const rows = new Map(
    [...table.split('\n'), row.trim()].flatMap((line): [number, string][] => {
      const number = Number(/^\| (\d+) \|/u.exec(line)?.[1])
      return number > 0 ? [[number, line]] : []
    }),
  )
  const sorted = [...rows].sort(([a], [b]) => a - b).map(([, line]) => `${line}\n`)
  writeFileSync(PAGE, `${before}${START}\n${HEAD}${sorted.join('')}${END}${after}`)
}
