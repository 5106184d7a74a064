// Rows of the table that the gate prints.

export interface Row {
  readonly part: string
  readonly name: string
  /** `excused`: no server passes without what the note names. `skipped`: it could not be run. */
  readonly verdict: 'passes' | 'excused' | 'skipped' | 'FAILS'
  readonly note?: string
}

const WIDTHS = { part: 12, name: 56, verdict: 8 } as const

/** A row as a line. */
export function lineOf({ part, name, verdict, note = '' }: Row): string {
  const cells = [
    part.padEnd(WIDTHS.part),
    name.padEnd(WIDTHS.name),
    verdict.padEnd(WIDTHS.verdict),
    note,
  ]
  return cells.join(' ').trimEnd()
}

/** The sums of a part, and why rows of it do not pass. */
export function sumOf(part: string, rows: readonly Row[]): string {
  const passed = rows.filter(({ verdict }) => verdict === 'passes').length
  return `${part}: ${passed} of ${rows.length}`
}
