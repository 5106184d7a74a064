// Parses a YAML text in pieces, so that after a small edit only the piece around it is parsed
// again: nearly all of the time between a keystroke and new output had gone into that. Whatever is
// not plainly a block mapping of block mappings is parsed whole.
import { parseText } from '../load/source.ts'
import type { ParsedText, Path, TextPlace } from '../load/parsed-text.ts'
import { isFields } from '../values.ts'

/** A part of this many lines is not worth cutting further. */
const ENOUGH = 40
/**
 * What a piece may not hold: further documents, merges, indents written out, and line ends that
 * only YAML's old versions know.
 */
const UNCLEAR = /^(?:---|\.\.\.|%)|<<\s*:|[|>][+-]?[1-9]|\r(?!\n)/mu
/** A key that says the same to every parser, with nothing behind it but a comment. */
const SECTION = /^( *)([A-Za-z_/$][\w/{}$.-]*):\s*(?:#.*)?$/u
const ENTRY = /^( *)[^\s#-][^\n]*?:(?:\s|$)/u
const NO_TEXT: ReadonlySet<string> = new Set([
  'null',
  'Null',
  'NULL',
  'true',
  'True',
  'TRUE',
  'false',
  'False',
  'FALSE',
])

interface Leaf {
  readonly parsed: ParsedText
  readonly key: string
  readonly value: unknown
}

interface Entry extends TextPlace {
  readonly key: string
  readonly value: unknown
  place(path: Path): TextPlace
}

/** A run of lines: from `start` to before `end`, counted from 0. */
interface Lines {
  readonly all: readonly string[]
  readonly start: number
  readonly end: number
}

/**
 * A parser of one file that remembers the pieces of its last text. Says exactly what `parseText`
 * says.
 */
export function pieceParser(): (content: string) => ParsedText {
  let before = new Map<string, Leaf>()
  return (content) => {
    const now = new Map<string, Leaf>()
    const parsed = UNCLEAR.test(content) ? undefined : new Pieces(before, now).parse(content)
    if (parsed !== undefined) before = now
    return parsed ?? parseText(content)
  }
}

class Pieces {
  readonly #before: ReadonlyMap<string, Leaf>
  readonly #now: Map<string, Leaf>

  constructor(before: ReadonlyMap<string, Leaf>, now: Map<string, Leaf>) {
    this.#before = before
    this.#now = now
  }

  /** The whole text; undefined where it cannot be cut. */
  parse(content: string): ParsedText | undefined {
    const all = content.split('\n')
    const entries = this.#entries({ all, start: 0, end: all.length })
    const [first] = entries ?? []
    if (entries === undefined || first === undefined || first.column !== 1) return undefined
    return {
      data: dataOf(entries),
      errors: [],
      place: (path) => placeIn(entries, path) ?? { line: first.line, column: first.column },
    }
  }

  #entries(lines: Lines): readonly Entry[] | undefined {
    const starts = startsOf(lines)
    if (starts === undefined) return undefined
    const entries: Entry[] = []
    for (const [index, start] of starts.entries()) {
      const part = { all: lines.all, start, end: starts[index + 1] ?? lines.end }
      const entry = this.#section(part) ?? this.#leaf(part)
      if (entry === undefined) return undefined
      entries.push(entry)
    }
    return new Set(entries.map(({ key }) => key)).size === entries.length ? entries : undefined
  }

  #section({ all, start, end }: Lines): Entry | undefined {
    const [, indent = '', key = ''] = SECTION.exec(all[start] ?? '') ?? []
    if (key === '' || NO_TEXT.has(key) || end - start < ENOUGH) return undefined
    const entries = this.#entries({ all, start: start + 1, end })
    const [first] = entries ?? []
    if (entries === undefined || first === undefined || first.column <= indent.length + 1)
      return undefined
    const own = { line: start + 1, column: indent.length + 1 }
    return { ...own, key, value: dataOf(entries), place: (path) => placeIn(entries, path) ?? own }
  }

  #leaf({ all, start, end }: Lines): Entry | undefined {
    const content = all.slice(start, end).join('\n')
    const leaf = this.#now.get(content) ?? this.#before.get(content) ?? parseLeaf(content)
    if (leaf === undefined) return undefined
    this.#now.set(content, leaf)
    const place = (path: Path): TextPlace => {
      const { line, column } = leaf.parsed.place([leaf.key, ...path])
      return { line: line + start, column }
    }
    return { ...place([]), key: leaf.key, value: leaf.value, place }
  }
}

/**
 * Lines at which the entries of a mapping begin; undefined where anything else stands between them.
 */
function startsOf({ all, start, end }: Lines): readonly number[] | undefined {
  const starts: number[] = []
  let indent = -1
  for (let index = start; index < end; index += 1) {
    const line = all[index] ?? ''
    if (/^\s*(?:#|$)/u.test(line)) continue
    const depth = line.length - line.trimStart().length
    if (indent < 0) indent = depth
    if (depth < indent) return undefined
    if (depth === indent && ENTRY.test(line)) starts.push(index)
    else if (starts.length === 0) return undefined
  }
  return starts.length === 0 ? undefined : starts
}

function parseLeaf(content: string): Leaf | undefined {
  const parsed = parseText(content)
  if (parsed.errors.length > 0 || !isFields(parsed.data)) return undefined
  const [entry, ...others] = Object.entries(parsed.data)
  return entry === undefined || others.length > 0
    ? undefined
    : { parsed, key: entry[0], value: entry[1] }
}

function dataOf(entries: readonly Entry[]): unknown {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}

function placeIn(entries: readonly Entry[], [key, ...rest]: Path): TextPlace | undefined {
  return key === undefined ? undefined : entries.find((entry) => entry.key === key)?.place(rest)
}
