// The tables of codes as docs/lint.md shows them. `node codegen/lint/print-codes.ts` prints them.
import { GROUPS } from './catalogue.ts'

/** Markdown: a table for each group, in which codes with the same reason share a row. */
export function printCodes(): string {
  return GROUPS.map(({ title, codes }) => {
    const rows = Map.groupBy(codes, ({ severity, why }) => `${severity} | ${why}`)
    const lines = Array.from(
      rows,
      ([cells, same]) => `| ${same.map(({ code }) => `\`${code}\``).join(', ')} | ${cells} |\n`,
    )
    return `### ${title}\n\n| code | severity | why |\n|---|---|---|\n${lines.join('')}`
  }).join('\n')
}

if (import.meta.main) process.stdout.write(printCodes())
