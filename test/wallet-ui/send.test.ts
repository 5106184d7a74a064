// The form of a payment: what it says before, what it pays and how often, and what it does when the
// server refuses or is away.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ask } from '../support/wallet-client.ts'
import { freshStorage, openWallet, sendFirst, sharedService, skip } from './browser-kit.ts'
import { countEntries, newPerson, spendable } from './people.ts'
import type { Person } from './people.ts'

let url: string
let sender: Person
let page: Page
let complaints: readonly string[]

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
  sender = await newPerson(url, 'sender', 1_000)
  ;({ page, complaints } = await openWallet(url, 'sender', '/send'))
})

test('the button says why it cannot be pressed, until nothing is wrong', { skip }, async () => {
  await newPerson(url, 'carl')
  const why = page.locator('#why-not')
  await why.getByText('Choose a receiver.').waitFor()
  await to(page).fill('nobody-of-that-name')
  await why
    .getByText('Nobody in People and no party of this validator is called nobody-of-that-name.')
    .waitFor()
  await to(page).fill('sender')
  await why.getByText('That is you.').waitFor()
  await to(page).fill('carl')
  await why.getByText('Enter an amount.').waitFor()
  for (const [typed, said] of [
    ['1000.0000000001', 'You have 1,000.00 CC available.'],
    ['0', 'The amount must be above zero.'],
    ['1,500', 'Write the amount without separators: 1234.5'],
    ['0.12345678901', 'At most 10 decimal places.'],
    ['much', 'That is not an amount.'],
  ] as const) {
    await amount(page).fill(typed)
    await why.getByText(said).waitFor()
    assert.ok(await button(page).isDisabled())
  }
  await amount(page).fill('0.0000000001')
  await page.getByText('You send 0.0000000001 CC (about $0.00) to carl in two steps').waitFor()
  assert.ok(await button(page).isEnabled())
})

test('coin and dollars fill each other, and all that there is can be sent', { skip }, async () => {
  const dollars = page.getByLabel('Value in US dollars')
  await amount(page).fill('250')
  assert.equal(await dollars.inputValue(), '1.25')
  await dollars.fill('0.01')
  assert.equal(await amount(page).inputValue(), '2.00')
  await dollars.fill('0.00000007')
  assert.equal(await amount(page).inputValue(), '0.000014')
  await page.getByRole('button', { name: 'Send all' }).click()
  assert.equal(await amount(page).inputValue(), '1000.00')
  assert.equal(await dollars.inputValue(), '5.00')
})

test('a double click pays once', { skip }, async () => {
  const dora = await newPerson(url, 'dora')
  await fill(page, dora.party, '10')
  await button(page).dblclick()
  await page.getByRole('button', { name: 'Send 10.00 CC' }).dblclick()
  await page.getByText('10.00 CC (about $0.05) is locked for dora.').waitFor()
  assert.equal(await spendable(url, sender), '990.0000000000')
  assert.equal(
    await countEntries(
      url,
      sender,
      (entry) => member(entry, 'transfer_instruction_receiver') === dora.party,
    ),
    1,
  )
})

test('in one step where the receiver has allowed it, as soon as that is so', { skip }, async () => {
  const emil = await newPerson(url, 'emil')
  await page.getByRole('button', { name: 'Send another' }).click()
  await fill(page, 'emil', '11')
  await page.getByText('to emil in two steps').waitFor()
  assert.ok(await page.getByRole('radio', { name: 'In one step' }).isDisabled())
  assert.equal((await ask(url, emil, 'POST /transfer-preapproval', {})).status, 200)
  await page.getByText('to emil in one step. It arrives at once').waitFor()
  assert.ok(await page.getByRole('radio', { name: 'In one step' }).isChecked())
  assert.equal(await page.getByLabel('Expires after').count(), 0)
  await page.getByLabel('Description').fill('Thanks')
  await button(page).click()
  const dialog = page.getByRole('dialog', { name: 'Send this payment?' })
  await dialog.getByText('You send 11.00 CC (about $0.06) to emil in one step').waitFor()
  // Nobody says yes to the first payment without a look.
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await spendable(url, emil), '0.0000000000')
  await sendFirst(page)
  await page.getByText('11.00 CC (about $0.06) sent to emil.').waitFor()
  assert.equal(await spendable(url, emil), '11.0000000000')
  await page.getByRole('button', { name: 'Send another' }).click()
  await fill(page, 'emil', '1')
  await button(page).click()
  await dialog.waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('1.00 CC (about $0.01) sent to emil.').waitFor()
  assert.equal(await spendable(url, emil), '12.0000000000')
  assert.equal(
    await countEntries(url, emil, (entry) => member(entry, 'description') === 'Thanks'),
    1,
  )
})

test(
  'a name that somebody holds is paid to the party that is shown and chosen',
  { skip },
  async () => {
    const ida = await newPerson(url, 'ida', 1_000)
    const made = await call(url, 'POST /api/validator/v0/entry/create', {
      token: ida.token,
      body: { name: 'shop.unverified.nns', url: '', description: 'a shop' },
    })
    const request = String(member(made.json, 'subscriptionRequestCid'))
    assert.equal((await ask(url, ida, `POST /subscription-requests/${request}/accept`)).status, 200)
    await eventuallyHolds('the name is held', async () => {
      const at = '/api/scan/v0/ans-entries/by-name/shop.unverified.nns'
      return (await call(url, `GET ${at}`)).status === 200
    })
    await page.getByRole('button', { name: 'Send another' }).click()
    await fill(page, 'chop.unverified.nns', '13')
    await page.locator('#why-not').getByText('Nobody has the name chop.unverified.nns.').waitFor()
    await to(page).fill('shop.unverified.nns')
    await page.locator('#why-not').getByText('Choose whom you mean.').waitFor()
    const choice = page.getByRole('group', { name: 'Which one do you mean?' }).getByRole('button')
    const said = await choice.textContent()
    assert.ok(said?.includes(ida.party), said ?? '')
    await choice.getByText('has the name shop.unverified.nns').click()
    await page.getByText('to ida in two steps').waitFor()
    await sendFirst(page)
    await page.getByText('13.00 CC (about $0.07) is locked for ida.').waitFor()
    assert.equal(await countOf(ida, '/token-standard/transfers', 'transfers'), 1)
  },
)

test(
  'an answer that is lost is no second payment: the retry has the key of the first try',
  { skip },
  async () => {
    const fred = await newPerson(url, 'fred')
    for (const [kind, path, done] of [
      ['In two steps', 'token-standard/transfers', 'On its way'],
      ['By offer', 'transfer-offers', 'Offered'],
    ] as const) {
      await page.getByRole('button', { name: 'Send another' }).click()
      await fill(page, 'fred', '12')
      await page.getByText('to fred in two steps').waitFor()
      await page.getByRole('radio', { name: kind }).click()
      await loseOneAnswer(path)
      await sendFirst(page)
      await page.getByRole('alert').getByText('It is not known whether this was sent').waitFor()
      assert.ok(await amount(page).isDisabled())
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: `✓ ${done}` }).waitFor()
    }
    assert.equal(await countOf(fred, '/token-standard/transfers', 'transfers'), 1)
    assert.equal(await countOf(fred, '/transfer-offers', 'offers'), 1)
  },
)

test('what the server refuses is said in its words, and can be corrected', { skip }, async () => {
  // What the page believes to have; the server knows better.
  await page.route('**/v0/wallet/balance', (route) =>
    route.fulfill({
      json: {
        round: 1,
        effective_unlocked_qty: '5000.0000000000',
        effective_locked_qty: '0.0000000000',
        total_holding_fees: '0.0000000000',
      },
    }),
  )
  const gone = 'gone::1220aa'
  await page.getByRole('button', { name: 'Send another' }).click()
  await fill(page, 'carl', '4000')
  await sendFirst(page)
  await page
    .getByRole('alert')
    .getByText(/out of funds \(missing \d+\.\d+ CC\)/u)
    .waitFor()
  await to(page).fill(gone)
  await amount(page).fill('1')
  await page.getByText('not known to the network: please check').waitFor()
  await sendFirst(page)
  await page.getByRole('alert').getByText(`No party ${gone} is known`).waitFor()
  await to(page).fill('carl')
  await sendFirst(page)
  await page.getByRole('heading', { name: '✓ On its way' }).waitFor()
  assert.deepEqual(complaints, [])
})

test(
  'the server goes and comes back while the form is open: what was written is sent once',
  { skip },
  async (context) => {
    const { path: dataDir, remove } = await tempDir()
    const config = { storage: await freshStorage() }
    const first = await startService({ seeded: true, dataDir, config })
    const gina = await newPerson(first.url, 'gina', 100)
    await newPerson(first.url, 'hugo')
    const window = await openWallet(first.url, 'gina', '/send')
    await fill(window.page, 'hugo', '13')
    await window.page.getByText('to hugo in two steps').waitFor()
    await first.kill()
    await window.page.getByText('The server does not answer', { exact: true }).waitFor()
    await sendFirst(window.page)
    await window.page
      .getByRole('alert')
      .getByText('It is not known whether this was sent')
      .waitFor()
    const second = await startService({ dataDir, config, port: Number(new URL(first.url).port) })
    context.after(async () => {
      await window.close()
      await second.stop()
      await remove()
    })
    await window.page
      .getByText('The server does not answer', { exact: true })
      .waitFor({ state: 'detached' })
    await window.page.getByRole('button', { name: 'Try again' }).click()
    await window.page.getByRole('heading', { name: '✓ On its way' }).waitFor()
    assert.equal(await spendable(first.url, gina), '87.0000000000')
    assert.deepEqual(window.complaints, [])
  },
)

/** The next payment reaches the server, but its answer does not reach the page. */
async function loseOneAnswer(path: string): Promise<void> {
  let isLost = false
  await page.route(`**/v0/wallet/${path}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    return route.abort()
  })
}

async function countOf(person: Person, path: string, name: string): Promise<number> {
  const list = member((await ask(url, person, `GET ${path}`)).json, name)
  return Array.isArray(list) ? list.length : -1
}

async function fill(of: Page, name: string, coins: string): Promise<void> {
  await to(of).fill(name)
  await amount(of).fill(coins)
}

function to(of: Page): ReturnType<Page['locator']> {
  return of.getByRole('combobox', { name: 'To' })
}

function amount(of: Page): ReturnType<Page['locator']> {
  return of.getByLabel('Amount in CC')
}

function button(of: Page): ReturnType<Page['locator']> {
  return of
    .getByRole('button', { name: 'Send', exact: true })
    .or(of.getByRole('button', { name: 'Offer', exact: true }))
}
