// How printed code and JSON are broken into lines: 100 columns, and a line for each entry of what
// does not fit into one.
import { given } from './values.ts'

/** Columns of a line. What cannot be broken may be longer. */
export const LINE = 100

/**
 * Entries between brackets: in one line if they fit behind the `used` columns, else each in a line
 * of its own, one level below `pad`.
 */
export function listOf(
  entries: readonly string[],
  pad: string,
  used: number,
  [open, close]: readonly [string, string] = ['[', ']'],
): string {
  if (entries.length === 0) return open + close
  const gap = open === '{' ? ' ' : ''
  const line = `${open}${gap}${entries.join(', ')}${gap}${close}`
  if (used + line.length <= LINE && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${pad}  ${entry},\n`).join('')}${pad}${close}`
}

/** Entries, each with a comma, as many to a line as fit; every line begins with `pad`. */
export function filled(entries: readonly string[], pad: string): readonly string[] {
  const lines: string[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + entry.length + 2 <= LINE)
      lines[lines.length - 1] = `${last} ${entry},`
    else lines.push(`${pad}${entry},`)
  }
  return lines
}

/** An import of names with a line break at its end; nothing where there are none. */
export function importOf(
  keyword: 'import' | 'import type',
  names: readonly string[],
  from: string,
): string {
  if (names.length === 0) return ''
  const line = `${keyword} { ${names.join(', ')} } from '${from}'\n`
  if (line.length <= LINE) return line
  return `${keyword} {\n${filled(names, '  ')
    .map((one) => `${one}\n`)
    .join('')}} from '${from}'\n`
}

/**
 * A union for the right side of a type alias, with the space before it: in one line if it fits
 * behind the `used` columns.
 */
export function unionOf(types: readonly string[], used: number): string {
  if (types.length === 0) return ' never'
  const line = ` ${types.join(' | ')}`
  return used + line.length <= LINE ? line : types.map((type) => `\n  | ${type}`).join('')
}

/** Members of a printed object that have a value, each with its name. */
export function members(
  values: Readonly<Record<string, string | number | undefined>>,
): readonly string[] {
  return Object.entries(given(values)).map(([name, value]) => `${name}: ${value}`)
}
