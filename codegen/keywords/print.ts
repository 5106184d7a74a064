// The table of keywords as docs/documents.md shows it. `node codegen/keywords/print.ts` prints it.
import { sharedRows } from '../rules/rule.ts'
import type { Keyword, Role } from './keyword.ts'
import { keywords } from './table.ts'

const CHECKED = 'checked'

/** Treatment of a keyword by generated code. */
const TREATMENTS: Readonly<Record<Role, string>> = {
  type: CHECKED,
  values: CHECKED,
  composition: CHECKED,
  rule: CHECKED,
  hint: 'tells how to read the value',
  older: 'read as another keyword',
  note: 'describes the value, not checked',
  place: 'target of references',
  unchecked: 'not checked, with a warning',
}

/** Markdown: a row for the keywords of a schema that generated code treats in the same way. */
export function printKeywords(): string {
  const lines = sharedRows(keywords(), treatmentOf)
    .map(({ cells, names }) => `| ${cells} | ${names} |\n`)
    .toSorted()
  return `| treatment | keywords |\n|---|---|\n${lines.join('')}`
}

function treatmentOf({ role, of, kept }: Keyword): string {
  const treatment = TREATMENTS[role]
  if (treatment !== CHECKED) return treatment
  if (kept !== true) return TREATMENTS.older
  return of === undefined ? CHECKED : `${CHECKED}, ${of}s only`
}

if (import.meta.main) process.stdout.write(printKeywords())
