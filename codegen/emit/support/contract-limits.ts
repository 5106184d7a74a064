// How large values may be: a codec with a limit checks it, apart from reading and writing.
import type { Codec } from './contract-codec.ts'
import { isReadable } from './validation.ts'

/**
 * A value is larger than the document allows. `path` is the JSON pointer of the part that is too
 * large.
 */
export class LimitError extends Error {
  readonly path: string

  constructor(path: string, limit: number, of: string) {
    super(`${path === '' ? '' : `${path}: `}has more than ${limit} ${of}`)
    this.name = 'LimitError'
    this.path = path
  }
}

/** A text does not look like what it is. `path` is the JSON pointer of it. */
export class TextError extends Error {
  readonly path: string

  constructor(path: string) {
    super(
      `${path === '' ? '' : `${path}: `}has to be Unicode text in form NFC, without control, direction or invisible characters, and without space at its ends`,
    )
    this.name = 'TextError'
    this.path = path
  }
}

/** The same texts, as far as they look like what they are. */
export function readable(codec: Codec<string>): Codec<string> {
  return {
    ...codec,
    check: (value, path) => {
      codec.check?.(value, path)
      if (!isReadable(value)) throw new TextError(path)
    },
  }
}

/** The same texts, of at most `limit` characters (code points). */
export function maxLength(codec: Codec<string>, limit: number): Codec<string> {
  return {
    ...codec,
    check: (value, path) => {
      codec.check?.(value, path)
      if (isLonger(value, limit)) throw new LimitError(path, limit, 'characters')
    },
  }
}

/** A character is one unit or two, so few texts need to be counted. */
function isLonger(value: string, limit: number): boolean {
  return value.length > limit && (value.length > 2 * limit || [...value].length > limit)
}

/** The same collections, of at most `limit` items, each within its own limits. */
export function maxItems<T extends readonly unknown[] | ReadonlyMap<string, unknown>>(
  codec: Codec<T>,
  limit: number,
): Codec<T> {
  return {
    ...codec,
    check: (value, path) => {
      if (sizeOf(value) > limit) throw new LimitError(path, limit, 'items')
      codec.check?.(value, path)
    },
  }
}

function sizeOf(value: readonly unknown[] | ReadonlyMap<string, unknown>): number {
  return 'size' in value ? value.size : value.length
}

/** The same values, whose JSON text has at most `limit` bytes, each part within its own limits. */
export function maxBytes<T>(codec: Codec<T>, limit: number): Codec<T> {
  return {
    ...codec,
    check: (value, path) => {
      codec.check?.(value, path)
      if (bytesOf(JSON.stringify(codec.encode(value))) > limit)
        throw new LimitError(path, limit, 'bytes')
    },
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
