// The network, the settings and the development page, on a server whose clock the page moves.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { dar } from '../support/dar-writer.ts'
import { deal } from '../support/deal-package.ts'
import { call } from '../support/http.ts'
import type { Service } from '../support/service.ts'
import { openWallet, skip, startWallet } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { proposersOf } from './minting-kit.ts'
import { newPerson, spendable, tokenOf } from './people.ts'

const WHY = { reason: { url: 'https://example.org/why', body: 'A good app' } }

describe('network, settings, development', { skip }, () => {
  let service: Service
  let window: Window
  const asOperator = async (line: string, body: object): Promise<unknown> => {
    const { status, json, text } = await call(service.url, line.replace(' ', ' /api/validator'), {
      token: await tokenOf(service.url, 'operator'),
      body,
    })
    assert.equal(status, 200, text)
    return json
  }

  before(async () => {
    service = await startWallet({ seeded: true, config: { clock: 'simulated' } })
    await newPerson(service.url, 'nora')
    window = await openWallet(service.url, 'nora', '/network')
  })

  after(async () => {
    await window.close()
    await service.stop()
  })

  test("rounds are counted down by the ledger's clock, which stands still until the page moves it", async () => {
    const { page } = window
    const first = page
      .getByRole('table', { name: 'Open and issuing rounds' })
      .getByRole('row', { name: /^0 / })
    await first.getByText('closes in 10 min 0 s').waitFor()
    await first.getByText('$0.005').waitFor()
    await page.goto(`${service.url}/wallet/development`)
    await page
      .getByRole('group', { name: 'Move the clock ahead' })
      .getByRole('button', { name: '+ 1 min' })
      .click()
    await page.getByText('✓ Done').waitFor()
    await page.goto(`${service.url}/wallet/network`)
    await first.getByText('closes in 9 min 0 s').waitFor()
    await asOperator('POST /v0/admin/clock', { advance_microseconds: 9 * 60_000_000 })
    await page
      .getByRole('table', { name: 'Open and issuing rounds' })
      .getByRole('row', { name: /^0 .*issu/ })
      .waitFor()
  })

  test('a vote shows while it is open, with who has voted, and among the results when it has ended', async () => {
    const { page } = window
    await page.getByRole('tab', { name: 'Votes' }).click()
    await page.getByText('No vote is open.').waitFor()
    await page.getByText('No vote has ended yet.').waitFor()
    const dsoAction = { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'dora::12200d0a' } }
    const requested = await asOperator('POST /v0/admin/network/votes', {
      action: { tag: 'ARC_DsoRules', value: { dsoAction } },
      ...WHY,
    })
    const vote = page.getByRole('article', { name: 'Feature the app of dora::12200d0a' })
    await vote.getByText('sv-1: accepts').waitFor()
    await vote.getByText('A good app').waitFor()
    await asOperator(
      `POST /v0/admin/network/votes/${String(member(requested, 'vote_request_contract_id'))}/close`,
      {},
    )
    await page
      .getByRole('table', { name: 'Results of votes' })
      .getByRole('row', { name: /dora.*accepted/ })
      .waitFor()
    await page.getByText('No vote is open.').waitFor()
    await page.getByText('1 ended, 1 of them accepted.').waitFor()
    await asOperator('POST /v0/admin/network/price', { coin_price: '0.0075' })
    await page.getByRole('table', { name: 'Votes for the price' }).getByText('$0.0075').waitFor()
    await page.getByRole('tab', { name: 'Apps and validators' }).click()
    await page.getByRole('table', { name: 'Featured apps' }).getByText('dora::12200d0a').waitFor()
    await page
      .getByRole('table', { name: 'Validators' })
      .getByText(/^operator::/u)
      .waitFor()
  })

  test('the fund fills as rounds issue, and its manager sees what it gave; the network has names', async () => {
    const { page } = window
    await page.getByRole('tab', { name: 'Development fund' }).click()
    await page.getByRole('table', { name: 'Unclaimed coupons' }).waitFor()
    // To nobody for whom an automation mints it meanwhile.
    const { party: beneficiary } = await proposersOf(service.url).external('dora')
    const expiresAt = (Date.now() + 10 * 86_400_000) * 1_000
    await asOperator('POST /v0/wallet/development-fund-coupons/allocate', {
      beneficiary,
      amount: '12.5',
      reason: 'Grant 7',
      expiresAt,
    })
    const manager = await openWallet(service.url, 'operator', '/network#fund')
    await manager.page
      .getByRole('table', { name: 'Your coupons' })
      .getByRole('row', { name: /12\.50 CC.*dora.*Grant 7/ })
      .waitFor()
    await manager.close()
    await page.getByRole('tab', { name: 'Names' }).click()
    await page.getByText('Network Name Service (NNS)').waitFor()
  })

  test('a tap gives what it says, a party is featured, and the tab goes on as somebody else', async () => {
    const { page, complaints } = window
    const { url } = service
    await page.goto(`${url}/wallet/development`)
    const nora = { name: 'nora', token: await tokenOf(url, 'nora'), party: '' }
    const before = await spendable(url, nora)
    await page.getByLabel('Amount in US dollars').fill('nothing')
    await page.getByText('Enter a number above 0').waitFor()
    await page.getByLabel('Amount in US dollars').fill('1')
    const said = await page.getByText(/^gives/u).innerText()
    await page.getByRole('button', { name: 'Get test coin' }).click()
    await page.getByText('Done: the coin is in your wallet.').waitFor()
    const gained = Number(await spendable(url, nora)) - Number(before)
    assert.equal(said.includes(gained.toFixed(2)), true, `${said} but ${gained}`)
    await page.getByRole('button', { name: 'Feature my party' }).click()
    await page.getByRole('button', { name: 'Give up the right' }).click()
    await page.getByRole('button', { name: 'Feature my party' }).waitFor()
    await page.getByRole('button', { name: 'bob', exact: true }).click()
    await page.locator('header').getByText('bob', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('packages are told with what runs of each, what was uploaded first', async () => {
    const { page, complaints } = window
    const { url } = service
    const { status, text } = await call(url, 'POST /v2/dars', {
      token: await tokenOf(url, 'participant_admin'),
      raw: new Uint8Array(dar({ main: deal('1.0.0') })),
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.equal(status, 200, text)
    await page.goto(`${url}/wallet/development`)
    const rows = page.getByRole('table', { name: 'Packages' }).getByRole('row')
    await rows.nth(1).getByText('interpreted').waitFor()
    assert.match(await rows.nth(1).innerText(), /^deals\s+1\.0\.0\s+interpreted\s+2\.1\s+Deal$/iu)
    assert.match(
      await rows.filter({ hasText: /^network-coin\d/ }).innerText(),
      /in code\s+–\s+AppRewardCoupon, .* and \d+ more$/iu,
    )
    assert.deepEqual(complaints, [])
  })

  test('settings say who one is and what one may, and the appearance is kept', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('group', { name: 'Who you are' }).getByText('Act as').waitFor()
    await page.getByText('It does not expire.').waitFor()
    await page.getByText('Dark', { exact: true }).click()
    await page.reload()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.getByRole('button', { name: 'End this session' }).click()
    await page.getByRole('button', { name: 'alice' }).waitFor()
  })
})
