// Values and places of a document's text. JSON, which has a faster reader of its own, says the same
// to the reader of YAML.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { parseText } from '../../codegen/load/source.ts'
import { parseYaml } from '../../codegen/load/yaml-text.ts'
import { fixture } from './generator-kit.ts'

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner: readonly (readonly [string, unknown])[] = Object.entries(value)
  return [path, ...inner.flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function assertAlike(text: string): void {
  const [read, whole] = [parseText(text), parseYaml(text)]
  assert.deepEqual([read.data, read.errors], [whole.data, whole.errors], text)
  for (const path of pathsOf(read.data).flatMap((one) => [one, [...one, 'no', 'such', 'place']]))
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

test('a name that is listed twice and broken JSON are complained about', () => {
  for (const json of ['{"a": {"b": 1,\n "b": 2}}', '{"a": [1, 2}', '{"a" 1}', '{"a": 1} x']) {
    assert.ok(parseText(json).errors.length > 0, json)
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

test('a merge of what is no mapping is complained about', () => {
  for (const text of ['a:\n  <<: text\n', '<<: 1\n']) assert.equal(parseText(text).errors.length, 1)
})

test('anchors, merges and tags are followed, and values stand where they are written', () => {
  const { data, place } = parseText(
    'a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }\nc: !t [*a, !!str 4]\nd: [[e], f: g]\n',
  )
  const a = { x: 1, y: 2 }
  assert.deepEqual(data, { a, b: { x: 1, y: 3 }, c: [a, '4'], d: [['e'], { f: 'g' }] })
  const at = (...path: readonly string[]): string => `${place(path).line}:${place(path).column}`
  assert.deepEqual([at('a', 'y'), at('b', 'y'), at('c', '1')], ['1:15', '2:14', '3:12'])
})

/** What the library says that reads the configuration, which keeps the tree of the text. */
function asRead(text: string, path: readonly string[]): unknown {
  const counter = new LineCounter()
  let node: unknown = parseDocument(text, { lineCounter: counter, intAsBigInt: true }).contents
  let start = 0
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === part) : undefined
    const next = pair?.key ?? (isSeq(node) ? node.items[Number(part)] : undefined)
    start = isNode(next) ? (next.range?.[0] ?? 0) : start
    node = pair === undefined ? next : pair.value
  }
  const { line, col } = counter.linePos(start)
  return [line, col, shown(isScalar(node) ? node.value : undefined)]
}

/** Whole numbers alike, however they are held. */
function shown(value: unknown): unknown {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  return isWhole ? String(value) : typeof value === 'object' && value !== null ? undefined : value
}

test('values and places of YAML are those of another reader', () => {
  for (const text of [PLAIN, readFileSync(fixture('features.yaml'), 'utf8')]) {
    const { data, errors, place } = parseText(text)
    assert.deepEqual(errors, [])
    for (const path of pathsOf(data).slice(1)) {
      const { line, column } = place(path)
      const value = path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), data)
      assert.deepEqual([line, column, shown(value)], asRead(text, path), path.join('/'))
    }
  }
})
