// Reads a text that is JSON many times faster than a reader of YAML does, and finds lines and
// columns in it when they are asked for.
import { isFields } from '../values.ts'
import type { ParsedText, Path, TextPlace } from './parsed-text.ts'

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const KEY = new RegExp(`${STRING}\\s*:`, 'gu')
const TOKEN = new RegExp(`${STRING}|[{}[\\]]|[^\\s,:{}[\\]"]+`, 'gu')
/** More digits than a number holds for sure. */
const LONG_INTEGER = /\d{16}/u

/**
 * What JSON says; undefined for any other text, and where a name stands twice in one object, which
 * a reader of YAML explains. Integers that a number cannot hold are bigint.
 */
export function parseJson(content: string): ParsedText | undefined {
  if (!/^\s*[{[]/u.test(content) || content.includes('"<<"')) return undefined
  const data = dataOf(content)
  if (data === undefined || countKeys(data) !== content.match(KEY)?.length) return undefined
  let index: Index | undefined
  return {
    data,
    errors: [],
    place: (path) => {
      index ??= indexOf(content)
      return placeIn(index, path)
    },
  }
}

function dataOf(content: string): unknown {
  try {
    return LONG_INTEGER.test(content) ? parseExactly(content) : JSON.parse(content)
  } catch {
    return undefined
  }
}

function parseExactly(content: string): unknown {
  return JSON.parse(content, (_key, value: unknown, context: unknown) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !isFields(context)) return value
    const { source } = context
    return typeof source === 'string' && /^-?\d+$/u.test(source) ? BigInt(source) : value
  })
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items: readonly unknown[] = Object.values(value)
  return items.reduce<number>(
    (sum, item) => sum + countKeys(item),
    Array.isArray(value) ? 0 : items.length,
  )
}

interface Spot {
  /** Of a member its name's offset, of an item its own. */
  readonly offset: number
  /** By name, or by number. */
  readonly inner: Map<string, Spot>
}

interface Index {
  readonly root: Spot
  /** Offsets at which lines begin. */
  readonly lines: readonly number[]
}

interface Open {
  readonly spot: Spot
  readonly isList: boolean
  /** A name whose value comes next. */
  name?: { readonly text: string; readonly offset: number } | undefined
}

function indexOf(content: string): Index {
  const root: Spot = { offset: content.search(/\S/u), inner: new Map() }
  const open: Open[] = []
  for (const { 0: token, index } of content.matchAll(TOKEN)) {
    const parent = open.at(-1)
    if (token === '}' || token === ']') open.pop()
    else if (parent !== undefined && !parent.isList && parent.name === undefined)
      parent.name = { text: String(JSON.parse(token)), offset: index }
    else {
      const spot = parent === undefined ? root : added(parent, index)
      if (token === '{' || token === '[') open.push({ spot, isList: token === '[' })
    }
  }
  const lines = [0, ...Array.from(content.matchAll(/\n/gu), ({ index }) => index + 1)]
  return { root, lines }
}

function added(parent: Open, index: number): Spot {
  const { inner } = parent.spot
  const spot: Spot = { offset: parent.name?.offset ?? index, inner: new Map() }
  inner.set(parent.name?.text ?? String(inner.size), spot)
  parent.name = undefined
  return spot
}

function placeIn({ root, lines }: Index, path: Path): TextPlace {
  let spot = root
  for (const part of path) {
    const next = spot.inner.get(part)
    if (next === undefined) break
    spot = next
  }
  let [low, high] = [0, lines.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) > spot.offset) high = middle
    else low = middle
  }
  return { line: low + 1, column: spot.offset - (lines[low] ?? 0) + 1 }
}
