// A person's seven tasks in the wallet, each from the overview to the visible result: clicks,
// fields filled in, and seconds. `node test/wallet-ui/tasks.ts` prints the table of
// docs/decisions/0009-wallet-ui.md.
import type { Locator, Page } from 'playwright-core'
import { startService } from '../support/service.ts'
import { ask, offerBody, pay as paid } from '../support/wallet-client.ts'
import { closeBrowser, openWallet } from './browser.ts'
import { newPerson, personOf } from './people.ts'

interface Person {
  readonly page: Page
  click(target: Locator): Promise<void>
  fill(label: string, text: string): Promise<void>
}

interface Task {
  readonly name: string
  readonly run: (person: Person) => Promise<unknown>
}

const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).first()

const TASKS: readonly Task[] = [
  { name: 'Ask for 12.50 by a link', run: askForMoney },
  { name: 'Accept an offer', run: acceptOffer },
  { name: 'Turn on payments in one step', run: turnOn },
  { name: 'Pay someone', run: pay },
  { name: 'Find a payment and open its receipt', run: findPayment },
  { name: 'Buy traffic', run: buyTraffic },
  { name: 'Name a person whom you have paid', run: nameSomeone },
]

async function goTo({ page, click }: Person, name: string): Promise<void> {
  await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }))
}

async function askForMoney(person: Person): Promise<void> {
  await goTo(person, 'Receive')
  await person.fill('Amount in CC', '12.5')
  await person.click(button(person.page, 'Copy link'))
}

async function acceptOffer({ page, click }: Person): Promise<void> {
  await click(page.getByRole('button', { name: /^Accept/u }).first())
  await page.getByRole('button', { name: /^Accept/u }).waitFor({ state: 'hidden' })
}

async function turnOn(person: Person): Promise<void> {
  await goTo(person, 'Preapproval')
  await person.click(person.page.getByRole('main').getByRole('button').first())
  await button(person.page, 'Turn off').waitFor()
}

async function pay(person: Person): Promise<void> {
  const { page, click } = person
  await goTo(person, 'Send')
  await person.fill('To', 'bob')
  await person.fill('Amount in CC', '5')
  await click(button(page, 'Send').and(page.locator(':enabled')))
  await page.getByRole('heading', { level: 2 }).waitFor()
}

async function findPayment(person: Person): Promise<void> {
  const { page, click } = person
  await goTo(person, 'History')
  await person.fill('Search', 'bob')
  await click(page.getByRole('listitem').filter({ hasText: 'bob' }).first().getByRole('button'))
  await click(page.getByRole('link', { name: 'Receipt to print' }))
  await button(page, 'Print').waitFor()
}

async function buyTraffic(person: Person): Promise<void> {
  const { page, click } = person
  await goTo(person, 'Traffic')
  await person.fill('Amount', '0.25')
  await click(button(page, 'Buy traffic'))
  await click(page.getByRole('dialog').getByRole('button').last())
  await page.getByRole('table', { name: 'Traffic requests' }).waitFor()
}

async function nameSomeone(person: Person): Promise<void> {
  const { page, click } = person
  await goTo(person, 'People')
  await click(page.getByRole('button', { name: 'Add bob' }))
  await person.fill('Name', 'Robert')
  await click(page.getByRole('dialog').getByRole('button').last())
  await page.getByText('Robert').first().waitFor()
}

/** Counts what a person does. */
async function measure(page: Page, { name, run }: Task): Promise<string> {
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  let [clicks, fields] = [0, 0]
  const began = performance.now()
  await run({
    page,
    click: async (target) => {
      clicks += 1
      await target.click()
    },
    fill: async (label, text) => {
      fields += 1
      const field = page.getByLabel(label, { exact: true }).first()
      await field.fill(text)
      await field.blur()
    },
  })
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  return `| ${name} | ${clicks} | ${fields} | ${seconds} |\n`
}

const service = await startService({ seeded: true })
try {
  const [tasker, bob] = [
    await newPerson(service.url, 'tasker', 1_000),
    await personOf(service.url, 'bob'),
  ]
  // The first payment to somebody asks for a comparison, which is a matter of reading.
  await paid(service.url, { kind: 'token', from: tasker, to: bob, amount: '1', id: 'first' })
  const body = offerBody({ kind: 'offer', from: bob, to: tasker, amount: '10', id: 'tasks' })
  await ask(service.url, bob, 'POST /transfer-offers', body)
  const { page } = await openWallet(service.url, 'tasker')
  process.stdout.write('| task | clicks | fields | seconds |\n|---|---|---|---|\n')
  for (const task of TASKS) process.stdout.write(await measure(page, task))
} finally {
  await closeBrowser()
  await service.stop()
}
