// One name, one class: whoever reads a class's name anywhere finds one class by it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/service.ts'

const SOURCES = '{bench,codegen,deploy,docs,plugins,runtime,test}/**/*.{ts,tsx,mjs}'
const NOT_OURS = [
  '**/node_modules/**',
  'codegen/init/{sample,template}/**',
  'plugins/wallet-ui/page/**',
  'test/**/{fixtures,third-party}/**',
  'test/codegen/golden/*/**',
]

test('no two exported classes have one name', () => {
  const files = new Map<string, string[]>()
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: NOT_OURS }))
    for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(
      /^export (?:default )?(?:abstract )?class (\w+)/gm,
    ))
      files.set(name, [...(files.get(name) ?? []), file])
  assert.ok(files.size > 100, `only ${files.size} classes were found`)
  assert.deepEqual(
    [...files].filter(([, { length }]) => length > 1),
    [],
  )
})
