// `npm start` in a checkout: few files are read where the bundle was made of the sources as they
// are, and what has been edited since is what runs. On a copy of the checkout, which is edited.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const COPIED = ['codegen', 'generated', 'plugins', 'runtime', 'spec', 'bundle.mjs']
const MANIFESTS = ['package.json', 'package-lock.json', 'tsconfig.json']
/** Most files of a bundle; from the sources it is more than 600. */
const FEW_FILES = 125

const COUNTER = `import { registerHooks } from 'node:module'
globalThis.filesLoaded = 0
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) globalThis.filesLoaded++
    return next(url, context)
  },
})`

/** An extension of somebody who works in the checkout. */
const EXTENSION = `import { definePlugin } from 'ledgerwright'
const options = { '~standard': { version: 1, vendor: 'own', validate: () => ({ value: {} }) } }
const mount = (router) => {
  router.get('/own/files', (context) => (context.body = String(globalThis.filesLoaded)))
}
export default definePlugin({ kind: 'extension', name: 'own', options, setup: () => ({ mount }) })`

interface Started {
  readonly banner: string
  readonly files: number
  readonly statuses: readonly number[]
}

describe('npm start in a checkout', () => {
  let checkout: Awaited<ReturnType<typeof tempDir>>
  const inside = (...parts: readonly string[]): string => join(checkout.path, ...parts)

  before(async () => {
    checkout = await tempDir()
    await Promise.all(
      [...COPIED, ...MANIFESTS].map((name) =>
        cp(join(ROOT, name), inside(name), { recursive: true, preserveTimestamps: true }),
      ),
    )
    await symlink(join(ROOT, 'node_modules'), inside('node_modules'))
    await writeFile(inside('counter.mjs'), COUNTER)
    await writeFile(inside('own.mjs'), EXTENSION)
    await bundle()
  })
  after(() => checkout.remove())

  async function bundle(): Promise<void> {
    await promisify(execFile)(process.execPath, [inside('bundle.mjs')])
  }

  async function start(): Promise<Started> {
    const service = await startService({
      main: inside('runtime', 'cli', 'start.mjs'),
      env: { NODE_OPTIONS: `--import=${inside('counter.mjs')}` },
      config: { storage: { use: 'memory' }, extensions: { own: { use: inside('own.mjs') } } },
    })
    const get = (path: string): Promise<Response> => fetch(service.url + path)
    try {
      const files = Number(await (await get('/own/files')).text())
      const paths = ['/docs', '/docs/openapi/ledger.json', '/metrics', '/wallet/', '/v2/version']
      const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status))
      return { banner: service.banner, files, statuses }
    } finally {
      assert.equal(await service.stop(), 0)
    }
  }

  async function edit(version: string): Promise<void> {
    const file = inside('runtime', 'cli', 'banner.ts')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/Ledgerwright\w*/, `Ledgerwright${version}`))
  }

  it('reads few files, and serves the same pages from them', async () => {
    const { files, statuses } = await start()
    assert.ok(files < FEW_FILES, `${files} files`)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  })

  it('runs what was edited since, and reads few files again when that is bundled', async () => {
    await edit('Edited')
    const edited = await start()
    assert.match(edited.banner, /^LedgerwrightEdited/)
    assert.ok(edited.files > FEW_FILES, `${edited.files} files`)
    await bundle()
    const bundled = await start()
    assert.match(bundled.banner, /^LedgerwrightEdited/)
    assert.ok(bundled.files < FEW_FILES, `${bundled.files} files`)
  })

  it("says in one line that the wallet's page is older than its sources, until it is built", async () => {
    await buildPage()
    assert.doesNotMatch(await said(), /wallet page/)
    await appendFile(inside('plugins', 'wallet-ui', 'web', 'src', 'theme.ts'), '\n')
    assert.match(await said(), /^the wallet page .*"npm run build:wallet"/m)
    await buildPage()
    assert.doesNotMatch(await said(), /wallet page/)
  })

  async function buildPage(): Promise<void> {
    await promisify(execFile)(process.execPath, [inside('plugins', 'wallet-ui', 'build.mjs')])
  }

  /** All that a start prints until it has answered a request, and is ended. */
  async function said(): Promise<string> {
    const main = inside('runtime', 'cli', 'start.mjs')
    const args = [main, 'serve', '--port', '0', '--empty', '--data', inside('data')]
    const running = promisify(execFile)(process.execPath, args, { cwd: checkout.path })
    let printed = ''
    for await (const chunk of running.child.stdout ?? []) {
      printed += String(chunk)
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url === undefined || !/ready in/.test(printed) || running.child.killed) continue
      assert.equal((await fetch(`${url}/wallet/`)).status, 200)
      running.child.kill('SIGTERM')
    }
    await running
    return printed
  }
})
