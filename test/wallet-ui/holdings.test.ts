// Holdings and merging as a person sees them: every number is the interface's, and merging is done
// at once or by the validator.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { eventually } from '../support/eventually.ts'
import { ask, offerBody } from '../support/wallet-client.ts'
import { openWallet, sharedService, skip } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { newPerson, spendable } from './people.ts'
import type { Person } from './people.ts'

let url: string
let holder: Person
let friend: Person
let window: Window

before(async () => {
  if (skip !== false) return
  ;({ url } = await sharedService())
  holder = await newPerson(url, 'holder', 100)
  friend = await newPerson(url, 'friend', 100)
  await lock('12.3456789', 'first-lock')
  // 0.0100000001 dollars are 2.00000002 coins at half a cent each.
  for (const dollars of ['0.0100000001', '0.0200000003', '0.0300000007']) await tap(holder, dollars)
  window = await openWallet(url, 'holder', '/holdings')
})

test('every holding is there with its exact amount, and so are the sums', { skip }, async () => {
  const { page } = window
  const { unlocked, locked } = await held(holder)
  assert.deepEqual([unlocked.length, locked.length], [4, 1])
  await eventually([...unlocked, ...locked].toSorted(), async () =>
    (await amountsOn(page)).toSorted(),
  )
  const balance = await ask(url, holder, 'GET /balance')
  assert.equal(await exactOf(page, 'Unlocked'), member(balance.json, 'effective_unlocked_qty'))
  assert.equal(await exactOf(page, 'Locked'), member(balance.json, 'effective_locked_qty'))
  assert.equal(await exactOf(page, 'Total'), '112.0000002200')
})

test(
  'a locked holding says by whom, for whom and until when; filter and order',
  { skip },
  async () => {
    const { page } = window
    const list = page.getByRole('list', { name: 'Holdings' })
    const filter = page.getByRole('radiogroup', { name: 'Which holdings' })
    await filter.getByText('Locked', { exact: true }).click()
    await eventually(['12.3456789000'], () => amountsOn(page))
    assert.match(
      await list.innerText(),
      /By the network\s+For a transfer to friend\s+Until .* \(\d+ min left\)/u,
    )
    await filter.getByText('Unlocked', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Smallest first')
    const { unlocked } = await held(holder)
    await eventually(
      unlocked.toSorted((a, b) => Number(a) - Number(b)),
      () => amountsOn(page),
    )
  },
)

test(
  'a merge that the server refuses is said so; the second try has the same key and makes one holding of all',
  { skip },
  async () => {
    const { page } = window
    const before = await spendable(url, holder)
    const keys: unknown[] = []
    await page.route('**/token-standard/transfers', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(member(JSON.parse(route.request().postData() ?? ''), 'tracking_id'))
      return keys.length === 1
        ? route.fulfill({ status: 503, json: { error: 'No round is open now' } })
        : route.fallback()
    })
    await page.getByRole('button', { name: 'Merge 4 into one' }).click()
    await page.getByText('No round is open now').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('✓ Merged into one').waitFor()
    await page.unroute('**/token-standard/transfers')
    assert.equal(new Set(keys).size, 1)
    assert.equal(keys.length, 2)
    await eventually([before], () => amountsOn(page))
    assert.deepEqual((await held(holder)).unlocked, [before])
  },
)

test('a merge delegation is proposed, accepted by the validator, and ended', { skip }, async () => {
  const { page } = window
  await page.goto(`${url}/wallet/merging`)
  await page
    .getByRole('group', { name: 'Unlocked holdings now' })
    .getByText('1', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Propose merging' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const state = await ask(url, holder, 'GET /merge-delegation')
  assert.equal(member(member(member(state.json, 'delegation'), 'payload'), 'owner'), holder.party)
  await page.getByRole('button', { name: 'End merging' }).click()
  const dialog = page.getByRole('dialog', { name: 'End merging?' })
  await dialog.getByRole('button', { name: 'End merging' }).click()
  await page.getByText('Off', { exact: true }).waitFor()
  assert.deepEqual((await ask(url, holder, 'GET /merge-delegation')).json, {})
  assert.deepEqual(window.complaints, [])
})

test(
  'a delegation that ended meanwhile cannot be ended again, which the server says',
  { skip },
  async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Propose merging' }).click()
    await page.getByRole('button', { name: 'End merging' }).click()
    const dialog = page.getByRole('dialog', { name: 'End merging?' })
    // Unanswered: as soon as the page hears that nothing is left to end, the dialog goes.
    await page.route('**/merge-delegation', () => undefined)
    await page.route('**/merge-delegation/withdraw', async (route) => {
      await ask(url, holder, 'POST /merge-delegation/withdraw')
      await page.unroute('**/merge-delegation/withdraw')
      return route.fallback()
    })
    await dialog.getByRole('button', { name: 'End merging' }).click()
    await dialog.getByText('There is neither a merge delegation nor a proposal of one').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
)

test(
  'the overview: balance, what waits by time left, and what happened; accepting there changes it',
  { skip },
  async () => {
    await offer('5', 'later', 'POST /transfer-offers', 3_600_000)
    await offer('7.5', 'sooner', 'POST /token-standard/transfers', 1_800_000)
    const { page } = window
    await page.goto(`${url}/wallet`)
    const balance = await ask(url, holder, 'GET /balance')
    assert.equal(await exactOf(page, 'Available'), member(balance.json, 'effective_unlocked_qty'))
    assert.equal(await exactOf(page, 'Locked'), member(balance.json, 'effective_locked_qty'))
    await page.getByText('Each payment to you waits until you accept it.').waitFor()
    const offers = page.getByRole('table', { name: 'Offers to you' }).getByRole('row')
    await eventually(3, () => offers.count())
    assert.deepEqual(
      [
        /“sooner”/u.test(await offers.nth(1).innerText()),
        /“later”/u.test(await offers.nth(2).innerText()),
      ],
      [true, true],
    )
    await offers
      .nth(1)
      .getByRole('button', { name: /^Accept/u })
      .click()
    await eventually('107.1543213200', () => exactOf(page, 'Available'))
    await page
      .getByRole('list', { name: 'Recent activity' })
      .getByText(/7\.50 CC/u)
      .first()
      .waitFor()
    assert.equal(await spendable(url, friend), '92.5000000000')
  },
)

test(
  'without coin the overview says what to do; the operator sees when automations ran last',
  { skip },
  async () => {
    await newPerson(url, 'penniless')
    const [poor, operator] = await Promise.all([
      openWallet(url, 'penniless'),
      openWallet(url, 'operator'),
    ])
    await poor.page.getByText('You have no coin yet.').waitFor()
    await poor.page.getByText('Nothing is waiting for you.').waitFor()
    await poor.page.getByText('Nothing has happened yet.').waitFor()
    await poor.page.getByText('Your validator pays your accepted offers').waitFor()
    await poor.page.getByRole('group', { name: 'Bought' }).getByText('MB').waitFor()
    const list = operator.page.getByRole('list', { name: 'Automations' })
    await list.waitFor()
    assert.match(await list.innerText(), /Last run/u)
    assert.deepEqual([...poor.complaints, ...operator.complaints], [])
    await Promise.all([poor.close(), operator.close()])
  },
)

const LONG = process.env['WALLET_FULL'] === undefined ? 'long: set WALLET_FULL=1' : skip

test(
  'a thousand holdings scroll, and no step of it takes more than 50 ms of work',
  { skip: LONG },
  async () => {
    const rich = await newPerson(url, 'thousand')
    for (let done = 0; done < 1_000; done += 20)
      await Promise.all(Array.from({ length: 20 }, () => tap(rich, '0.01')))
    const { page, close } = await openWallet(url, 'thousand', '/holdings')
    await page.getByText('1000 holdings').first().waitFor()
    const drawn = await page.getByRole('listitem').count()
    assert.ok(drawn < 60, `${drawn} rows are drawn`)
    const steps = await worksOfScrolling(page)
    assert.ok(
      Math.max(...steps) <= 50,
      `${steps.length} steps took up to ${Math.max(...steps).toFixed(1)} ms`,
    )
    await close()
  },
)

/**
 * Milliseconds of the page's own work, which a busy machine does not add to, for each step down to
 * the end.
 */
async function worksOfScrolling(page: Page): Promise<readonly number[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const work = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000
  }
  const steps: number[] = []
  for (let isEnd = false; !isEnd;) {
    const before = await work()
    await page.evaluate(
      'window.scrollBy(0, 400); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    steps.push((await work()) - before)
    isEnd = await page.evaluate(
      'window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1',
    )
  }
  return steps
}

/** The exact amounts of all rows that are drawn, in their order. */
async function amountsOn(page: Page): Promise<readonly string[]> {
  const titles = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('[aria-label="Holdings"] [title$=" CC"]')].map(({ title }) => title)`,
  )
  return titles.map((title) => title.replace(' CC', ''))
}

/** The exact figure with that name. */
async function exactOf(page: Page, name: string): Promise<string> {
  const title = await page
    .getByRole('group', { name, exact: true })
    .locator('[title$=" CC"]')
    .getAttribute('title')
  return title?.replace(' CC', '') ?? ''
}

/** A person's holdings, by the interface. */
async function held(
  person: Person,
): Promise<{ readonly unlocked: readonly string[]; readonly locked: readonly string[] }> {
  const { json } = await ask(url, person, 'GET /coins')
  return {
    unlocked: amountsIn(json, 'coins', []),
    locked: amountsIn(json, 'locked_coins', ['coin']),
  }
}

function amountsIn(json: unknown, list: string, path: readonly string[]): readonly string[] {
  const positions = member(json, list)
  assert.ok(Array.isArray(positions))
  const full = ['contract', 'contract', 'payload', ...path, 'amount', 'initialAmount']
  return positions.map((position: unknown) => String(full.reduce(member, position)))
}

async function tap(person: Person, amount: string): Promise<void> {
  assert.equal((await ask(url, person, 'POST /tap', { amount })).status, 200)
}

async function lock(amount: string, id: string): Promise<void> {
  const payment = { kind: 'token', from: holder, to: friend, amount, id } as const
  assert.equal(
    (await ask(url, holder, 'POST /token-standard/transfers', offerBody(payment))).status,
    200,
  )
}

async function offer(amount: string, id: string, request: string, withinMs: number): Promise<void> {
  const body = {
    receiver_party_id: holder.party,
    amount,
    description: id,
    tracking_id: id,
    expires_at: (Date.now() + withinMs) * 1000,
  }
  assert.equal((await ask(url, friend, request, body)).status, 200)
}
