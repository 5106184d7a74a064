// The wallet for everybody: what a checker of accessibility finds on every page, and paying and
// accepting with the keyboard alone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { ask, offerBody } from '../support/wallet-client.ts'
import { openWallet, openWindow, sharedService, skip } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { proposersOf } from './minting-kit.ts'
import { newPerson, personOf, spendable } from './people.ts'
import type { Person } from './people.ts'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }

let url: string
let operator: Person

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
  operator = await personOf(url, 'operator')
})

/** The looks of pages in English: all rules where it is light, colour where it is dark. */
const WIDE_LOOKS = [
  { colorScheme: 'light', size: WIDE, options: {} },
  { colorScheme: 'dark', size: WIDE, options: { runOnly: ['color-contrast'] } },
] as const

/** The remaining looks: all rules at once, for the pages in another language. */
const DARK_AND_NARROW = [{ colorScheme: 'dark', size: NARROW, options: {} }] as const

/** What is shown in one language only: what is structure where it is narrow, too. */
const LOOKS = [
  ...WIDE_LOOKS,
  {
    colorScheme: 'light',
    size: NARROW,
    options: { rules: { 'color-contrast': { enabled: false } } },
  },
] as const

type Looks = typeof LOOKS | typeof WIDE_LOOKS | typeof DARK_AND_NARROW

/** Colours are on their way for a tenth of a second; what turns for ever is not waited for. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`

/** Faults of a page and what is open on it, as `rule: element`. */
async function faultsOf(page: Page, looks: Looks = LOOKS): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { colorScheme, size, options } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await page.evaluate(STILL)
    const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
    const { violations } = await page.evaluate<axe.AxeResults>(run)
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    faults.push(
      ...serious.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ html, any }) =>
            `${colorScheme} ${size.width}: ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`,
        ),
      ),
    )
  }
  await page.setViewportSize(WIDE)
  return faults
}

async function openOperator(): Promise<Window> {
  const window = await openWallet(url, 'operator', '/', { reducedMotion: 'reduce' })
  await window.page.evaluate(axe.source)
  return window
}

test('no page has a serious fault, light or dark', { skip }, async () => {
  const payer = await newPerson(url, 'payer', 1_000)
  for (const [from, to] of [
    [payer, operator],
    [operator, payer],
  ] as const) {
    const body = offerBody({ kind: 'token', from, to, amount: '10', id: `from ${from.name}` })
    assert.equal((await ask(url, from, 'POST /token-standard/transfers', body)).status, 200)
  }
  const proposers = proposersOf(url)
  await proposers.propose(await proposers.external('shop'), {
    delegate: operator.party,
    mergeLimit: 5,
    days: 30,
  })
  const { page, close } = await openOperator()
  assert.deepEqual(await faultsOfPages(page, { metrics: 'Metrics', looks: WIDE_LOOKS }), [])
  await page.getByRole('link', { name: 'History', exact: true }).first().click()
  const entry = page.getByRole('list', { name: 'History' }).getByRole('button').first()
  await entry.click()
  assert.deepEqual(await faultsOf(page), [], 'an open entry of the history')
  await page.getByRole('link', { name: 'Receipt to print' }).click()
  await page.getByRole('heading', { level: 2 }).waitFor()
  assert.deepEqual(await faultsOf(page), [], 'a receipt')
  await close()
})

test('nor in German, where it is narrow', { skip }, async () => {
  const { page, close } = await openOperator()
  await page.evaluate("localStorage.setItem('wallet-language', 'de')")
  await page.reload()
  await page.evaluate(axe.source)
  const found = await faultsOfPages(page, { metrics: 'Messwerte', looks: DARK_AND_NARROW })
  assert.deepEqual(found, [])
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
  await close()
})

interface Tour {
  /** Name of the last page. */
  readonly metrics: string
  readonly looks: Looks
}

/** Faults of all pages that the navigation leads to. */
async function faultsOfPages(page: Page, { metrics, looks }: Tour): Promise<readonly string[]> {
  const links = page.getByRole('navigation').first().getByRole('link')
  await links.filter({ hasText: metrics }).waitFor()
  const faults: string[] = []
  for (const link of await links.all()) {
    await link.click()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByLabel(/^(Loading|Wird geladen)$/u)
      .first()
      .waitFor({ state: 'hidden' })
    const title = await page.title()
    // Lines have two points at least; until then there is no chart.
    if (title.includes(metrics)) await page.getByRole('img').first().waitFor()
    faults.push(...(await faultsOf(page, looks)).map((fault) => `${title}: ${fault}`))
  }
  return faults
}

test('nor has the log-in, or a dialog', { skip }, async () => {
  const outside = await openWindow(url, { reducedMotion: 'reduce' })
  await outside.page.getByRole('heading', { level: 1 }).waitFor()
  await outside.page.evaluate(axe.source)
  assert.deepEqual(await faultsOf(outside.page), [])
  const { page, close } = await openOperator()
  await page.getByRole('link', { name: 'Users and parties' }).click()
  await page.getByRole('button', { name: 'Onboard a user' }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await faultsOf(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Offboard alice' }).click()
  await page.getByRole('dialog', { name: 'Offboard alice?' }).waitFor()
  assert.deepEqual(await faultsOf(page), [], 'a dialog that warns')
  await Promise.all([outside.close(), close()])
})

test(
  'nor have the choice and the question of whom one means, in any language',
  { skip },
  async () => {
    const buyer = await newPerson(url, 'buyer', 10)
    const near = await newPerson(url, 'buIcher')
    const [known, alike] = ['ab', 'cd'].map((end) => `butcher::1220${end.repeat(32)}`)
    for (const [party, name] of [
      [known, 'Butcher'],
      [operator.party, 'Operator'],
    ])
      await call(url, `PUT /wallet/contacts/${encodeURIComponent(String(party))}`, {
        token: buyer.token,
        body: { name },
      })
    const { page, close } = await openWallet(url, 'buyer', '/', { reducedMotion: 'reduce' })
    for (const [language, looks] of [
      ['en', WIDE_LOOKS],
      ['de', DARK_AND_NARROW],
    ] as const) {
      await page.evaluate(`localStorage.setItem('wallet-language', '${language}')`)
      await page.goto(`${url}/wallet/send?to=0perator&amount=1`)
      await page.evaluate(axe.source)
      await page.getByText(/^(Which one do you mean|Wen meinen Sie)\?$/u).waitFor()
      assert.deepEqual(await faultsOf(page, looks), [], `a choice, ${language}`)
      await page.goto(`${url}/wallet/send?to=${encodeURIComponent(String(alike))}&amount=1`)
      await page.evaluate(axe.source)
      await page.locator('form button[type="submit"]:enabled').click()
      await page.getByRole('dialog').getByRole('checkbox').waitFor()
      assert.deepEqual(await faultsOf(page, looks), [], `a look-alike, ${language}`)
      await page.goto(`${url}/wallet/send?to=${encodeURIComponent(near.party)}&amount=1`)
      await page.evaluate(axe.source)
      await page.locator('form button[type="submit"]:enabled').click()
      await page.getByRole('dialog').getByText('capital I').or(page.getByText('großes I')).waitFor()
      assert.deepEqual(await faultsOf(page, looks), [], `a name that is spelled out, ${language}`)
    }
    await close()
  },
)

test('by the keyboard alone: log in, send, refuse to reject, accept', { skip }, async () => {
  const [giver, getter] = [await newPerson(url, 'giver', 1_000), await newPerson(url, 'getter')]
  const [sending, getting] = await Promise.all([openWindow(url), openWindow(url)])
  await Promise.all([logIn(sending.page, 'giver'), logIn(getting.page, 'getter')])
  await pay(sending.page)
  const { page } = getting
  await tabTo(page, /^Offers/u)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Reject/u }).waitFor()
  await tabTo(page, /^Reject/u)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Reject the coin?' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(true, async () => /^Reject/u.test(await focusedName(page)))
  await tabTo(page, /^Accept/u, 'Shift+Tab')
  await page.keyboard.press('Space')
  await page.getByText('Accepted: 12.50 CC from giver.').waitFor()
  await page.getByRole('button', { name: /^Accept/u }).waitFor({ state: 'detached' })
  assert.notEqual(
    await page.evaluate('document.activeElement.tagName'),
    'BODY',
    'the focus went with the row',
  )
  assert.deepEqual(
    [await spendable(url, getter), await spendable(url, giver)],
    ['12.5000000000', '987.5000000000'],
  )
  await Promise.all([sending.close(), getting.close()])
})

async function logIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Another user').waitFor()
  await tabTo(page, /^Another user/u)
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Send', exact: true }).waitFor()
}

async function pay(page: Page): Promise<void> {
  await tabTo(page, /^Send$/u)
  await page.keyboard.press('Enter')
  await page.getByLabel('Amount in CC').waitFor()
  await tabTo(page, /^To$/u)
  await page.keyboard.type('getter')
  await tabTo(page, /^Amount in CC/u)
  await page.keyboard.type('12.5')
  await page
    .locator('form')
    .getByRole('button', { name: 'Send', exact: true })
    .and(page.locator(':enabled'))
    .waitFor()
  await tabTo(page, /^Send$/u)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Send this payment?' }).waitFor()
  await tabTo(page, /^Send 12/u)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '✓ On its way' }).waitFor()
}

/** No page has as many stops between two that are used here. */
const MOST_STOPS = 60

/** Presses Tab until something of that name has the focus, and holds that it shows. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const seen: string[] = []
  while (!name.test(seen.at(-1) ?? '')) {
    assert.ok(seen.length < MOST_STOPS, `no ${name.source} among ${seen.join(', ')}`)
    await page.keyboard.press(key)
    seen.push(await focusedName(page))
  }
  assert.ok(
    await page.evaluate(LOOKS_FOCUSED),
    `${name.source} does not look as if it had the focus`,
  )
}

async function focusedName(page: Page): Promise<string> {
  return String(await page.evaluate(FOCUSED_NAME))
}

const FOCUSED_NAME = `(() => {
  const { activeElement: it } = document
  return (it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent).trim()
})()`

/** Whether it looks otherwise than without. */
const LOOKS_FOCUSED = `(async () => {
  const { activeElement: it } = document
  const look = async () => {
    await ${STILL}
    const { outline, borderColor, boxShadow } = getComputedStyle(it)
    return outline + borderColor + boxShadow
  }
  const focused = await look()
  it.blur()
  const plain = await look()
  it.focus()
  return focused !== plain
})()`
