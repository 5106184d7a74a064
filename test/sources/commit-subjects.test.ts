// The hook of CONTRIBUTING.md holds subjects of commits to their form.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a subject needs a scope and has at most 72 characters', async (t) => {
  const folder = await tempDir()
  t.after(() => folder.remove())
  const says = (subject: string): string => {
    const file = join(folder.path, 'message')
    writeFileSync(file, `${subject}\n\nThe why: ${'x'.repeat(99)}\n`)
    return spawnSync(join(ROOT, '.githooks/commit-msg'), [file], { encoding: 'utf8' }).stderr
  }
  assert.equal(says('engine: a payment takes one look at the ledger'), '')
  assert.equal(says(`docs: ${'é'.repeat(66)}`), '')
  assert.equal(says(`Merge branch '${'x'.repeat(80)}'`), '')
  assert.match(says('A payment takes one look at the ledger'), /has no scope/)
  assert.match(says(`docs: ${'x'.repeat(67)}`), /has 73 characters/)
})
