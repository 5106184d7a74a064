// What becomes of payments that cannot be made at once: those that may succeed later are made by a
// later run, the others are left to expire. docs/economy-rules.md, "Legacy offers" and "Traffic"
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setUpAutomations } from '../support/automations.ts'
import { accept, offer, statusOf } from './offer-kit.ts'
import { balance, createWorld, tapCoins } from './world.ts'
import type { World } from './world.ts'

type Failure = Awaited<ReturnType<World['treasury']['enqueue']>>

/** Runs it `runs` times while each payment fails in this way; answers how many were tried. */
async function runFailing(world: World, failure: Failure, runs: number): Promise<number> {
  const enqueue = mock.method(world.treasury, 'enqueue', async () => failure)
  const automations = await setUpAutomations(world, { names: ['completion'] })
  for (let n = 0; n < runs; n++) await automations.run()
  enqueue.mock.restore()
  return enqueue.mock.callCount()
}

async function accepted(): Promise<World> {
  const world = await createWorld()
  await tapCoins(world, 'alice', 20n)
  await accept(world, await offer(world, { amount: '5.0' }))
  return world
}

test('a full queue, a lost race and missing traffic are waited out', async () => {
  const world = await accepted()
  for (const failure of [
    { ok: false, kind: 'queue-full' },
    { ok: false, kind: 'no-round' },
    { ok: false, kind: 'refused', rejection: { kind: 'contention', contractIds: [] } },
    {
      ok: false,
      kind: 'refused',
      rejection: { kind: 'no-traffic', member: 'm', missingBytes: 1n },
    },
  ] as const) {
    assert.equal(await runFailing(world, failure, 2), 2, failure.kind)
    assert.equal(await statusOf(world), 'accepted')
  }
  await (await setUpAutomations(world, { names: ['completion'] })).run()
  assert.equal(await statusOf(world), 'completed')
  assert.equal((await balance(world, 'bob')).unlocked, '5.0000000000')
})

test('what no other try can change is not tried again', async () => {
  const world = await accepted()
  const reason = { tag: 'ITR_Other', value: { description: 'no' } } as const
  assert.equal(await runFailing(world, { ok: false, kind: 'invalid-transfer', reason }, 3), 1)
  assert.equal(await statusOf(world), 'accepted')
})

test('a run that is told to stop begins no payment', async () => {
  const world = await accepted()
  await (
    await setUpAutomations(world, { names: ['completion'], signal: AbortSignal.abort() })
  ).run()
  assert.equal(await statusOf(world), 'accepted')
})
