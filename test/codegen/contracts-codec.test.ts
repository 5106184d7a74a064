// The codecs of ledger values: what is written can be read again and is canonical; what is no value
// is refused with its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import {
  bool,
  contractId,
  decimal,
  DecodeError,
  DEPTH_LIMIT,
  int,
  party,
  text,
  time,
} from '../../codegen/emit/support/contract-codec.ts'
import {
  enumeration,
  lazy,
  list,
  map,
  optional,
  pair,
  record,
  relTime,
  round,
  set,
  textMap,
  unit,
  variant,
} from '../../codegen/emit/support/contract-containers.ts'
import {
  LimitError,
  maxBytes,
  maxItems,
  maxLength,
} from '../../codegen/emit/support/contract-limits.ts'
import type { Codec, Unit } from '../../codegen/emit/support/contract-codec.ts'

type AnyValue =
  | { readonly tag: 'AV_Text'; readonly value: string }
  | { readonly tag: 'AV_List'; readonly value: readonly AnyValue[] }
  | { readonly tag: 'AV_Map'; readonly value: ReadonlyMap<string, AnyValue> }

const AnyValue: Codec<AnyValue> = variant<AnyValue>({
  AV_Text: text,
  AV_List: list(lazy(() => AnyValue)),
  AV_Map: textMap(lazy(() => AnyValue)),
})

interface Everything {
  readonly party: string
  readonly text: string
  readonly contractId: string
  readonly int: bigint
  readonly decimal: bigint
  readonly bool: boolean
  readonly time: bigint
  readonly relTime: bigint
  readonly round: bigint
  readonly unit: Unit
  readonly color: 'Red' | 'Green'
  readonly optional: string | null
  readonly list: readonly (bigint | null)[]
  readonly set: readonly string[]
  readonly textMap: ReadonlyMap<string, bigint>
  readonly map: readonly (readonly [readonly string[], bigint])[]
  readonly pair: readonly [bigint, boolean]
  readonly any: AnyValue
}

const color = enumeration(['Red', 'Green'])
const Everything: Codec<Everything> = record<Everything>({
  party,
  text,
  contractId,
  int,
  decimal,
  bool,
  time,
  relTime,
  round,
  unit,
  color,
  optional: optional(text),
  list: list(optional(time)),
  set: set(party),
  textMap: textMap(decimal),
  map: map(list(party), int),
  pair: pair(int, bool),
  any: AnyValue,
})

const HUGE = 10n ** 38n - 1n
const anInt = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const aDecimal = fc.bigInt({ min: -HUGE, max: HUGE })
const aTime = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
const aText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', '10', '9', 'a/b~c'),
  )
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const anId = aText.filter((value) => value !== '')

function aMap<T>(item: Arbitrary<T>): Arbitrary<ReadonlyMap<string, T>> {
  return fc
    .uniqueArray(fc.tuple(aText, item), { selector: ([key]) => key, maxLength: 4 })
    .map((entries) => new Map(entries))
}

const PLAIN = { noNullPrototype: true } as const

const { any: anyValue } = fc.letrec<{ any: AnyValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.record({ tag: fc.constant('AV_Text' as const), value: aText }, PLAIN),
    fc.record(
      { tag: fc.constant('AV_List' as const), value: fc.array(tie('any'), { maxLength: 3 }) },
      PLAIN,
    ),
    fc.record({ tag: fc.constant('AV_Map' as const), value: aMap(tie('any')) }, PLAIN),
  ),
}))

const everything: Arbitrary<Everything> = fc.record(
  {
    party: anId,
    text: aText,
    contractId: anId,
    int: anInt,
    decimal: aDecimal,
    bool: fc.boolean(),
    time: aTime,
    relTime: anInt,
    round: anInt,
    unit: fc.constant({}),
    color: fc.constantFrom('Red', 'Green'),
    optional: fc.option(aText),
    list: fc.array(fc.option(aTime), { maxLength: 4 }),
    set: fc.uniqueArray(anId, { maxLength: 4 }),
    textMap: aMap(aDecimal),
    map: fc.uniqueArray(fc.tuple(fc.array(anId, { maxLength: 2 }), anInt), {
      selector: ([key]) => JSON.stringify(key),
      maxLength: 3,
    }),
    pair: fc.tuple(anInt, fc.boolean()),
    any: anyValue,
  },
  PLAIN,
)

/** The path of the refusal. */
function rejection(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof DecodeError) return error.path
    throw error
  }
  return assert.fail('was not refused')
}

function roundTrip<T>(codec: Codec<T>, json: unknown): string {
  return JSON.stringify(codec.encode(codec.decode(json)))
}

test('what is written is read as the same value, through JSON text, and is written alike again', () => {
  fc.assert(
    fc.property(everything, (value) => {
      const written = JSON.stringify(Everything.encode(value))
      const again = Everything.decode(JSON.parse(written))
      assert.deepEqual(again, value)
      assert.equal(JSON.stringify(Everything.encode(again)), written)
    }),
    { numRuns: 300 },
  )
})

test("the text does not depend on the order of an object's members", () => {
  fc.assert(
    fc.property(everything, (value) => {
      const written = Everything.encode(value)
      assert.ok(typeof written === 'object' && written !== null && !Array.isArray(written))
      const turned = Object.fromEntries(Object.entries(written).reverse())
      assert.equal(roundTrip(Everything, turned), JSON.stringify(written))
    }),
    { numRuns: 50 },
  )
  assert.equal(roundTrip(textMap(int), { b: '2', a: '1' }), '{"a":"1","b":"2"}')
})

test('JSON of any kind is either read or refused with DecodeError', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      for (const codec of [
        Everything,
        AnyValue,
        int,
        decimal,
        time,
        relTime,
        set(text),
        map(text, text),
        pair(int, int),
        optional(unit),
      ]) {
        try {
          codec.decode(value)
        } catch (error) {
          assert.ok(error instanceof DecodeError, String(error))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('scalars have the forms of the wire', () => {
  assert.equal(roundTrip(int, 7), '"7"')
  assert.equal(roundTrip(int, '-0'), '"0"')
  assert.equal(roundTrip(decimal, '-0.5'), '"-0.5000000000"')
  assert.equal(roundTrip(decimal, '12'), '"12.0000000000"')
  assert.equal(roundTrip(decimal, '-0.0'), '"0.0000000000"')
  assert.equal(roundTrip(time, '2025-01-31T12:00:00Z'), '"2025-01-31T12:00:00Z"')
  assert.equal(roundTrip(time, '2025-01-31T12:00:00.5Z'), '"2025-01-31T12:00:00.500000Z"')
  assert.equal(time.decode('1969-12-31T23:59:59.999999Z'), -1n)
  assert.equal(roundTrip(time, '0001-01-01T00:00:00.000001Z'), '"0001-01-01T00:00:00.000001Z"')
  assert.equal(roundTrip(relTime, { microseconds: '600000000' }), '{"microseconds":"600000000"}')
  assert.equal(roundTrip(round, { number: 42 }), '{"number":"42"}')
  assert.equal(
    roundTrip(set(text), {
      map: [
        ['b', {}],
        ['a', {}],
      ],
    }),
    '{"map":[["b",{}],["a",{}]]}',
  )
  assert.equal(roundTrip(pair(int, text), { _1: '1', _2: 'x' }), '{"_1":"1","_2":"x"}')
})

test('values outside the ranges and forms are refused, read and written', () => {
  for (const bad of [
    '',
    '1.5',
    ' 1',
    '0x1',
    '+1',
    '9223372036854775808',
    1.5,
    2 ** 53,
    null,
    '1e3',
  ])
    assert.equal(
      rejection(() => int.decode(bad)),
      '',
    )
  for (const bad of ['1.', '.5', '1.12345678901', '1'.repeat(29), 1, '1e1', 'NaN', '+1', '1,0'])
    rejection(() => decimal.decode(bad))
  const times = [
    '2025-02-29T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:00:60Z',
    '2025-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
    '2025-01-01T00:00:00+00:00',
    '2025-01-01T00:00:00.1234567Z',
    '2025-01-01 00:00:00Z',
    0,
  ]
  for (const bad of times) rejection(() => time.decode(bad))
  for (const bad of ['', 'a\0b', '\ud800', 1]) rejection(() => party.decode(bad))
  assert.equal(text.decode(''), '')
  for (const run of [
    () => int.encode(2n ** 63n),
    () => decimal.encode(10n ** 38n),
    () => time.encode(253_402_300_800_000_000n),
    () => party.encode(''),
    () => text.encode('\udfff'),
    () => set(text).encode(['a', 'a']),
  ])
    assert.throws(run, RangeError)
})

test('a refusal names the place and what was expected', () => {
  const inner = record<{ readonly initialAmount: bigint }>({ initialAmount: decimal })
  const amount = record<{ readonly amount: { readonly initialAmount: bigint } }>({ amount: inner })
  assert.throws(() => amount.decode({ amount: { initialAmount: 1 } }), {
    message: '/amount/initialAmount: expected a decimal',
  })
  assert.equal(
    rejection(() => amount.decode({ amount: {} })),
    '/amount/initialAmount',
  )
  assert.equal(
    rejection(() => textMap(list(int)).decode({ 'a/b~': ['1', 'x'] })),
    '/a~1b~0/1',
  )
  assert.equal(
    rejection(() =>
      map(text, int).decode([
        ['a', '1'],
        ['a', '2'],
      ]),
    ),
    '',
  )
  assert.equal(
    rejection(() => AnyValue.decode({ tag: 'AV_None', value: 1 })),
    '/tag',
  )
  assert.equal(
    rejection(() => AnyValue.decode({ tag: 'AV_Text', value: 'x', more: 1 })),
    '/more',
  )
})

test('names of Object.prototype are data: neither fields nor tags nor keys mean anything else', () => {
  const one = record<{ readonly a: string | null }>({ a: optional(text) })
  assert.deepEqual(one.decode({}), { a: null })
  assert.equal(
    rejection(() => one.decode(JSON.parse('{"__proto__":{"a":"x"}}'))),
    '/__proto__',
  )
  assert.equal(
    rejection(() => one.decode(JSON.parse('{"constructor":1}'))),
    '/constructor',
  )
  assert.deepEqual(one.decode(Object.create({ a: 'inherited' })), { a: null })
  for (const tag of ['__proto__', 'constructor', 'toString'])
    rejection(() => AnyValue.decode({ tag, value: 'x' }))
  const json = '{"__proto__":"1","constructor":"2"}'
  assert.equal(roundTrip(textMap(int), JSON.parse(json)), json)
})

function nested(levels: number): AnyValue {
  let value: AnyValue = { tag: 'AV_Text', value: 'x' }
  for (let level = 0; level < levels; level += 1) value = { tag: 'AV_List', value: [value] }
  return value
}

test('recursion ends at the limit, and a refusal does not use up levels', () => {
  assert.deepEqual(AnyValue.decode(AnyValue.encode(nested(DEPTH_LIMIT))), nested(DEPTH_LIMIT))
  for (const levels of [DEPTH_LIMIT + 1, 100_000]) {
    assert.match(
      rejection(() => AnyValue.decode(nested(levels))),
      /^(\/value\/0)+$/u,
    )
    assert.throws(() => AnyValue.encode(nested(levels)), RangeError)
  }
  assert.deepEqual(AnyValue.decode(AnyValue.encode(nested(DEPTH_LIMIT))), nested(DEPTH_LIMIT))
})

const short = maxLength(text, 2)

/** The place where a readable value is too large; '' if it is not. */
function tooLarge<T>(codec: Codec<T>, json: unknown): string {
  try {
    codec.check?.(codec.decode(json), '')
    return ''
  } catch (error) {
    if (error instanceof LimitError) return error.message
    throw error
  }
}

test('a limit is found wherever it stands in a value, and only there', () => {
  const characters = 'has more than 2 characters'
  assert.equal(tooLarge(short, 'abc'), characters)
  assert.equal(tooLarge(list(optional(short)), ['ab', null, 'abc']), `/2: ${characters}`)
  assert.equal(tooLarge(set(short), { map: [['abc', {}]] }), `/map/0/0: ${characters}`)
  assert.equal(tooLarge(pair(int, short), { _1: '1', _2: 'abc' }), `/_2: ${characters}`)
  assert.equal(tooLarge(map(short, short), [['abc', 'a']]), `/0/0: ${characters}`)
  assert.equal(tooLarge(map(int, short), [['1', 'abc']]), `/0/1: ${characters}`)
  assert.equal(tooLarge(textMap(short), { 'long key': 'abc' }), `/long key: ${characters}`)
  assert.equal(tooLarge(textMap(int, short), { 'long key': '1' }), characters)
  const Tree: Codec<AnyValue> = variant<AnyValue>({
    AV_Text: short,
    AV_List: maxItems(list(lazy(() => Tree)), 1),
    AV_Map: maxItems(textMap(lazy(() => Tree)), 1),
  })
  const leaf = { tag: 'AV_Text', value: 'abc' }
  assert.equal(tooLarge(Tree, { tag: 'AV_List', value: [leaf] }), `/value/0/value: ${characters}`)
  assert.equal(
    tooLarge(Tree, { tag: 'AV_List', value: [leaf, leaf] }),
    '/value: has more than 1 items',
  )
  assert.equal(
    tooLarge(Tree, { tag: 'AV_Map', value: { a: leaf, b: leaf } }),
    '/value: has more than 1 items',
  )
})

test('characters are code points, bytes those of the JSON text', () => {
  assert.equal(tooLarge(short, '\u{1f600}\u{1f600}'), '')
  assert.equal(tooLarge(short, '\u{1f600}\u{1f600}a'), 'has more than 2 characters')
  assert.equal(tooLarge(maxBytes(text, 4), 'é'), '')
  assert.equal(tooLarge(maxBytes(text, 4), 'éa'), 'has more than 4 bytes')
})

test('a type without limits has nothing to check', () => {
  for (const codec of [
    list(int),
    optional(time),
    map(text, pair(int, text)),
    set(party),
    textMap(decimal),
  ]) {
    assert.equal('check' in codec, false)
  }
})
