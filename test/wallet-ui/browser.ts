// A real browser: Debian's chromium through playwright-core, and windows of it that show the
// wallet.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { CHROMIUM, openBrowser } from '../support/chromium.ts'
import { PATIENCE_MS } from '../support/eventually.ts'

const PAGE = fileURLToPath(new URL('../../plugins/wallet-ui/page/index.html', import.meta.url))

/**
 * The reason why there can be no browser here; false if there can. For `test(name, { skip }, …)`.
 */
export const skip: string | false =
  CHROMIUM === undefined
    ? 'no chromium here: apt-get install chromium-headless-shell, or name one in CHROMIUM'
    : existsSync(PAGE)
      ? false
      : 'the wallet page is not built: npm run build:wallet'

let launched: Promise<Browser> | undefined

/** Closes the browser with all its windows. */
export async function closeBrowser(): Promise<void> {
  await (await launched)?.close()
}

export interface Window {
  readonly page: Page
  /**
   * Scripts that failed, what the page complained about in its console, and requests to anybody
   * else.
   */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** A window of its own (its own session) that shows the wallet's log-in, at any of its pages. */
export async function openWindow(
  url: string,
  options: BrowserContextOptions = {},
  path = '/',
): Promise<Window> {
  launched ??= openBrowser()
  const context = await (
    await launched
  ).newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser notes every refusal there; whether one is right is what the page shows of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      complaints.push(`foreign request: ${request.url()}`)
  })
  await page.goto(`${url}/wallet${path === '/' ? '' : path}`)
  return {
    page,
    complaints,
    close: async () => {
      // What a page asks for again and again may be on a test's way just now.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    },
  }
}

/**
 * A window in which somebody is logged in, at a page of the wallet such as `/send`. Users without a
 * wallet see the welcome.
 */
export async function openWallet(
  url: string,
  user: string,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<Window> {
  const window = await openWindow(url, options, path)
  const { page } = window
  await page.getByLabel('Another user').fill(user)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return window
}

/** Sends the form off, and confirms the party as one that was never paid. */
export async function sendFirst(page: Page): Promise<void> {
  await page.locator('form button[type="submit"]').click()
  await page.getByRole('dialog').getByRole('button').last().click()
}
