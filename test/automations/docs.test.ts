// docs/automations.md knows every automation and every option, and its example is the one that is
// tried out as a package.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { builtInPlugins } from '../../runtime/cli/built-in.ts'
import { member } from '../../runtime/host/member.ts'
import { ROOT } from '../support/service.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/automations.md')

/** The text of one chapter, '' where there is none. */
const chapter = (name: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? ''

describe('docs/automations.md', () => {
  for (const { name, file } of builtInPlugins().filter(({ kind }) => kind === 'automation')) {
    test(`says what ${name} can be told, and what it writes`, async () => {
      const module: unknown = await import(file.href)
      const shape = member(member(member(module, 'default'), 'options'), 'shape')
      assert.ok(typeof shape === 'object' && shape !== null, 'options are a zod object')
      const told = [...chapter(name).matchAll(/^\| `(\w+)` \|/gm)].map(([, option]) => option)
      assert.deepEqual(told.toSorted(), Object.keys(shape).toSorted())
      assert.match(chapter(name), /\*\*Writes:\*\*/)
    })
  }

  test('has the example that is tried out, which is shorter than thirty lines', () => {
    const source = read('test/plugins/third-party/acme-ledger-welcome/index.js')
    assert.ok(page.includes(`\`\`\`js\n${source}\`\`\``))
    assert.ok(source.trimEnd().split('\n').length < 30)
  })
})
