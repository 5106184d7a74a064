// Kind of strings: by length, pattern and format, the document's own examples among them.
import {
  isByte,
  isDate,
  isDateTime,
  isDecimal,
  isEmail,
  isReadable,
  isUri,
  isUuid,
  length,
} from './validation.ts'
import { flat, ownFlaw, remembered, sift, typeFlaw } from './arbitrary.ts'
import type { At, FastCheck, FlawChoice, Kind, TextPlace } from './arbitrary.ts'
import type { Arbitrary } from 'fast-check'

export interface TextOptions {
  readonly min?: number
  readonly max?: number
  readonly pattern?: string
  readonly format?: string
  readonly examples?: readonly string[]
}

interface TextFormat {
  readonly test: (text: string) => boolean
  readonly make: (fc: FastCheck) => Arbitrary<string>
  /** Whether others than those that `make` makes fit as well, of any length. */
  readonly isLoose?: boolean
  /** Texts that look like the format and are not. */
  readonly near: readonly string[]
}

/** Lengths up to here are tried to the last character. */
const LONGEST = 5000

const FORMATS: Readonly<Record<string, TextFormat>> = {
  'date-time': {
    test: isDateTime,
    make: dateTimes,
    near: ['2024-02-30T00:00:00Z', '2024-01-01 00:00:00', '2024-01-01T00:00:00', 'yesterday'],
  },
  date: { test: isDate, make: (fc) => days(fc), near: ['2023-02-29', '2024-1-1', '01/02/2024'] },
  uuid: {
    test: isUuid,
    make: (fc) => fc.uuid(),
    near: ['00000000-0000-0000-0000-00000000000', 'not-a-uuid'],
  },
  uri: {
    test: isUri,
    make: (fc) => fc.stringMatching(/^https:\/\/[a-z]{1,9}\.example\/[a-z0-9]{0,9}$/u),
    near: ['no scheme', '//x'],
  },
  email: {
    test: isEmail,
    make: (fc) => fc.stringMatching(/^[a-z]{1,9}@[a-z]{1,9}\.example$/u),
    near: ['nobody', 'a@b@c'],
  },
  byte: { test: isByte, make: base64, near: ['A', 'AA=A', '*', 'AAA'] },
  readable: {
    test: isReadable,
    isLoose: true,
    make: (fc) =>
      fc.constantFrom('', 'два', 'נא להעביר', 'می\u200cخواهم', '👩\u200d🚀 ❤\ufe0f', 'one\n\ntwo'),
    near: ['a ', '\ta', 'a\u200bb', 'a\u202eb', 'e\u0301', '\u3164', 'a\u200d'],
  },
  decimal: { test: isDecimal, make: decimals, near: ['1.', '.5', '1e3', 'NaN', '1,5'] },
}

const kinds = new Map<string, Kind<string>>()

/**
 * Texts of printable characters of all planes, shorter ones more often. Equal options give the same
 * kind: a document says `format: uri` thousands of times, and to turn a pattern round takes long.
 */
export function text(options: TextOptions = {}): Kind<string> {
  const key = JSON.stringify(options)
  const kind = kinds.get(key) ?? newText(options)
  kinds.set(key, kind)
  return kind
}

function newText(options: TextOptions): Kind<string> {
  const rules = textRules(options)
  const valid = remembered((at) => validTexts(at, options, rules))
  const flaws = remembered((at) => [...typeFlaw(at, 'string'), ...textFlaws(at, options, rules)])
  return { valid: (at) => valid(flat(at)), flaws: (at) => flaws(flat(at)) }
}

interface TextRules {
  readonly pattern: RegExp | undefined
  readonly format: TextFormat | undefined
  readonly isLong: (text: string) => boolean
  /** All rules. */
  readonly fits: (text: string) => boolean
}

function textRules(options: TextOptions): TextRules {
  const pattern = options.pattern === undefined ? undefined : expression(options.pattern)
  const format = Object.hasOwn(FORMATS, options.format ?? '')
    ? FORMATS[options.format ?? '']
    : undefined
  const isLong = (value: string): boolean => {
    const size = length(value)
    return size >= (options.min ?? 0) && size <= (options.max ?? Infinity)
  }
  const fits = (value: string): boolean =>
    isLong(value) && pattern?.test(value) !== false && format?.test(value) !== false
  return { pattern, format, isLong, fits }
}

/** The regular expression of a pattern, as checks have it. */
export function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

const HEADER = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u

const PLACES: Readonly<Record<TextPlace, (text: string) => boolean>> = {
  path: (value) => value !== '' && value !== '.' && value !== '..',
  query: () => true,
  header: (value) => HEADER.test(value),
  cookie: () => true,
  words: (value) => /^[\w.~:-]+$/u.test(value) && value !== '.' && value !== '..',
}

/** True where the text can travel. */
function travels(at: At): (text: string) => boolean {
  return at.text === undefined ? () => true : PLACES[at.text]
}

function validTexts(at: At, options: TextOptions, rules: TextRules): Arbitrary<string> | undefined {
  const { fc } = at
  const goes = travels(at)
  const passes = (value: string): boolean => rules.fits(value) && goes(value)
  const examples = (options.examples ?? []).filter(passes)
  const sources = [
    ...madeTexts(at, options, rules)
      .filter((source) => isLikely(fc, source, passes))
      .map((source) => ({
        weight: 4,
        arbitrary: sift(source, passes, `a text with ${JSON.stringify(options)}`),
      })),
    ...(examples.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...examples) }]),
  ]
  return sources.length === 0 ? undefined : fc.oneof(...sources)
}

/** Several rules together may leave next to nothing of what one of them makes. */
function isLikely(
  fc: FastCheck,
  source: Arbitrary<string>,
  passes: (text: string) => boolean,
): boolean {
  return fc.sample(source, { numRuns: 24, seed: 1 }).filter(passes).length >= 2
}

function madeTexts(
  at: At,
  options: TextOptions,
  { pattern, format }: TextRules,
): readonly Arbitrary<string>[] {
  const { fc } = at
  const formatted = format === undefined ? [] : [format.make(fc)]
  if (pattern !== undefined)
    return [...formatted, ...matchingTexts(fc, pattern), ...plainTexts(at, options)]
  const isLoose = format === undefined || format.isLoose === true
  return isLoose ? [...formatted, ...plainTexts(at, options)] : formatted
}

/** Not every expression can be turned round; where this one cannot, other sources have to do. */
function matchingTexts(fc: FastCheck, pattern: RegExp): readonly Arbitrary<string>[] {
  try {
    return [fc.stringMatching(pattern)]
  } catch {
    return []
  }
}

const WORD = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const SIGNS = [...'-_.~:/?#[]@!$&\'()*+,;=%"<>\\^`{|}']
const FAR = [...'äßñłжя中あ한€😀𝒳']

function plainTexts(
  at: At,
  { min = 0, max = Infinity }: TextOptions,
): readonly Arbitrary<string>[] {
  const { fc } = at
  const least =
    at.text === undefined || at.text === 'query' || at.text === 'cookie' ? min : Math.max(min, 1)
  if (least > max) return []
  const units =
    at.text === 'words'
      ? WORD
      : at.text === 'header'
        ? [...WORD, ...SIGNS]
        : [...WORD, ...SIGNS, ' ', ...FAR]
  const unit = fc.constantFrom(...units)
  const of = (from: number, to: number): Arbitrary<string> =>
    fc.string({ unit, minLength: from, maxLength: to })
  const most = Math.min(max, least + 16)
  return [
    fc.oneof(
      { weight: 8, arbitrary: of(least, most) },
      { weight: 1, arbitrary: of(least, least) },
      ...(max <= LONGEST ? [{ weight: 1, arbitrary: unit.map((one) => one.repeat(max)) }] : []),
    ),
  ]
}

function textFlaws(
  at: At,
  { min = 0, max = Infinity }: TextOptions,
  rules: TextRules,
): readonly FlawChoice[] {
  const { pattern, format } = rules
  const goes = travels(at)
  const others = (one: string): boolean =>
    pattern?.test(one) !== false && format?.test(one) !== false && goes(one)
  const sized = (size: number): readonly string[] =>
    ['a', 'A', '0', '-'].map((sign) => sign.repeat(size)).filter(others)
  const choose = (texts: readonly string[], rule: string): readonly FlawChoice[] => {
    return texts.length === 0 ? [] : ownFlaw(at.fc.constantFrom(...new Set(texts)), rule)
  }
  const size = Math.min(Math.max(min, 1), LONGEST)
  const odd = [
    '',
    ...['!', ' ', '%', '#', 'ü', ':', 'a', '0', '\u{1F600}'].map((sign) => sign.repeat(size)),
  ]
  return [
    ...(min > 0 && min <= LONGEST ? choose(sized(min - 1), 'minLength') : []),
    ...(max < LONGEST ? choose(sized(max + 1), 'maxLength') : []),
    ...(pattern === undefined
      ? []
      : choose(
          odd.filter(
            (one) =>
              rules.isLong(one) && !pattern.test(one) && format?.test(one) !== false && goes(one),
          ),
          'pattern',
        )),
    ...(format === undefined
      ? []
      : choose(
          format.near.filter(
            (one) => rules.isLong(one) && pattern?.test(one) !== false && goes(one),
          ),
          'format',
        )),
  ]
}

function days(fc: FastCheck): Arbitrary<string> {
  return dates(fc).map((date) => date.toISOString().slice(0, 10))
}

function dates(fc: FastCheck): Arbitrary<Date> {
  return fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2100-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
}

function dateTimes(fc: FastCheck): Arbitrary<string> {
  const fraction = fc.constantFrom('', '.000001', '.123', '.999999')
  return fc
    .tuple(dates(fc), fraction, fc.constantFrom('Z', 'Z', 'Z', '+02:00', '-11:30'))
    .map(([date, part, offset]) => `${date.toISOString().slice(0, 19)}${part}${offset}`)
}

function base64(fc: FastCheck): Arbitrary<string> {
  return fc.base64String({ maxLength: 40 }).filter(isByte)
}

function decimals(fc: FastCheck): Arbitrary<string> {
  const whole = fc.oneof(
    fc.integer({ min: 0, max: 1000 }).map(String),
    fc.constantFrom('0', '1', '9'.repeat(28)),
  )
  const fraction = fc.oneof(
    fc.constantFrom('', '.0', '.5', '.0000000001'),
    fc.nat(999_999).map((digits) => `.${digits}`),
  )
  return fc.tuple(fc.constantFrom('', '', '', '-'), whole, fraction).map((parts) => parts.join(''))
}
