// Every folder opens with a line on what lives there: README.md, or the comment that index.ts opens
// with. docs/architecture.md
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/service.ts'

const ROOTS = ['runtime', 'codegen', 'plugins', 'docs/site', 'test', 'bench']

/** Projects and output that stand there as data, and what was built or installed. */
const NOT_OURS = [
  '**/node_modules/**',
  'codegen/init/{sample,template}/**',
  'plugins/docs/pages/**',
  'plugins/wallet-ui/page/**',
  'test/**/{fixtures,third-party}/**',
  'test/codegen/golden/*/**',
]

test('every folder of sources says in its first line what lives there', () => {
  const folders = new Set(ROOTS)
  const sources = `{${ROOTS.join()}}/**/*.{ts,tsx,js,mjs}`
  for (const file of globSync(sources, { cwd: ROOT, exclude: NOT_OURS })) folders.add(dirname(file))
  assert.ok(folders.size > 100, `only ${folders.size} folders were found`)
  assert.deepEqual(
    [...folders].filter((folder) => !opens(join(ROOT, folder))),
    [],
  )
})

test('docs/architecture.md names the folder and the file of twenty behaviours', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const rows = [...page.matchAll(/^\| .+ \| `([^`]+\/)` \| `([^`]+)` \|$/gm)]
  assert.equal(rows.length, 20)
  for (const [row, folder = '', file = ''] of rows)
    assert.ok(existsSync(join(ROOT, folder, file)), row)
})

function opens(folder: string): boolean {
  const [readme, index] = [join(folder, 'README.md'), join(folder, 'index.ts')]
  if (existsSync(readme)) return /^(# .+\n\n)?[\w`]/.test(readFileSync(readme, 'utf8'))
  return existsSync(index) && readFileSync(index, 'utf8').startsWith('// ')
}
