// What an operator sees and does, in a browser: users, parties, automations, metrics; and that
// nobody else sees any of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { hosted, propose } from '../external/kit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'

const tokens = new Map<string, Promise<string>>()

/** A token, obtained as the page does. */
async function tokenOf(url: string, user: string): Promise<string> {
  const { json } = await call(url, `GET /wallet/development/token?user=${user}`)
  assert.ok(
    typeof json === 'object' && json !== null && 'token' in json && typeof json.token === 'string',
  )
  return json.token
}

/** A request to the validator. */
async function ask(user: string, line: string, body?: unknown): Promise<Answer> {
  const { url } = await sharedService()
  const token = tokens.get(user) ?? tokenOf(url, user)
  tokens.set(user, token)
  return call(url, line.replace(' ', ' /api/validator'), { token: await token, body })
}

async function done(user: string, line: string, body?: unknown): Promise<unknown> {
  const answer = await ask(user, line, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** The row or card of a table that says something. */
/** The row that begins with `text`: rights of others may name it too. */
function rowOf(page: Page, table: string, text: string): Locator {
  return page
    .getByRole('table', { name: table, exact: true })
    .getByRole('row', { name: new RegExp(`^${text}\\b`, 'u') })
}

const WALLETS = 'Wallets at this validator'
async function statusOf(name: string): Promise<{ readonly state: unknown; readonly runs: number }> {
  const answer = await done('operator', 'GET /v0/admin/automations')
  assert.ok(
    typeof answer === 'object' &&
      answer !== null &&
      'automations' in answer &&
      Array.isArray(answer.automations),
  )
  const found: unknown = answer.automations.find(
    (automation: { readonly name?: unknown }) => automation.name === name,
  )
  assert.ok(
    typeof found === 'object' &&
      found !== null &&
      'state' in found &&
      'runs' in found &&
      typeof found.runs === 'number',
  )
  return { state: found.state, runs: found.runs }
}

const FOR_OPERATORS = ['Users and parties', 'Automations', 'Metrics']

// Most of their time they wait for what is asked again every second or two, so several do it at
// once.
describe('the operator', { concurrency: 3 }, () => {
  test(
    'the operator onboards somebody, who has a wallet at once, and offboards them, which ends it',
    { skip },
    async () => {
      const { url } = await sharedService()
      const { page, complaints, close } = await openWallet(url, 'operator', '/users')
      await rowOf(page, WALLETS, 'operator')
        .getByText('runs this validator and cannot be removed')
        .waitFor()
      assert.equal(await page.getByRole('button', { name: 'Offboard operator' }).count(), 0)
      await page.getByRole('button', { name: 'Onboard a user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('dagny')
      await dialog.getByLabel('Party (optional)').fill('nobody::1220')
      await dialog.getByRole('button', { name: 'Onboard', exact: true }).click()
      await dialog.getByRole('alert').getByText('party nobody::1220 is not known here').waitFor()
      await dialog.getByLabel('Party (optional)').fill('')
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('dagny has a wallet.').waitFor()
      await rowOf(page, WALLETS, 'dagny')
        .getByText(/^dagny::1220/u)
        .waitFor()
      const theirs = await openWallet(url, 'dagny')
      await theirs.page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('button', { name: 'Offboard dagny' }).click()
      await dialog.getByText('its tokens are no longer valid').waitFor()
      await dialog.getByText('The party, its coins and its history stay on the ledger').waitFor()
      await dialog.getByRole('button', { name: 'Offboard dagny' }).click()
      await page.getByText('dagny is offboarded.').waitFor()
      await rowOf(page, WALLETS, 'dagny').waitFor({ state: 'detached' })
      assert.ok([401, 403, 404].includes((await ask('dagny', 'GET /v0/wallet/balance')).status))
      assert.deepEqual(complaints, [])
      await Promise.all([close(), theirs.close()])
    },
  )

  test(
    'users, rights in words, parties, proposals and preapprovals are listed; a preapproval can be ended',
    { skip },
    async () => {
      const { url } = await sharedService()
      await propose({ done }, await hosted({ done }, 'dora'))
      await done('bob', 'POST /v0/wallet/transfer-preapproval')
      const { page, complaints, close } = await openWallet(url, 'operator', '/users')
      const users = 'Users of the ledger'
      await rowOf(page, users, 'participant_admin').getByText('Administer this node').waitFor()
      await rowOf(page, users, 'alice').getByText('Act as').first().waitFor()
      await page.getByLabel('Find a party').fill('dora')
      await rowOf(page, 'Parties', 'dora')
        .getByText('external: signs with keys of its own')
        .waitFor()
      await rowOf(page, 'Parties', 'alice').waitFor({ state: 'detached' })
      await rowOf(page, 'External parties being set up', 'dora')
        .getByText('waits for a signature')
        .waitFor()
      await page.getByRole('button', { name: 'End the preapproval of bob' }).click()
      await page.getByRole('dialog').getByText('nobody can pay bob in one step').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'End the preapproval' }).click()
      await rowOf(page, 'Transfer preapprovals', 'bob').waitFor({ state: 'detached' })
      const left = await done('operator', 'GET /v0/admin/transfer-preapprovals')
      assert.doesNotMatch(JSON.stringify(left), /bob::/u)
      assert.deepEqual(complaints, [])
      await close()
    },
  )

  test(
    'automations are paused, resumed and run from the page, and what others do to them shows',
    { skip },
    async () => {
      const { url } = await sharedService()
      const { page, complaints, close } = await openWallet(url, 'operator', '/automations')
      const card = page.getByRole('listitem', { name: 'merging' })
      await card.getByText('Merges small coins').waitFor()
      await card.getByRole('button', { name: 'Pause' }).click()
      await card.getByText('paused', { exact: true }).waitFor()
      assert.equal((await statusOf('merging')).state, 'paused')
      const { runs } = await statusOf('merging')
      await card.getByRole('button', { name: 'Run now' }).click()
      await eventuallyHolds(
        'it ran, though paused',
        async () => (await statusOf('merging')).runs > runs,
      )
      await card.getByText(`${(await statusOf('merging')).runs}, 0 failed`).waitFor()
      await done('operator', 'POST /v0/admin/automations/merging/resume')
      await card.getByText('waiting', { exact: true }).waitFor()
      await page.getByText('none paused').waitFor()
      assert.deepEqual(complaints, [])
      await close()
    },
  )

  test(
    'metrics are drawn, with a title and a table for who cannot see the lines; where they are off the page says so',
    { skip },
    async () => {
      const { url } = await sharedService()
      const { page, complaints, close } = await openWallet(url, 'operator', '/metrics')
      const requests = page.getByRole('region', { name: 'Requests', exact: true })
      await requests.getByRole('img', { name: /^Requests: .*validator [\d.]+\/s/u }).waitFor()
      await requests.getByText('Values').click()
      await requests
        .getByRole('table', { name: 'Requests: values' })
        .getByRole('rowheader', { name: 'validator' })
        .waitFor()
      for (const title of [
        'Errors',
        'Request latency',
        'Commits',
        'Automation runs',
        'Operator’s holdings',
        'Event loop',
        'Memory',
      ]) {
        await page.getByRole('region', { name: title, exact: true }).getByRole('img').waitFor()
      }
      await page.route(`${url}/metrics`, (route) =>
        route.fulfill({ status: 404, body: 'Not Found' }),
      )
      await page.getByText('Metrics are off on this server').waitFor()
      assert.deepEqual(complaints, [])
      await close()
    },
  )

  test(
    'who administers the ledger sees the pages, but not what is the validator’s own user’s, and why',
    { skip },
    async () => {
      const { url } = await sharedService()
      const { page, complaints, close } = await openWallet(url, 'participant_admin')
      await page.getByRole('heading', { name: 'Welcome' }).waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Users and parties' }).click()
      await rowOf(page, 'Users of the ledger', 'alice').waitFor()
      await page.getByText('Wallets are for the user operator').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Onboard a user' }).count(), 0)
      await page.getByRole('navigation').getByRole('link', { name: 'Automations' }).click()
      await page.getByText('Automations are for the user operator').waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Metrics' }).click()
      await page.getByRole('img', { name: /^Memory: /u }).waitFor()
      assert.deepEqual(complaints, [])
      await close()
    },
  )

  test('nobody else sees them, by the navigation or by their addresses', { skip }, async () => {
    const { url } = await sharedService()
    const { page, complaints, close } = await openWallet(url, 'alice')
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    for (const path of ['/users', '/automations', '/metrics']) {
      await page.goto(`${url}/wallet${path}`)
      await page.getByRole('heading', { name: 'No such page' }).waitFor()
      for (const name of FOR_OPERATORS)
        assert.equal(await page.getByText(name, { exact: true }).count(), 0)
    }
    const forOperators = /\/admin\/(?!clock)|\/v2\/users(?:\?|$)|\/v2\/parties|:\d+\/metrics$/u
    assert.deepEqual(
      asked.filter((address) => forOperators.test(address)),
      [],
    )
    assert.deepEqual(complaints, [])
    await close()
  })
})
