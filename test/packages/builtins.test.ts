// The functions of the contract language, each with its cases: limits, rounding, overflow, order
// and errors, written from the language's specification.
import { deepStrictEqual, fail, ok, throws } from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { builtinFunctions } from '../../runtime/packages/program/builtin-functions.ts'
import { ARITHMETIC_ERROR, EvaluationError } from '../../runtime/packages/values/failure.ts'
import {
  Any,
  listOf,
  NONE,
  Numeric,
  Rec,
  some,
  Struct,
  Variant,
} from '../../runtime/packages/values/value.ts'
import { formsOf } from '../support/forms.ts'
import { callOf, valueOf } from './programs.ts'
import type { BuiltinFunction } from '../../runtime/packages/program/builtin-functions.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { Form } from '../support/forms.ts'

const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)
const NINES = 10n ** 38n - 1n
const ONE_37 = `${10n ** 37n}e-37`
const keys = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const spki = (of: typeof keys): string =>
  `"${of.publicKey.export({ format: 'der', type: 'spki' }).toString('hex')}"`
const MESSAGE = Buffer.from('pay 10.0')
const [KEY, OTHER_KEY] = [spki(keys), spki(otherKeys)]
const SIGNATURE = `"${sign('sha256', MESSAGE, keys.privateKey).toString('hex')}"`
const digest = (of: string | Buffer): string => `"${createHash('sha256').update(of).digest('hex')}"`

/** Smaller and larger values. U+FFFF comes before U+1F600, although its UTF-16 unit is larger. */
const comparable = `
  false true
  ${MIN} ${MAX}
  -1 0
  -1e-10 0e-10
  "" "a"
  "a" "aa"
  "\uffff" "\u{1f600}"
  "\ue000" "\u{10000}"
  (date -719162) (date 2932896)
  (list) (list 0)
  (list 1) (list 1 0)
  (list 1 9) (list 2)
  none (some ${MIN})
  (some 1) (some 2)
  (pair 1 9) (pair 2 0)
  (pair 1 8) (pair 1 9)
  (variant 0 9) (variant 1 0)
  (variant 1 0) (variant 1 1)
  (map) (map "a" 1)
  (map "a" 1) (map "a" 2)
  (map "a" 1) (map "a" 1 "b" 0)
  (map "a" 1 "b" 0) (map "b" 0)
`

/** Cases of a comparison that answers so for the same, a larger and a smaller value. */
function comparing(same: boolean, less: boolean, more: boolean): string {
  const pairs = linesOf(comparable).map((line) => {
    const [a, b] = formsOf(line).map(textOf)
    return `${a} ${a} = ${same}\n${a} ${b} = ${less}\n${b} ${a} = ${more}\n`
  })
  return `
  unit unit = ${same}
  fun fun ! incomparable
  (some fun) (some fun) ! incomparable
  ${pairs.join('')}`
}

function textOf(form: Form): string {
  return typeof form === 'string' ? form : `(${form.map(textOf).join(' ')})`
}

/** Arguments, then what comes of them: a value, or a kind of failure and what its message says. */
const table: Record<BuiltinFunction, string> = {
  TRACE: '"seen" 5 = 5',
  ERROR: '"no coin" ! error no coin',
  FAIL_WITH_STATUS: `
    "X" (category 0) "no" (map) ! status no
    "X" (category 1) "not now" (map) ! status not now`,
  EQUAL: comparing(true, false, false),
  LESS_EQ: comparing(true, true, false),
  LESS: comparing(false, true, false),
  GREATER_EQ: comparing(true, false, true),
  GREATER: comparing(false, false, true),
  ADD_INT64: `
    1 2 = 3
    ${MAX} ${MIN} = -1
    ${MAX} 1 ! arithmetic ADD_INT64 ${MAX} 1
    ${MIN} -1 ! arithmetic ADD_INT64 ${MIN} -1`,
  SUB_INT64: `
    1 2 = -1
    ${MIN} 1 ! arithmetic SUB_INT64 ${MIN} 1
    0 ${MIN} ! arithmetic SUB_INT64 0 ${MIN}`,
  MUL_INT64: `
    -3 4 = -12
    ${MIN} 1 = ${MIN}
    ${MIN} -1 ! arithmetic MUL_INT64 ${MIN} -1
    4294967296 2147483648 ! arithmetic MUL_INT64 4294967296 2147483648`,
  DIV_INT64: `
    7 2 = 3
    -7 2 = -3
    7 -2 = -3
    7 0 ! arithmetic DIV_INT64 7 0
    ${MIN} -1 ! arithmetic DIV_INT64 ${MIN} -1`,
  MOD_INT64: `
    7 2 = 1
    -7 2 = -1
    7 -2 = 1
    ${MIN} -1 = 0
    7 0 ! arithmetic MOD_INT64 7 0`,
  EXP_INT64: `
    2 10 = 1024
    0 0 = 1
    -2 63 = ${MIN}
    2 62 = 4611686018427387904
    1 ${MAX} = 1
    -1 ${MAX} = -1
    0 ${MAX} = 0
    2 63 ! arithmetic EXP_INT64 2 63
    3 ${MAX} ! arithmetic EXP_INT64 3 ${MAX}
    2 -1 ! arithmetic EXP_INT64 2 -1`,
  ADD_NUMERIC: `
    1e-10 2e-10 = 3e-10
    ${NINES}e-10 -${NINES}e-10 = 0e-10
    ${NINES}. 1. ! arithmetic ADD_NUMERIC ${NINES}.0 1.0`,
  SUB_NUMERIC: `
    1e-10 2e-10 = -1e-10
    -${NINES}e-37 1e-37 ! arithmetic SUB_NUMERIC -9.${'9'.repeat(37)} 0.${'0'.repeat(36)}1`,
  // The first argument has the scale of the result; halves go to the even neighbour.
  MUL_NUMERIC: `
    0.0 1.5 1.5 = 2.2
    0.0 1.5 2.5 = 3.8
    0.0 -1.5 1.5 = -2.2
    0.0 -1.5 2.5 = -3.8
    0. ${ONE_37} 0.5 = 0.
    0e-37 1. 1. = ${ONE_37}
    0e-37 5. 2. ! arithmetic MUL_NUMERIC 0.0 5.0 2.0`,
  DIV_NUMERIC: `
    0e-10 1.0000000000 3.0000000000 = 0.3333333333
    0e-10 2.0000000000 3.0000000000 = 0.6666666667
    0. 1. 2. = 0.
    0. 3. 2. = 2.
    0. -5. 2. = -2.
    0. 5e-37 1. = 0.
    0e-10 1e-10 0e-10 ! arithmetic DIV_NUMERIC 0.0 0.0000000001 0.0
    0e-37 ${NINES}. 1e-37 ! arithmetic DIV_NUMERIC`,
  ROUND_NUMERIC: `
    0 2.5 = 2.0
    0 3.5 = 4.0
    0 -2.5 = -2.0
    1 2.5 = 2.5
    -1 15.0 = 20.0
    -27 ${10n ** 37n}e-10 = ${10n ** 37n}e-10
    -28 1e-10 ! arithmetic ROUND_NUMERIC -28 0.0000000001
    11 1e-10 ! arithmetic ROUND_NUMERIC 11 0.0000000001
    -36 ${NINES}e-1 ! arithmetic ROUND_NUMERIC -36 ${'9'.repeat(37)}.9`,
  CAST_NUMERIC: `
    0e-12 5e-10 = 500e-12
    0.00 500000000e-10 = 0.05
    0.00 5e-10 ! arithmetic CAST_NUMERIC 0.0 0.0000000005
    0e-37 10. ! arithmetic CAST_NUMERIC 0.0 10.0`,
  SHIFT_NUMERIC: '0.000 5e-10 = 0.005',
  INT64_TO_NUMERIC: `
    0e-10 5 = 5.0000000000
    0e-37 9 = ${9n * 10n ** 37n}e-37
    0e-37 10 ! arithmetic INT64_TO_NUMERIC 0.0 10`,
  NUMERIC_TO_INT64: `
    1.9 = 1
    -1.9 = -1
    ${MAX}. = ${MAX}
    ${MIN}. = ${MIN}
    9223372036854775808. ! arithmetic NUMERIC_TO_INT64 9223372036854775808.0`,
  INT64_TO_TEXT: `
    ${MIN} = "-9223372036854775808"
    0 = "0"`,
  NUMERIC_TO_TEXT: `
    0e-10 = "0.0"
    5. = "5.0"
    -1e-10 = "-0.0000000001"
    1.5000000000 = "1.5"
    100.0000000000 = "100.0"`,
  TIMESTAMP_TO_TEXT: `
    0 = "1970-01-01T00:00:00Z"
    1500000 = "1970-01-01T00:00:01.500Z"
    1 = "1970-01-01T00:00:00.000001Z"
    -1 = "1969-12-31T23:59:59.999999Z"
    -62135596800000000 = "0001-01-01T00:00:00Z"
    253402300799999999 = "9999-12-31T23:59:59.999999Z"`,
  DATE_TO_TEXT: `
    (date 0) = "1970-01-01"
    (date -719162) = "0001-01-01"
    (date 2932896) = "9999-12-31"
    (date 19782) = "2024-02-29"`,
  PARTY_TO_TEXT: '"alice::1220" = "alice::1220"',
  TEXT_TO_PARTY: `
    "alice::1220_-a Z" = (some "alice::1220_-a Z")
    "${'a'.repeat(255)}" = (some "${'a'.repeat(255)}")
    "${'a'.repeat(256)}" = none
    "" = none
    "alice!" = none`,
  TEXT_TO_INT64: `
    "12" = (some 12)
    "+12" = (some 12)
    "-0" = (some 0)
    "${'0'.repeat(50)}7" = (some 7)
    "${MAX}" = (some ${MAX})
    "${MIN}" = (some ${MIN})
    "9223372036854775808" = none
    "" = none
    "1.0" = none
    " 1" = none
    "0x1" = none`,
  TEXT_TO_NUMERIC: `
    0.00 "1.5" = (some 1.50)
    0.00 "+01.500000" = (some 1.50)
    0.00 "-7" = (some -7.00)
    0.00 "1.005" = none
    0.00 "1." = none
    0.00 ".5" = none
    0.00 "1e2" = none
    0. "${NINES}" = (some ${NINES}.)
    0.0 "${NINES}" = none
    0. "9${NINES}" = none`,
  CONTRACT_ID_TO_TEXT: '"00ab" = none',
  COERCE_CONTRACT_ID: '"00ab" = "00ab"',
  SHA256_TEXT: `
    "" = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    "abc" = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    "é" = ${digest(Buffer.from([0xc3, 0xa9]))}`,
  SHA256_HEX: `
    "616263" = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    "abc" ! malformed hex
    "AB" ! malformed hex`,
  KECCAK256_TEXT: `
    "" = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    "616263" = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    "xyz" ! malformed hex`,
  TEXT_TO_HEX: `
    "abc" = "616263"
    "é" = "c3a9"`,
  HEX_TO_TEXT: `
    "616263" = "abc"
    "6" ! malformed hex`,
  SECP256K1_BOOL: `
    ${SIGNATURE} "${MESSAGE.toString('hex')}" ${KEY} = true
    ${SIGNATURE} "00" ${KEY} = false
    ${SIGNATURE} "message" ${KEY} ! malformed message hex
    ${SIGNATURE} "00" "00" ! malformed public key
    ${SIGNATURE} "00" ${OTHER_KEY} ! malformed secp256k1
    "00" "00" ${KEY} ! malformed signature`,
  SECP256K1_WITH_ECDSA_BOOL: `
    ${SIGNATURE} ${digest(MESSAGE)} ${KEY} = true
    ${SIGNATURE} ${digest('pay 11.0')} ${KEY} = false`,
  SECP256K1_VALIDATE_KEY: `
    ${KEY} = true
    "00" ! malformed public key`,
  EXPLODE_TEXT: `
    "" = (list)
    "a\u{1f600}é" = (list "a" "\u{1f600}" "é")`,
  IMPLODE_TEXT: `
    (list) = ""
    (list "a" "" "bc") = "abc"`,
  APPEND_TEXT: '"a" "b" = "ab"',
  TEXT_TO_CODE_POINTS: `"a\u{1f600}" = (list 97 ${0x1f600})`,
  CODE_POINTS_TO_TEXT: `
    (list 97 ${0x1f600} 0) = "a\u{1f600}\0"
    (list ${0xd7ff} ${0xe000} ${0x10ffff}) = "\ud7ff\ue000\u{10ffff}"
    (list ${0xd800}) ! error code point
    (list ${0xdfff}) ! error code point
    (list ${0x110000}) ! error code point
    (list -1) ! error code point`,
  DATE_TO_UNIX_DAYS: '(date -1) = -1',
  UNIX_DAYS_TO_DATE: `
    -719162 = (date -719162)
    2932896 = (date 2932896)
    -719163 ! arithmetic UNIX_DAYS_TO_DATE -719163
    2932897 ! arithmetic UNIX_DAYS_TO_DATE 2932897`,
  TIMESTAMP_TO_UNIX_MICROSECONDS: '5 = 5',
  UNIX_MICROSECONDS_TO_TIMESTAMP: `
    -62135596800000000 = -62135596800000000
    253402300799999999 = 253402300799999999
    253402300800000000 ! arithmetic UNIX_MICROSECONDS_TO_TIMESTAMP
    -62135596800000001 ! arithmetic UNIX_MICROSECONDS_TO_TIMESTAMP`,
  FOLDL: `
    minus 10 (list) = 10
    minus 10 (list 1 2 3) = 4`,
  // 1 - (2 - (3 - 10))
  FOLDR: `
    minus 10 (list) = 10
    minus 10 (list 1 2 3) = -8`,
  EQUAL_LIST: `
    same (list) (list) = true
    same (list 1) (list) = false
    same (list 1 2) (list 1 2) = true
    same (list 1 2) (list 1 3) = false`,
  GENMAP_EMPTY: '',
  GENMAP_INSERT: `
    2 "b" (map 1 "a") = (map 1 "a" 2 "b")
    1 "b" (map 1 "a") = (map 1 "b")
    fun "b" (map) ! incomparable`,
  GENMAP_LOOKUP: `
    1 (map 1 "a") = (some "a")
    2 (map 1 "a") = none
    fun (map) ! incomparable`,
  GENMAP_DELETE: `
    1 (map 1 "a") = (map)
    2 (map 1 "a") = (map 1 "a")
    fun (map) ! incomparable`,
  GENMAP_KEYS: '(map 2 "b" -1 "c" 1 "a") = (list -1 1 2)',
  GENMAP_VALUES: '(map 2 "b" -1 "c" 1 "a") = (list "c" "a" "b")',
  GENMAP_SIZE: '(map 2 "b" 1 "a") = 2',
  TEXTMAP_EMPTY: '',
  TEXTMAP_INSERT: '"b" 1 (map "b" 0) = (map "b" 1)',
  TEXTMAP_LOOKUP: '"b" (map "b" 0) = (some 0)',
  TEXTMAP_DELETE: '"b" (map "b" 0) = (map)',
  TEXTMAP_TO_LIST:
    '(map "\u{1f600}" 1 "\uffff" 2 "" 3) = (list (entry "" 3) (entry "\uffff" 2) (entry "\u{1f600}" 1))',
  TEXTMAP_SIZE: '(map) = 0',
  ANY_EXCEPTION_MESSAGE: '(arithmeticError "m") = "m"',
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function read(form: Form): Value {
  if (typeof form === 'string') return readAtom(form)
  const [kind, ...parts] = form
  const values = parts.map(read)
  const [first, second] = values
  switch (kind) {
    case 'some':
      return some(first)
    case 'list':
      return listOf(values)
    case 'pair':
      return new Rec(values)
    case 'variant':
      return new Variant(Number(first), second)
    case 'entry':
      return new Struct(['key', 'value'], values)
    case 'date':
    case 'category':
      return Number(first)
    case 'arithmeticError':
      return new Any(ARITHMETIC_ERROR, new Rec(values))
    case 'map':
      return values.reduce<Value>(
        (map, key, at) => (at % 2 === 0 ? callOf('GENMAP_INSERT', key, values[at + 1], map) : map),
        valueOf('GENMAP_EMPTY'),
      )
    default:
      return fail(`nothing is written as ${textOf(form)}`)
  }
}

const words: Readonly<Record<string, () => Value>> = {
  unit: () => undefined,
  true: () => true,
  false: () => false,
  none: () => NONE,
  fun: () => valueOf('(fn (x) x)'),
  minus: () => valueOf('(fn (x y) (SUB_INT64 x y))'),
  same: () => valueOf('EQUAL'),
}

/** A word, a text, a number, or a decimal, whose scale is as many digits as it is written with. */
function readAtom(atom: string): Value {
  const word = words[atom]
  if (word !== undefined) return word()
  if (atom.startsWith('"')) return atom.slice(1, -1)
  const [digits = '', exponent = '0'] = atom.split('e-')
  if (digits === atom && !atom.includes('.')) return BigInt(atom)
  const [, fraction = ''] = digits.split('.')
  return new Numeric(BigInt(digits.replace('.', '')), fraction.length + Number(exponent))
}

/** Holds one line of the table against what the function answers. */
function check(name: BuiltinFunction, line: string): void {
  const [, written = '', sign, result = ''] = /^(.*) ([=!]) (.*)$/.exec(line) ?? []
  const args = formsOf(written).map(read)
  if (sign === '=')
    return deepStrictEqual(callOf(name, ...args), formsOf(result).map(read)[0], line)
  const [, kind, message = ''] = /^(\S+) ?(.*)$/.exec(result) ?? []
  const [expected, says] =
    kind === 'arithmetic'
      ? ['unhandled', `ArithmeticError while evaluating (${message}`]
      : [kind, message]
  throws(
    () => callOf(name, ...args),
    (error) => {
      ok(error instanceof EvaluationError)
      deepStrictEqual(error.failure.kind, expected, line)
      ok(error.message.includes(says ?? ''), `${line}: ${error.message}`)
      return true
    },
  )
}

describe('functions of the contract language', () => {
  for (const name of builtinFunctions.values())
    it(name, () => {
      for (const line of linesOf(table[name])) check(name, line)
    })

  it('are values, which take their arguments one by one', () => {
    deepStrictEqual(valueOf('((ADD_INT64 1) 2)'), 3n)
  })

  it('failures with a status have its id, category and metadata', () => {
    throws(
      () =>
        callOf('FAIL_WITH_STATUS', 'NO_COIN', 1, 'no coin', read(['map', '"party"', '"alice"'])),
      (error) => {
        ok(error instanceof EvaluationError)
        deepStrictEqual(error.failure, {
          kind: 'status',
          id: 'NO_COIN',
          category: 'state',
          message: 'no coin',
          metadata: new Map([['party', 'alice']]),
        })
        return true
      },
    )
  })
})
