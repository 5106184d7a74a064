// What the published package brings, and that what is packed into it works: the generator's
// packages, the page of the API reference, and what it says of a package that is left to the user.
// Tests of the suite that has installed it: test/plugins/third-party.test.ts.
import assert from 'node:assert/strict'
import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publint } from 'publint'
import { call } from '../support/http.ts'
import type { Published } from '../support/published.ts'

const MOST_PACKAGES = 100
const MOST_BYTES = 90e6
/** File systems give room in blocks of this size. */
const BLOCK = 4_096

interface Installed {
  readonly dependencies?: object
  readonly peerDependencies?: object
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const DOCUMENT = (name: string, former = ''): string => `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: getNotes
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }
components:
  schemas:
    ${name}: { type: object, properties: { id: { type: string } }${former} }
    Leftover: { type: string }
`
const HANDLER = `import type { Handlers } from '../generated/notes/handlers.gen.ts'
import type { Note } from '../generated/notes/types.gen.ts'
const note: Note = { id: 'a' }
export const handlers: Handlers<unknown> = { getNotes: () => ({ status: 200, body: note }) }
`
const OVERLAY = `overlay: 1.0.0
info: { title: Names, version: '1' }
actions: [{ target: $.info, update: { title: Another } }]
`

/** Registers the tests. */
export function publishedPackage(published: () => Published): void {
  test('an installation has few packages, is small, and names nothing that is not there', async () => {
    const { folder } = published()
    const names = installedFor(folder, 'node_modules/ledgerwright')
    const bytes = names.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
    assert.ok(names.length <= MOST_PACKAGES, `${names.length} packages`)
    assert.ok(bytes <= MOST_BYTES, `${(bytes / 1e6).toFixed(1)} MB`)
    const pkgDir = join(folder, 'node_modules', 'ledgerwright')
    const { messages } = await publint({ pkgDir, pack: false, strict: true })
    assert.deepEqual(messages, [])
  })

  test('lint and generate take overlays, with nothing but the package', async () => {
    const { ledgerwright } = published()
    put('overlaid/notes.yaml', DOCUMENT('Note'))
    put('overlaid/overlay.yaml', OVERLAY)
    const overlay = ['--overlay', 'overlaid/overlay.yaml']
    const linted = await ledgerwright('lint', 'overlaid/notes.yaml', ...overlay)
    assert.match(
      linted.stdout,
      /^overlaid.notes\.yaml:.*\[oas\/no-unused-components\]$/m,
      linted.stderr,
    )
    const generated = await ledgerwright(
      'generate',
      ...['--spec', 'overlaid/notes.yaml', ...overlay, '--out', 'overlaid/generated'],
    )
    assert.equal(generated.code, 0, generated.stderr)
    const { title } = JSON.parse(text('overlaid/generated/notes/openapi.json')).info
    assert.equal(title, 'Another')
  })

  test('a schema that has another name is renamed in hand-written files', async () => {
    const { run } = published()
    const config = `export default { interfaces: [{ spec: 'notes.yaml', name: 'notes' }], out: 'generated', handlers: 'src' }\n`
    put('renaming/codegen.config.ts', config)
    put('renaming/notes.yaml', DOCUMENT('Note'))
    put('renaming/src/notes.ts', HANDLER)
    const command = (name: string): ReturnType<typeof run> =>
      run('npx', ['--no-install', 'ledgerwright', name], 'renaming')
    assert.equal((await command('scaffold')).code, 0)
    put('renaming/notes.yaml', DOCUMENT('Memo', ', x-renamed-from: Note'))
    assert.equal((await command('scaffold')).code, 0)
    assert.equal(text('renaming/src/notes.ts'), HANDLER.replaceAll(/\bNote\b/g, 'Memo'))
  })

  test('the front page, the documentation and the API reference come whole from the package', async () => {
    const server = await published().serve('reference', { storage: { use: 'memory' } })
    try {
      for (const place of ['/', '/docs/', '/docs/wallet.html', '/docs/api/ledger.html']) {
        const page = await call(server.url, `GET ${place}`)
        const named = [...page.text.matchAll(/(?:src|href)="([^":#]+)"/g)].map(
          ([, at = '']) => new URL(at, server.url + place).pathname,
        )
        assert.ok(named.length >= 8, page.text)
        for (const path of new Set(named))
          assert.equal((await call(server.url, `GET ${path}`)).status, 200, `${path} on ${place}`)
      }
    } finally {
      assert.equal(await server.stop(), 0)
    }
  })

  function put(file: string, content: string): void {
    const path = join(published().folder, file)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }

  function text(file: string): string {
    return readFileSync(join(published().folder, file), 'utf8')
  }
}

/** The places of a package and of all that npm brings for it; the tests install more beside it. */
function installedFor(folder: string, first: string): readonly string[] {
  const lock = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
  const { packages }: { readonly packages: Readonly<Record<string, Installed>> } = JSON.parse(lock)
  const found = new Set([first])
  for (const place of found) {
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const within = `${place}/node_modules/${name}`
      if (peerDependenciesMeta[name]?.optional === true) continue
      found.add(within in packages ? within : `node_modules/${name}`)
    }
  }
  return [...found]
}

/** Bytes that a package takes on disk, without those that lie within it. */
function sizeOf(folder: string): number {
  return globSync('**', { cwd: folder, exclude: ['node_modules/**'] })
    .map((file) => lstatSync(join(folder, file)))
    .filter((stat) => stat.isFile())
    .reduce((sum, { size }) => sum + Math.ceil(size / BLOCK) * BLOCK, 0)
}
