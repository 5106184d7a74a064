// The table of keywords as docs/documents.md shows it. `node codegen/keywords/print.ts` prints it.
import type { Keyword } from './keyword.ts'
import { keywords } from './table.ts'

const CHECKED: ReadonlySet<string> = new Set(['type', 'values', 'composition', 'rule'])

/** Markdown: a row for each keyword of a schema; those of which the same is said share one. */
export function printKeywords(): string {
  const rows = new Map<string, string[]>()
  for (const [name, row] of keywords()) {
    const says = `${row.of ?? 'any'} | ${row.about} | ${isChecked(row) ? 'yes' : 'no'}`
    rows.set(says, [...(rows.get(says) ?? []), `\`${name}\``])
  }
  const lines = Array.from(rows, ([says, names]) => `| ${names.join(', ')} | ${says} |\n`)
  return `| keyword | values | meaning | checked |\n|---|---|---|---|\n${lines.join('')}`
}

function isChecked({ role, kept }: Keyword): boolean {
  return CHECKED.has(role) && kept === true
}

if (import.meta.main) process.stdout.write(printKeywords())
