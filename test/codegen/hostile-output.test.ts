// What lies in an output folder may come from somebody else's commit: it is believed by no check,
// and leads nobody out of the folder.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { check } from '../../codegen/index.ts'
import { sha256 } from '../../codegen/json.ts'
import { markJson, markScript, withoutMark } from '../../codegen/write/marker.ts'
import { contents, generateInto, put, tempFolder } from './generator-kit.ts'

const SPEC = `openapi: 3.1.0
paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok } } } }
components: { schemas: { A: { type: string } } }
`

interface Project {
  readonly folder: string
  readonly out: string
  readonly spec: string
  readonly lock: string
}

function project(t: TestContext): Project {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SPEC })
  const out = join(folder, 'out')
  return { folder, out, spec: join(folder, 'small.yaml'), lock: join(out, 'codegen.lock.json') }
}

/** Changes the lock so that it looks as if the generator had written it. */
function forge(lock: string, change: (text: string) => string): void {
  writeFileSync(lock, markJson(change(withoutMark(readFileSync(lock, 'utf8')))))
}

test('code slipped into the output is found, whatever the lock says of it', async (t) => {
  const { folder, out, spec, lock } = project(t)
  await generateInto(out, spec)
  const options = { config: { interfaces: [{ spec }], out }, root: folder }
  assert.equal((await check(options)).status, 'clean')
  for (const file of ['small/types.gen.ts', 'small/routes.gen.ts']) {
    const before = readFileSync(join(out, file), 'utf8')
    const after = markScript(`${withoutMark(before)}console.log('slipped in')\n`)
    writeFileSync(join(out, file), after)
    forge(lock, (text) => text.replace(sha256(before), sha256(after)))
    const { status, files } = await check(options)
    assert.deepEqual([status, files.includes(file)], ['drift', true])
  }
})

test('a lock that names files elsewhere has none of them removed or compared', async (t) => {
  const { folder, out, spec, lock } = project(t)
  await generateInto(out, spec)
  const other = join(folder, 'other')
  await generateInto(other, spec)
  put(folder, { 'foreign.txt': 'foreign' })
  const before = contents(other)
  forge(lock, (text) =>
    text.replace(
      /"files": \{/u,
      `"files": { "../other/small/types.gen.ts": "x", "../foreign.txt": "x",
       "a/../../other/small/routes.gen.ts": "x", "${other}/small/client.gen.ts": "x",`,
    ),
  )
  put(folder, { 'small.yaml': SPEC.replace('ok', 'fine') })
  const { status, removed, refused } = await generateInto(out, spec)
  assert.deepEqual([status, removed, refused], ['written', [], []])
  assert.deepEqual(contents(other), before)
})

test('a lock that names a device as an input is out of date, and ends no run', async (t) => {
  const { out, spec, lock } = project(t)
  await generateInto(out, spec)
  forge(lock, (text) => text.replace(/"inputs": \{/u, '"inputs": { "/dev/zero": "x",'))
  assert.equal((await generateInto(out, spec)).status, 'written')
})

test('a folder of the output that is a link is refused, the output folder itself may be one', async (t) => {
  const { folder, out, spec } = project(t)
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), out)
  assert.equal((await generateInto(out, spec)).status, 'written')
  const second = join(folder, 'second')
  mkdirSync(second)
  symlinkSync(join(folder, 'third'), join(second, 'small'))
  mkdirSync(join(folder, 'third'))
  const { status, refused } = await generateInto(second, spec)
  assert.equal(status, 'refused')
  assert.deepEqual(new Set(refused.map(({ reason }) => reason)), new Set(['is behind a link']))
  assert.deepEqual(contents(join(folder, 'third')), {})
})
