// What is done to a proper body: one member of it becomes something else, or its text is broken.
import { gzipSync } from 'node:zlib'
import type { Dice } from '../drive/dice.ts'

/** JSON text in which one place can be anything; `name` says what was done. */
export interface Mutated {
  readonly name: string
  readonly text: string
}

const MARK = '@@here@@'
const MARKED = `"${MARK}"`
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e3',
  '1E400',
  '-1e400',
  '1e-400',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '253402300800000000',
  '18446744073709551616',
  '1.0',
  '1.00000000001',
  '9'.repeat(38),
  '9'.repeat(400),
  `0.${'1'.repeat(60)}`,
]
const TEXTS = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  'true',
  'null',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\ufeff',
  '\u202e',
  'é',
  '💩',
  '\u0007',
  'a\nb\r\n',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '../../etc/passwd',
  "' or 1=1 --",
  '${7*7}',
  '%00',
  '1e3',
  '1.00000000000',
  '+1',
  '١',
  '9223372036854775808',
  '1'.repeat(29),
  `1.${'0'.repeat(11)}`,
  '2025-13-45T99:00:00Z',
  '9999-12-31T23:59:59.9999999Z',
  '10000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2025-01-01',
  '-1-01-01T00:00:00Z',
  '00',
  'zz',
  '00'.repeat(49),
  'ff'.repeat(49),
  '00'.repeat(2_000),
  'a::b',
  '::',
  'x::1220',
  `${'x'.repeat(300)}::1220${'ab'.repeat(32)}`,
  'AAAA',
  '====',
  '#a:B:C',
  ':::',
  'a:b:c:d',
]
const LENGTHS = [129, 255, 256, 1_000, 10_000, 70_000, 300_000]
const DEPTHS = [5, 100, 255, 256, 257, 1_000, 20_000]
const CONTAINERS = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"a":1}',
  '{"":""}',
  '{"__proto__":{"a":1}}',
  '["x","x"]',
  '{"contract_id":"00"}',
  '{"tag":"x","value":{}}',
]
const ODD_NAMES = ['extra', '__proto__', 'constructor', '', '\u0000', 'toString', 'x'.repeat(5_000)]

/** The value of a place as JSON text. */
function oddValue(dice: Dice): readonly [string, string] {
  switch (dice.kind({ number: 4, text: 6, container: 4, long: 1, deep: 1, many: 1 })) {
    case 'number':
      return ['number', dice.pick(NUMBERS)]
    case 'text':
      return ['text', JSON.stringify(dice.pick(TEXTS))]
    case 'container':
      return ['type', dice.pick(CONTAINERS)]
    case 'long':
      return [
        'long text',
        JSON.stringify(dice.pick(['x', 'é', '\u0001', '"']).repeat(dice.pick(LENGTHS))),
      ]
    case 'deep':
      return ['deep', nested(dice.pick(DEPTHS), dice)]
    case 'many':
      return [
        'many',
        `[${Array.from({ length: dice.pick([201, 2_000, 20_000]) }, () => dice.pick(['1', '"x"', '{}'])).join()}]`,
      ]
  }
}

function nested(depth: number, dice: Dice): string {
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ])
  return `${open?.repeat(depth)}${open === '[' ? '' : '1'}${close?.repeat(depth)}`
}

/** Changes one member somewhere in a JSON value; `names` are members of other objects. */
export function mutateValue(value: unknown, names: readonly string[], dice: Dice): Mutated {
  const way = wayInto(value, dice)
  switch (dice.kind({ replace: 10, remove: 3, unknown: 2, twice: 1, wrap: 1, grow: 1 })) {
    case 'remove':
      return { name: 'left out', text: textOf(changed(value, way, () => undefined)) }
    case 'unknown':
      return {
        name: 'unknown member',
        text: withUnknown(value, way, dice.pick([ODD_NAMES, names, names]), dice),
      }
    case 'twice':
      return { name: 'name twice', text: twice(value, way, dice) }
    case 'wrap': {
      const text = textOf(
        changed(value, way, (item) => dice.pick([[item], { value: item }, [item, item]])),
      )
      return { name: 'wrapped', text }
    }
    case 'grow':
      return { name: 'grown', text: textOf(changed(value, way, (item) => grown(item, dice))) }
    case 'replace': {
      const [name, text] = oddValue(dice)
      return { name, text: textOf(changed(value, way, () => MARK)).replace(MARKED, () => text) }
    }
  }
}

function withUnknown(
  value: unknown,
  way: readonly string[],
  names: readonly string[],
  dice: Dice,
): string {
  const text = textOf(
    changed(value, way, (item) =>
      isRecord(item) ? { ...item, [dice.pick(names)]: MARK } : { item },
    ),
  )
  return text.replace(MARKED, () => oddValue(dice)[1])
}

function grown(item: unknown, dice: Dice): unknown {
  if (Array.isArray(item))
    return Array.from({ length: dice.pick([2, 50, 1_000]) }, () => item).flat()
  return typeof item === 'string' ? item.repeat(dice.pick([2, 20, 3_000])).slice(0, 400_000) : item
}

/** One member of an object stands there twice; with other content the second time. */
function twice(value: unknown, way: readonly string[], dice: Dice): string {
  let name = 'x'
  const text = textOf(
    changed(value, way.slice(0, -1), (item) => {
      if (!isRecord(item)) return item
      name = dice.pick([...Object.keys(item), 'x'])
      return { ...item, [MARK]: Reflect.get(item, name) ?? null }
    }),
  )
  const spelled = JSON.stringify(name)
  const again = dice.chance(0.2)
    ? spelled.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
    : spelled
  return text.replace(MARKED, () => again)
}

/** Members that lead to a place of the value, the place chosen at each level. */
function wayInto(value: unknown, dice: Dice): readonly string[] {
  const way: string[] = []
  for (let item = value; typeof item === 'object' && item !== null && dice.chance(0.85);) {
    const names = Object.keys(item)
    if (names.length === 0) break
    const name = dice.pick(names)
    way.push(name)
    item = Reflect.get(item, name)
  }
  return way
}

function changed(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (item: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((item: unknown, at) =>
      String(at) === name ? changed(item, rest, change) : item,
    )
  return isRecord(value) ? { ...value, [name]: changed(value[name], rest, change) } : value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON text of a value with whole numbers of any size. */
export function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part,
    ) ?? 'null'
  )
}

export interface Broken {
  readonly name: string
  readonly body: Buffer
  readonly headers?: readonly (readonly [string, string])[]
}

/** Breaks a body as bytes; headers go with it where the bytes say something else than before. */
export function breakBytes(body: Buffer, dice: Dice): Broken {
  const at = dice.between(0, Math.max(0, body.length - 1))
  const spliced = (insert: Buffer, skip = 0): Buffer =>
    Buffer.concat([body.subarray(0, at), insert, body.subarray(at + skip)])
  switch (
    dice.kind({
      cut: 4,
      byte: 3,
      insert: 3,
      utf8: 2,
      bom: 1,
      tail: 2,
      empty: 1,
      wide: 1,
      gzip: 1,
      blanks: 1,
    })
  ) {
    case 'cut':
      return { name: 'cut off', body: body.subarray(0, at) }
    case 'byte':
      return { name: 'another byte', body: spliced(dice.bytes(1), 1) }
    case 'insert':
      return { name: 'more bytes', body: spliced(dice.bytes(dice.between(1, 8))) }
    case 'utf8':
      return {
        name: 'no UTF-8',
        body: spliced(
          Buffer.from(dice.pick(['ff', 'c0af', 'eda080', 'f8888080', '80', 'e282']), 'hex'),
        ),
      }
    case 'bom':
      return { name: 'with BOM', body: Buffer.concat([Buffer.from('efbbbf', 'hex'), body]) }
    case 'tail':
      return {
        name: 'with a tail',
        body: Buffer.concat([
          body,
          Buffer.from(dice.pick(['}', ' ', '{}', ',', '\u0000', '//x', '\n\n', 'null'])),
        ]),
      }
    case 'empty':
      return { name: 'empty', body: Buffer.alloc(0) }
    case 'wide':
      return { name: 'UTF-16', body: Buffer.from(body.toString('utf8'), 'utf16le') }
    case 'gzip':
      return {
        name: 'compressed',
        body: dice.chance(0.5) ? gzipSync(body) : body,
        headers: [
          ['content-encoding', dice.pick(['gzip', 'br', 'identity', 'GZIP', 'deflate, gzip', 'x'])],
        ],
      }
    case 'blanks':
      return {
        name: 'with blanks',
        body: Buffer.concat([Buffer.alloc(dice.pick([10, 100_000]), ' '), body]),
      }
  }
}
