// A document in JSON is read as if it were YAML, only faster: the same values, the same places, the
// same complaints.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseText } from '../../codegen/load/source.ts'

/** Behind a comment, which JSON has none of, only the reader of YAML takes the text. */
function asYaml(json: string): ReturnType<typeof parseText> {
  return parseText(`# YAML\n${json}`)
}

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner: readonly (readonly [string, unknown])[] = Object.entries(value)
  return [path, ...inner.flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function assertAlike(json: string): void {
  const [read, slow] = [parseText(json), asYaml(json)]
  assert.deepEqual(read.data, slow.data, json)
  for (const path of [...pathsOf(read.data), ['no', 'such', 'place']]) {
    const { line, column } = slow.place(path)
    assert.deepEqual(read.place(path), { line: line - 1, column }, `${path.join('/')} of ${json}`)
  }
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

test('a name that stands twice and broken JSON are complained about at their place', () => {
  for (const json of ['{"a": {"b": 1,\n "b": 2}}', '{"a": [1, 2}', '{"a" 1}', '{"a": 1} x']) {
    const [read, slow] = [parseText(json), asYaml(json)]
    assert.ok(read.errors.length > 0, json)
    assert.deepEqual(
      read.errors.map(({ code, line, column }) => [code, line, column]),
      slow.errors.map(({ code, line, column }) => [code, line - 1, column]),
    )
  }
})

test('a large document in JSON takes a fraction of the time that its YAML takes', () => {
  const json = JSON.stringify(
    Array.from({ length: 4000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'] })),
  )
  const time = (parse: typeof parseText): number => {
    const start = process.cpuUsage()
    parse(json)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const [fast, slow] = [time(parseText), time(asYaml)]
  assert.ok(fast < slow / 3, `${fast} and ${slow} microseconds of CPU`)
})
