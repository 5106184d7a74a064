// What `npm run release:check` refuses, and what the bill of materials holds.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { billOfMaterials, problemsOf } from '../../release.ts'
import { tempFolder } from '../e2e/cli-kit.ts'
import { ROOT } from '../support/service.ts'

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'codegen/create/package.json']

/** This checkout as it would be with another version; `edit` changes one of the files. */
function release(t: TestContext, version: string, edit: Record<string, [string, string]> = {}) {
  const { path, remove } = tempFolder()
  t.after(remove)
  const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const file of FILES) {
    const text = readFileSync(join(ROOT, file), 'utf8')
      .replaceAll(`"version": "${current}"`, `"version": "${version}"`)
      .replace(`"ledgerwright": "${current}"`, `"ledgerwright": "${version}"`)
      .replace('## Unreleased', `## ${version}`)
    const [from = '', to = ''] = edit[file] ?? []
    mkdirSync(join(path, file, '..'), { recursive: true })
    writeFileSync(join(path, file), text.replace(from, to))
  }
  cpSync(join(ROOT, 'test/releases/README.md'), join(path, 'test/releases', version, 'README.md'))
  return path
}

describe('a release', () => {
  test('goes out where everything names its version', (t) => {
    assert.deepEqual(problemsOf(release(t, '9.1.0'), 'v9.1.0'), [])
  })

  test('is refused with a line for each thing that is missing', (t) => {
    assert.deepEqual(problemsOf(release(t, '9.1.0'), 'v9.1.1'), [
      'the tag is v9.1.1, the version of package.json 9.1.0',
    ])
    const edited = release(t, '9.1.0', {
      'codegen/create/package.json': ['"ledgerwright": "9.1.0"', '"ledgerwright": "9.0.0"'],
      'CHANGELOG.md': ['## 9.1.0', '## Unreleased'],
    })
    assert.deepEqual(problemsOf(edited, 'v9.1.0'), [
      'create-ledgerwright depends on 9.0.0',
      'CHANGELOG.md has no section 9.1.0',
      'CHANGELOG.md has changes under Unreleased',
    ])
    assert.match(problemsOf(ROOT, 'v9.9.9').join('\n'), /the tag is v9\.9\.9/)
  })

  test('names what is installed with it, and nothing that only development needs', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    const bill: { bomFormat: string; components: { name: string; version: string }[] } = JSON.parse(
      billOfMaterials(ROOT),
    )
    assert.equal(bill.bomFormat, 'CycloneDX')
    const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
    const wanted = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
    assert.deepEqual(
      wanted.filter((one) => !named.has(one)),
      [],
    )
    for (const name of ['eslint', 'playwright-core', 'prettier', 'testcontainers'])
      assert.equal(named.has(`${name}@${devDependencies[name]}`), false, name)
  })
})
