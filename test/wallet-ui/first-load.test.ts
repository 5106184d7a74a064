// What the first visit costs: bytes of script until the balance is on screen are limited; the time
// it takes is told, since a busy machine says nothing by it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openWindow, sharedService, skip } from './browser-kit.ts'
import { newPerson } from './people.ts'

const LIMIT_BYTES = 110_000

let url: string

before(async () => {
  if (skip === false) ({ url } = await sharedService())
})

test('the first page needs less than 110 kB of script as it is sent', { skip }, async (context) => {
  const { name, token } = await newPerson(url, 'visitor', 100)
  const { page, close } = await openWindow(url)
  // What the log-in has loaded is not counted.
  await page.getByLabel('Another user').waitFor()
  // Known beforehand, so that one load has all of the way to the balance; nothing of it comes from
  // the browser's cache.
  await page.addInitScript(
    `sessionStorage.setItem('wallet-session', ${JSON.stringify(JSON.stringify({ user: name, token }))})`,
  )
  const sizes: Promise<Loaded>[] = []
  await withoutCache(page)
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(
        request.sizes().then((size) => ({ path: request.url(), bytes: size.responseBodySize })),
      )
  })
  await page.goto(`${url}/wallet`)
  await page.getByText('100.00 CC').first().waitFor()
  const tookMs = Number(await page.evaluate('performance.now()'))
  const loaded = await Promise.all(sizes)
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0)
  context.diagnostic(
    `${bytes} bytes of script in ${loaded.length} files; balance on screen after ${tookMs.toFixed(0)} ms`,
  )
  assert.ok(bytes > 10_000, `scripts were counted: ${bytes}`)
  assert.ok(bytes < LIMIT_BYTES, loaded.map((one) => `${one.bytes} ${one.path}`).join('\n'))
  await close()
})

interface Loaded {
  readonly path: string
  readonly bytes: number
}

async function withoutCache(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
}
