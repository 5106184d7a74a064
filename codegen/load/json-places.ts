// Where everything in a JSON text stands. Every document is asked for the places of its operations,
// so this goes over its bytes once and keeps nine bytes a value, where objects took ten times as
// much as what they described.
import type { Path, TextPlace } from './parsed-text.ts'

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [SPACE, LINE_END] = [0x20, 0x0a]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const LONG = 16
/** Bytes for which the characters up to them are known. */
const STRETCH = 1 << 12

/** The values in the order of the text, each before those in it. */
interface Values {
  readonly bytes: Uint8Array
  /** First bytes: of a member its name's. */
  readonly offsets: Int32Array
  /** The number of the value behind it and all that it holds. */
  readonly ends: Int32Array
  /** 1 for a list. */
  readonly lists: Uint8Array
}

interface JsonPlaces {
  /** How many names of members there are, equal ones counted each. */
  readonly names: number
  /** Whether a number has more digits than a number holds for sure. */
  readonly hasLongNumbers: boolean
  /** The place of the key that a path ends in, or of the nearest ancestor that exists. */
  place(path: Path): TextPlace
}

/** Finds places in the UTF-8 bytes of a text that is JSON: what is none has to be found before. */
export function jsonPlaces(bytes: Uint8Array): JsonPlaces {
  const { values, names, hasLongNumbers } = readValues(bytes)
  const members = new Map<number, ReadonlyMap<string, number>>()
  const membersOf = (value: number): ReadonlyMap<string, number> => {
    const known = members.get(value) ?? readMembers(values, value)
    members.set(value, known)
    return known
  }
  let placeOf: ((offset: number) => TextPlace) | undefined
  const place = (path: Path): TextPlace => {
    let value = 0
    for (const part of path) {
      const next = membersOf(value).get(part)
      if (next === undefined) break
      value = next
    }
    placeOf ??= lineFinder(bytes)
    return placeOf(values.offsets[value] ?? 0)
  }
  return { names, hasLongNumbers, place }
}

function readValues(
  bytes: Uint8Array,
): Pick<JsonPlaces, 'names' | 'hasLongNumbers'> & { readonly values: Values } {
  const most = mostValues(bytes)
  const [offsets, ends, lists] = [
    new Int32Array(most),
    new Int32Array(most),
    new Uint8Array(most),
  ] as const
  const open: number[] = []
  let [count, names, isNamed, hasLongNumbers] = [0, 0, false, false]
  for (let at = textStart(bytes); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE || byte === COMMA || byte === COLON) continue
    const parent = open.at(-1)
    if (byte === LIST_END || byte === OBJECT_END) {
      ends[open.pop() ?? 0] = count
    } else if (parent !== undefined && lists[parent] === 0 && !isNamed) {
      isNamed = true
      names += 1
      offsets[count] = at
      at = scalarEnd(bytes, at) - 1
    } else {
      if (!isNamed) offsets[count] = at
      isNamed = false
      lists[count] = Number(byte === LIST)
      if (byte === LIST || byte === OBJECT) open.push(count)
      else {
        ends[count] = count + 1
        const end = scalarEnd(bytes, at)
        if (byte !== QUOTE && end - at >= LONG) hasLongNumbers = true
        at = end - 1
      }
      count += 1
    }
  }
  return { values: { bytes, offsets, ends, lists }, names, hasLongNumbers }
}

/** Every value but the first stands behind a comma or a bracket. */
function mostValues(bytes: Uint8Array): number {
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === COMMA || byte === LIST || byte === OBJECT) count += 1
  }
  return count
}

/** Behind the text, number or word that begins at an offset. */
function scalarEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1
  if (bytes[start] === QUOTE) {
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    return at + 1
  }
  while (at < bytes.length && !isDelimiter(bytes[at] ?? 0)) at += 1
  return at
}

function isDelimiter(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === LIST_END || byte === OBJECT_END
}

/** The values right inside of one, by name, or by number. */
function readMembers(
  { bytes, offsets, ends, lists }: Values,
  value: number,
): ReadonlyMap<string, number> {
  const members = new Map<string, number>()
  for (let next = value + 1; next < (ends[value] ?? 0); next = ends[next] ?? Infinity) {
    const offset = offsets[next] ?? 0
    const name =
      lists[value] === 1
        ? String(members.size)
        : String(JSON.parse(decoded(bytes, offset, scalarEnd(bytes, offset))))
    members.set(name, next)
  }
  return members
}

function decoded(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

function textStart(bytes: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0
}

/** Says the line and column of a byte. */
function lineFinder(bytes: Uint8Array): (offset: number) => TextPlace {
  const lines = [textStart(bytes)]
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1))
    lines.push(at + 1)
  const characters = characterCounter(bytes)
  return (offset) => {
    let [low, high] = [0, lines.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((lines[middle] ?? 0) > offset) high = middle
      else low = middle
    }
    return { line: low + 1, column: characters(offset) - characters(lines[low] ?? 0) + 1 }
  }
}

/** Says how many UTF-16 code units stand before a byte, also where all is one line. */
function characterCounter(bytes: Uint8Array): (offset: number) => number {
  const known = [0]
  const between = (start: number, end: number): number => {
    let count = 0
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte < 0x80 || byte >= 0xc0) count += byte >= 0xf0 ? 2 : 1
    }
    return count
  }
  for (let at = STRETCH; at < bytes.length; at += STRETCH)
    known.push((known.at(-1) ?? 0) + between(at - STRETCH, at))
  return (offset) => {
    const stretch = Math.trunc(offset / STRETCH)
    return (known[stretch] ?? 0) + between(stretch * STRETCH, offset)
  }
}
