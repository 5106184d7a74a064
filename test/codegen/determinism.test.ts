// Same input, same bytes: whatever the order of keys, the notation, or the number of files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, stringify } from 'yaml'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import { contents, fixture, generateInto, put, tempFolder } from './generator-kit.ts'
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

test('reordered keys, JSON in place of YAML, and split files all give the same bytes', async (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'plain/features.yaml': source,
    'reordered/features.yaml': stringify(reversed(parse(source))),
    'json/features.json': JSON.stringify(parse(source), null, '\t'),
  })
  put(join(folder, 'split'), splitDocument('features.yaml', source))
  const specs = [
    'plain/features.yaml',
    'reordered/features.yaml',
    'json/features.json',
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
