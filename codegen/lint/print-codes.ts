// The tables of codes as docs/lint.md shows them. `node codegen/lint/print-codes.ts` prints them.
import { sharedRows } from '../rules/rule.ts'
import { GROUPS } from './catalogue.ts'

/** Markdown: a table for each group, in which codes with the same reason share a row. */
export function printCodes(): string {
  return GROUPS.map(({ title, rules }) => {
    const rows = sharedRows(Object.entries(rules), ({ severity, says }) => `${severity} | ${says}`)
    const lines = rows.map(({ cells, names }) => `| ${names} | ${cells} |\n`)
    return `### ${title}\n\n| code | severity | why |\n|---|---|---|\n${lines.join('')}`
  }).join('\n')
}

if (import.meta.main) process.stdout.write(printCodes())
