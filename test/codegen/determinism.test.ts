// Same input, same bytes: whatever the order of keys, the notation, or the number of files; and
// nothing of the machine in the output.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, stringify } from 'yaml'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import { contents, fixture, generateInto, PROJECT, put, tempFolder } from './generator-kit.ts'
import { splitDocument } from './split-document.ts'

const source = readFileSync(fixture('features.yaml'), 'utf8')

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

/** Output without the lock, which names its inputs. */
function withoutLock(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(contents(folder)).filter(([file]) => file !== LOCK_FILE))
}

test('reordered keys, JSON in place of YAML, CRLF and split files all give the same bytes', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'plain/features.yaml': source,
    'reordered/features.yaml': stringify(reversed(parse(source))),
    'json/features.json': JSON.stringify(parse(source), null, '\t'),
    'crlf/features.yaml': source.replaceAll('\n', '\r\n'),
  })
  put(join(folder, 'split'), splitDocument('features.yaml', source))
  const specs = [
    'plain/features.yaml',
    'reordered/features.yaml',
    'json/features.json',
    'crlf/features.yaml',
    'split/features.yaml',
  ]
  const outputs = []
  for (const [index, spec] of specs.entries()) {
    const out = join(folder, `out${index}`)
    assert.equal((await generateInto(out, join(folder, spec))).status, 'written')
    outputs.push(withoutLock(out))
  }
  for (const [index, output] of outputs.entries())
    assert.deepEqual(output, outputs[0], specs[index])
})

test('two folders of the same documents have the same lock; no file names the machine', async (t) => {
  const [one, two] = [tempFolder(t), tempFolder(t)]
  for (const folder of [one, two]) {
    put(folder, { 'spec/features.yaml': source })
    await generateInto(join(folder, 'out'), join(folder, 'spec/features.yaml'))
  }
  const [first, second] = [contents(join(one, 'out')), contents(join(two, 'out'))]
  assert.deepEqual(first, second)
  for (const content of Object.values(first))
    assert.ok(!content.includes(one) && !content.includes(PROJECT))
})
