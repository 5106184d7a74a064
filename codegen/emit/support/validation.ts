// Helpers of the printed validators, copied beside the generated interfaces as validation.gen.ts.
// Imports nothing. Short names keep the printed files small. Nothing here throws or changes the
// value that is checked.

export type ProblemPlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** One violation of the document; `pointer` grows while the finding travels up to the root. */
export interface Problem {
  in: ProblemPlace
  pointer: string
  readonly keyword: string
  readonly message: string
  error?: unknown
  readonly value?: unknown
}

/**
 * Levels of nesting that a recursive schema follows before it refuses the value: no input overflows
 * the stack.
 */
export const DEPTH_LIMIT = 500

/**
 * Violations kept of one request: a body of many wrong items must not fill the memory. One is
 * enough to refuse it.
 */
export const PROBLEM_LIMIT = 1000

/**
 * Says of the problems from index `from` on that they stood in the parameter `name`; `error` is for
 * those without.
 */
export function placeProblems(
  problems: Problem[],
  from: number,
  place: ProblemPlace,
  name: string,
  error?: unknown,
): void {
  for (let i = from; i < problems.length; i++) {
    const problem = problems[i]
    if (problem === undefined) continue
    problem.in = place
    problem.pointer = name
    if (error !== undefined && problem.error === undefined) problem.error = error
  }
}

/** Appends a violation of `keyword` at `pointer`; the value is kept when it is a scalar. */
export function bad(
  problems: Problem[],
  pointer: string,
  keyword: string,
  message: string,
  value: unknown,
  error?: unknown,
): void {
  if (problems.length >= PROBLEM_LIMIT) return
  const problem: { -readonly [K in keyof Problem]: Problem[K] } = {
    in: 'body',
    pointer,
    keyword,
    message,
  }
  if (error !== undefined) problem.error = error
  if (value !== undefined && (typeof value !== 'object' || value === null)) problem.value = value
  problems.push(problem)
}

/**
 * A value that is not of the wanted type, or, as undefined, a required property that is missing.
 */
export function want(
  problems: Problem[],
  pointer: string,
  type: string,
  value: unknown,
  error?: unknown,
): void {
  if (value === undefined) bad(problems, pointer, 'required', 'is required', value, error)
  else bad(problems, pointer, 'type', `must be ${type}`, value, error)
}

/**
 * A value that is none of `types`, of which the first is the format of an integer: missing, of
 * another type, or outside the range.
 */
export function wantInt(
  problems: Problem[],
  pointer: string,
  types: string,
  value: unknown,
  error?: unknown,
): void {
  if (isWhole(value)) bad(problems, pointer, 'format', `must be an ${types}`, value, error)
  else want(problems, pointer, types.replace(/^int\d+/u, 'integer'), value, error)
}

/** A value that is not one of `allowed`, or a missing one. */
export function pick(
  problems: Problem[],
  pointer: string,
  keyword: string,
  allowed: Iterable<unknown>,
  value: unknown,
  error?: unknown,
): void {
  if (value === undefined) return want(problems, pointer, '', value, error)
  const texts = Array.from(allowed, (item) => canonical(item))
  bad(
    problems,
    pointer,
    keyword,
    `must be ${texts.length === 1 ? '' : 'one of '}${texts.join(', ')}`,
    value,
    error,
  )
}

/**
 * True when `check` finds nothing; for choosing the variant of a union whose values nothing else
 * tells apart.
 */
export function fits(
  check: (value: unknown, problems: Problem[], depth: number) => void,
  value: unknown,
  depth: number,
): boolean {
  const problems: Problem[] = []
  check(value, problems, depth)
  return problems.length === 0
}

/** A value of a type nested deeper than the limit. */
export function tooDeep(problems: Problem[]): void {
  bad(problems, '', 'type', `must not be nested deeper than ${DEPTH_LIMIT} levels`, undefined)
}

/**
 * Puts `prefix` before the pointers of the problems that a check has added, and gives `error` to
 * those that have none; a missing property keeps to its own. Called as `at(e, e.length, check_X(v,
 * e), '/p')`: `from` is the length before the check ran. Returns 1 when the check found nothing,
 * else 0.
 */
export function at(
  problems: Problem[],
  from: number,
  _checked: unknown,
  prefix: string,
  error?: unknown,
): number {
  if (problems.length === from) return 1
  for (let i = from; i < problems.length; i++) {
    const problem = problems[i]
    if (problem === undefined) continue
    problem.pointer = prefix + problem.pointer
    if (error !== undefined && problem.error === undefined && problem.keyword !== 'required')
      problem.error = error
  }
  return 0
}

/** A key as one step of a JSON pointer. */
export function step(key: string | number): string {
  return typeof key === 'number' ? `/${key}` : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own property `key`; for keys that every object inherits. */
export function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** Number of own properties. */
export function size(value: object): number {
  return Object.keys(value).length
}

/** Sets an own property, also one called `__proto__`. */
export function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** A finite JSON number; integers of 16 and more digits arrive as bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'bigint'
}

/** An integer that a double holds exactly. */
export function isInteger(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return (
    typeof value === 'bigint' &&
    value >= Number.MIN_SAFE_INTEGER &&
    value <= Number.MAX_SAFE_INTEGER
  )
}

/** A number without fraction, of any size. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** An integer of 32 bits. */
export function isInt32(value: unknown): value is number | bigint {
  if (typeof value === 'number') return (value | 0) === value
  return typeof value === 'bigint' && value === BigInt.asIntN(32, value)
}

/** An exactly known integer of 64 bits. */
export function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'bigint' && value === BigInt.asIntN(64, value)
}

/** True when `value` is a multiple of `divisor`, both read as the decimal numbers they print as. */
export function isMultiple(value: number | bigint, divisor: number): boolean {
  const isSmall =
    typeof value === 'number' && Number.isSafeInteger(value) && Number.isSafeInteger(divisor)
  if (isSmall) return value % divisor === 0
  const [a, aScale] = scaled(value)
  const [b, bScale] = scaled(divisor)
  const scale = Math.max(aScale, bScale)
  return (a * 10n ** BigInt(scale - aScale)) % (b * 10n ** BigInt(scale - bScale)) === 0n
}

function scaled(value: number | bigint): readonly [bigint, number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? [digits * 10n ** BigInt(-scale), 0] : [digits, scale]
}

/** Length in code points. */
export function length(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** Deep equality of JSON values; a number equals the bigint of the same size. */
export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

/** Index of the first item that equals an earlier one, or -1. */
export function firstDuplicate(items: readonly unknown[]): number {
  const seen = new Set<string>()
  return items.findIndex((item) => {
    const text = canonical(item)
    const found = seen.has(text)
    seen.add(text)
    return found
  })
}

let unlike = 0

// Below the limit a value equals no other: texts of that depth are never built.
function canonical(value: unknown, depth = 0): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return canonicalNumber(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (depth > DEPTH_LIMIT) return `#${unlike++}`
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => canonical(item, depth + 1)).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, depth + 1)}`).join()}}`
}

function canonicalNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(BigInt(value)) : String(value)
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/u
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/iu
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A day of the calendar as RFC 3339 `full-date`. */
export function isDate(text: string): boolean {
  const found = DATE.exec(text)
  if (found === null) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && !leap ? 28 : (DAYS[month - 1] ?? 0))
}

/**
 * RFC 3339 `date-time` with offset and at most nine fraction digits; second 60 only where a leap
 * second can be.
 */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = [text.slice(0, 10), text.slice(11)]
  const found = /^[Tt]$/u.test(text.charAt(10)) && isDate(date) ? TIME.exec(time) : null
  return (
    found !== null &&
    (found[3] !== '60' || isLeapSecond(Number(found[1]), Number(found[2]), found[5] ?? 'Z'))
  )
}

function isLeapSecond(hour: number, minute: number, offset: string): boolean {
  const sign = offset.startsWith('-') ? 1 : -1
  const shift = /^z$/iu.test(offset)
    ? 0
    : sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
  return (hour * 60 + minute + shift + 2880) % 1440 === 1439
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu
const URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/iu
const EMAIL = /^[^\s@]+@[^\s@]+$/u
const DECIMAL = /^[+-]?\d{1,28}(?:\.\d{1,10})?$/u
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/u

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** An absolute URI of RFC 3986 characters. */
export function isUri(text: string): boolean {
  return URI.test(text)
}

/** Loose: something, one @, something, no white space. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text)
}

/** Decimal text with at most 28 digits before and 10 after the point. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}

const PLAIN = /^(?:[!-~](?:[ -~\n]*[!-~])?)?$/u
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\p{Co}\u2800\uFFFC]/u
const EMOJI = /\p{RGI_Emoji}/gv
/** A non-joiner between Arabic letters, either joiner after a virama: letters change there. */
const JOINED =
  /(?<=\p{Script=Arabic}\p{Mn}{0,3})\u200C(?=\p{Script=Arabic})|(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2])[\u200C\u200D]/gu

/**
 * Text that looks like what it is: in Unicode's form NFC, no space at its ends, and no control (but
 * line feeds), direction mark or other invisible character, except where an emoji or a script needs
 * one. Any of two texts that look the same but for these is refused.
 */
export function isReadable(text: string): boolean {
  if (PLAIN.test(text)) return true
  if (text !== text.trim() || text !== text.normalize('NFC')) return false
  const bare = text.replaceAll(EMOJI, ' ').replaceAll(JOINED, '').replaceAll('\n', '')
  return !HIDDEN.test(bare)
}

/** Canonical base64 (RFC 4648 section 4): padded, no unused bits set. */
export function isByte(text: string): boolean {
  return BASE64.test(text)
}

/** A checked int64 as bigint; any other value as it is. */
export function int64(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/** A bigint at a place for doubles as number; any other value as it is. */
export function double(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
