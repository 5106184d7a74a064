// What pages of other origins get of a development server in a real browser: nothing, neither by
// requests and websockets from their own name nor after they have pointed their name at the server
// (DNS rebinding). The server's own pages, and links to them, work. docs/security.md
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect, createServer as createDoor } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { CHROMIUM, openBrowser } from '../support/chromium.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const skip =
  CHROMIUM === undefined ? 'no chromium here: apt-get install chromium-headless-shell' : false
const RULES = '--host-resolver-rules=MAP *.example 127.0.0.1'
const STREAM = '/v2/state/active-contracts'

/** The attack of a page, run in the page: the answers that it could read. */
const ATTACK = async ([target, token, streamPath]: readonly [string, string, string]) => {
  const got: string[] = []
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const tries: readonly (readonly [string, RequestInit])[] = [
    ['/v2/users/alice', { headers }],
    ['/api/scan/v0/dso', {}],
    ['/wallet/development/token?user=alice', {}],
    ['/docs/development/token?user=alice', {}],
    ['/v2/users', { method: 'POST', body: '{"user":{"id":"planted"}}' }],
    ['/api/validator/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"1.0"}' }],
  ]
  for (const [path, init] of tries) {
    const answer = await fetch(target + path, init).catch(() => undefined)
    if (answer?.ok === true) got.push(`${path} ${await answer.text()}`)
    await fetch(target + path, { ...init, mode: 'no-cors', headers: {} }).catch(() => undefined)
  }
  const opened = await new Promise((resolve) => {
    const socket = new WebSocket(target.replace('http', 'ws') + streamPath, [
      'ledger.ws.auth',
      `jwt.token.${token}`,
    ])
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
  if (opened === true) got.push(streamPath)
  return got
}

describe('a page in a browser', { skip }, () => {
  let service: Service
  let browser: Browser
  let attacker: Server
  let attackerPort = 0
  let token = ''

  before(async () => {
    service = await startService({ seeded: true })
    token = await service.token('alice')
    attacker = createServer((_request, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .setHeader('Connection', 'close')
        .end('<!doctype html><title>Free coin</title>'),
    ).listen(0, '127.0.0.1')
    await once(attacker, 'listening')
    attackerPort = Number(member(attacker.address(), 'port'))
    browser = await openBrowser(RULES)
  })
  after(async () => {
    await browser?.close()
    attacker?.close()
    await service?.stop()
  })

  const port = (): string => new URL(service.url).port
  const attack = (page: Page, target: string) =>
    page.evaluate(ATTACK, [target, token, STREAM] as const)

  for (const host of ['page.example', 'localhost', '127.0.0.1'])
    test(`of another server, at ${host}, reads nothing`, async () => {
      const page = await browser.newPage()
      await page.goto(`http://${host}:${attackerPort}/`)
      for (const name of ['localhost', '127.0.0.1', 'wallet.localhost', 'service.example'])
        assert.deepEqual(await attack(page, `http://${name}:${port()}`), [], name)
      const users = await fetch(`${service.url}/v2/users/planted`, {
        headers: { Authorization: `Bearer ${await service.token('participant_admin')}` },
      })
      assert.equal(users.status, 404, 'a request that the page could not read did something')
      await page.close()
    })

  test('that has pointed its own name at the server reads nothing', async (t) => {
    // Where the name points: first at its own server, then at the service.
    let target = attackerPort
    const name = createDoor((from) => {
      const to = connect(target, '127.0.0.1')
      from.pipe(to).pipe(from)
      for (const socket of [from, to]) socket.on('error', () => (from.destroy(), to.destroy()))
    }).listen(0, '127.0.0.1')
    t.after(() => name.close())
    await once(name, 'listening')
    const page = await browser.newPage()
    const origin = `http://rebound.example:${Number(member(name.address(), 'port'))}`
    await page.goto(origin)
    target = Number(port())
    assert.deepEqual(await attack(page, origin), [])
    await page.close()
  })

  test('shows nothing of the server in a frame', async () => {
    const page = await browser.newPage()
    await page.goto(`http://page.example:${attackerPort}/`)
    const refused = page.waitForResponse((response) => response.url().includes('/docs/openapi'))
    const source = `http://localhost:${port()}/docs/openapi`
    await page.setContent(`<iframe src="${source}"></iframe>`)
    assert.equal((await refused).status(), 403)
    await page.close()
  })

  test('of the server itself is heard, also after a link on a page of somebody else', async () => {
    const page = await browser.newPage()
    for (const name of ['localhost', '127.0.0.1', 'wallet.localhost']) {
      await page.goto(`http://page.example:${attackerPort}/`)
      const own = `http://${name}:${port()}`
      await page.setContent(`<a href="${own}/wallet">Wallet</a>`)
      await page.getByRole('link').click()
      await page.waitForURL(`${own}/wallet**`)
      const got = await attack(page, own)
      assert.deepEqual(
        got.map((one) => one.split(' ')[0]?.split('?')[0]),
        [
          '/v2/users/alice',
          '/api/scan/v0/dso',
          '/wallet/development/token',
          '/docs/development/token',
          '/api/validator/v0/wallet/tap',
          STREAM,
        ],
      )
    }
    await page.close()
  })
})
