// docs/build-an-app.md and examples/, run with nothing but the published package. Tests of the
// suite that has installed it: test/plugins/third-party.test.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { ROOT } from '../support/service.ts'
import type { Ended, Published, Server } from '../support/published.ts'

const PAGE = read('docs/build-an-app.md')
const QUIET = { storage: { use: 'memory' }, log: { level: 'warn' } }

/** Registers the tests. */
export function publishedApp(published: () => Published): void {
  test('the page that builds an app has the code of the examples', () => {
    const blocks = [...PAGE.matchAll(/<!-- (examples\/\S+) -->\n```js\n([\s\S]*?)```/g)]
    assert.equal(blocks.length, 2)
    for (const [, file = '', code] of blocks) assert.equal(code, read(file))
  })

  test('an app pays, offers, and is told when an id was used', async () => {
    const server = await published().serve('app', QUIET)
    try {
      const example = await exampleRunner(server)
      const said = /node pay\.mjs\n```\n```text\n(.*)\n/.exec(PAGE)?.[1] ?? ''
      assert.equal(stdoutOf(await example('pay.mjs')), `${said}\n`)
      assert.equal(stdoutOf(await example('offer.mjs')), 'completed\n')
      assert.equal(stdoutOf(await example('offer.mjs')), 'completed\n')
      const again = await example('offer.mjs', 'AMOUNT=4')
      assert.match(stdoutOf(again), /^the invoice was offered before/)
      const unpaid = await example('pay.mjs')
      assert.equal(unpaid.code, 1)
      assert.match(unpaid.stderr, /AnswerError.*createTransferPreapproval: 409/)
    } finally {
      assert.equal(await server.stop(), 0)
    }
  })

  test('the requests of the interfaces are collected for API clients', async () => {
    const { code, stdout } = await published().ledgerwright('collection')
    assert.deepEqual([code, stdout.match(/"schema": "https:/)?.length], [0, 1])
    assert.match(stdout, /v0\/wallet\/transfer-offers/)
  })

  test('the client of the package runs where there is nothing of Node', async () => {
    await place('balance.mjs')
    const build = await rolldown({
      input: join(published().folder, 'balance.mjs'),
      platform: 'browser',
    })
    const { output } = await build.generate({ format: 'iife', name: 'app' })
    await build.close()
    const asked: string[] = []
    const fetch = async (url: string): Promise<Response> => {
      asked.push(url)
      return Response.json({ error: 'no wallet' }, { status: 404 })
    }
    const web = { fetch, Headers, ReadableStream, Blob, TextDecoder, Error, Uint8Array }
    const found: unknown = await runInNewContext(`${output[0].code}\napp.balance('t')`, web)
    assert.deepEqual([found, asked], [undefined, ['/api/validator/v0/wallet/balance']])
  })

  async function place(name: string): Promise<void> {
    await writeFile(join(published().folder, name), read(`examples/${name}`))
  }

  async function exampleRunner({ url }: Server) {
    const tokenOf = async (user: string): Promise<string> =>
      stdoutOf(
        await published().ledgerwright('token', '--user', user, '--config', 'app.config.json'),
      ).trim()
    const tokens = [`ALICE=${await tokenOf('alice')}`, `BOB=${await tokenOf('bob')}`]
    return async (name: string, ...more: readonly string[]): Promise<Ended> => {
      await place(name)
      return published().run('env', [`URL=${url}`, ...tokens, ...more, 'node', name])
    }
  }
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function stdoutOf({ code, stdout, stderr }: Ended): string {
  assert.equal(code, 0, stderr)
  return stdout
}
