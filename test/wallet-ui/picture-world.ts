// What the pictures of the wallet show: a few people who have paid each other in every way, made
// over HTTP.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { ask, offerEnd } from '../support/wallet-client.ts'
import { proposersOf } from './minting-kit.ts'
import { newPerson, personOf } from './people.ts'
import type { Person } from './people.ts'

const DAY_MS = 86_400_000

interface Transfer {
  readonly from: Person
  readonly to: Person
  readonly amount: string
  readonly description: string
  readonly days?: number
}

/**
 * On a seeded service: alice and bob have most of it to show; carol has asked and been asked; the
 * operator sees all of them.
 */
export async function makeWorld(url: string): Promise<void> {
  const alice = await personOf(url, 'alice')
  const bob = await personOf(url, 'bob')
  const carol = await newPerson(url, 'carol', 2_000)
  await payments(url, { alice, bob, carol })
  await buyTraffic(url, alice)
  await offersOfAlice(url, { alice, bob, carol })
  // After her last payment, which makes one holding of what it takes.
  for (const amount of ['0.75', '2.5', '12.0']) await done(url, alice, 'POST /tap', { amount })
  await offersToAlice(url, { alice, bob, carol })
  await done(url, alice, 'POST /transfer-preapproval')
  await done(url, bob, 'POST /merge-delegation/propose', {})
  await delegations(url, alice)
  await name(url, alice, carol, 'Carol Meier')
}

async function done(url: string, person: Person, line: string, body?: object): Promise<unknown> {
  const { status, text, json } = await ask(url, person, line, body)
  assert.equal(status, 200, `${line}: ${text}`)
  return json
}

/** Somebody's own name for another. */
async function name(url: string, person: Person, other: Person, text: string): Promise<void> {
  const answer = await fetch(`${url}/wallet/contacts/${encodeURIComponent(other.party)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ name: text }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

type People = Readonly<Record<'alice' | 'bob' | 'carol', Person>>

/** Past payments: every kind of entry of a history that a wallet can bring about by itself. */
async function payments(url: string, { alice, bob, carol }: People): Promise<void> {
  await accept(
    url,
    carol,
    await offer(url, { from: alice, to: carol, amount: '120', description: 'Flat, November' }),
    'transfer-offers',
  )
  await accept(
    url,
    alice,
    await transfer(url, { from: bob, to: alice, amount: '48.5', description: 'Concert tickets' }),
    'token-standard/transfers',
  )
  const refused = await transfer(url, {
    from: alice,
    to: carol,
    amount: '1000',
    description: 'Wrong receiver',
  })
  await done(url, carol, `POST /token-standard/transfers/${refused}/reject`)
  const taken = await transfer(url, {
    from: alice,
    to: bob,
    amount: '75.25',
    description: 'Too much',
  })
  await done(url, alice, `POST /token-standard/transfers/${taken}/withdraw`)
  await done(url, bob, 'POST /transfer-preapproval')
  await eventuallyHolds('bob has a preapproval', async () => {
    const { status } = await call(
      url,
      `GET /api/scan/v0/transfer-preapprovals/by-party/${bob.party}`,
    )
    return status === 200
  })
  const body = {
    receiver_party_id: bob.party,
    amount: '3.1415926535',
    deduplication_id: 'coffee',
    description: 'Coffee',
  }
  await done(url, alice, 'POST /transfer-preapproval/send', body)
  await offerEnd(url, { from: alice, id: 'Flat, November' })
}

/** Offers that wait for others. */
async function offersOfAlice(url: string, { alice, bob, carol }: People): Promise<void> {
  await transfer(url, { from: alice, to: carol, amount: '400', description: 'Bicycle', days: 1 })
  await offer(url, { from: alice, to: bob, amount: '1234.5678901234', description: '', days: 30 })
}

/** Offers that wait for her. */
async function offersToAlice(url: string, { alice, bob, carol }: People): Promise<void> {
  await transfer(url, {
    from: bob,
    to: alice,
    amount: '250',
    description: 'Your half of the deposit',
    days: 3,
  })
  await offer(url, { from: carol, to: alice, amount: '19.99', description: 'Lunch', days: 10 })
}

function bodyOf({ to, amount, description, days = 10 }: Transfer): object {
  const tracking_id = description === '' ? 'nothing said' : description
  return {
    receiver_party_id: to.party,
    amount,
    description,
    tracking_id,
    expires_at: (Date.now() + days * DAY_MS) * 1000,
  }
}

/** Answers the contract. */
async function offer(url: string, made: Transfer): Promise<string> {
  return String(
    member(await done(url, made.from, 'POST /transfer-offers', bodyOf(made)), 'offer_contract_id'),
  )
}

/** Answers the contract. */
async function transfer(url: string, made: Transfer): Promise<string> {
  const sent = await done(url, made.from, 'POST /token-standard/transfers', bodyOf(made))
  return String(member(member(sent, 'output'), 'transfer_instruction_cid'))
}

async function accept(
  url: string,
  by: Person,
  id: string,
  kind: 'transfer-offers' | 'token-standard/transfers',
): Promise<void> {
  await done(url, by, `POST /${kind}/${id}/accept`)
}

async function buyTraffic(url: string, person: Person): Promise<void> {
  const { json } = await call(url, 'POST /api/scan/v0/coin-rules', { body: {} })
  const rules = member(member(member(json, 'coin_rules_update'), 'contract'), 'payload')
  const synchronizer = member(
    member(member(rules, 'configSchedule'), 'initialValue'),
    'decentralizedSynchronizer',
  )
  const domain_id = String(member(synchronizer, 'activeSynchronizer'))
  const { json: user } = await call(url, 'GET /api/validator/v0/validator-user')
  await done(url, person, 'POST /buy-traffic-requests', {
    receiving_validator_party_id: String(member(user, 'party_id')),
    domain_id,
    traffic_amount: 250_000,
    tracking_id: 'traffic',
    expires_at: (Date.now() + DAY_MS) * 1000,
  })
}

/** One that is active, another that would take its place, and one of somebody else. */
async function delegations(url: string, { name, party: delegate }: Person): Promise<void> {
  const proposers = proposersOf(url)
  const [shop, bakery] = [await proposers.external('shop'), await proposers.external('bakery')]
  await proposers.propose(shop, { delegate, mergeLimit: 10, days: 90 })
  const proposals = member(
    await proposers.done(name, 'GET /v0/wallet/minting-delegation-proposals'),
    'proposals',
  )
  assert.ok(Array.isArray(proposals))
  const id = String(member(member(proposals[0], 'contract'), 'contract_id'))
  await proposers.done(name, `POST /v0/wallet/minting-delegation-proposals/${id}/accept`, {})
  await proposers.propose(shop, { delegate, mergeLimit: 20, days: 365 })
  await proposers.propose(bakery, { delegate, mergeLimit: 5, days: 30 })
}
