// Fast readers that keep no places read JSON and plain YAML: the same values, the same places, the
// same complaints as from the reader that parses YAML whole.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseText, parseYaml } from '../../codegen/load/source.ts'
import { yamlData } from '../../codegen/load/yaml-data.ts'
import { fixture } from './generator-kit.ts'

const EDITS = Number(process.env['EDITS'] ?? 150)

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner: readonly (readonly [string, unknown])[] = Object.entries(value)
  return [path, ...inner.flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

/** Every `step`th place is looked up. */
function assertAlike(text: string, step = 1): void {
  const [read, whole] = [parseText(text), parseYaml(text)]
  assert.deepEqual([read.data, read.errors], [whole.data, whole.errors], text)
  const paths = pathsOf(read.data).filter((_, index) => index % step === 0)
  for (const path of paths.flatMap((one) => [one, [...one, 'no', 'such', 'place']]))
    assert.deepEqual(read.place(path), whole.place(path), `${path.join('/')} of ${text}`)
}

test('what JSON says and where is what a reader of YAML makes of it', () => {
  for (const json of [
    '{"a": 12345678901234567890, "b": [9007199254740993, 0.1234567890123456789], "c": {}}',
    '{ "a\\u0062": { "x/y~z": [[], {}, "\\"}, {\\"k\\": 1"] },\n\n  "" : [ 1,\n 2 ]\n}\n',
    '[{"a": 1}, {"a": {"a": null}}]',
  ])
    assertAlike(json)
  const anything = fc.jsonValue({ maxDepth: 4 }).filter((value) => typeof value === 'object')
  fc.assert(
    fc.property(anything, fc.constantFrom(0, 2), (value, indent) => {
      // YAML knows no minus zero, and takes some characters for ends of lines.
      const json = JSON.stringify(value, undefined, indent)
      fc.pre(value !== null && !/"<<"|"__proto__"|[^\n -~]/u.test(json))
      assertAlike(json)
    }),
    { numRuns: 150 },
  )
})

test('characters of any width, a byte order mark and a document in one line leave places right', () => {
  const wide = `{"ä€😀": [1, "😀", {"k": 2}],\n "é": {"x": ["😀"], "y": 1}}`
  for (const json of [wide, `\uFEFF${wide}`]) {
    const { place } = parseText(json.replace('\uFEFF', ''), Buffer.from(json))
    assert.deepEqual(place(['ä€😀', '2', 'k']), { line: 1, column: 21 })
    assert.deepEqual(place(['é', 'y']), { line: 2, column: 21 })
  }
  const long = JSON.stringify({ a: Array.from({ length: 3000 }, () => 'ö😀'), b: { c: 1 } })
  assert.deepEqual(parseText(long).place(['b', 'c']), { line: 1, column: long.indexOf('"c"') + 1 })
})

test('a name that is listed twice and broken JSON are complained about at their place', () => {
  for (const json of ['{"a": {"b": 1,\n "b": 2}}', '{"a": [1, 2}', '{"a" 1}', '{"a": 1} x']) {
    assert.ok(parseText(json).errors.length > 0, json)
    assertAlike(json)
  }
})

const PLAIN = `openapi: 3.0.0
info:
  title: "A b"
  version: 1.0
  x: [1, 2, {a: b}, 0x1F, 12345678901234567890]
paths:
  /a/{b}:
    get:
      summary: >-
        folded text
        here: yes

        more
      responses:
        200: {description: 'it''s'}
        default:
          description: |
            line
              more
            # no comment
  /c: {}
tags:
- name: x
  d: plain words
    going on
- 'y'
- - nested
  - "two
     lines"
# comment
end: null
`
const BITS =
  '\n|  |: |- |#| #|"|\'|[|]|{|}|,|>|~|null|true|0o7|1e3|.5|? |@|`|%|\\|\t|---|&a|!t|<<|\r\n|é|.inf|Yes|""'
    .split('|')
    .concat('|', '|+', '\n  ')

interface Edit {
  readonly at: number
  readonly cut: number
  readonly put: string
}

function edited(text: string, { at, cut, put }: Edit): string {
  const start = at % text.length
  return text.slice(0, start) + put + text.slice(start + cut)
}

test('a merge of what is no mapping is complained about', () => {
  for (const text of ['a:\n  <<: text\n', '<<: 1\n'])
    assert.deepEqual(
      parseText(text).errors.map(({ message }) => message),
      ['Merge sources must be maps or map aliases'],
    )
})

test('what YAML says and where is what the whole parser makes of it, after any edit', () => {
  assert.notEqual(yamlData(PLAIN), undefined)
  assertAlike(PLAIN)
  assertAlike(readFileSync(fixture('features.yaml'), 'utf8'), 20)
  const edit = fc.record({
    at: fc.nat(PLAIN.length),
    cut: fc.nat(3),
    put: fc.constantFrom('', ...BITS),
  })
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(edits, (row) => {
      assertAlike(row.reduce(edited, PLAIN), 3)
    }),
    { numRuns: EDITS },
  )
})

const TOKENS = [
  ...['a', 'b', ': ', ':', '- ', '-', '[', ']', '{', '}', ',', ', ', '#', ' #', '# x', '"', "'"],
  ...[' ', '  ', '    ', '\n', '\n]', '\n}', '\n  ', '\n    ', '\n- ', '\na: ', '\n\n', '\t', 'é'],
  ...['null', '~', '1', '0x1F', '1e3', '|', '>', '|-', '>+', '!', '&x', '*x', '?', '? ', '%', '@'],
  ...['<<: ', '---', '-1', '.5', 'more text', '"c"', "'d'"],
]
const FRAMES: readonly (readonly [string, string])[] = [
  ['', ''],
  ['r:\n  a: ', '\n  b: c\n'],
  ['r:\n  - ', '\n  - c\nz: 1'],
]
/** The whole parser misreads what follows a comment between a key and its value. */
const MISREAD_COMMENT = /:[ \t]*\n\s*#/u

test('a text that the fast reader reads is one that the whole parser reads alike', () => {
  const tokens = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(tokens, fc.constantFrom(...FRAMES), (row, [before, after]) => {
      const text = `${before}${row.join('')}${after}`
      const fast = yamlData(text)
      if (fast === undefined || MISREAD_COMMENT.test(text)) return
      const { data, errors } = parseYaml(text)
      assert.deepEqual([fast, errors], [data, []], text)
    }),
    { numRuns: EDITS * 20 },
  )
})

test('comments and items that the fast reader alone would take', () => {
  for (const text of [
    '[# x\n]',
    'a: [1,# x\n 2]',
    '  -\n- b',
    '- - \n- b',
    'a: >-1\n    b',
    'a: !',
  ])
    assertAlike(text)
})

test('a large document is read in a fraction of the time that parsing it whole takes', () => {
  const items = Array.from({ length: 2000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'] }))
  const yaml = items
    .map(({ id, name }) => `- id: ${id}\n  name: ${name}\n  tags: [a, b]\n`)
    .join('')
  const time = (parse: (text: string) => unknown, text: string): number => {
    const start = process.cpuUsage()
    parse(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const fast = [time(parseText, JSON.stringify(items)), time(parseText, yaml)]
  const slow = time(parseYaml, yaml)
  for (const one of fast)
    assert.ok(one < slow / 2, `${fast.join(' and ')} of ${slow} microseconds of CPU`)
})
