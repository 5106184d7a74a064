// What the first visit costs: bytes of script until something is on screen are limited; the time
// it takes is told, since a busy machine says nothing by it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openWindow, sharedService, skip } from './browser-kit.ts'
import { newPerson, tokenOf } from './people.ts'

const LIMIT_BYTES = 80_000
/** A phone of the middle class; WALLET_FULL=1 measures as on one. */
const SLOWDOWN = process.env['WALLET_FULL'] === '1' ? 4 : 1

let url: string

before(async () => {
  if (skip === false) ({ url } = await sharedService())
})

test(
  'the way to the balance is less than 80 kB of script as it is sent',
  { skip },
  async (context) => {
    const { name, token } = await newPerson(url, 'visitor', 100)
    await loads({ user: name, token }, '100.00 CC', context)
  },
)

test('so is the way to the welcome', { skip }, async (context) => {
  const user = 'newcomer-to-welcome'
  await loads({ user, token: await tokenOf(url, user) }, 'Set up my wallet', context)
})

/** One load of the whole way to `text`, by somebody who is logged in. */
async function loads(
  session: { readonly user: string; readonly token: string },
  text: string,
  context: TestContext,
): Promise<void> {
  const { page, close } = await openWindow(url)
  // What the log-in has loaded is not counted.
  await page.getByLabel('Another user').waitFor()
  await page.addInitScript(
    `sessionStorage.setItem('wallet-session', ${JSON.stringify(JSON.stringify(session))})`,
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
  await page.getByText(text).first().waitFor()
  const figures = String(await page.evaluate(FIGURES))
  const loaded = await Promise.all(sizes)
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0)
  context.diagnostic(
    `${text}: ${bytes} bytes of script in ${loaded.length} files; ${figures}; processor ${SLOWDOWN} times slower`,
  )
  assert.ok(bytes > 10_000, `scripts were counted: ${bytes}`)
  assert.ok(bytes < LIMIT_BYTES, loaded.map((one) => `${one.bytes} ${one.path}`).join('\n'))
  await close()
}

/** Figures of the first load, as browsers' tools have them: all bytes, paints, milliseconds. */
const FIGURES = `new Promise((resolve) => {
  const files = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
  const now = performance.now()
  new PerformanceObserver((list) => {
    const largest = list.getEntries().at(-1)?.startTime
    resolve(bytes + ' bytes in all, first paint ' + Math.round(first) + ' ms, largest ' + Math.round(largest) + ' ms, text after ' + Math.round(now) + ' ms')
  }).observe({ type: 'largest-contentful-paint', buffered: true })
})`

interface Loaded {
  readonly path: string
  readonly bytes: number
}

/** Nothing comes from the browser's cache, on a processor as slow as is asked for. */
async function withoutCache(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}
