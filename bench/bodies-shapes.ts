// Bodies that cost much for their size: a unit of a few signs, over and over, at some place of a
// document's example. What is worst is found by trying; the generator only has to be able to say
// it.
import fc from 'fast-check'

export type Framing = 'length' | 'chunks' | 'tiny chunks'

/** A body, by what makes it. */
export interface Shape {
  readonly unit: string
  readonly open: string
  readonly close: string
  /** Put between units. */
  readonly between: string
  /** Number of the example's value that is replaced; beyond its values, the whole body. */
  readonly place: number
  readonly framing: Framing
}

/**
 * `#` is a number that counts up, `@` one with gaps of 2^16, which is what some hash tables take
 * badly.
 */
const ATOMS = [
  '0',
  '9',
  '-0',
  '1e999999',
  '1E-999',
  '0.1',
  '1.5e300',
  '-9223372036854775808',
  '99999999999999999999',
  '3'.repeat(38),
  '9'.repeat(99),
  '""',
  '"a"',
  '"#"',
  '"é"',
  '"😀"',
  '"\\n"',
  '"\\u0061"',
  '"\\ud800"',
  '"aaaaaaaaaaaaaaaa"',
  '"0123456789012345"',
  'null',
  'true',
  '[]',
  '{}',
  '[[]]',
  '[0]',
  '{"a":0}',
  '{"#":0}',
  '{"#":0,"b#":0,"c#":0}',
  '{"a":{"a":{"a":0}}}',
  '{"a":0,"a":1}',
  '[{"#":[]}]',
  '{"@":0}',
] as const
const MEMBERS = [
  '"#":0',
  '"\\u0061#":0',
  '"@":0',
  '"é#":0',
  '"k#":{}',
  '"k#":[{}]',
  '"__proto__#":0',
  '"#":"#"',
  '"a#":null',
] as const
const RUNS: readonly Pick<Shape, 'unit' | 'open' | 'close' | 'between'>[] = [
  ...['9', '0', '1', '9.', '1e', '-'].map((unit) => ({ unit, open: '', close: '', between: '' })),
  ...['[', '{"a":', '[{"a":', '[0,'].map((unit) => ({ unit, open: '', close: '', between: '' })),
  ...['a', 'é', '😀', '\\n', '\\u0061', '\\"', '\\ud83d\\ude00'].map((unit) => ({
    unit,
    open: '"',
    close: '"',
    between: '',
  })),
  ...[' ', '\n', '\t'].map((unit) => ({ unit, open: '', close: '1', between: '' })),
  ...['a', '\\u0061'].map((unit) => ({ unit, open: '{"', close: '":0}', between: '' })),
  { unit: '"#":0', open: '{"dup":1,', close: ',"dup":2}', between: ',' },
  { unit: `${'['.repeat(200)}${']'.repeat(200)}`, open: '[', close: ']', between: ',' },
  { unit: `${'{"a":'.repeat(200)}0${'}'.repeat(200)}`, open: '[', close: ']', between: ',' },
]

/** Any of the shapes. */
export function shapes(): fc.Arbitrary<Shape> {
  const items = fc
    .array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 3 })
    .map((atoms) => ({ unit: atoms.join(','), open: '[', close: ']', between: ',' }))
  const members = fc
    .array(fc.constantFrom(...MEMBERS), { minLength: 1, maxLength: 2 })
    .map((atoms) => ({ unit: atoms.join(','), open: '{', close: '}', between: ',' }))
  const runs = fc.constantFrom(...RUNS)
  const content = fc.oneof(
    { weight: 3, arbitrary: items },
    { weight: 2, arbitrary: members },
    { weight: 3, arbitrary: runs },
  )
  const framing = fc.constantFrom<Framing>('length', 'length', 'length', 'chunks', 'tiny chunks')
  return fc
    .record({ content, place: fc.nat(12), framing })
    .map(({ content: parts, ...rest }) => ({ ...parts, ...rest }))
}

const MARK = '\u0001'

/** The body of about `bytes` bytes; `example` is a JSON value that the operation takes. */
export function bodyOf(shape: Shape, example: unknown, bytes: number): Buffer {
  const places = placesOf(example)
  const place = places[shape.place % (places.length + 1)]
  const [head = '', tail = ''] = JSON.stringify(
    place === undefined ? MARK : replaced(example, place),
  ).split(JSON.stringify(MARK))
  const rest = bytes - Buffer.byteLength(head + tail + shape.open + shape.close)
  return Buffer.from(head + shape.open + repeated(shape, rest) + shape.close + tail)
}

function repeated({ unit, between }: Shape, bytes: number): string {
  const fixed = !/[#@]/.test(unit)
  if (fixed)
    return (unit + between)
      .repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit + between))))
      .slice(0, between === '' ? undefined : -1)
  const parts: string[] = []
  for (let [at, size] = [0, 0]; ; at += 1) {
    const part = unit
      .replaceAll('#', at.toString(36))
      .replaceAll('@', String((at * 65_536) % 4_294_967_291))
    size += Buffer.byteLength(part) + 1
    if (size > bytes && at > 0) return parts.join(between)
    parts.push(part)
  }
}

type Place = readonly string[]

function placesOf(value: unknown, here: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [here]
  return [here, ...Object.entries(value).flatMap(([name, item]) => placesOf(item, [...here, name]))]
}

function replaced(value: unknown, [name, ...rest]: Place): unknown {
  if (name === undefined) return MARK
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (String(at) === name ? replaced(item, rest) : item))
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, item]) => [
      key,
      key === name ? replaced(item, rest) : item,
    ]),
  )
}

/** The shape's name, in one line. */
export function nameOf({ open, unit, close, place, framing }: Shape): string {
  const cut = (text: string): string => (text.length > 28 ? `${text.slice(0, 25)}...` : text)
  return `${cut(open)}${cut(unit)}…${cut(close)} at ${place}${framing === 'length' ? '' : `, ${framing}`}`
}
