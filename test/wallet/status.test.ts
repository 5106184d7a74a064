// The status of an offer only moves forward, whatever the two sides do in whatever order.
// docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import type { TestAutomations } from '../support/automations.ts'
import { balance, createWorld, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const MINUTE = 60_000_000n
const STEPS = ['accept', 'reject', 'withdraw', 'complete', 'wait', 'expire'] as const
type Step = (typeof STEPS)[number]

const RANKS: Readonly<Record<string, number>> = { created: 0, accepted: 1, completed: 2, failed: 2 }

async function take(
  world: World,
  automations: TestAutomations,
  step: Step,
  cid: string,
): Promise<void> {
  const input = { ...NOTHING, path: { contract_id: cid } }
  switch (step) {
    case 'accept':
      return void (await world.handlers.acceptTransferOffer(input, await world.as('bob')))
    case 'reject':
      return void (await world.handlers.rejectTransferOffer(input, await world.as('bob')))
    case 'withdraw':
      return void (await world.handlers.withdrawTransferOffer(input, await world.as('alice')))
    case 'complete':
      return automations.run('completion')
    case 'wait':
      return void (world.clock.now += MINUTE)
    case 'expire':
      return automations.run('expiry')
  }
}

async function statusOf(world: World, trackingId: string): Promise<string> {
  const { body } = await world.handlers.getTransferOfferStatus(
    { ...NOTHING, path: { tracking_id: trackingId } },
    await world.as('alice'),
  )
  return String(member(body, 'status'))
}

async function follow(
  world: World,
  automations: TestAutomations,
  trackingId: string,
  amount: string,
  steps: readonly Step[],
): Promise<void> {
  const created = await world.handlers.createTransferOffer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: await world.partyOf('bob'),
        amount,
        description: '',
        expires_at: world.clock.now + 2n * MINUTE,
        tracking_id: trackingId,
      },
    },
    await world.as('alice'),
  )
  const cid = String(member(created.body, 'offer_contract_id'))
  let last = await statusOf(world, trackingId)
  let coins = await balance(world, 'bob')
  for (const step of steps) {
    await take(world, automations, step, cid)
    const next = await statusOf(world, trackingId)
    const isForward = next === last || (RANKS[next] ?? -1) > (RANKS[last] ?? 9)
    assert.ok(isForward, `${last} became ${next} by ${step}`)
    const now = await balance(world, 'bob')
    assert.equal(
      now.unlocked !== coins.unlocked,
      next === 'completed' && last !== 'completed',
      `${step}: coins move at completion`,
    )
    last = next
    coins = now
  }
  // So that the next one finds no offer that is still to be paid.
  await take(world, automations, 'complete', cid)
}

test('created, accepted, then completed or failed, and never back', async () => {
  const world = await createWorld({ network: { traffic: { baseBurstBytes: 1_000_000_000 } } })
  const automations = await setUpAutomations(world, { names: ['completion', 'expiry'] })
  await tapCoins(world, 'alice', 50n)
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }),
      fc.constantFrom('1', '1000000'),
      async (steps, amount) => follow(world, automations, `t${count++}`, amount, steps),
    ),
    { numRuns: 40 },
  )
})
