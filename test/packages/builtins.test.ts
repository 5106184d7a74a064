// The functions of the contract language, each with its cases: limits, rounding, overflow, order
// and errors, written from the language's specification.
import { deepStrictEqual, match, ok, throws } from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
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
import { apply, call, readOf, lambda, LIMITS, local, programOf, valueOf } from './programs.ts'
import type { BuiltinFunction } from '../../runtime/packages/program/builtin-functions.ts'
import type { Value } from '../../runtime/packages/values/value.ts'

const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)
const NINES = 10n ** 38n - 1n

type Case = readonly [args: readonly Value[], expected: Value | Fails]

/** The failure that is expected instead of a value. */
class Fails {
  readonly kind: string
  readonly message: RegExp

  constructor(kind: string, message: RegExp) {
    this.kind = kind
    this.message = message
  }
}

const arithmetic = (text: string): Fails =>
  new Fails('unhandled', new RegExp(`ArithmeticError while evaluating \\(${text}\\)\\.`))
const dec = (value: bigint, scale = 10): Numeric => new Numeric(value, scale)
const list = (...values: Value[]): Value => listOf(values)
const pair = (a: Value, b: Value): Rec => new Rec([a, b])
const entry = (key: Value, value: Value): Struct => new Struct(['key', 'value'], [key, value])
const mapOf = (...entries: (readonly [Value, Value])[]): Value =>
  entries.reduce<Value>((map, [key, value]) => run('GENMAP_INSERT', [key, value, map]), EMPTY())
const EMPTY = (): Value => valueOf({ kind: 'builtin', name: 'GENMAP_EMPTY' })
const functionValue = (): Value => valueOf(lambda(1, local(0)))

const keys = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const spki = (of: typeof keys): string =>
  of.publicKey.export({ format: 'der', type: 'spki' }).toString('hex')
const MESSAGE = Buffer.from('pay 10.0')
const SIGNATURE = sign('sha256', MESSAGE, keys.privateKey).toString('hex')
const DIGEST = createHash('sha256').update(MESSAGE).digest('hex')
const OTHER_DIGEST = createHash('sha256').update('pay 11.0').digest('hex')

const comparable: readonly (readonly [smaller: Value, larger: Value])[] = [
  [false, true],
  [MIN, MAX],
  [-1n, 0n],
  [dec(-1n), dec(0n)],
  ['', 'a'],
  ['a', 'aa'],
  // U+FFFF comes before U+1F600, although its UTF-16 unit is larger than a surrogate.
  ['\uffff', '\u{1f600}'],
  ['\ue000', '\u{10000}'],
  [-719_162, 2_932_896],
  [null, list(0n)],
  [list(1n), list(1n, 0n)],
  [list(1n, 9n), list(2n)],
  [NONE, some(MIN)],
  [some(1n), some(2n)],
  [pair(1n, 9n), pair(2n, 0n)],
  [pair(1n, 8n), pair(1n, 9n)],
  [new Variant(0, 9n), new Variant(1, 0n)],
  [new Variant(1, 0n), new Variant(1, 1n)],
]

function comparing(results: readonly [same: boolean, less: boolean, more: boolean]): Case[] {
  const [same, less, more] = results
  return [
    [[undefined, undefined], same],
    [[functionValue(), functionValue()], new Fails('incomparable', /incomparable/)],
    [[some(functionValue()), some(functionValue())], new Fails('incomparable', /./)],
    ...comparable.flatMap(([a, b]): Case[] => [
      [[a, a], same],
      [[a, b], less],
      [[b, a], more],
    ]),
    [[mapOf(['a', 1n]), mapOf(['a', 1n])], same],
    [[EMPTY(), mapOf(['a', 1n])], less],
    [[mapOf(['a', 1n]), mapOf(['a', 2n])], less],
    [[mapOf(['a', 1n]), mapOf(['a', 1n], ['b', 0n])], less],
    [[mapOf(['b', 0n]), mapOf(['a', 1n], ['b', 0n])], more],
  ]
}

const table: Record<BuiltinFunction, () => readonly Case[]> = {
  TRACE: () => [[['seen', 5n], 5n]],
  ERROR: () => [[['no coin'], new Fails('error', /^no coin$/)]],
  FAIL_WITH_STATUS: () => [
    [['X', 0, 'no', EMPTY()], new Fails('status', /^no$/)],
    [['X', 1, 'not now', EMPTY()], new Fails('status', /^not now$/)],
  ],
  EQUAL: () => comparing([true, false, false]),
  LESS_EQ: () => comparing([true, true, false]),
  LESS: () => comparing([false, true, false]),
  GREATER_EQ: () => comparing([true, false, true]),
  GREATER: () => comparing([false, false, true]),
  ADD_INT64: () => [
    [[1n, 2n], 3n],
    [[MAX, MIN], -1n],
    [[MAX, 1n], arithmetic(`ADD_INT64 ${MAX} 1`)],
    [[MIN, -1n], arithmetic(`ADD_INT64 ${MIN} -1`)],
  ],
  SUB_INT64: () => [
    [[1n, 2n], -1n],
    [[MIN, 1n], arithmetic(`SUB_INT64 ${MIN} 1`)],
    [[0n, MIN], arithmetic(`SUB_INT64 0 ${MIN}`)],
  ],
  MUL_INT64: () => [
    [[-3n, 4n], -12n],
    [[MIN, 1n], MIN],
    [[MIN, -1n], arithmetic(`MUL_INT64 ${MIN} -1`)],
    [[2n ** 32n, 2n ** 31n], arithmetic('MUL_INT64 4294967296 2147483648')],
  ],
  DIV_INT64: () => [
    [[7n, 2n], 3n],
    [[-7n, 2n], -3n],
    [[7n, -2n], -3n],
    [[7n, 0n], arithmetic('DIV_INT64 7 0')],
    [[MIN, -1n], arithmetic(`DIV_INT64 ${MIN} -1`)],
  ],
  MOD_INT64: () => [
    [[7n, 2n], 1n],
    [[-7n, 2n], -1n],
    [[7n, -2n], 1n],
    [[MIN, -1n], 0n],
    [[7n, 0n], arithmetic('MOD_INT64 7 0')],
  ],
  EXP_INT64: () => [
    [[2n, 10n], 1024n],
    [[0n, 0n], 1n],
    [[-2n, 63n], MIN],
    [[2n, 62n], 2n ** 62n],
    [[1n, MAX], 1n],
    [[-1n, MAX], -1n],
    [[0n, MAX], 0n],
    [[2n, 63n], arithmetic('EXP_INT64 2 63')],
    [[3n, MAX], arithmetic(`EXP_INT64 3 ${MAX}`)],
    [[2n, -1n], arithmetic('EXP_INT64 2 -1')],
  ],
  ADD_NUMERIC: () => [
    [[dec(1n), dec(2n)], dec(3n)],
    [[dec(NINES), dec(-NINES)], dec(0n)],
    [[dec(NINES, 0), dec(1n, 0)], arithmetic(`ADD_NUMERIC ${NINES}\\.0 1\\.0`)],
  ],
  SUB_NUMERIC: () => [
    [[dec(1n), dec(2n)], dec(-1n)],
    [[dec(-NINES, 37), dec(1n, 37)], arithmetic('SUB_NUMERIC -9.9{37} 0.0{36}1')],
  ],
  MUL_NUMERIC: () => [
    // 1.5 * 1.5 at scale 1: 2.25 is halfway between 2.2 and 2.3.
    [[dec(0n, 1), dec(15n, 1), dec(15n, 1)], dec(22n, 1)],
    [[dec(0n, 1), dec(15n, 1), dec(25n, 1)], dec(38n, 1)],
    [[dec(0n, 1), dec(-15n, 1), dec(15n, 1)], dec(-22n, 1)],
    [[dec(0n, 1), dec(-15n, 1), dec(25n, 1)], dec(-38n, 1)],
    [[dec(0n, 0), dec(10n ** 37n, 37), dec(5n, 1)], dec(0n, 0)],
    [[dec(0n, 37), dec(1n, 0), dec(1n, 0)], dec(10n ** 37n, 37)],
    [[dec(0n, 37), dec(5n, 0), dec(2n, 0)], arithmetic('MUL_NUMERIC 0\\.0 5\\.0 2\\.0')],
  ],
  DIV_NUMERIC: () => [
    [[dec(0n), dec(10n ** 10n), dec(3n * 10n ** 10n)], dec(3333333333n)],
    [[dec(0n), dec(2n * 10n ** 10n), dec(3n * 10n ** 10n)], dec(6666666667n)],
    // 0.5 and 1.5 and -2.5 at scale 0.
    [[dec(0n, 0), dec(1n, 0), dec(2n, 0)], dec(0n, 0)],
    [[dec(0n, 0), dec(3n, 0), dec(2n, 0)], dec(2n, 0)],
    [[dec(0n, 0), dec(-5n, 0), dec(2n, 0)], dec(-2n, 0)],
    [[dec(0n, 0), dec(5n, 37), dec(1n, 0)], dec(0n, 0)],
    [[dec(0n), dec(1n), dec(0n)], arithmetic('DIV_NUMERIC 0\\.0 0\\.0000000001 0\\.0')],
    [[dec(0n, 37), dec(NINES, 0), dec(1n, 37)], arithmetic('DIV_NUMERIC .*')],
  ],
  ROUND_NUMERIC: () => [
    [[0n, dec(25n, 1)], dec(20n, 1)],
    [[0n, dec(35n, 1)], dec(40n, 1)],
    [[0n, dec(-25n, 1)], dec(-20n, 1)],
    [[1n, dec(25n, 1)], dec(25n, 1)],
    [[-1n, dec(150n, 1)], dec(200n, 1)],
    [[-27n, dec(10n ** 37n)], dec(10n ** 37n)],
    [[-28n, dec(1n)], arithmetic('ROUND_NUMERIC -28 0\\.0000000001')],
    [[11n, dec(1n)], arithmetic('ROUND_NUMERIC 11 0\\.0000000001')],
    [[-36n, dec(NINES, 1)], arithmetic(`ROUND_NUMERIC -36 9{37}\\.9`)],
  ],
  CAST_NUMERIC: () => [
    [[dec(0n, 12), dec(5n)], dec(500n, 12)],
    [[dec(0n, 2), dec(5n * 10n ** 8n)], dec(5n, 2)],
    [[dec(0n, 2), dec(5n)], arithmetic('CAST_NUMERIC 0\\.0 0\\.0000000005')],
    [[dec(0n, 37), dec(10n, 0)], arithmetic('CAST_NUMERIC 0\\.0 10\\.0')],
  ],
  SHIFT_NUMERIC: () => [[[dec(0n, 3), dec(5n)], dec(5n, 3)]],
  INT64_TO_NUMERIC: () => [
    [[dec(0n), 5n], dec(5n * 10n ** 10n)],
    [[dec(0n, 37), 9n], dec(9n * 10n ** 37n, 37)],
    [[dec(0n, 37), 10n], arithmetic('INT64_TO_NUMERIC 0\\.0 10')],
  ],
  NUMERIC_TO_INT64: () => [
    [[dec(19n, 1)], 1n],
    [[dec(-19n, 1)], -1n],
    [[dec(MAX, 0)], MAX],
    [[dec(MIN, 0)], MIN],
    [[dec(MAX + 1n, 0)], arithmetic('NUMERIC_TO_INT64 9223372036854775808\\.0')],
  ],
  INT64_TO_TEXT: () => [
    [[MIN], '-9223372036854775808'],
    [[0n], '0'],
  ],
  NUMERIC_TO_TEXT: () => [
    [[dec(0n)], '0.0'],
    [[dec(5n, 0)], '5.0'],
    [[dec(-1n)], '-0.0000000001'],
    [[dec(15_000_000_000n)], '1.5'],
    [[dec(100n * 10n ** 10n)], '100.0'],
  ],
  TIMESTAMP_TO_TEXT: () => [
    [[0n], '1970-01-01T00:00:00Z'],
    [[1_500_000n], '1970-01-01T00:00:01.500Z'],
    [[1n], '1970-01-01T00:00:00.000001Z'],
    [[-1n], '1969-12-31T23:59:59.999999Z'],
    [[-62_135_596_800_000_000n], '0001-01-01T00:00:00Z'],
    [[253_402_300_799_999_999n], '9999-12-31T23:59:59.999999Z'],
  ],
  DATE_TO_TEXT: () => [
    [[0], '1970-01-01'],
    [[-719_162], '0001-01-01'],
    [[2_932_896], '9999-12-31'],
    [[19_782], '2024-02-29'],
  ],
  PARTY_TO_TEXT: () => [[['alice::1220'], 'alice::1220']],
  TEXT_TO_PARTY: () => [
    [['alice::1220_-a Z'], some('alice::1220_-a Z')],
    [['a'.repeat(255)], some('a'.repeat(255))],
    [['a'.repeat(256)], NONE],
    [[''], NONE],
    [['alice!'], NONE],
  ],
  TEXT_TO_INT64: () => [
    [['12'], some(12n)],
    [['+12'], some(12n)],
    [['-0'], some(0n)],
    [[`${'0'.repeat(50)}7`], some(7n)],
    [[String(MAX)], some(MAX)],
    [[String(MIN)], some(MIN)],
    [[String(MAX + 1n)], NONE],
    [[''], NONE],
    [['1.0'], NONE],
    [[' 1'], NONE],
    [['0x1'], NONE],
  ],
  TEXT_TO_NUMERIC: () => [
    [[dec(0n, 2), '1.5'], some(dec(150n, 2))],
    [[dec(0n, 2), '+01.500000'], some(dec(150n, 2))],
    [[dec(0n, 2), '-7'], some(dec(-700n, 2))],
    [[dec(0n, 2), '1.005'], NONE],
    [[dec(0n, 2), '1.'], NONE],
    [[dec(0n, 2), '.5'], NONE],
    [[dec(0n, 2), '1e2'], NONE],
    [[dec(0n, 0), '9'.repeat(38)], some(dec(NINES, 0))],
    [[dec(0n, 1), '9'.repeat(38)], NONE],
    [[dec(0n, 0), '9'.repeat(39)], NONE],
  ],
  CONTRACT_ID_TO_TEXT: () => [[['00ab'], NONE]],
  COERCE_CONTRACT_ID: () => [[['00ab'], '00ab']],
  SHA256_TEXT: () => [
    [[''], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [['abc'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      ['é'],
      createHash('sha256')
        .update(Buffer.from([0xc3, 0xa9]))
        .digest('hex'),
    ],
  ],
  SHA256_HEX: () => [
    [['616263'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [['abc'], new Fails('malformed', /hex/)],
    [['AB'], new Fails('malformed', /hex/)],
  ],
  KECCAK256_TEXT: () => [
    [[''], 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    [['616263'], '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    [['xyz'], new Fails('malformed', /hex/)],
  ],
  TEXT_TO_HEX: () => [
    [['abc'], '616263'],
    [['é'], 'c3a9'],
  ],
  HEX_TO_TEXT: () => [
    [['616263'], 'abc'],
    [['6'], new Fails('malformed', /hex/)],
  ],
  SECP256K1_BOOL: () => [
    [[SIGNATURE, MESSAGE.toString('hex'), spki(keys)], true],
    [[SIGNATURE, '00', spki(keys)], false],
    [[SIGNATURE, 'message', spki(keys)], new Fails('malformed', /message hex/)],
    [[SIGNATURE, '00', '00'], new Fails('malformed', /public key/)],
    [[SIGNATURE, '00', spki(otherKeys)], new Fails('malformed', /secp256k1/)],
    [['00', '00', spki(keys)], new Fails('malformed', /signature/)],
  ],
  SECP256K1_WITH_ECDSA_BOOL: () => [
    [[SIGNATURE, DIGEST, spki(keys)], true],
    [[SIGNATURE, OTHER_DIGEST, spki(keys)], false],
  ],
  SECP256K1_VALIDATE_KEY: () => [
    [[spki(keys)], true],
    [['00'], new Fails('malformed', /public key/)],
  ],
  EXPLODE_TEXT: () => [
    [[''], null],
    [['a\u{1f600}é'], list('a', '\u{1f600}', 'é')],
  ],
  IMPLODE_TEXT: () => [
    [[null], ''],
    [[list('a', '', 'bc')], 'abc'],
  ],
  APPEND_TEXT: () => [[['a', 'b'], 'ab']],
  TEXT_TO_CODE_POINTS: () => [[['a\u{1f600}'], list(97n, 0x1f600n)]],
  CODE_POINTS_TO_TEXT: () => [
    [[list(97n, 0x1f600n, 0n)], 'a\u{1f600}\0'],
    [[list(0xd7ffn, 0xe000n, 0x10ffffn)], '\ud7ff\ue000\u{10ffff}'],
    [[list(0xd800n)], new Fails('error', /code point/)],
    [[list(0xdfffn)], new Fails('error', /code point/)],
    [[list(0x110000n)], new Fails('error', /code point/)],
    [[list(-1n)], new Fails('error', /code point/)],
  ],
  DATE_TO_UNIX_DAYS: () => [[[-1], -1n]],
  UNIX_DAYS_TO_DATE: () => [
    [[-719_162n], -719_162],
    [[2_932_896n], 2_932_896],
    [[-719_163n], arithmetic('UNIX_DAYS_TO_DATE -719163')],
    [[2_932_897n], arithmetic('UNIX_DAYS_TO_DATE 2932897')],
  ],
  TIMESTAMP_TO_UNIX_MICROSECONDS: () => [[[5n], 5n]],
  UNIX_MICROSECONDS_TO_TIMESTAMP: () => [
    [[-62_135_596_800_000_000n], -62_135_596_800_000_000n],
    [[253_402_300_799_999_999n], 253_402_300_799_999_999n],
    [[253_402_300_800_000_000n], arithmetic('UNIX_MICROSECONDS_TO_TIMESTAMP .*')],
    [[-62_135_596_800_000_001n], arithmetic('UNIX_MICROSECONDS_TO_TIMESTAMP .*')],
  ],
  FOLDL: () => {
    const minus = valueOf(lambda(2, call('SUB_INT64', local(0), local(1))))
    return [
      [[minus, 10n, null], 10n],
      [[minus, 10n, list(1n, 2n, 3n)], 4n],
    ]
  },
  FOLDR: () => {
    const minus = valueOf(lambda(2, call('SUB_INT64', local(0), local(1))))
    return [
      [[minus, 10n, null], 10n],
      // 1 - (2 - (3 - 10))
      [[minus, 10n, list(1n, 2n, 3n)], -8n],
    ]
  },
  EQUAL_LIST: () => {
    const same = valueOf({ kind: 'builtin', name: 'EQUAL' })
    return [
      [[same, null, null], true],
      [[same, list(1n), null], false],
      [[same, list(1n, 2n), list(1n, 2n)], true],
      [[same, list(1n, 2n), list(1n, 3n)], false],
    ]
  },
  GENMAP_EMPTY: () => [],
  GENMAP_INSERT: () => [
    [[2n, 'b', mapOf([1n, 'a'])], mapOf([1n, 'a'], [2n, 'b'])],
    [[1n, 'b', mapOf([1n, 'a'])], mapOf([1n, 'b'])],
    [[functionValue(), 'b', EMPTY()], new Fails('incomparable', /./)],
  ],
  GENMAP_LOOKUP: () => [
    [[1n, mapOf([1n, 'a'])], some('a')],
    [[2n, mapOf([1n, 'a'])], NONE],
    [[functionValue(), EMPTY()], new Fails('incomparable', /./)],
  ],
  GENMAP_DELETE: () => [
    [[1n, mapOf([1n, 'a'])], EMPTY()],
    [[2n, mapOf([1n, 'a'])], mapOf([1n, 'a'])],
    [[functionValue(), EMPTY()], new Fails('incomparable', /./)],
  ],
  GENMAP_KEYS: () => [[[mapOf([2n, 'b'], [-1n, 'c'], [1n, 'a'])], list(-1n, 1n, 2n)]],
  GENMAP_VALUES: () => [[[mapOf([2n, 'b'], [-1n, 'c'], [1n, 'a'])], list('c', 'a', 'b')]],
  GENMAP_SIZE: () => [[[mapOf([2n, 'b'], [1n, 'a'])], 2n]],
  TEXTMAP_EMPTY: () => [],
  TEXTMAP_INSERT: () => [[['b', 1n, mapOf(['b', 0n])], mapOf(['b', 1n])]],
  TEXTMAP_LOOKUP: () => [[['b', mapOf(['b', 0n])], some(0n)]],
  TEXTMAP_DELETE: () => [[['b', mapOf(['b', 0n])], EMPTY()]],
  TEXTMAP_TO_LIST: () => [
    [
      [mapOf(['\u{1f600}', 1n], ['\uffff', 2n], ['', 3n])],
      list(entry('', 3n), entry('\uffff', 2n), entry('\u{1f600}', 1n)),
    ],
  ],
  TEXTMAP_SIZE: () => [[[EMPTY()], 0n]],
  ANY_EXCEPTION_MESSAGE: () => [[[new Any(ARITHMETIC_ERROR, new Rec(['m']))], 'm']],
}

function run(name: BuiltinFunction, args: readonly Value[]): Value {
  const evaluation = new Evaluation(new ProgramLinker(programOf({})), LIMITS)
  const places = args.map((_, slot) => local(slot))
  return evaluation.evaluate(readOf(call(name, ...places), args.length), args)
}

describe('functions of the contract language', () => {
  for (const name of builtinFunctions.values())
    it(name, () => {
      for (const [args, expected] of table[name]()) {
        if (expected instanceof Fails)
          throws(
            () => run(name, args),
            (error) => {
              ok(error instanceof EvaluationError)
              deepStrictEqual(error.failure.kind, expected.kind)
              match(error.message, expected.message)
              return true
            },
          )
        else deepStrictEqual(run(name, args), expected)
      }
    })

  it('are values, which take their arguments one by one', () => {
    const add = { kind: 'builtin', name: 'ADD_INT64' } as const
    const expression = apply(apply(add, { kind: 'int64', value: 1n }), { kind: 'int64', value: 2n })
    deepStrictEqual(valueOf(expression), 3n)
  })

  it('failures with a status have its id, category and metadata', () => {
    throws(
      () => run('FAIL_WITH_STATUS', ['NO_COIN', 1, 'no coin', mapOf(['party', 'alice'])]),
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
