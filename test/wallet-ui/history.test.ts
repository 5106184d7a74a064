// The history in a real browser: what happened is there within moments, from both sides, all of it
// by scrolling, and as a file.
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { eventually } from '../support/eventually.ts'
import { ask, pay } from '../support/wallet-client.ts'
import type { PaymentKind } from '../support/wallet-client.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { newPerson } from './people.ts'
import type { Person } from './people.ts'

const TAPS = 110
/** How a phone is turned, and a window drawn. */
const WINDOWS = [
  [360, 2_000],
  [1_280, 600],
  [360, 740],
] as const

let url: string
let giver: Person
let getter: Person
let givers: Window
let getters: Window

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
  giver = await newPerson(url, 'giver', 1_000)
  getter = await newPerson(url, 'getter')
  const windows = await Promise.all([
    openWallet(url, 'giver', '/history'),
    openWallet(url, 'getter', '/history'),
  ])
  ;[givers, getters] = windows
})

test('nothing yet is said so, and a tap shows by itself', { skip }, async () => {
  const { page } = getters
  await page.getByText('Nothing has happened yet.').waitFor()
  await ask(url, getter, 'POST /tap', { amount: '1' })
  await row(page, 'Test coin received').getByText('+200.00 CC').waitFor()
  await page.getByText('No older entries.').waitFor()
})

test('payments of each kind read right for who paid and who was paid', { skip }, async () => {
  for (const [kind, amount] of [
    ['token', '3.5'],
    ['offer', '2.5'],
    ['send', '1.5'],
  ] satisfies [PaymentKind, string][]) {
    if (kind === 'send') await ask(url, getter, 'POST /transfer-preapproval')
    assert.deepEqual(await pay(url, { kind, from: giver, to: getter, amount, id: `by-${kind}` }), {
      end: 'paid',
    })
  }
  await row(givers.page, 'Sent in one step').getByText('-1.50 CC').waitFor()
  await row(givers.page, 'Sent in one step').getByText('to getter · “by-send”').waitFor()
  await row(givers.page, 'Offer paid').getByText('-2.50 CC').waitFor()
  // The entry has no text; the ledger has it of the offer.
  await row(givers.page, 'Offer paid').getByText('to getter · “by-offer”').waitFor()
  await row(getters.page, 'Offer to you').getByText('2.50 offered, no coin moved').waitFor()
  await row(givers.page, 'Two-step transfer begun').getByText('-3.50 CC').waitFor()
  await row(givers.page, 'Two-step transfer was accepted').getByText('0.00 CC').waitFor()
  await row(getters.page, 'Received in one step').getByText('+1.50 CC').waitFor()
  await row(getters.page, 'Offer received').getByText('+2.50 CC').waitFor()
  await row(getters.page, 'Two-step transfer offered to you')
    .getByText('from giver · “by-token” · nothing has moved yet')
    .waitFor()
  await row(getters.page, 'Two-step transfer accepted').getByText('+3.50 CC').waitFor()
})

test(
  'a line opens, by keyboard too, and shows amounts of both sides and ids to copy',
  { skip },
  async () => {
    const line = row(givers.page, 'Sent in one step')
    await line.getByRole('button', { expanded: false }).press('Enter')
    const details = line.getByRole('group', { name: 'Details of Sent in one step' })
    await details
      .getByText('TransferPreapproval_Send (Network.CoinRules:TransferPreapproval)')
      .waitFor()
    for (const text of ['-1.50 CC', '+1.50 CC', 'by-send']) await details.getByText(text).waitFor()
    for (const name of ['Copy event id', 'Copy update id', 'Copy sender', 'Copy receiver'])
      await details.getByRole('button', { name }).waitFor()
    await line.getByRole('button', { expanded: true }).press('Enter')
    await details.waitFor({ state: 'detached' })
    await ask(url, giver, 'POST /tap', { amount: '0.5' })
    await givers.page.getByText('+100.00 CC').waitFor()
    assert.match(await givers.page.locator(':focus').innerText(), /Sent in one step/u)
  },
)

test(
  'filters, and a file of what they leave with the amounts of the interface',
  { skip },
  async () => {
    const { page } = givers
    await page.getByLabel('Search').fill('getter')
    await page.getByText('5 entries match.').waitFor()
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('Coin out')
    await page.getByText('3 entries match.').waitFor()
    const rows = await saved(page)
    assert.deepEqual(
      rows.map((cells) => cells[3]),
      await amountsOut(),
    )
    await page.getByLabel('Search').fill('nobody of this name')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await row(page, 'Test coin received').waitFor()
  },
)

test(
  'older pages come as one scrolls, all stand below each other, and the file has them all',
  { skip },
  async () => {
    const collector = await newPerson(url, 'collector')
    await Promise.all(
      Array.from({ length: TAPS }, (_, index) =>
        ask(url, collector, 'POST /tap', { amount: `0.${String(index + 1).padStart(4, '0')}` }),
      ),
    )
    const { page, complaints, close } = await openWallet(url, 'collector', '/history')
    const entries = page.getByRole('listitem')
    await entries.first().waitFor()
    assert.equal(await page.getByText('No older entries.').count(), 0, 'the first page is not all')
    await scrolledToEnd(page)
    // While they move, they are in no order that is read, and the last ones come when they stand.
    await eventually(['', String(TAPS - 1)], async () => [
      await outOfOrder(page),
      await entries.last().getAttribute('data-index'),
    ])
    assert.ok((await entries.count()) < TAPS, 'only what is in sight is drawn')
    const oldest = async (index: number): Promise<{ text: string; y: number }> => {
      const line = page.locator(`[data-index="${index}"]`)
      return { text: await line.innerText(), y: (await line.boundingBox())?.y ?? Infinity }
    }
    const before = await oldest(TAPS - 1)
    await ask(url, collector, 'POST /tap', { amount: '7' })
    await page.locator(`[data-index="${TAPS}"]`).waitFor()
    const after = await oldest(TAPS)
    assert.equal(after.text, before.text)
    const moved = after.y - before.y
    assert.ok(Math.abs(moved) <= 1, `moved by ${moved} pixels`)
    assert.equal((await saved(page)).length, TAPS + 1)
    for (const to of [1_500, 0]) {
      await page.evaluate(`scrollTo(0, ${to})`)
      await eventually('', () => gaps(page))
    }
    await page.locator('[data-index="0"] [aria-expanded]').click()
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height })
      await eventually('', () => gaps(page))
    }
    assert.deepEqual(complaints, [])
    await close()
  },
)

/** The numbers of the lines that are read out before the one above them. */
async function outOfOrder(page: Page): Promise<string> {
  return String(
    await page.evaluate(`[...document.querySelectorAll('[data-index]')]
      .map((line) => Number(line.dataset.index))
      .filter((index, at, all) => at > 0 && index !== all[at - 1] + 1)`),
  )
}

/** The numbers of the lines that do not stand right below the one before them. */
async function gaps(page: Page): Promise<string> {
  return String(
    await page.evaluate(`[...document.querySelectorAll('[data-index]')]
      .map((line) => ({ index: Number(line.dataset.index), ...line.getBoundingClientRect().toJSON() }))
      .sort((one, other) => one.index - other.index)
      .filter(({ top }, at, all) => at > 0 && Math.abs(top - all[at - 1].bottom) > 1)
      .map(({ index }) => index)
      .join(' ')`),
  )
}

function row(page: Page, title: string): Locator {
  return page
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first()
}

/** Scrolls down until there is no more. */
async function scrolledToEnd(page: Page): Promise<void> {
  const scroll = 'scrollTo(0, document.documentElement.scrollHeight)'
  await page.evaluate(`globalThis.scrolling = setInterval(() => ${scroll}, 30)`)
  await page.getByText('No older entries.').waitFor()
  await page.evaluate(`clearInterval(scrolling); ${scroll}`)
}

/** The rows of the file without its head; no cell of these has a comma. */
async function saved(page: Page): Promise<readonly (readonly string[])[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const content = await text(await download.createReadStream())
  return content
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','))
}

/** Amounts of the giver's entries in which coin went out, newest first, as the wire has them. */
async function amountsOut(): Promise<readonly string[]> {
  const items = member(
    (await ask(url, giver, 'POST /transactions', { page_size: 100 })).json,
    'items',
  )
  assert.ok(Array.isArray(items))
  return items
    .map((item) => String(member(member(item, 'sender'), 'amount')))
    .filter((amount) => amount.startsWith('-'))
}
