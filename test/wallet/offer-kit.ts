// Legacy offers as tests of automations make and follow them, and two servers of one network in
// this process.
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { acceptedTransferOffer, transferOffer } from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { formatDecimal } from '../../runtime/engine/index.ts'
import { createWorld, NOTHING } from './world.ts'
import type { World, WorldOptions } from './world.ts'

export const MINUTE = 60_000_000n

export interface OfferTerms {
  readonly from?: string
  readonly to?: string
  /** Instead of `to`. */
  readonly receiver?: string
  readonly amount?: string
  readonly trackingId?: string
  readonly minutes?: bigint
}

/** Answers the offer's id. */
export async function offer(world: World, terms: OfferTerms = {}): Promise<string> {
  const { from = 'alice', to = 'bob', amount = '1.0', trackingId = 't1', minutes = 1n } = terms
  const reply = await world.handlers.createTransferOffer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: terms.receiver ?? (await world.partyOf(to)),
        amount,
        description: '',
        expires_at: world.clock.now + minutes * MINUTE,
        tracking_id: trackingId,
      },
    },
    await world.as(from),
  )
  assert.equal(reply.status, 200, inspect(reply.body))
  return String(member(reply.body, 'offer_contract_id'))
}

export async function accept(world: World, id: string, by = 'bob'): Promise<void> {
  const reply = await world.handlers.acceptTransferOffer(
    { ...NOTHING, path: { contract_id: id } },
    await world.as(by),
  )
  assert.equal(reply.status, 200, inspect(reply.body))
}

/** Offers of 5.0 from alice to bob under one tracking id, made by one command past the wallet. */
export async function plantOffers(world: World, count: number, trackingId = 't1'): Promise<void> {
  const [sender, receiver] = [await world.partyOf('alice'), await world.partyOf('bob')]
  const terms = {
    sender,
    receiver,
    dso: world.economy.parties.dso,
    amount: { amount: 50_000_000_000n, unit: 'CoinUnit' } as const,
    expiresAt: world.clock.now + MINUTE,
    trackingId,
  }
  const made = await world.economy.engine.submit({
    actAs: [sender],
    userId: 'alice',
    run: (tx) => {
      for (let n = 0; n < count; n += 1) tx.create(transferOffer, { ...terms, description: `${n}` })
    },
  })
  assert.ok(made.ok)
}

export async function acceptAll(world: World): Promise<void> {
  for (const { id } of await world.economy.reader.all(transferOffer)) await accept(world, id)
}

export async function statusOf(world: World, trackingId = 't1', of = 'alice'): Promise<unknown> {
  const { body } = await world.handlers.getTransferOfferStatus(
    { ...NOTHING, path: { tracking_id: trackingId } },
    await world.as(of),
  )
  return member(body, 'status')
}

/** Amounts of all offers, accepted or not, oldest first. */
export async function openAmounts({ economy: { reader } }: World): Promise<readonly string[]> {
  const all = [...(await reader.all(transferOffer)), ...(await reader.all(acceptedTransferOffer))]
  return all.map(({ payload }) => formatDecimal(payload.amount.amount))
}

/** Two servers on one store; the first has the users. Their clocks are apart, as clocks are. */
export async function twoServers(options: WorldOptions = {}): Promise<readonly [World, World]> {
  const first = await createWorld(options)
  return [first, await createWorld({ ...options, store: first.store, users: [] })]
}
