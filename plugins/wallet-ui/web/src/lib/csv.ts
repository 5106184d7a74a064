// Tables as text for spreadsheets: RFC 4180, and nothing that a spreadsheet would take for a formula.

/** A cell of text is guarded where a spreadsheet would compute it; `exact` is a number of ours and stays as it is. */
export type Cell = string | { readonly exact: string }

const FORMULA = /^[=+\-@\t\r]/u
const QUOTED = /[",\r\n]/u

/** Lines end in CR LF, the last one too. */
export function csvText(rows: ReadonlyArray<readonly Cell[]>): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  const text = typeof cell === 'string' ? FORMULA.test(cell) ? `'${cell}` : cell : cell.exact
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Has the browser save a text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The download has its own hold on the data by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
