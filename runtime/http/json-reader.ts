// Reads JSON in one pass over its bytes, under limits, and stops wherever it is asked to: a body
// that somebody else made costs what its length and the limits say, and never a long stretch of the
// event loop.
import { isAscii } from 'node:buffer'

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Arrays and objects within each other. */
  readonly maxDepth: number
  /** Characters of one number. */
  readonly maxNumberLength: number
  /** Bytes of one name; pointers to what is wrong are made of names. */
  readonly maxNameLength: number
  /** Members of all objects together. */
  readonly maxMembers: number
  /** Values of all kinds together, those of members among them. */
  readonly maxValues: number
}

/** Forms of numbers, and the limits. */
interface JsonRules {
  /** Integers beyond 2^53 come as bigint; otherwise they are doubles. */
  readonly int64: boolean
  /** Names of members whose numbers come as plain decimal text, as they are written. */
  readonly decimals: readonly string[]
  readonly limits: JsonLimits
}

/** The value, or what is wrong with the text and where. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** `pointer` is '' but for a name that is listed twice. */
  | { readonly ok: false; readonly pointer: string; readonly message: string }

export const DEFAULT_JSON_LIMITS: JsonLimits = {
  maxDepth: 256,
  maxNumberLength: 100,
  maxNameLength: 262_144,
  maxMembers: 100_000,
  maxValues: 200_000,
}

type Members = Record<string, unknown>

const VALUE = 0
const ITEM_OR_END = 1
const NAME = 2
const NAME_OR_END = 3
const AFTER_VALUE = 4

const [QUOTE, BACKSLASH, COLON, COMMA, MINUS, ZERO, NINE] = [
  0x22, 0x5c, 0x3a, 0x2c, 0x2d, 0x30, 0x39,
]
const [OBJECT, END_OF_OBJECT, ARRAY, END_OF_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]
const [SPACE, LINE_FEED, RETURN, TAB] = [0x20, 0x0a, 0x0d, 0x09]
const [T, F, N] = [0x74, 0x66, 0x6e]
/** Digits of a number without fraction and exponent that a double holds exactly. */
const SAFE_DIGITS = 15
/** Longer ones are not worth a copy as text. */
const SHORT_TEXT_BYTES = 16_384
/** Longer parts of a text keep the whole text alive. */
const COPIED_LENGTH = 12
/** Largest shift: beyond it no number is a decimal with 28 digits before and 10 after the point. */
const MAX_SHIFT = 50
const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const INTEGER = /^-?\d+$/
const IN_NUMBER = new Uint8Array(256)
for (const sign of '-+.eE0123456789') IN_NUMBER[sign.charCodeAt(0)] = 1

class JsonProblem extends Error {
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.pointer = pointer
  }
}

const malformed = (): JsonProblem => new JsonProblem('not valid JSON')

/**
 * Bytes must be UTF-8. `__proto__` and `constructor` stay plain members. A duplicate name in an
 * object is rejected.
 */
export class JsonReader {
  readonly #bytes: Buffer
  /** The encoding: `latin1`, which is quicker, where all bytes are ASCII. */
  readonly #encoding: 'latin1' | 'utf8'
  /** The same as text, where it is short and all of it is ASCII. */
  readonly #text: string | undefined
  readonly #rules: JsonRules
  /** Numbers of so many digits need no closer look. */
  readonly #simpleDigits: number
  #at = 0
  #state = VALUE
  /** Containers around the place at hand: the object, or undefined for an array. */
  readonly #objects: (Members | undefined)[] = []
  readonly #names: string[] = []
  /** Beginnings of the items of arrays. */
  readonly #bases: number[] = []
  /** Items of all open arrays. */
  readonly #items: unknown[] = []
  #count = 0
  #depth = 0
  #members = 0
  #values = 0
  #parsed: ParsedJson | undefined
  #root: unknown

  constructor(bytes: Buffer, rules: JsonRules) {
    const isPlain = isAscii(bytes)
    this.#bytes = bytes
    this.#encoding = isPlain ? 'latin1' : 'utf8'
    this.#text = isPlain && bytes.length <= SHORT_TEXT_BYTES ? bytes.toString('latin1') : undefined
    this.#rules = rules
    this.#simpleDigits = Math.min(SAFE_DIGITS, rules.limits.maxNumberLength - 1)
  }

  /** Reads on for about so many bytes; undefined while there is more to read. */
  advance(length: number): ParsedJson | undefined {
    if (this.#parsed !== undefined) return this.#parsed
    try {
      if (!this.#readTo(this.#at + length)) return undefined
      this.#parsed = { ok: true, value: this.#root }
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error
      this.#parsed = { ok: false, pointer: error.pointer, message: error.message }
    }
    return this.#parsed
  }

  /** True at the end of the text. */
  #readTo(stop: number): boolean {
    while (this.#at < stop) {
      const sign = this.#skipBlanks()
      if (sign === undefined) return this.#ends()
      if (this.#state === AFTER_VALUE) this.#afterValue(sign)
      else if (this.#state === NAME || this.#state === NAME_OR_END) this.#member(sign)
      else this.#value(sign)
    }
    return false
  }

  /** The next sign that is no blank; undefined at the end. */
  #skipBlanks(): number | undefined {
    const bytes = this.#bytes
    let at = this.#at
    let sign = bytes[at]
    while (sign === SPACE || sign === LINE_FEED || sign === RETURN || sign === TAB)
      sign = bytes[++at]
    this.#at = at
    return sign
  }

  #ends(): boolean {
    if (this.#state !== AFTER_VALUE || this.#depth > 0) throw malformed()
    return true
  }

  #afterValue(sign: number): void {
    if (this.#depth === 0) throw malformed()
    const object = this.#objects[this.#depth - 1]
    this.#at++
    if (sign === COMMA) this.#state = object === undefined ? VALUE : NAME
    else if (sign === (object === undefined ? END_OF_ARRAY : END_OF_OBJECT)) this.#close(object)
    else throw malformed()
  }

  #member(sign: number): void {
    if (sign === END_OF_OBJECT && this.#state === NAME_OR_END) {
      this.#at++
      return this.#close(this.#objects[this.#depth - 1])
    }
    if (sign !== QUOTE) throw malformed()
    const { maxMembers, maxNameLength } = this.#rules.limits
    const from = this.#at
    const name = this.#string()
    if (this.#at - from - 2 > maxNameLength)
      throw new JsonProblem(`a name of more than ${maxNameLength} bytes`)
    if (this.#skipBlanks() !== COLON) throw malformed()
    this.#at++
    if (++this.#members > maxMembers) throw new JsonProblem(`more than ${maxMembers} members`)
    const object = this.#objects[this.#depth - 1]
    this.#names[this.#depth - 1] = name
    if (object !== undefined && Object.hasOwn(object, name)) throw this.#duplicate(name)
    this.#state = VALUE
  }

  #value(sign: number): void {
    if (sign === END_OF_ARRAY && this.#state === ITEM_OR_END) {
      this.#at++
      return this.#close(undefined)
    }
    const { maxValues } = this.#rules.limits
    if (++this.#values > maxValues) throw new JsonProblem(`more than ${maxValues} values`)
    if (sign === QUOTE) this.#place(this.#string())
    else if (sign === OBJECT) this.#open({}, NAME_OR_END)
    else if (sign === ARRAY) this.#open(undefined, ITEM_OR_END)
    else if (sign === T || sign === F || sign === N) this.#place(this.#word(sign))
    else this.#place(this.#number())
  }

  #open(object: Members | undefined, state: number): void {
    const { maxDepth } = this.#rules.limits
    if (this.#depth >= maxDepth) throw new JsonProblem(`nested deeper than ${maxDepth} levels`)
    this.#objects[this.#depth] = object
    this.#bases[this.#depth] = this.#count
    this.#depth++
    this.#at++
    this.#state = state
  }

  #close(object: Members | undefined): void {
    this.#depth--
    if (object !== undefined) return this.#place(object)
    const base = this.#bases[this.#depth] ?? 0
    const items = this.#items.slice(base, this.#count)
    this.#count = base
    this.#place(items)
  }

  /** Puts a value that is complete where it belongs. */
  #place(value: unknown): void {
    this.#state = AFTER_VALUE
    const at = this.#depth - 1
    if (at < 0) this.#root = value
    else {
      const object = this.#objects[at]
      if (object === undefined) this.#items[this.#count++] = value
      else put(object, this.#names[at] ?? '', value)
    }
  }

  #word(sign: number): boolean | null {
    const [word, value] =
      sign === T
        ? (['true', true] as const)
        : sign === F
          ? (['false', false] as const)
          : (['null', null] as const)
    for (let index = 1; index < word.length; index++) {
      if (this.#bytes[this.#at + index] !== word.charCodeAt(index)) throw malformed()
    }
    this.#at += word.length
    return value
  }

  #string(): string {
    const bytes = this.#bytes
    const open = this.#at
    let isEscaped = false
    let at = open + 1
    for (let sign = bytes[at]; sign !== QUOTE; sign = bytes[++at]) {
      // The end of the bytes is undefined, and not below a space.
      if (sign === undefined || sign < SPACE) throw malformed()
      if (sign !== BACKSLASH) continue
      isEscaped = true
      at++
    }
    this.#at = at + 1
    return isEscaped ? unescaped(this.#part(open, at + 1)) : this.#part(open + 1, at)
  }

  #part(from: number, to: number): string {
    const isCopied = this.#text !== undefined && to - from <= COPIED_LENGTH
    return isCopied ? this.#text.slice(from, to) : this.#bytes.toString(this.#encoding, from, to)
  }

  #number(): unknown {
    const bytes = this.#bytes
    const from = this.#at
    const isNegative = bytes[from] === MINUS
    let at = isNegative ? from + 1 : from
    const first = bytes[at]
    let value = 0
    for (let sign = first; sign !== undefined && sign >= ZERO && sign <= NINE; sign = bytes[++at])
      value = value * 10 + sign - ZERO
    const digits = at - from - Number(isNegative)
    const isSimple =
      digits > 0 &&
      digits <= this.#simpleDigits &&
      IN_NUMBER[bytes[at] ?? 0] === 0 &&
      (first !== ZERO || digits === 1)
    if (!isSimple || this.#isDecimal()) return this.#exactNumber()
    this.#at = at
    return isNegative ? -value : value
  }

  /** Whether a number here is one of those that come as text. */
  #isDecimal(): boolean {
    const { decimals } = this.#rules
    if (decimals.length === 0 || this.#depth === 0 || this.#objects[this.#depth - 1] === undefined)
      return false
    return decimals.includes(this.#names[this.#depth - 1] ?? '')
  }

  #exactNumber(): unknown {
    const bytes = this.#bytes
    const {
      limits: { maxNumberLength },
      int64,
    } = this.#rules
    const from = this.#at
    while (IN_NUMBER[bytes[this.#at] ?? 0] === 1) this.#at++
    if (this.#at - from > maxNumberLength)
      throw new JsonProblem(`a number of more than ${maxNumberLength} characters`)
    const source = bytes.toString('latin1', from, this.#at)
    const parts = DECIMAL.exec(source)
    if (parts === null) throw malformed()
    if (this.#isDecimal()) return plainDecimal(parts)
    const value = Number(source)
    return int64 && !Number.isSafeInteger(value) && INTEGER.test(source) ? BigInt(source) : value
  }

  #duplicate(name: string): JsonProblem {
    const steps: string[] = []
    let count = this.#count
    for (let at = this.#depth - 1; at >= 0; at--) {
      const base = this.#bases[at] ?? 0
      steps.unshift(
        this.#objects[at] === undefined ? String(count - base) : (this.#names[at] ?? ''),
      )
      count = base
    }
    const pointer = steps
      .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')
    return new JsonProblem(`the name ${JSON.stringify(name)} appears twice in one object`, pointer)
  }
}

function put(object: Members, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  else object[name] = value
}

function unescaped(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    throw malformed()
  }
}

/** A decimal without exponent; as it is where that would take more digits than any decimal has. */
function plainDecimal([
  source,
  sign = '',
  whole = '',
  fraction = '',
  exponent = '0',
]: readonly string[]): string {
  const shift = Number(exponent)
  if (shift === 0) return sign + whole + (fraction === '' ? '' : `.${fraction}`)
  if (Math.abs(shift) > MAX_SHIFT) return source ?? ''
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction + '0'.repeat(Math.max(0, shift))
  const point = Math.max(0, -shift) + whole.length + shift
  const [left, right] = [
    digits.slice(0, point).replace(/^0+(?=\d)/, ''),
    digits.slice(point).replace(/0+$/, ''),
  ]
  return sign + left + (right === '' ? '' : `.${right}`)
}
