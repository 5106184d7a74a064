// Offers as two people in two windows see them: made, accepted, rejected, withdrawn, expired.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { call } from '../support/http.ts'
import { ask } from '../support/wallet-client.ts'
import { eventually } from '../support/eventually.ts'
import { openWallet, sendFirst, sharedService, skip } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { newPerson, spendable, tokenOf } from './people.ts'
import type { Person } from './people.ts'

/** A busy machine makes the offer within it, and a person sees it end. */
const BRIEF_MS = 5_000

let url: string
let payer: Person
let taker: Person
let payerWindow: Window
let takerWindow: Window

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
  payer = await newPerson(url, 'payer', 1_000)
  taker = await newPerson(url, 'taker')
  const windows = await Promise.all([
    openWallet(url, 'payer', '/send'),
    openWallet(url, 'taker', '/offers'),
  ])
  ;[payerWindow, takerWindow] = windows
})

test(
  'by offer: nothing moves until it is accepted, then both balances say so',
  { skip },
  async () => {
    const { page } = payerWindow
    await fill(page, 'taker', '12.5')
    await page.getByRole('radio', { name: 'By offer' }).click()
    await page.getByLabel('Description').fill('Lunch')
    await page
      .getByText('You offer 12.50 CC (about $0.06) to taker. Nothing moves until taker accepts')
      .waitFor()
    await sendFirst(page)
    await page.getByRole('heading', { name: '✓ Offered' }).waitFor()
    assert.equal(await spendable(url, payer), '1000.0000000000')
    const row = rowOf(takerWindow.page, '12.50 CC')
    assert.match(await row.innerText(), /“Lunch”[\s\S]*By offer[\s\S]*10 days left/u)
    await takerWindow.page.getByLabel('1 waiting').waitFor()
    await automation('completion', 'pause')
    await row.getByRole('button', { name: /^Accept/u }).click()
    await takerWindow.page.getByText('Accepted: 12.50 CC from payer.').waitFor()
    await row.getByText('Accepted, waiting for payment').waitFor()
    assert.equal(await row.getByRole('button', { name: /^(Accept|Reject)/u }).count(), 0)
    await automation('completion', 'resume')
    await eventually('12.5000000000', () => spendable(url, taker))
    assert.equal(await spendable(url, payer), '987.5000000000')
    await row.waitFor({ state: 'detached' })
  },
)

test('in two steps: the coin is locked, and taken', { skip }, async () => {
  await sendInTwoSteps('20')
  assert.equal(await spendable(url, payer), '967.5000000000')
  await rowOf(takerWindow.page, '20.00 CC')
    .getByRole('button', { name: /^Accept/u })
    .click()
  await takerWindow.page.getByText('Accepted: 20.00 CC from payer.').waitFor()
  assert.equal(await spendable(url, taker), '32.5000000000')
})

test('in two steps: rejecting gives the coin up, which is asked once more', { skip }, async () => {
  await sendInTwoSteps('30')
  const { page } = takerWindow
  await rowOf(page, '30.00 CC')
    .getByRole('button', { name: /^Reject/u })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Reject the coin?' })
  await dialog.getByText('You give up 30.00 CC. The coin goes back to payer').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await spendable(url, payer), '937.5000000000')
  await rowOf(page, '30.00 CC')
    .getByRole('button', { name: /^Reject/u })
    .click()
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected: 30.00 CC from payer.').waitFor()
  assert.equal(await spendable(url, payer), '967.5000000000')
})

test('in two steps: who sent it takes it back', { skip }, async () => {
  await sendInTwoSteps('40')
  await rowOf(takerWindow.page, '40.00 CC').waitFor()
  const { page } = payerWindow
  await page.getByRole('link', { name: 'See your offers' }).click()
  const row = rowOf(page, '40.00 CC')
  assert.match(await row.innerText(), /In two steps[\s\S]*Your coin is locked until taker accepts/u)
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Withdrawn: 40.00 CC for taker.').waitFor()
  assert.equal(await spendable(url, payer), '967.5000000000')
  await rowOf(takerWindow.page, '40.00 CC').waitFor({ state: 'detached' })
})

test(
  'an expired offer says what happens next, and the server why it is too late',
  { skip },
  async () => {
    await automation('expiry', 'pause')
    const { page } = takerWindow
    // This window's clock stands still, so that it does not know that time is up.
    await page.clock.setFixedTime(new Date())
    const made = await ask(url, payer, 'POST /token-standard/transfers', {
      receiver_party_id: taker.party,
      amount: '5',
      description: '',
      tracking_id: 'short',
      expires_at: (Date.now() + BRIEF_MS) * 1000,
    })
    assert.equal(made.status, 200, made.text)
    const row = rowOf(page, '5.00 CC')
    await row.waitFor()
    await rowOf(payerWindow.page, '5.00 CC')
      .getByText('It can no longer be accepted. Your coin comes back by itself')
      .waitFor()
    await row.getByRole('button', { name: /^Accept/u }).click()
    assert.notEqual(await row.getByRole('alert').innerText(), '')
    await row.getByRole('button', { name: 'Try again' }).waitFor()
    await rowOf(payerWindow.page, '5.00 CC').getByRole('button', { name: 'Withdraw' }).click()
    await payerWindow.page.getByText('Withdrawn: 5.00 CC for taker.').waitFor()
    assert.equal(await spendable(url, payer), '967.5000000000')
    assert.deepEqual([...payerWindow.complaints, ...takerWindow.complaints], [])
  },
)

async function automation(name: string, act: 'pause' | 'resume'): Promise<void> {
  const token = await tokenOf(url, 'operator')
  const { status, text } = await call(
    url,
    `POST /api/validator/v0/admin/automations/${name}/${act}`,
    { token, body: {} },
  )
  assert.equal(status, 200, text)
}

async function sendInTwoSteps(amount: string): Promise<void> {
  const { page } = payerWindow
  await page.getByRole('button', { name: 'Send another' }).click()
  await fill(page, 'taker', amount)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { name: '✓ On its way' }).waitFor()
}

async function fill(page: Page, to: string, amount: string): Promise<void> {
  await page.getByRole('combobox', { name: 'To' }).fill(to)
  await page.getByLabel('Amount in CC').fill(amount)
}

function rowOf(page: Page, amount: string): Locator {
  return page.getByRole('row').filter({ hasText: amount })
}
