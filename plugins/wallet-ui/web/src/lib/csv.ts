// Tables as text for spreadsheets: RFC 4180, and nothing that a spreadsheet would take for a
// formula.

/**
 * A cell of text is guarded where a spreadsheet would compute it; `exact` is a number of ours and
 * stays as it is.
 */
export type Cell = string | { readonly exact: string }

const FORMULA = /^[=+\-@\t\r]/u
const QUOTED = /[",\r\n]/u

/** Lines end in CR LF, the last one too. */
export function csvText(rows: ReadonlyArray<readonly Cell[]>): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  const text = typeof cell === 'string' ? (FORMULA.test(cell) ? `'${cell}` : cell) : cell.exact
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
