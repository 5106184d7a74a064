// Minting delegations in the browser: what parties outside propose, what is asked before a step,
// and what the other side sees of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import { proposersOf } from './minting-kit.ts'
import { newPerson } from './people.ts'

const rowsOf = (page: Page, table: string) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

test(
  'a proposal is accepted, one that takes its place shows both, and the delegation is ended',
  { skip },
  async () => {
    const { url } = await sharedService()
    const proposers = proposersOf(url)
    const [minter, dora] = [await newPerson(url, 'minter'), await proposers.external('dora')]
    await proposers.propose(dora, { delegate: minter.party, mergeLimit: 10, days: 30 })
    const { page, complaints, close } = await openWallet(url, 'minter', '/delegations')
    await page.getByText('None active.').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await rowsOf(page, 'Active delegations').getByText('10 coins').waitFor()
    await rowsOf(page, 'Active delegations').getByText('dora', { exact: true }).waitFor()
    await page.getByText('No proposals.').waitFor()

    await proposers.propose(dora, { delegate: minter.party, mergeLimit: 25, days: 90 })
    await page.getByRole('button', { name: 'Accept' }).click()
    const terms = page.getByRole('dialog').getByRole('table', { name: 'Terms' })
    assert.deepEqual(
      await terms
        .getByRole('row', { name: /Current/u })
        .getByRole('columnheader')
        .allInnerTexts(),
      ['Current', 'New'],
    )
    assert.deepEqual(
      await terms
        .getByRole('row', { name: /Merge limit/u })
        .getByRole('cell')
        .allInnerTexts(),
      ['10 coins', '25 coins'],
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await rowsOf(page, 'Active delegations').getByText('25 coins').waitFor()
    assert.equal(await rowsOf(page, 'Active delegations').count(), 1)

    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await page.getByText('The delegation was ended.').waitFor()
    await page.getByText('None active.').waitFor()
    assert.deepEqual(
      member(await proposers.done('minter', 'GET /v0/wallet/minting-delegations'), 'delegations'),
      [],
    )
    assert.deepEqual(complaints, [])
    await close()
  },
)

test('proposals come by their expiry; one is rejected, and the other stays', { skip }, async () => {
  const { url } = await sharedService()
  const proposers = proposersOf(url)
  const delegate = await newPerson(url, 'delegate')
  const [gina, hank] = [await proposers.external('gina'), await proposers.external('hank')]
  for (const [party, days] of [
    [gina, 9],
    [hank, 3],
  ] as const) {
    await proposers.propose(party, { delegate: delegate.party, mergeLimit: days, days })
  }
  const one = await openWallet(url, 'delegate', '/delegations')
  await one.page.getByText('9 coins').waitFor()
  const limits = await rowsOf(one.page, 'Proposals').getByText(/coins/u).allInnerTexts()
  assert.deepEqual(limits, ['3 coins', '9 coins'])
  await rowsOf(one.page, 'Proposals')
    .filter({ hasText: '3 coins' })
    .getByRole('button', { name: 'Reject' })
    .click()
  await one.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await one.page.getByText('The proposal was rejected.').waitFor()
  await rowsOf(one.page, 'Proposals').filter({ hasText: '3 coins' }).waitFor({ state: 'detached' })
  assert.deepEqual(await rowsOf(one.page, 'Proposals').getByText(/coins/u).allInnerTexts(), [
    '9 coins',
  ])
  await one.close()
})

test(
  'what cannot be accepted says why, and what fails says so in the dialog',
  { skip },
  async () => {
    const { url } = await sharedService()
    const proposers = proposersOf(url)
    const careful = await newPerson(url, 'careful')
    for (const [hint, days] of [
      ['fay', 10],
      ['kim', 20],
    ] as const) {
      await proposers.propose(await proposers.external(hint), {
        delegate: careful.party,
        mergeLimit: days,
        days,
      })
    }
    const { page, close } = await openWallet(url, 'careful')
    // Whom this validator does not host cannot sign here; only the answer is another.
    await page.route('**/minting-delegation-proposals', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(
          '"beneficiary_hosted":true',
          '"beneficiary_hosted":false',
        ),
      })
    })
    await page.getByRole('link', { name: 'Delegations' }).click()
    const first = rowsOf(page, 'Proposals').filter({ hasText: '10 coins' })
    await first.getByText('This validator does not host the beneficiary').waitFor()
    assert.equal(await first.getByRole('button', { name: 'Accept' }).isDisabled(), true)

    const second = rowsOf(page, 'Proposals').filter({ hasText: '20 coins' })
    await second.getByRole('button', { name: 'Accept' }).click()
    const entries = member(
      await proposers.done('careful', 'GET /v0/wallet/minting-delegation-proposals'),
      'proposals',
    )
    assert.ok(Array.isArray(entries))
    const id = String(member(member(entries[1], 'contract'), 'contract_id'))
    await proposers.done('careful', `POST /v0/wallet/minting-delegation-proposals/${id}/reject`)
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await close()
  },
)
