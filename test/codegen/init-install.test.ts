// What a new project installs: this package as published, or a packed one of one's own; and what
// `init` says where the registry has none.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { PROJECT, tempFolder } from './generator-kit.ts'

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const known: Readonly<Record<string, string>> = {
  ...manifest.devDependencies,
  ...manifest.dependencies,
}

/** A registry that has what this package depends on, without contents, but not this package. */
async function registryWithout(t: TestContext): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const name = decodeURIComponent(url.slice(1))
    const version = known[name]?.replace(/^[^\d]*/u, '')
    response.statusCode = version === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        version === undefined
          ? { error: 'Not found' }
          : { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } },
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}/`
}

test('where the registry has no such package, one line says so, and what to do', async (t) => {
  const cwd = tempFolder(t)
  const env = {
    npm_config_registry: await registryWithout(t),
    npm_config_cache: join(cwd, 'cache'),
    HOME: cwd,
  }
  const { code, stderr, stdout } = await run(MAIN, ['init', 'notes'], { cwd, env })
  assert.equal(code, 1)
  assert.match(stderr, /^the registry has no ledgerwright [^\n]*--local TARBALL\n$/)
  assert.match(stdout, /Next:\n {2}cd notes\n {2}npm install\n/)
})

test('with --local the project depends on the packed package, wherever that is', async (t) => {
  const cwd = tempFolder(t)
  writeFileSync(join(cwd, 'ours.tgz'), '')
  const made = await run(MAIN, ['init', 'deep/notes', '--local', 'ours.tgz', '--no-install'], {
    cwd,
  })
  assert.deepEqual([made.code, made.stderr], [0, ''])
  const { dependencies } = JSON.parse(readFileSync(join(cwd, 'deep/notes/package.json'), 'utf8'))
  assert.equal(dependencies.ledgerwright, 'file:../../ours.tgz')
})

test('--local that names no packed package is refused, and nothing is made', async (t) => {
  const cwd = tempFolder(t)
  for (const file of ['gone.tgz', '.']) {
    const refused = await run(MAIN, ['init', 'notes', '--local', file], { cwd })
    assert.deepEqual(
      [refused.code, refused.stdout, refused.stderr],
      [2, '', `--local: ${file} is not a packed package (.tgz)\n`],
    )
  }
})
