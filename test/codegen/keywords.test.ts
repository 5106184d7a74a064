// JSON Schema's keywords are known in one place: a row added to the table is all that a new one
// takes.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { matching } from '../../codegen/keywords/checks.ts'
import type { Keyword } from '../../codegen/keywords/keyword.ts'
import { printKeywords } from '../../codegen/keywords/print.ts'

const PROJECT = join(import.meta.dirname, '../..')
/** Code that goes into generated files as it is, and knows the words of problems. */
const COPIED = /^codegen\/(?:emit\/support|init)\//u
/** Limits of contract types, which have words of their own. */
const CONTRACTS = 'codegen/emit/contract-limits.ts'

test('the generator names a limit in the table of keywords and nowhere else', () => {
  const files = globSync('codegen/**/*.ts', { cwd: PROJECT }).filter(
    (file) => !COPIED.test(file) && file !== CONTRACTS,
  )
  for (const name of ['minLength', 'maxLength', 'maxItems', 'minProperties', 'maxProperties']) {
    const word = new RegExp(`\\b${name}\\b`, 'u')
    assert.deepEqual(
      files.filter((file) => word.test(readFileSync(join(PROJECT, file), 'utf8'))),
      ['codegen/keywords/limits.ts'],
      name,
    )
  }
})

test('a row whose check would never run does not compile', () => {
  const rows: readonly Keyword[] = [
    { role: 'rule', kept: true, of: 'string', form: 'text', check: matching },
    // @ts-expect-error: checks are printed for values of a type
    { role: 'rule', kept: true, form: 'text', check: matching },
    // @ts-expect-error: nothing of it is kept
    { role: 'rule', of: 'string', form: 'text', check: matching },
    // @ts-expect-error: its value is read by code of its own
    { role: 'rule', kept: true, of: 'string', form: 'values', check: matching },
    // @ts-expect-error: notes are not checked
    { role: 'note', kept: true, of: 'string', form: 'text', check: matching },
  ]
  assert.ok(rows.every(({ check }) => check === matching))
})

test('the page lists the keywords as they are', () => {
  assert.ok(
    readFileSync(join(PROJECT, 'docs/documents.md'), 'utf8').includes(printKeywords()),
    'docs/documents.md: node codegen/keywords/print.ts prints the table',
  )
})
