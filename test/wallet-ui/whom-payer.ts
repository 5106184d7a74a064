// A payer at the page, who names somebody by a name or a link, takes a choice that is offered, and
// agrees to a last question or gives up. Whatever is shown or paid is held against what the payer
// knows and has seen.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { knownTo, likenessesOf, nearOf } from './whom-orders.ts'
import type { Cast } from './whom-orders.ts'

export interface Seat {
  readonly url: string
  readonly page: Page
  readonly cast: Cast
  readonly dice: (below: number) => number
}

/** One try to pay. Throws at what the payer cannot have meant. */
export async function tryToPay(seat: Seat): Promise<void> {
  const { page, cast, dice, url } = seat
  const ids = [...cast.parties.values()]
  const linked = dice(2) === 0 ? undefined : ids[dice(ids.length)]
  const path = linked === undefined ? '' : `?to=${encodeURIComponent(linked)}`
  await page.goto(`${url}/wallet/send${path}`)
  await page.getByLabel('Amount in CC').fill('1')
  if (linked === undefined) await page.getByRole('combobox', { name: 'To' }).fill(cast.name)
  await page.getByRole('combobox', { name: 'To' }).blur()
  const chosen = linked ?? (await choose(seat))
  const send = page.locator('form').getByRole('button', { name: /^(?:Send|Offer)$/u })
  const isReady = send.and(page.locator(':enabled'))
  const isNobody = page.locator('#why-not').getByText('Nobody in People')
  await isReady.or(isNobody).first().waitFor()
  if (!(await isReady.isVisible())) {
    assert.deepEqual([cast.parties.get('contact'), nearOf(cast)], [undefined, undefined])
    return
  }
  const paid = page.waitForRequest((request) => receiverIn(request.postData()) !== '')
  paid.catch(() => undefined)
  await send.click()
  const { asked, isOff } = await answer(seat)
  const receiver = isOff ? (asked ?? '') : receiverIn((await paid).postData())
  const named = chosen === undefined ? [cast.parties.get('contact'), nearOf(cast)] : [chosen]
  assert.ok(named.includes(receiver), `${receiver} is whom nobody named or chose`)
  if (isOff) return
  assert.equal(asked ?? receiver, receiver, 'whoever was confirmed is paid')
  assert.ok(asked !== undefined || cast.reached.has(receiver), `${receiver} is paid unseen`)
  await page.getByRole('heading', { name: '✓' }).waitFor()
  const isAtOnce = [cast.parties.get('paid'), cast.parties.get('dust')].includes(receiver)
  if (isAtOnce) cast.reached.add(receiver)
}

/** The party of a choice that was offered; undefined where the name says it. */
async function choose({ page, cast, dice }: Seat): Promise<string | undefined> {
  const choice = page.getByRole('group', { name: 'Which one do you mean?' })
  const isDecided = page.locator('form').getByRole('button', { name: /^(?:Send|Offer)$/u })
  const isNobody = page.locator('#why-not').getByText('Nobody in People')
  await choice
    .or(isDecided.and(page.locator(':enabled')))
    .or(isNobody)
    .first()
    .waitFor()
  if (!(await choice.isVisible())) return undefined
  const offered = await choice.getByRole('button').all()
  const parties = await Promise.all(offered.map((one) => wholeIn(one, knownTo(cast))))
  assert.deepEqual(parties.toSorted(), knownTo(cast).toSorted(), 'those who are known are offered')
  const at = dice(offered.length)
  await offered[at]?.click()
  await choice.waitFor({ state: 'detached' })
  return parties[at]
}

interface Answer {
  /** The party whose whole id was shown; undefined if nothing was asked. */
  readonly asked: string | undefined
  /** The payer gave up. */
  readonly isOff: boolean
}

async function answer({ page, cast, dice }: Seat): Promise<Answer> {
  const dialog = page.getByRole('dialog', { name: 'Send this payment?' })
  await dialog
    .or(page.getByRole('heading', { name: '✓' }))
    .first()
    .waitFor()
  if (!(await dialog.isVisible())) return { asked: undefined, isOff: false }
  const asked = await wholeIn(dialog.locator('[data-party]').first(), [...cast.parties.values()])
  const isFirst = await dialog.getByText('First payment to this party.').isVisible()
  assert.equal(isFirst, !cast.reached.has(asked), `first payment to ${asked}`)
  if (isFirst) await compare(dialog, asked, cast)
  const isOff = dice(3) === 0
  await dialog.getByRole('button', { name: isOff ? 'Cancel' : /^Send 1/u }).click()
  await dialog.waitFor({ state: 'detached' })
  return { asked, isOff }
}

/** The warning names everybody whom the party looks like, and is answered. */
async function compare(dialog: Locator, party: string, cast: Cast): Promise<void> {
  const others = likenessesOf(cast, party)
  const warned = await dialog.getByRole('alert').locator('[data-party]').all()
  const named = await Promise.all(warned.map((one) => wholeIn(one, others)))
  assert.deepEqual(named.toSorted(), others.toSorted(), `looks like ${party}`)
  if (others.length === 0) return
  assert.ok(await dialog.getByRole('button', { name: /^Send 1/u }).isDisabled())
  await dialog.getByRole('checkbox').check()
}

/** The party that is shown with its whole id, all of it within the window. */
async function wholeIn(place: Locator, parties: readonly string[]): Promise<string> {
  await place.scrollIntoViewIfNeeded()
  const text = (await place.textContent()) ?? ''
  const found = parties.filter((party) => text.includes(party))
  assert.equal(found.length, 1, `one whole id of ${parties.join(', ')} in ${text}`)
  await eventuallyHolds(`${text} is whole in the window`, () =>
    place.page().evaluate<boolean>(ARE_INSIDE),
  )
  return found[0] ?? ''
}

/** Whether all ids in the page are inside the window; those of a closed list have no place. */
const ARE_INSIDE = `[...document.querySelectorAll('[data-party] *')].every((piece) =>
  [...piece.getClientRects()].every(({ left, right }) => left >= 0 && right <= innerWidth))`

function receiverIn(data: string | null): string {
  if (data === null || !data.startsWith('{')) return ''
  const receiver = member(JSON.parse(data), 'receiver_party_id')
  return typeof receiver === 'string' ? receiver : ''
}
