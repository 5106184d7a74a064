// Traffic and preapprovals in a real browser: bought for the validator, seen in its status; turned
// on, used by others, turned off.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { pay } from '../support/wallet-client.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import { newPerson, spendable } from './people.ts'

let url: string

before(async () => {
  if (skip === false) ({ url } = await sharedService())
})

test(
  'traffic: its cost beforehand, one purchase for a double click, and in the status of the validator that everybody sees',
  { skip },
  async () => {
    const buyer = await newPerson(url, 'buyer', 10_000)
    await newPerson(url, 'looker')
    const [buyers, lookers] = await Promise.all([
      openWallet(url, 'buyer', '/traffic'),
      openWallet(url, 'looker', '/traffic'),
    ])
    const [{ page }, status] = [
      buyers,
      section(lookers.page, 'This validator').getByRole('group', { name: 'Bought in all' }),
    ]
    await status.getByText('1,000 MB').waitFor()
    await page.getByLabel('Amount').fill('1.5')
    await page.getByText('Costs 5,001.00 CC ($25.005), at $16.67 a MB').waitFor()
    await page.getByRole('button', { name: 'Buy traffic' }).dblclick()
    const dialog = page.getByRole('dialog', { name: 'Buy this traffic?' })
    await dialog.getByText('You pay about 5,001.00 CC ($25.005) for 1.5 MB of traffic').waitFor()
    await dialog.getByRole('button', { name: 'Pay 5,001.00 CC' }).dblclick()
    const requests = section(page, 'Your requests')
    await requests.getByText('bought', { exact: true }).waitFor()
    assert.equal(await requests.getByText('bought', { exact: true }).count(), 1)
    assert.equal(await spendable(url, buyer), '4999.0000000000')
    await status.getByText('1,001.5 MB').waitFor()
    await page.reload()
    await requests.getByText('1.5 MB').waitFor()
    assert.deepEqual([...buyers.complaints, ...lookers.complaints], [])
    await Promise.all([buyers.close(), lookers.close()])
  },
)

test(
  'traffic that cannot be had is refused in words: too little, no coin, no such validator',
  { skip },
  async () => {
    await newPerson(url, 'poor', 10)
    const { page, close } = await openWallet(url, 'poor', '/traffic')
    await page.getByLabel('Amount').fill('100')
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('kB')
    await page.getByText('The network sells at least 200 kB at once.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Buy traffic' }).isDisabled())
    await page.getByLabel('Amount').fill('300')
    await page.getByText('You do not have enough').waitFor()
    await buy(page)
    await section(page, 'Your requests')
      .getByText('out of funds (missing 990.2000000000 CC)')
      .waitFor()
    await page.getByLabel('For the validator that hosts this party').fill('ghost::1220')
    await buy(page)
    await page.getByRole('alert').getByText('No participant hosts the party ghost::1220').waitFor()
    await page.getByLabel('Tracking id of another request').fill('never asked')
    await page.getByRole('button', { name: 'Show its status' }).click()
    await page.getByText('You have no request with this id').waitFor()
    await page.getByLabel('Party or member id').fill('ghost::1220')
    await page.getByText('No validator of the network hosts this party.').waitFor()
    await close()
  },
)

test(
  'a preapproval is turned on, serves a payer, and is turned off by its owner',
  { skip },
  async () => {
    const [owner, payer] = await Promise.all([
      newPerson(url, 'owner'),
      newPerson(url, 'tipper', 100),
    ])
    const [owners, payers] = await Promise.all([
      openWallet(url, 'owner', '/preapproval'),
      openWallet(url, 'tipper', '/preapproval'),
    ])
    const { page } = owners
    await page.getByText('Up to 90 days at once are free').waitFor()
    await payers.page.getByLabel('Party id').fill(owner.party)
    await payers.page.getByText('No: this party has no preapproval.').waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    const facts = section(page, 'Yours').getByRole('group', { name: 'Preapproval' })
    await facts.getByText('90 days left').waitFor()
    await facts.getByText('operator::1220').waitFor()
    await payers.page.getByText('Yes: this party takes payments in one step.').waitFor()
    assert.deepEqual(
      await pay(url, { kind: 'send', from: payer, to: owner, amount: '2', id: 'tip' }),
      { end: 'paid' },
    )
    assert.equal(await spendable(url, owner), '2.0000000000')
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page
      .getByRole('dialog', { name: 'Turn the preapproval off?' })
      .getByRole('button', { name: 'Turn off' })
      .click()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    await payers.page.getByText('No: this party has no preapproval.').waitFor()
    assert.deepEqual([...owners.complaints, ...payers.complaints], [])
    await Promise.all([owners.close(), payers.close()])
  },
)

test(
  'the operator sees the preapprovals that the validator provides, and ends one',
  { skip },
  async () => {
    const owners = await openWallet(url, 'owner', '/preapproval')
    await owners.page.getByRole('button', { name: 'Turn on' }).click()
    await owners.page.getByRole('button', { name: 'Turn off' }).waitFor()
    const { page, close } = await openWallet(url, 'operator', '/preapproval')
    const row = page
      .getByRole('table', { name: 'Transfer preapprovals' })
      .getByRole('row')
      .filter({ hasText: 'owner::1220' })
    await row.getByRole('button', { name: 'End the preapproval of owner' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the preapproval' }).click()
    await row.waitFor({ state: 'detached' })
    await owners.page.getByRole('button', { name: 'Turn on' }).waitFor()
    await Promise.all([owners.close(), close()])
  },
)

function section(page: Page, title: string): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** Asks for what the form says, and says yes. */
async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buy traffic' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Pay/u }).click()
}
