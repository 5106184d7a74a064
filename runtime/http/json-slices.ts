// Large values as JSON in slices: one string of them would stop everything else while it is made,
// and beyond half a gigabyte there is none.
import { Readable } from 'node:stream'
import { stringifyJson } from './json.ts'
import type { Pause } from '../work/scheduler.ts'

/** Characters from which on a value is written in slices. */
const LARGE = 262_144
const SLICE = 65_536
/** Bytes that are made before anything is sent. */
const MAX_GATHERED = 8_388_608
/** Characters of a value that is written at once. */
const PIECE = 16_384
/** Characters of a number, a name's quotes or a bracket, roughly. */
const NODE = 8

/** A large answer, made as far as memory is for it. */
export interface Gathered {
  readonly body: Buffer | Readable
  /** Bytes that it holds until it is read. */
  readonly bytes: number
}

/** The JSON text of a large value, to be gathered; undefined for one that is not large. */
export function largeJson(value: unknown, int64: boolean): Generator<string, void> | undefined {
  return left(value, LARGE) > 0 ? undefined : jsonSlices(value, int64)
}

/**
 * Makes the text, a slice in a turn of the event loop however many answers are made: as bytes it
 * takes a fraction of the memory that its value takes, and its size is known. Of a text above 8 MiB
 * the rest is made as it is read.
 */
export async function gather(slices: Iterator<string>, turn: Pause): Promise<Gathered> {
  const made: Buffer[] = []
  let bytes = 0
  while (bytes < MAX_GATHERED) {
    await turn()
    const slice = slices.next()
    if (slice.done === true) return { body: Buffer.concat(made), bytes }
    const encoded = Buffer.from(slice.value)
    made.push(encoded)
    bytes += encoded.length
  }
  return {
    body: Readable.from(inTurns(made, slices, turn), { objectMode: false, highWaterMark: SLICE }),
    bytes,
  }
}

async function* inTurns(
  made: readonly Buffer[],
  slices: Iterator<string>,
  turn: Pause,
): AsyncGenerator<Buffer | string> {
  yield* made
  for (;;) {
    await turn()
    const slice = slices.next()
    if (slice.done === true) return
    yield slice.value
  }
}

/** The text that `stringifyJson` makes, in parts. */
export function* jsonSlices(value: unknown, int64: boolean): Generator<string, void> {
  let slice = ''
  for (const piece of pieces(value, int64)) {
    slice += piece
    if (slice.length < SLICE) continue
    yield slice
    slice = ''
  }
  if (slice !== '') yield slice
}

function* pieces(value: unknown, int64: boolean): Generator<string, void> {
  if (left(value, PIECE) > 0 || hasOwnForm(value)) yield stringifyJson(value, int64)
  else if (typeof value === 'string') yield* textPieces(value)
  else if (Array.isArray(value)) yield* arrayPieces(value, int64)
  else if (typeof value === 'object' && value !== null) yield* objectPieces(value, int64)
}

function* arrayPieces(items: readonly unknown[], int64: boolean): Generator<string, void> {
  yield '['
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* pieces(item, int64)
  }
  yield ']'
}

function* objectPieces(value: object, int64: boolean): Generator<string, void> {
  yield '{'
  let comma = ''
  for (const [name, member] of Object.entries(value)) {
    if (!isWritten(member)) continue
    yield `${comma}${JSON.stringify(name)}:`
    yield* pieces(member, int64)
    comma = ','
  }
  yield '}'
}

/** Cut between characters, never within one. */
function* textPieces(text: string): Generator<string, void> {
  yield '"'
  for (let start = 0; start < text.length;) {
    const end = start + PIECE
    const isWithin = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
    const cut = isWithin ? end + 1 : end
    yield JSON.stringify(text.slice(start, cut)).slice(1, -1)
    start = cut
  }
  yield '"'
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

function hasOwnForm(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'toJSON' in value
}

/** The rest of a budget of characters after a value; it is not looked at further than that. */
function left(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - NODE
  let rest = budget - NODE
  if (typeof value !== 'object' || value === null) return rest
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const part of parts) {
    if (rest <= 0) return rest
    rest = left(part, rest)
  }
  return rest
}
