// The docs name what is there: every dependency has its line with its version, and every link leads
// somewhere.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { ROOT } from '../support/service.ts'

describe('docs', () => {
  test('dependencies.md has a line for each package that we name, with its version', () => {
    const rows = [
      ...read('docs/dependencies.md').matchAll(
        /^\| (\S+) \| (\d\S*) \| \S.* \| \S.* \| \S.* \|$/gm,
      ),
    ]
    assert.deepEqual(
      rows.map(([, name, version]) => `${name} ${version}`).sort(),
      [...named('package.json'), ...named('bench/package.json')].sort(),
    )
  })

  for (const page of pages()) {
    test(`the links of ${page} lead somewhere`, () => {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(#[^)]*)?\)/g)].map(
        ([, target = '']) => target,
      )
      assert.deepEqual(
        links.filter((target) => !existsSync(resolve(ROOT, dirname(page), target))),
        [],
      )
    })
  }

  test('every decision stands in the index', () => {
    const files = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md')
    const index = read('docs/decisions/README.md')
    assert.deepEqual(
      files.filter((name) => !index.includes(`](${name})`)),
      [],
    )
  })
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function pages(): readonly string[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  return [
    'README.md',
    ...inDocs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ]
}

/** `name version` of each dependency and dev dependency. */
function named(manifest: string): readonly string[] {
  const content: Readonly<Record<string, unknown>> = JSON.parse(read(manifest))
  return ['dependencies', 'devDependencies'].flatMap((section) =>
    Object.entries(content[section] ?? {}).map(([name, version]) => `${name} ${String(version)}`),
  )
}
