// People for tests in the browser: made over HTTP, so that a test opens windows only for what it
// looks at.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { ask } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'

export interface Person extends WalletUser {
  /** The name typed at the log-in; also the hint of the party. */
  readonly name: string
}

/** The development profile's token of anybody. */
export async function tokenOf(url: string, name: string): Promise<string> {
  const { json } = await call(url, `GET /wallet/development/token?user=${name}`)
  return String(member(json, 'token'))
}

/** Somebody who has a wallet already, such as those whom the development network begins with. */
export async function personOf(url: string, name: string): Promise<Person> {
  const token = await tokenOf(url, name)
  const { json } = await call(url, 'GET /api/validator/v0/wallet/user-status', { token })
  return { name, token, party: String(member(json, 'party_id')) }
}

/** Somebody new with a wallet and so many whole coins; `name` must be unused on the service. */
export async function newPerson(url: string, name: string, coins = 0): Promise<Person> {
  const token = await tokenOf(url, name)
  const { status, json, text } = await call(url, 'POST /api/validator/v0/register', {
    token,
    body: {},
  })
  assert.equal(status, 200, text)
  const person = { name, token, party: String(member(json, 'party_id')) }
  // The development network begins at half a cent for a coin.
  if (coins > 0)
    assert.equal(
      (await ask(url, person, 'POST /tap', { amount: (coins / 200).toFixed(4) })).status,
      200,
    )
  return person
}

/** Spendable coin, in the wire's form. */
export async function spendable(url: string, person: Person): Promise<string> {
  return String(member((await ask(url, person, 'GET /balance')).json, 'effective_unlocked_qty'))
}

/** How many entries of the newest hundred of somebody's history fit. */
export async function countEntries(
  url: string,
  person: Person,
  fits: (entry: unknown) => boolean,
): Promise<number> {
  const items = member(
    (await ask(url, person, 'POST /transactions', { page_size: 100 })).json,
    'items',
  )
  assert.ok(Array.isArray(items))
  return items.filter(fits).length
}
