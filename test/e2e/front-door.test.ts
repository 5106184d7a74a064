// What a newcomer opens first: the front page with its first request, the documentation, and the
// API reference, whose examples can be sent unchanged.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { codes } from '../../runtime/errors/catalogue.ts'
import type { ErrorCode } from '../../runtime/errors/catalogue.ts'
import { helpPage } from '../../runtime/errors/help.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { closeBrowser, openWindow, skip } from '../wallet-ui/browser.ts'

const OFFER = '/docs/api/validator.html#/wallet-external/createTransferOffer'
const FACTORY = '/docs/api/registry.html#/transfer-instruction/getTransferFactory'

describe('the front door', () => {
  let service: Service

  before(async () => {
    service = await startService({ seeded: true })
  })
  after(async () => {
    await closeBrowser()
    await service.stop()
    await rm(service.dataDir, { recursive: true, force: true })
  })

  test('shows a first request with a token that works', async () => {
    const [, token = '', address = ''] =
      /TOKEN=(\S+)\ncurl -H &quot;Authorization: Bearer \$TOKEN&quot; (http\S+?)</.exec(
        await textOf('/'),
      ) ?? []
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
    assert.deepEqual(
      [new URL(address).origin, answer.status, Object.keys(Object(await answer.json()))[0]],
      [service.url, 200, 'round'],
    )
  })

  test('has no link that leads nowhere, on any page of this server', async () => {
    const seen = new Set(['/'])
    const broken: string[] = []
    for (const path of seen) {
      const { status, type, body } = await get(path)
      if (status !== 200) broken.push(`${path} ${status}`)
      if (type.startsWith('text/html') && !path.startsWith('/wallet'))
        for (const link of linksOf(body, path)) seen.add(link)
    }
    assert.deepEqual(broken, [])
    for (const path of ['/wallet', '/docs/', '/docs/api/scan.html', '/docs/openapi/ledger.json'])
      assert.ok(seen.has(path), path)
  })

  test('an error names the page and the heading that explain it', async () => {
    const { headers } = await fetch(`${service.url}/v2/users/nobody`, {
      headers: { authorization: `Bearer ${await service.token('participant_admin')}` },
    })
    assert.equal(headers.get('link'), '</docs/authority.html#principals>; rel="help"')
    for (const code of Object.keys(codes).filter(isCode)) {
      const [page, heading] = helpPage(code)?.split('#') ?? []
      if (page === undefined) continue
      const { status, body } = await get(page)
      assert.equal(status, 200, page)
      if (heading !== undefined) assert.ok(body.includes(`id="${heading}"`), `${page}#${heading}`)
    }
  })

  test('sends the example of an operation unchanged from the API reference', { skip }, async () => {
    const { page, complaints, close } = await openWindow(service.url, { colorScheme: 'dark' })
    await page.goto(service.url + OFFER)
    await page.getByRole('button', { name: 'Execute' }).click()
    const status = page.locator('.live-responses-table .response-col_status').nth(1)
    await status.waitFor()
    assert.match(await status.innerText(), /^200/)
    assert.deepEqual(complaints, [])
    await page.getByLabel('Filter operations').fill('wallet/transfer-preapproval/send')
    await page.getByText('/v0/wallet/transfer-preapproval/send').waitFor()
    await eventually(1, () => page.locator('.opblock').count())
    await close()
  })

  test('finds headings and operations, and can be read by everybody', { skip }, async () => {
    const { page, complaints, close } = await openWindow(service.url, { colorScheme: 'dark' })
    await page.goto(`${service.url}/docs/`)
    await page.getByLabel('Search').fill('createTransferOffer')
    await page.getByRole('option', { name: /POST .*transfer-offers/ }).waitFor()
    await page.getByLabel('Search').fill('exit codes')
    await page.keyboard.press('Enter')
    await page.waitForURL(/commands\.html#exit-codes$/)
    for (const path of ['/', '/docs/commands.html', '/docs/api/']) {
      await page.goto(service.url + path)
      assert.deepEqual(await faultsOf(page), [], path)
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  test(
    'has a reference without serious faults, light or dark, and on a phone',
    { skip },
    async () => {
      const { page, close } = await openWindow(service.url)
      await page.goto(service.url + FACTORY)
      await page.getByRole('button', { name: 'Execute' }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const faults = await faultsOf(page)
        assert.deepEqual(
          faults.filter((fault) => /^(serious|critical)/.test(fault)),
          [],
          colorScheme,
        )
      }
      await page.setViewportSize({ width: 360, height: 740 })
      const about = await page.getByText('Factories of transfers').boundingBox()
      assert.ok((about?.width ?? 0) > 200, `a group's description is ${about?.width} pixels wide`)
      await close()
    },
  )

  test('leads on from a page of the documentation that does not exist', async () => {
    const { status, type, body } = await get('/docs/nowhere.html')
    assert.deepEqual([status, type.split(';')[0]], [404, 'text/html'])
    assert.match(body, /href="\/docs\/"/)
  })

  test('leads people on from any path that there is not, and tells programs so', async () => {
    const page = await get('/nowhere/at/all', { accept: 'text/html,*/*;q=0.8' })
    assert.deepEqual([page.status, page.type], [404, 'text/html; charset=utf-8'])
    assert.match(page.body, /<h1>Page not found<\/h1>/)
    assert.match(page.body, /href="\/docs\/"/)
    const sentence = 'The requested resource could not be found.'
    for (const accept of ['*/*', 'application/json', 'text/plain']) {
      const { status, type, body } = await get('/nowhere/at/all', { accept })
      assert.deepEqual([status, type, body], [404, 'text/plain; charset=utf-8', sentence])
    }
    // What belongs to an interface is told in its own form, whoever asks.
    const { type } = await get('/api/validator/v0/nowhere', { accept: 'text/html' })
    assert.equal(type.split(';')[0], 'application/json')
  })

  async function get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; type: string; body: string }> {
    const answer = await fetch(service.url + path, { headers })
    const type = answer.headers.get('content-type') ?? ''
    return { status: answer.status, type, body: await answer.text() }
  }

  async function textOf(path: string): Promise<string> {
    return (await get(path)).body
  }
})

/** Faults that a checker of accessibility finds, as `impact rule element`. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)')
  return violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes[0]?.html}`)
}

/** Paths on the same server, without anchors. */
function linksOf(html: string, path: string): readonly string[] {
  const base = new URL(path, 'http://here')
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link, base))
    .filter(({ host }) => host === 'here')
    .map(({ pathname }) => pathname)
}

function isCode(name: string): name is ErrorCode {
  return Object.hasOwn(codes, name)
}
