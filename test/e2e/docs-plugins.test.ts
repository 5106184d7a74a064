// The plugins of docs/plugins.md do what the page says: they are taken from it and loaded by a
// running service.
import assert from 'node:assert/strict'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { ROOT, startService, type Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const TOKEN = 'a-token-of-at-least-32-characters'

const CONFIG = {
  auth: [{ use: './fixed-tokens.ts', users: { participant_admin: TOKEN } }],
  automations: { count: { use: './count-users.ts', everyMs: 100 } },
  extensions: { status: { use: './status-page.ts', path: '/my-status' } },
}

describe('the plugins in docs/plugins.md', () => {
  let service: Service
  let logged = ''

  before(async () => {
    const { path } = await tempDir()
    await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'))
    for (const { name, source } of await examples()) await writeFile(join(path, name), source)
    service = await startService({ dataDir: path, config: CONFIG })
    service.process.stderr?.on('data', (chunk: Buffer) => {
      logged += chunk.toString()
    })
  })
  after(async () => {
    await service.stop()
    await rm(service.dataDir, { recursive: true, force: true })
  })

  test('the auth plugin knows its token and no other', async () => {
    assert.equal(await whoami(TOKEN), 200)
    assert.equal(await whoami(`${TOKEN}x`), 401)
  })

  test('the extension counts answered requests on its page', async () => {
    const answer = await fetch(`${service.url}/my-status`)
    assert.deepEqual(await answer.json(), { answered: 2, status: 'up' })
  })

  test('the automation logs', { timeout: 120_000 }, async () => {
    while (!logged.includes('users counted'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.match(logged, /"plugin":"automation\/count","users":2/)
  })

  async function whoami(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.url}/v2/authenticated-user`, { headers })
    await answer.text()
    return answer.status
  }
})

/** The blocks that begin with a file's name, importing the runtime from this checkout. */
async function examples(): Promise<readonly { readonly name: string; readonly source: string }[]> {
  const page = await readFile(join(ROOT, 'docs', 'plugins.md'), 'utf8')
  const runtime = pathToFileURL(join(ROOT, 'runtime', 'index.ts')).href
  return [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', body = '']) => ({
      name,
      source: body.replaceAll("'ledgerwright'", `'${runtime}'`),
    }),
  )
}
