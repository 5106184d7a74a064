// Finds lines and columns in a YAML text without parsing it whole: nearly all of a document is
// block mappings, whose keys stand out by their indents. Only a text that has been read without
// complaint comes here.
import type { ParsedText, Path, TextPlace } from './parsed-text.ts'

/** Begins a mapping's entry. */
const ENTRY = /^ *(?:[^\s#-]|-\S)[^\n]*?:(?:\s|$)/u
/** A key that says the same to every reader, and whether nothing but a comment is behind it. */
const KEY =
  /^( *)(?:([A-Za-z_/$][\w/{}$.-]*|0|[1-9]\d{0,14})|"([^"\\]*)"|'([^']*)')\s*:(?:(\s*(?:#.*)?)$|\s)/u

interface Entry {
  readonly key: string
  /** Counted from 0, the second before which the entry ends. */
  readonly start: number
  readonly end: number
  readonly column: number
  /** Whether what is below may be a mapping. */
  readonly isOpen: boolean
}

/** Gives the place of a path as `exact` does, which parses a piece of the text where it has to. */
export function yamlPlaces(
  content: string,
  exact: (piece: string) => ParsedText,
): ParsedText['place'] {
  let places: Places | undefined
  return (path) => {
    places ??= new Places(content.split('\n'), exact)
    return places.of(path)
  }
}

class Places {
  readonly #lines: readonly string[]
  readonly #exact: (piece: string) => ParsedText
  readonly #entries = new Map<number, readonly Entry[] | undefined>()
  readonly #pieces = new Map<number, ParsedText>()

  constructor(lines: readonly string[], exact: (piece: string) => ParsedText) {
    this.#lines = lines
    this.#exact = exact
  }

  of(path: Path): TextPlace {
    const [first] = this.#below(0, this.#lines.length) ?? []
    if (first === undefined) return this.#inPiece(0, this.#lines.length, path)
    return this.#find(path, { ...first, start: -1, end: this.#lines.length }) ?? placeOf(first)
  }

  /** The place of a path below an entry; undefined where not even its first key is there. */
  #find([key, ...rest]: Path, above: Entry): TextPlace | undefined {
    if (key === undefined) return undefined
    const entries = this.#below(above.start + 1, above.end)
    if (entries === undefined)
      return this.#inPiece(above.start, above.end, [above.key, key, ...rest])
    const entry = entries.find((one) => one.key === key)
    if (entry === undefined) return undefined
    if (rest.length === 0) return placeOf(entry)
    if (!entry.isOpen) return this.#inPiece(entry.start, entry.end, [key, ...rest])
    return this.#find(rest, entry) ?? placeOf(entry)
  }

  #inPiece(start: number, end: number, path: Path): TextPlace {
    const piece = this.#pieces.get(start) ?? this.#exact(this.#lines.slice(start, end).join('\n'))
    this.#pieces.set(start, piece)
    const { line, column } = piece.place(path)
    return { line: line + start, column }
  }

  #below(start: number, end: number): readonly Entry[] | undefined {
    if (!this.#entries.has(start)) this.#entries.set(start, this.#entriesIn(start, end))
    return this.#entries.get(start)
  }

  /** Undefined unless the lines are a block mapping with keys that are read alike by all. */
  #entriesIn(start: number, end: number): readonly Entry[] | undefined {
    const starts: number[] = []
    let indent = -1
    for (let index = start; index < end; index += 1) {
      const line = this.#lines[index] ?? ''
      const depth = line.search(/[^ ]/u)
      if (depth < 0 || line[depth] === '#' || line[depth] === '\r') continue
      if (indent < 0) indent = depth
      if (depth < indent) return undefined
      if (depth === indent && ENTRY.test(line)) starts.push(index)
      else if (starts.length === 0) return undefined
    }
    const entries = starts.flatMap((at, index) => this.#entry(at, starts[index + 1] ?? end))
    return entries.length === 0 || entries.length < starts.length ? undefined : entries
  }

  #entry(start: number, end: number): readonly Entry[] {
    const found = KEY.exec(this.#lines[start] ?? '')
    if (found === null) return []
    const [, indent = '', plain, double, single, behind] = found
    const key = plain ?? double ?? single ?? ''
    return [{ key, start, end, column: indent.length + 1, isOpen: behind !== undefined }]
  }
}

function placeOf({ start, column }: Entry): TextPlace {
  return { line: start + 1, column }
}
