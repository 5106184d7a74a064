// Pieces of TypeScript text that the validator emitters share: names, literals, pointers,
// constants, indentation.
import { quote } from '../literals.ts'

/**
 * Identifier made of a name; characters outside [A-Za-z0-9_] are hex-coded, in two digits or
 * between dollars, so that different names stay different.
 */
export function identifier(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')
    return hex.length === 2 ? `$${hex}` : `$$${hex}$`
  })
}

/** A JSON pointer under construction: constant text and expressions, in order. */
export type Pointer = readonly ({ readonly text: string } | { readonly code: string })[]

/** `pointer` with a property name known when printing. */
export function below(pointer: Pointer, key: string): Pointer {
  const text = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const last = pointer.at(-1)
  if (last === undefined || !('text' in last)) return [...pointer, { text }]
  return [...pointer.slice(0, -1), { text: last.text + text }]
}

/** `pointer` with a key or index that the variable `code` has at run time. */
export function belowCode(pointer: Pointer, code: string): Pointer {
  return [...pointer, { code: `step(${code})` }]
}

/** The expression of a pointer. */
export function pointerText(pointer: Pointer): string {
  if (pointer.length === 0) return "''"
  return pointer.map((part) => ('text' in part ? quote(part.text) : part.code)).join(' + ')
}

/** `object['key']`, safe for keys that every object inherits. */
export function read(object: string, key: string): string {
  return key in {} ? `own(${object}, ${quote(key)})` : `${object}[${quote(key)}]`
}

/** Lines joined with the indentation that their braces ask for. */
export function indent(lines: readonly string[]): string {
  let level = 0
  return lines
    .map((line) => {
      if (line.startsWith('}')) level--
      const text = '  '.repeat(level) + line
      if (line.endsWith('{')) level++
      return text
    })
    .join('\n')
}

/** `if (condition) …` in as few lines as the body allows; the body alone for an empty condition. */
export function when(condition: string, body: readonly string[]): readonly string[] {
  if (condition === '') return body
  const [only] = body
  if (only === undefined) return []
  if (body.length > 1 || only.startsWith('const ')) return [`if (${condition}) {`, ...body, '}']
  const inner =
    /^if \((.*)\) ((?:want|wantInt|bad|pick)\(.*)$/u.exec(only) ??
    /^if \((\S+ !== undefined)\) (.*)$/u.exec(only)
  if (inner === null || /\|\|/u.test(inner[1] ?? '')) return [`if (${condition}) ${only}`]
  return [`if (${condition} && ${inner[1] ?? ''}) ${inner[2] ?? ''}`]
}

/** Lines of one function, of which the compiler's analysis of control flow bears about 2,000. */
const MOST_LINES = 400

/** Lists of lines joined to as few as a function bears each. */
export function chunks(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const joined: string[][] = []
  for (const list of lists) {
    const last = joined.at(-1)
    if (last === undefined || last.length + list.length > MOST_LINES) joined.push([...list])
    else last.push(...list)
  }
  return joined
}

/** `if (condition) fail else …`. */
export function unless(
  condition: string,
  fail: string,
  body: readonly string[],
): readonly string[] {
  const [only] = body
  if (only === undefined) return [`if (${condition}) ${fail}`]
  return [
    `if (${condition}) ${fail}`,
    ...(body.length === 1 ? [`else ${only}`] : ['else {', ...body, '}']),
  ]
}
