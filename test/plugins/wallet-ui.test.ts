// The server's side of the wallet, by plain HTTP: the page and its files, what keeps others out,
// and tokens for development alone.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { readStaticFiles } from '../../runtime/index.ts'
import { options } from '../../plugins/wallet-ui/options.ts'
import { mountWallet } from '../../plugins/wallet-ui/routes.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { hostCheck } from '../../runtime/host/own-hosts.ts'
import { createHttpApp } from '../../runtime/http/index.ts'
import type { PluginContext } from '../../runtime/index.ts'
import { MAIN, RUNTIME, run, serveStub, tempFolder } from '../e2e/cli-kit.ts'
import type { Place, Serving } from '../e2e/cli-kit.ts'
import { TurnedClock } from './fixtures/host-kit.ts'

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder(files)
  folders.push(folder)
  return folder.path
}

const SCRIPT = `export const words = '${'many words '.repeat(100)}'\n`
const PAGE = '<!doctype html><title>Wallet</title>'

interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The path goes out as it stands, which `fetch` would tidy up; so does the Host. */
function ask(
  origin: string,
  path: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part)).once('error', reject)
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(parts),
        }),
      )
    })
    asked.once('error', reject).end()
  })
}

/**
 * A server with nothing but the wallet's routes, over a built page of three files beside a file
 * that is nobody's business.
 */
async function walletServer({
  built = true,
  oidc = {},
  host = {},
}: {
  readonly built?: boolean
  readonly oidc?: object
  readonly host?: Partial<PluginContext>
} = {}): Promise<{ readonly origin: string; stop(): Promise<unknown> }> {
  const folder = folderWith({ 'secret.txt': 'secret' })
  const files = {
    'page/index.html': PAGE,
    'page/assets/start-abc.js': SCRIPT,
    'page/assets/dot.svg': '<svg/>',
  }
  for (const [name, text] of built ? Object.entries(files) : []) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const context: PluginContext = {
    name: 'wallet-ui',
    log: silentLog,
    clock: new TurnedClock(),
    profile: 'dev',
    dataDir: '/nowhere',
    listen: { host: '127.0.0.1', port: 0 },
    documents: [{ name: 'validator', mount: '/api/validator', url: new URL('file:///x') }],
    issueToken: () => async (user) => `token of ${user}`,
    ...host,
  }
  const http = createHttpApp({
    interfaces: [],
    log: silentLog,
    clock: context.clock,
    hostCheck: hostCheck(context),
    routes: [(router) => mountWallet(router, context, options.parse(oidc), join(folder, 'page'))],
  })
  const { port } = await http.listen(0, '127.0.0.1')
  return { origin: `http://127.0.0.1:${port}`, stop: () => http.drain(1_000) }
}

const TOKEN = '/wallet/development/token?user=alice'

describe('the page of the wallet', () => {
  let origin = ''
  let stop = async (): Promise<unknown> => undefined
  before(async () => {
    ;({ origin, stop } = await walletServer())
  })
  after(() => stop())

  it('stands at every address of its own, is asked for anew, and lets nothing of others in', async () => {
    for (const path of [
      '/wallet',
      '/wallet/',
      '/wallet/send',
      '/wallet/no/such/page',
      '/wallet/%2e%2e/secret.txt',
    ]) {
      const { status, headers, body } = await ask(origin, path)
      assert.deepEqual(
        [status, headers['content-type'], body.toString()],
        [200, 'text/html; charset=utf-8', PAGE],
        path,
      )
      assert.equal(headers['cache-control'], 'no-cache')
      assert.deepEqual(
        [headers['x-content-type-options'], headers['referrer-policy']],
        ['nosniff', 'no-referrer'],
      )
      const policy = headers['content-security-policy'] ?? ''
      assert.ok(typeof policy === 'string')
      assert.match(
        policy,
        /default-src 'none'; script-src 'self';.* connect-src 'self';.* frame-ancestors 'none'/,
      )
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
    }
  })

  it('has files that are kept for good, zipped for who takes it and where it pays', async () => {
    const path = '/wallet/assets/start-abc.js'
    const [plain, zipped, refused, smallest] = await Promise.all([
      ask(origin, path),
      ask(origin, path, 'GET', { 'accept-encoding': 'deflate, gzip' }),
      ask(origin, path, 'GET', { 'accept-encoding': 'gzip;q=0' }),
      ask(origin, path, 'GET', { 'accept-encoding': 'gzip, deflate, br, zstd' }),
    ])
    for (const { status, headers } of [plain, zipped, refused, smallest]) {
      assert.deepEqual(
        [status, headers['content-type'], headers['vary']],
        [200, 'text/javascript; charset=utf-8', 'Accept-Encoding'],
      )
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
    assert.deepEqual(
      [
        plain.headers['content-encoding'],
        zipped.headers['content-encoding'],
        refused.headers['content-encoding'],
        smallest.headers['content-encoding'],
      ],
      [undefined, 'gzip', undefined, 'br'],
    )
    assert.equal(brotliDecompressSync(smallest.body).toString(), SCRIPT)
    assert.deepEqual(
      [plain.body.toString(), gunzipSync(zipped.body).toString(), refused.body.toString()],
      [SCRIPT, SCRIPT, SCRIPT],
    )
    const small = await ask(origin, '/wallet/assets/dot.svg', 'GET', { 'accept-encoding': 'gzip' })
    assert.deepEqual(
      [small.headers['content-type'], small.headers['content-encoding'], small.body.toString()],
      ['image/svg+xml', undefined, '<svg/>'],
    )
  })

  it('answers HEAD with the same headers and no body', async () => {
    for (const path of ['/wallet', '/wallet/assets/start-abc.js', '/wallet/config.json']) {
      const [got, headed] = await Promise.all([ask(origin, path), ask(origin, path, 'HEAD')])
      assert.deepEqual([headed.status, headed.body.length], [200, 0])
      for (const name of [
        'content-type',
        'content-length',
        'cache-control',
        'content-security-policy',
      ]) {
        assert.equal(headed.headers[name], got.headers[name], `${path} ${name}`)
      }
    }
  })

  it('has no other files, however they are asked for', async () => {
    const names = [
      'none.js',
      '',
      '..%2f..%2fsecret.txt',
      '../../secret.txt',
      '..%5c..%5csecret.txt',
      '%2e%2e/%2e%2e/secret.txt',
      '%252e%252e%252fsecret.txt',
      '....//....//secret.txt',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'start-abc.js%00',
      'start-abc.js%00.svg',
      '%ff',
      '%',
      '__proto__',
      'constructor',
      'START-ABC.JS',
      './start-abc.js',
      '../index.html',
      'start-abc.js/',
      'start-abc.js/more',
    ]
    for (const name of names) {
      const { status, body } = await ask(origin, `/wallet/assets/${name}`)
      assert.equal(status, 404, name)
      assert.doesNotMatch(body.toString(), /secret|words|doctype/, name)
    }
  })

  it('is read only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/wallet', '/wallet/assets/start-abc.js', '/wallet/config.json', TOKEN]) {
        const { status, body } = await ask(origin, path, method)
        assert.equal(status, 405, `${method} ${path}`)
        assert.doesNotMatch(body.toString(), /token of/)
      }
    }
  })

  it('is told what this server offers', async () => {
    const { headers, body } = await ask(origin, '/wallet/config.json')
    assert.deepEqual(
      [headers['cache-control'], headers['x-content-type-options']],
      ['no-store', 'nosniff'],
    )
    assert.deepEqual(JSON.parse(body.toString()), {
      profile: 'dev',
      development: true,
      coin: 'CC',
      mounts: { validator: '/api/validator' },
    })
  })
})

describe('a page that speaks to a provider', () => {
  it('may reach the provider and nobody else', async () => {
    const oidc = {
      oidc: { authority: 'https://login.example:8443/realms/one', clientId: 'wallet' },
    }
    const { origin, stop } = await walletServer({ oidc })
    const { headers } = await ask(origin, '/wallet')
    assert.match(
      String(headers['content-security-policy']),
      /; connect-src 'self' https:\/\/login\.example:8443;/,
    )
    const { body } = await ask(origin, '/wallet/config.json')
    const expected = {
      authority: 'https://login.example:8443/realms/one',
      clientId: 'wallet',
      name: 'your organisation',
      scope: 'openid',
      token: 'access',
    }
    assert.deepEqual(JSON.parse(body.toString()).oidc, expected)
    await stop()
  })
})

describe('a page that is not built', () => {
  it('says how to build it', async () => {
    const { origin, stop } = await walletServer({ built: false })
    const { status, headers, body } = await ask(origin, '/wallet/send')
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control']],
      [503, 'text/html; charset=utf-8', 'no-cache'],
    )
    assert.match(body.toString(), /has not been built.*npm run build:wallet/s)
    assert.equal((await ask(origin, '/wallet/assets/start-abc.js')).status, 404)
    await stop()
  })
})

describe('tokens for the asking', () => {
  it('are for whoever sits at this machine: a name that has been made to point here gets none', async () => {
    const { origin, stop } = await walletServer()
    const { port } = new URL(origin)
    const asked = (host: string): Promise<Asked> => ask(origin, TOKEN, 'GET', { host })
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      'localhost',
      `[::1]:${port}`,
      '127.1.2.3',
    ]) {
      const { status, headers, body } = await asked(host)
      assert.deepEqual(
        [status, body.toString(), headers['cache-control']],
        [200, '{"token":"token of alice"}', 'no-store'],
        host,
      )
      assert.equal(headers['access-control-allow-origin'], undefined)
    }
    const foreign = [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
      'evil.example#localhost',
      '0.0.0.0',
    ]
    for (const host of foreign)
      assert.deepEqual(
        [(await asked(host)).status, (await asked(host)).body.includes('token of')],
        [403, false],
        host,
      )
    const forwarded = {
      host: 'evil.example',
      'x-forwarded-host': 'localhost',
      forwarded: 'host=localhost',
    }
    assert.equal((await ask(origin, TOKEN, 'GET', forwarded)).status, 403)
    await stop()
  })

  it('are not there under a name that is no name', async () => {
    const { origin, stop } = await walletServer()
    for (const host of ['<script>', 'x" y="z', '[', 'a b'])
      assert.equal((await ask(origin, TOKEN, 'GET', { host })).status, 403, host)
    await stop()
  })

  it('are for user ids, and HEAD gives none away', async () => {
    const { origin, stop } = await walletServer()
    for (const query of [
      '',
      '?user=',
      '?user=a%20b',
      '?user=%0a',
      `?user=${'a'.repeat(129)}`,
      '?user=%ff',
      '?name=alice',
      '?user=a%2fb',
      '?user=%00',
    ]) {
      const { status, body } = await ask(origin, `/wallet/development/token${query}`)
      assert.deepEqual([status, body.toString()], [400, '{"error":"that is not a user id"}'], query)
    }
    assert.equal(
      (await ask(origin, '/wallet/development/token?user=a%2bb%7Cc')).body.toString(),
      '{"token":"token of a+b|c"}',
    )
    assert.equal((await ask(origin, TOKEN, 'HEAD')).body.length, 0)
    await stop()
  })

  it('are not there where nothing issues tokens', async () => {
    const { origin, stop } = await walletServer({ host: { issueToken: () => undefined } })
    assert.equal((await ask(origin, TOKEN)).status, 404)
    assert.equal(
      JSON.parse((await ask(origin, '/wallet/config.json')).body.toString()).development,
      false,
    )
    await stop()
  })
})

describe('the wallet as part of the service', () => {
  const place = (config: object, files: Readonly<Record<string, string>> = {}): Place => ({
    cwd: folderWith({
      'ledgerwright.config.json': JSON.stringify({ storage: { use: 'memory' }, ...config }),
      ...files,
    }),
  })

  // Issues tokens to anybody, as a careless plugin might.
  const AUTH = `import { definePlugin } from ${JSON.stringify(RUNTIME)}
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
const setup = () => ({ authenticate: () => ({ kind: 'not-mine' }), issue: async () => 'given away' })
export default definePlugin({ kind: 'auth', name: 'careless', options, setup })
`

  const PRODUCTION = { profile: 'production', auth: [{ use: './auth.mjs' }] }

  it('is on in development and named by the banner; false switches it off', async () => {
    const [on, off] = await Promise.all([
      serveStub([], place({})),
      serveStub([], place({ extensions: { 'wallet-ui': false } })),
    ])
    assert.match(on.text().stdout, /wallet-ui +http:\/\/127\.0\.0\.1:\d+\/wallet\n/)
    assert.doesNotMatch(off.text().stdout, /wallet/)
    const { body } = await ask(on.origin, '/wallet/config.json')
    assert.deepEqual(JSON.parse(body.toString()), {
      profile: 'dev',
      development: true,
      coin: 'CC',
      mounts: { stub: '' },
    })
    for (const path of ['/wallet', '/wallet/config.json', TOKEN])
      assert.equal((await ask(off.origin, path)).status, 404)
    await Promise.all([on.stop(), off.stop()])
  })

  it('is off in production unless asked for, and never gives tokens there', async () => {
    const asked = { ...PRODUCTION, extensions: { 'wallet-ui': { coin: 'XYZ' } } }
    const [off, on] = await Promise.all(
      [PRODUCTION, asked].map((config) => serveStub([], place(config, { 'auth.mjs': AUTH }))),
    )
    assert.ok(off !== undefined && on !== undefined)
    assert.equal((await ask(off.origin, '/wallet')).status, 404)
    const { body } = await ask(on.origin, '/wallet/config.json')
    assert.deepEqual(JSON.parse(body.toString()), {
      profile: 'production',
      development: false,
      coin: 'XYZ',
      mounts: { stub: '' },
    })
    const tries: readonly Readonly<Record<string, string>>[] = [
      {},
      { host: 'localhost' },
      { authorization: 'Bearer x' },
      { 'x-forwarded-for': '127.0.0.1' },
    ]
    for (const headers of tries) {
      const answer = await ask(on.origin, TOKEN, 'GET', headers)
      assert.deepEqual([answer.status, answer.body.toString()], [404, 'Not Found'])
    }
    await Promise.all([off.stop(), on.stop()])
  })

  it('gives no tokens where other machines reach the server, unless a person has chosen that by name', async () => {
    const everywhere = (auth: object): Promise<Serving> =>
      serveStub(['--host', '0.0.0.0'], place({ auth: [auth] }, { 'auth.mjs': AUTH }))
    const [careless, chosen] = await Promise.all([
      everywhere({ use: './auth.mjs' }),
      everywhere({ use: 'open', allowNonLoopback: true }),
    ])
    const given = async ({ origin }: Serving): Promise<unknown> => {
      const { development } = JSON.parse((await ask(origin, '/wallet/config.json')).body.toString())
      return [development, (await ask(origin, TOKEN)).status]
    }
    assert.deepEqual(
      [await given(careless), await given(chosen)],
      [
        [false, 404],
        [true, 200],
      ],
    )
    const [, { stderr }] = await Promise.all([careless.stop(), chosen.stop()])
    assert.match(
      stderr,
      /"host":"0\.0\.0\.0","msg":"anyone who can reach this address can act as any user"/,
    )
  })

  it('says which option is wrong, and why, before anything starts', async () => {
    const bad = { coyn: 'X', oidc: { authority: 'login.example', clientId: '', flow: 'implicit' } }
    const at = place({ extensions: { 'wallet-ui': bad } })
    const [served, checked, listed] = await Promise.all(
      [
        ['serve', '--port', '0'],
        ['config', 'check'],
        ['plugins', 'list'],
      ].map((args) => run(MAIN, args, at)),
    )
    assert.deepEqual([served?.code, served?.stdout], [2, ''])
    assert.match(served?.stderr ?? '', /extensions\.wallet-ui\./)
    assert.equal(checked?.code, 2)
    for (const line of [
      /^extensions\.wallet-ui\.coyn: unknown key; did you mean "coin"\?/m,
      /^extensions\.wallet-ui\.oidc\.authority: Invalid URL, received "login\.example" \(plugin extension\/wallet-ui/m,
      /^extensions\.wallet-ui\.oidc\.clientId: .*received ""/m,
      /^extensions\.wallet-ui\.oidc\.flow: unknown key/m,
    ])
      assert.match(checked?.stderr ?? '', line)
    assert.match(listed?.stdout ?? '', /^\* extension +wallet-ui +built in$/m)
  })
})

describe('the files of the page', () => {
  it('are read when they are first asked for, so that they cost the start nothing, and then kept', () => {
    const folder = folderWith({ 'assets/a.js': 'before', 'assets/gone.js': '' })
    const assets = readStaticFiles(folder)
    writeFileSync(join(folder, 'assets', 'a.js'), 'asked for')
    assert.equal(assets.get('assets/a.js')?.bytes.toString(), 'asked for')
    writeFileSync(join(folder, 'assets', 'a.js'), 'after')
    rmSync(join(folder, 'assets', 'gone.js'))
    assert.equal(assets.get('assets/gone.js'), undefined)
    assert.equal(assets.get('assets/a.js')?.bytes.toString(), 'asked for')
  })
})
