// Whoever can sign with a published secret can be anybody, so only those who mean this server and
// come from a page of it, or from none, are heard: every operation of the four documents, every
// page and every websocket, by every header that says otherwise. docs/security.md
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { wire as ledger } from '../../generated/ledger/routes.gen.ts'
import { wire as registry } from '../../generated/registry/routes.gen.ts'
import { wire as scan } from '../../generated/scan/routes.gen.ts'
import { wire as validator } from '../../generated/validator/routes.gen.ts'
import { hostCheck, isHost } from '../../runtime/host/own-hosts.ts'
import type { WireInterface, WireOperation } from '../../runtime/http/index.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const SECRET = 'unsafe'
const NAMED = 'ledger.example'
const PAGES = [
  '/',
  '/docs/',
  '/docs/api',
  '/docs/api/ledger.html',
  '/docs/openapi/ledger.json',
  '/docs/development/token?user=alice',
  '/wallet',
  '/wallet/config.json',
  '/wallet/development/token?user=alice',
  '/development/snapshots',
  '/nothing/here',
]
const JUDGED = 'by its header'

let service: Service
let port = 0
let metricsPort = 0
let alice = ''

before(async () => {
  metricsPort = await freePort()
  service = await startService({
    seeded: true,
    config: {
      auth: [{ use: 'jwt', unsafeHmac: { secret: SECRET } }],
      server: { hosts: [NAMED, 'proxy.example:5173'] },
      extensions: { metrics: { port: metricsPort } },
    },
  })
  port = Number(new URL(service.url).port)
  alice = tokenOf('alice')
})
after(() => service.stop())

describe('where whoever signs with a published secret is heard', () => {
  test('no operation answers what is not for this server, or is of a foreign page', async () => {
    let asked = 0
    for (const wire of [ledger, validator, scan, registry])
      for (const operation of wire.operations) {
        for (const headers of [
          { Host: `rebound.example:${port}` },
          { Host: own(), Origin: 'http://page.example' },
        ])
          await assertRefusedBy(wire, operation, headers)
        asked += 1
      }
    assert.ok(asked > 200, `${asked} operations`)
  })

  test('no page does, nor what other extensions serve', async () => {
    for (const path of PAGES)
      for (const headers of [
        { Host: 'rebound.example' },
        { Host: own(), Origin: 'http://page.example' },
      ]) {
        const answer = await ask(`GET ${path}`, headers)
        assert.equal(statusOf(answer), 403, `${path} ${answer}`)
        assert.match(answer, /by its header (?:Host|Origin)\./, path)
      }
    for (const path of PAGES)
      assert.doesNotMatch(await ask(`GET ${path}`, { Host: own() }), /by its header/, path)
  })

  test('no websocket opens', async () => {
    const described = await ask('GET /docs/asyncapi', { Host: own() })
    const paths = [...described.matchAll(/^ {2}(\/v2\S+):\r?$/gmu)].map(([, path = '']) => path)
    assert.ok(paths.length > 0)
    for (const path of paths) {
      const open = (headers: Headers): Promise<string> =>
        ask(`GET ${path}`, { ...headers, ...UPGRADE })
      assert.equal(statusOf(await open({ Host: own(), Origin: 'http://page.example' })), 403, path)
      assert.equal(statusOf(await open({ Host: own(), Origin: 'http://localhost:1' })), 403, path)
      assert.equal(statusOf(await open({ Host: 'rebound.example' })), 403, path)
    }
  })

  test('the port of the metrics is held to the same', async () => {
    const path = 'GET /metrics'
    assert.equal(
      statusOf(await ask(path, { Host: `rebound.example:${metricsPort}` }, metricsPort)),
      403,
    )
    assert.equal(statusOf(await ask(path, { Host: `127.0.0.1:${metricsPort}` }, metricsPort)), 200)
  })

  test('the answer comes before the body, which nobody reads', async () => {
    const headers = { Host: 'rebound.example', 'Content-Length': '1000000' }
    const answer = await ask('POST /v2/commands/submit-and-wait', headers)
    assert.equal(statusOf(answer), 403)
    assert.match(answer, /\r\nConnection: close\r\n/)
  })

  test('an error says which header, in the form of the interface', async () => {
    const structured = await ask('GET /v2/users', { Host: 'rebound.example' })
    assert.match(structured, /"code":"FOREIGN_REQUEST"/)
    assert.match(structured, /"context":\{"header":"Host"/)
    const plain = await ask('GET /api/scan/v0/dso', { Host: own(), Origin: 'null' })
    assert.match(plain, /\{"error":"[^"]+by its header Origin\."\}$/)
  })
})

type Headers = Readonly<Record<string, string>>

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

describe('who is heard', () => {
  const heard: readonly Headers[] = [
    ...[
      'localhost',
      'LOCALHOST:2975',
      'localhost.',
      'wallet.localhost',
      'scan.localhost:4000',
      '127.0.0.1',
      '127.8.8.8:1',
      '[::1]:8080',
      '[0:0:0:0:0:0:0:1]',
      NAMED,
      'Ledger.Example.:443',
      'proxy.example',
    ].map((Host) => ({ Host })),
    { Host: 'localhost:2000', Origin: 'http://localhost:2000' },
    { Host: 'wallet.localhost', Origin: 'http://wallet.localhost' },
    { Host: '[::1]:2000', Origin: 'http://[::1]:2000' },
    { Host: NAMED, Origin: `https://${NAMED}` },
    { Host: `${NAMED}:443`, Origin: `https://${NAMED}` },
    // Behind a proxy that names the service by its address.
    { Host: '127.0.0.1', Origin: `https://${NAMED}` },
    { Host: 'localhost', Origin: 'http://proxy.example:5173' },
    { Host: 'localhost', 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' },
    { Host: 'localhost', 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' },
    // A link on somebody's page to the wallet here.
    {
      Host: 'localhost',
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    },
  ]
  for (const headers of heard)
    test(JSON.stringify(headers), async () =>
      assert.equal(statusOf(await ask('GET /v2/users/alice', headers)), 200),
    )
})

describe('who is not', () => {
  const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  const refused: readonly Headers[] = [
    ...[
      '',
      'localhost.example',
      'xlocalhost',
      'localhost@rebound.example',
      'rebound.example@localhost',
      'localhost:80:80',
      'localhost/',
      'localhost#.rebound.example',
      'local host',
      '127.0.0.1.rebound.example',
      '127.0.0.256',
      '0x7f.1',
      '2130706433',
      '0.0.0.0',
      '[::2]',
      '[::ffff:8.8.8.8]',
      'x.ledger.example',
      'ledger.example..',
      '.',
    ].map((Host) => ({ Host })),
    ...[
      'null',
      '',
      'http://localhost:1',
      'http://localhost:2000.rebound.example',
      'http://localhost@rebound.example',
      'http://rebound.example@localhost:2000',
      'http://localhost:2000/',
      'http://127.0.0.1:2000',
      'file://localhost:2000',
      'chrome-extension://localhost:2000',
      'http://localhost:2000, http://localhost:2000',
      'http://proxy.example',
      'http://x.localhost:2000',
    ].map((Origin) => ({ Host: 'localhost:2000', Origin })),
    ...['cross-site', 'same-site', 'else'].map((site) => ({
      Host: 'localhost',
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'image',
    })),
    { Host: 'localhost', 'Sec-Fetch-Site': 'cross-site', ...link, 'Sec-Fetch-Dest': 'iframe' },
  ]
  for (const headers of refused)
    test(JSON.stringify(headers), async () =>
      assert.equal(statusOf(await ask('GET /v2/users/alice', headers)), 403),
    )

  test('a form of another page, although a link would be heard', async () => {
    const headers = { Host: 'localhost', 'Sec-Fetch-Site': 'cross-site', ...link }
    assert.equal(statusOf(await ask('POST /v2/users', headers)), 403)
  })

  test('by a target with another name in it, and by no Host', async () => {
    const target = await ask('GET http://rebound.example/v2/users/alice', { Host: own() })
    assert.equal(statusOf(target), 403)
    const disguised = await ask('GET http://localhost@rebound.example/v2/users', { Host: own() })
    assert.equal(statusOf(disguised), 403)
    assert.equal(statusOf(await ask('GET http://localhost/v2/users/alice', { Host: own() })), 200)
    const bare = `GET /v2/users/alice HTTP/1.0\r\nAuthorization: Bearer ${alice}\r\n\r\n`
    assert.equal(statusOf(await raw(bare)), 403)
  })
})

describe('server.hosts', () => {
  const request = (headers: object, localAddress = '10.0.0.7'): never =>
    // @ts-expect-error: no more of a request is looked at
    ({ url: '/', method: 'GET', headers, socket: { localAddress } })

  test('holds production to its names, and to the address that was connected to', () => {
    const listen = { host: '0.0.0.0', port: 8080, hosts: [NAMED] }
    const check = hostCheck({ profile: 'production', listen })
    assert.ok(check)
    assert.equal(check(request({ host: NAMED })), undefined)
    assert.equal(check(request({ host: '10.0.0.7:8080' })), undefined)
    assert.equal(check(request({ host: '10.0.0.7' }, '::ffff:10.0.0.7')), undefined)
    assert.equal(check(request({ host: '[fd00::7]' }, 'fd00::7')), undefined)
    assert.equal(check(request({ host: '10.0.0.8' })), 'Host')
    assert.equal(hostCheck({ profile: 'production', listen: { host: '::', port: 1 } }), undefined)
  })

  test('takes names and addresses, and nothing around them', () => {
    for (const good of ['a', 'a.example', 'A_b-c.example:8443', '10.0.0.1', '[::1]:80'])
      assert.ok(isHost(good), good)
    for (const bad of ['', 'http://a', 'a/b', 'a b', 'u@a', '*.a', 'a:b'])
      assert.ok(!isHost(bad), bad)
  })
})

async function assertRefusedBy(
  wire: WireInterface,
  { method, path, operationId }: WireOperation,
  headers: Headers,
): Promise<void> {
  const answer = await ask(`${method} ${wire.mount}${path.replaceAll(/\{[^}]+\}/g, 'x')}`, headers)
  assert.equal(statusOf(answer), 403, `${operationId}: ${answer}`)
  if (method !== 'HEAD') assert.ok(answer.includes(JUDGED), `${operationId}: ${answer}`)
}

const own = (): string => `127.0.0.1:${port}`

/** Asks as alice, with exactly these headers; the whole answer, of a websocket its head. */
function ask(request: string, headers: Headers, at = port): Promise<string> {
  const lines = Object.entries({
    Authorization: `Bearer ${alice}`,
    Connection: 'close',
    ...headers,
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return raw(`${request} HTTP/1.1\r\n${head}\r\n`, at)
}

async function raw(bytes: string, at = port): Promise<string> {
  const socket = connect({ port: at, host: '127.0.0.1' })
  socket.write(bytes)
  return text(socket)
}

const statusOf = (answer: string): number => Number(answer.split(' ', 2)[1])

function tokenOf(sub: string): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub, exp })}`
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
}
