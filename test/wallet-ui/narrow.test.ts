// What is longer than usual on a small screen: large balances and long names stay whole.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ask } from '../support/wallet-client.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import { newPerson } from './people.ts'
import type { Person } from './people.ts'

const NARROW = { viewport: { width: 360, height: 740 } }
const LONG_NAME = 'a-person-with-a-name-that-is-much-longer-than-a-telephone-is-wide'

let url: string

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
})

test('a balance of billions stands in one line of a small screen', { skip }, async () => {
  const rich = await newPerson(url, 'rich')
  // One tap gives no more.
  for (let taps = 0; taps < 12; taps += 1) await tap(rich, '500000')
  await tap(rich, '1.0')
  const balance = '1,200,000,200.00 CC'
  const { page, close } = await openWallet(url, 'rich', '/', NARROW)
  await page.getByText(balance).first().waitFor()
  assert.deepEqual(await fit(page, balance), { lines: 1, isInside: true })
  for (const path of ['/', '/holdings', '/send', '/history']) {
    await page.goto(`${url}/wallet${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('00,000.00 CC').or(page.getByText(balance)).first().waitFor()
    assert.ok(await isAsWideAsTheWindow(page), path)
  }
  await close()
})

test('long user names are whole where one switches user', { skip }, async () => {
  await newPerson(url, LONG_NAME)
  const { page, close } = await openWallet(url, 'alice', '/development', NARROW)
  await page.getByRole('button', { name: LONG_NAME }).waitFor()
  const { isInside } = await fit(page, LONG_NAME)
  assert.ok(isInside)
  assert.ok(await isAsWideAsTheWindow(page))
  await close()
})

async function tap(person: Person, amount: string): Promise<void> {
  const { status, text } = await ask(url, person, 'POST /tap', { amount })
  assert.equal(status, 200, text)
}

/** Lines of a text, and whether all of it is inside its box. */
async function fit(
  page: Page,
  text: string,
): Promise<{ readonly lines: number; readonly isInside: boolean }> {
  return page.evaluate<{ lines: number; isInside: boolean }>(
    `(${MEASURE})(${JSON.stringify(text)})`,
  )
}

const MEASURE = `(text) => {
  const node = [...document.querySelectorAll('main *')]
    .find(({ childElementCount, textContent }) => childElementCount === 0 && textContent === text)
  const range = document.createRange()
  range.selectNodeContents(node)
  const words = [...range.getClientRects()]
  const frames = []
  for (let frame = node; frame !== document.body; frame = frame.parentElement)
    if (getComputedStyle(frame).overflow !== 'visible') frames.push(frame.getBoundingClientRect())
  return {
    lines: new Set(words.map(({ top }) => Math.round(top))).size,
    isInside: words.every((word) => word.right <= innerWidth && frames.every((frame) =>
      word.left >= frame.left - 1 && word.right <= frame.right + 1 && word.top >= frame.top - 3 && word.bottom <= frame.bottom + 3)),
  }
}`

async function isAsWideAsTheWindow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
}
