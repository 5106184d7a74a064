// Takes the pictures of docs/wallet: every page and dialog at two widths and in both schemes. `npm
// run wallet:pictures`, perhaps with the names of some: `npm run wallet:pictures -- send offers`.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { ROOT, startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { closeBrowser, openWallet, openWindow } from './browser.ts'
import { makeWorld } from './picture-world.ts'
import { withPalette } from './png.ts'

interface Shot {
  readonly name: string
  /** Path below /wallet. */
  readonly path: string
  readonly as: 'nobody' | 'newcomer' | 'alice' | 'bob' | 'operator'
  /** Action on the page before the picture. */
  readonly act?: (page: Page) => Promise<unknown>
  /** Stands in the middle of the window: the rest of the page is not of interest. */
  readonly isDialog?: boolean
}

const click =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click()

const SHOTS: readonly Shot[] = [
  { name: 'log-in', path: '/', as: 'nobody' },
  { name: 'welcome', path: '/', as: 'newcomer' },
  {
    name: 'overview',
    path: '/',
    as: 'alice',
    act: (page) => page.getByText('Your half of the deposit').first().waitFor(),
  },
  {
    name: 'holdings',
    path: '/holdings',
    as: 'alice',
    act: (page) => page.getByRole('listitem').first().waitFor(),
  },
  { name: 'send', path: '/send', as: 'alice' },
  { name: 'send-filled', path: '/send', as: 'alice', act: fillPayment },
  {
    name: 'send-confirm',
    path: '/send',
    as: 'alice',
    act: askPayment,
    isDialog: true,
  },
  {
    name: 'send-first',
    path: `/send?to=bob::1220${'4af01b7c'.repeat(8)}&amount=42.5`,
    as: 'alice',
    act: askFirst,
    isDialog: true,
  },
  { name: 'receive', path: '/receive', as: 'alice', act: askForAmount },
  {
    name: 'people',
    path: '/people',
    as: 'alice',
    act: (page) => page.getByText('Carol Meier').first().waitFor(),
  },
  { name: 'people-add', path: '/people', as: 'alice', act: click('Add a person'), isDialog: true },
  {
    name: 'offers',
    path: '/offers',
    as: 'alice',
    act: (page) => page.getByText('Bicycle').first().waitFor(),
  },
  { name: 'offers-reject', path: '/offers', as: 'alice', act: click(/^Reject/u), isDialog: true },
  { name: 'offers-empty', path: '/offers', as: 'operator' },
  {
    name: 'history',
    path: '/history',
    as: 'alice',
    act: (page) => page.locator('button[aria-expanded]').first().waitFor(),
  },
  {
    name: 'history-entry',
    path: '/history',
    as: 'alice',
    act: (page) => page.locator('button[aria-expanded]').first().click(),
  },
  { name: 'receipt', path: '/history', as: 'alice', act: openReceipt },
  { name: 'traffic', path: '/traffic', as: 'alice' },
  {
    name: 'preapproval',
    path: '/preapproval',
    as: 'alice',
    act: (page) => page.getByRole('button', { name: 'Turn off' }).waitFor(),
  },
  {
    name: 'preapproval-off',
    path: '/preapproval',
    as: 'alice',
    act: click('Turn off'),
    isDialog: true,
  },
  {
    name: 'delegations',
    path: '/delegations',
    as: 'alice',
    act: (page) => page.getByRole('button', { name: 'Accept' }).first().waitFor(),
  },
  {
    name: 'delegations-accept',
    path: '/delegations',
    as: 'alice',
    act: acceptReplacement,
    isDialog: true,
  },
  {
    name: 'merging',
    path: '/merging',
    as: 'alice',
    act: (page) => page.getByRole('button', { name: 'Propose merging' }).waitFor(),
  },
  {
    name: 'merging-active',
    path: '/merging',
    as: 'bob',
    act: (page) => page.getByRole('button', { name: 'End merging' }).waitFor(),
  },
  { name: 'network', path: '/network', as: 'alice' },
  { name: 'settings', path: '/settings', as: 'alice' },
  { name: 'development', path: '/development', as: 'alice' },
  { name: 'overview-german', path: '/', as: 'alice', act: inGerman },
  { name: 'send-done', path: '/send', as: 'alice', act: sendPayment },
  { name: 'users', path: '/users', as: 'operator' },
  {
    name: 'users-onboard',
    path: '/users',
    as: 'operator',
    act: click('Onboard a user'),
    isDialog: true,
  },
  {
    name: 'users-offboard',
    path: '/users',
    as: 'operator',
    act: click('Offboard bob'),
    isDialog: true,
  },
  {
    name: 'automations',
    path: '/automations',
    as: 'operator',
    act: (page) => page.getByText('failing', { exact: true }).first().waitFor(),
  },
  { name: 'metrics', path: '/metrics', as: 'operator', act: (page) => page.waitForTimeout(12_000) },
]

/** Longer pages are cut here, in pixels. */
const HEIGHT = 2_000
const FOLDER = process.env['PICTURES'] ?? join(ROOT, 'docs/wallet')

async function fillPayment(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'To' }).fill('bob')
  await page.getByRole('combobox', { name: 'To' }).blur()
  await page.getByLabel('Amount in CC').fill('42.5')
  await page.getByLabel('Description').fill('Theatre')
  await page
    .getByRole('button', { name: 'Send', exact: true })
    .and(page.locator(':enabled'))
    .waitFor()
}

async function askPayment(page: Page): Promise<void> {
  await fillPayment(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

/** Somebody else's bob. */
async function askFirst(page: Page): Promise<void> {
  await page.locator('form button[type="submit"]:enabled').click()
  await page.getByRole('dialog').getByRole('checkbox').waitFor()
}

async function openReceipt(page: Page): Promise<void> {
  await page.getByRole('listitem').filter({ hasText: 'Coffee' }).getByRole('button').click()
  await page.getByRole('link', { name: 'Receipt to print' }).click()
  await page.getByRole('heading', { level: 2 }).waitFor()
}

/** German for this picture alone: the next page is English again. */
async function inGerman(page: Page): Promise<void> {
  await page.evaluate("localStorage.setItem('wallet-language', 'de')")
  await page.reload()
  await page.getByText('Letzte Vorgänge').first().waitFor()
  await page.getByText('Wartet auf Sie').first().waitFor()
  await page.evaluate("localStorage.removeItem('wallet-language')")
}

async function askForAmount(page: Page): Promise<void> {
  await page.getByLabel('Amount in CC').fill('42.5')
  await page.getByLabel('Description').fill('Theatre')
}

async function sendPayment(page: Page): Promise<void> {
  await askPayment(page)
  await page.getByRole('button', { name: /^Send 42/u }).click()
  await page.getByRole('heading', { level: 2 }).waitFor()
}

/** The proposal that would take the place of a delegation that is active. */
async function acceptReplacement(page: Page): Promise<void> {
  const proposal = page
    .getByRole('table', { name: 'Proposals' })
    .getByRole('row')
    .filter({ hasText: 'shop' })
  await proposal.getByRole('button', { name: /Accept/u }).click()
}

const RUNTIME = pathToFileURL(join(ROOT, 'runtime/index.ts')).href
/** An automation whose runs fail, which none of a development network does by itself. */
const FAILING = `import { definePlugin } from ${JSON.stringify(RUNTIME)}
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
const run = async () => { throw new Error('invoices.example answers 503') }
export default definePlugin({ kind: 'automation', name: 'invoices', options,
  summary: 'Sends an invoice for every payment.', setup: () => ({ trigger: { everyMs: 1000 }, run }) })
`

/** A service that has run for a while; one of its automations fails. */
async function serveWorld(folder: string): Promise<Service> {
  const first = await startService({ seeded: true, dataDir: folder })
  await makeWorld(first.url)
  await first.stop()
  const use = join(folder, 'invoices.mjs')
  await writeFile(use, FAILING)
  return startService({
    seeded: true,
    dataDir: folder,
    config: { automations: { invoices: { use } } },
  })
}

async function takeAll(url: string, shots: readonly Shot[]): Promise<void> {
  const people = new Set(shots.map(({ as }) => as))
  for (const person of people) {
    const options = {
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Zurich',
    } as const
    const { page, complaints, close } =
      person === 'nobody'
        ? await openWindow(url, options)
        : await openWallet(url, person, '/', options)
    for (const shot of shots.filter(({ as }) => as === person)) await take(url, page, shot)
    for (const complaint of complaints) process.stdout.write(`  ${person}: ${complaint}\n`)
    await close()
  }
}

async function take(
  url: string,
  page: Page,
  { name, path, act, isDialog = false }: Shot,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${url}/wallet${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle', { timeout: 4_000 }).catch(() => undefined)
  await act?.(page)
  for (const width of [1280, 360]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await fitWindow(page, width, isDialog)
      const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      await writeFile(join(FOLDER, `${name}-${width}-${colorScheme}.png`), withPalette(png))
    }
  }
  process.stdout.write(`${name}\n`)
}

/** The window takes the page's height: lists that draw only what is in sight draw it all. */
async function fitWindow(page: Page, width: number, isDialog: boolean): Promise<void> {
  const least = width === 360 ? 740 : 800
  await page.setViewportSize({ width, height: least })
  await settle(page)
  if (isDialog) return
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ width, height: Math.min(height, HEIGHT) })
  await settle(page)
}

/** Waits until nothing has moved for a moment: rows are measured after they are drawn. */
async function settle(page: Page): Promise<void> {
  let last = ''
  for (let calm = 0; calm < 4;) {
    await page.waitForTimeout(80)
    const places = String(
      await page.evaluate(
        `JSON.stringify([...document.querySelectorAll('[data-index], main, h2')].map((one) => one.getBoundingClientRect()))`,
      ),
    )
    calm = places === last ? calm + 1 : 0
    last = places
  }
}

const wanted = process.argv.slice(2)
const { path: folder, remove } = await tempDir()
const service = await serveWorld(folder)
try {
  await mkdir(FOLDER, { recursive: true })
  await takeAll(
    service.url,
    SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  )
} finally {
  await closeBrowser()
  await service.stop()
  await remove()
}
