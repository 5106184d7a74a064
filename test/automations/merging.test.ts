// Merging by periods, thresholds and batches, and what of it two servers do at once.
// docs/economy-rules.md, "Merging"; delegations as wallets see them are tested in
// test/wallet/merge-delegation.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  batchMergeUtility,
  coin,
  mergeDelegation,
} from '../../runtime/contracts/index.ts'
import type { CommittedUpdate, Rejected, Submission } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { eventually } from '../support/eventually.ts'
import { amounts } from '../wallet/token-kit.ts'
import { createWorld, NOTHING } from '../wallet/world.ts'
import type { World } from '../wallet/world.ts'

const MERGING = {
  validator: { proposeMergeDelegation: true },
  network: { traffic: { baseBurstBytes: 1_000_000_000 } },
}
const FIVE = ['alice', 'bob', 'carol', 'dave', 'erin']
const ONE = 10_000_000_000n

/** One run. */
async function merge(
  world: Pick<World, 'economy' | 'treasury'>,
  options: object = {},
): Promise<void> {
  await (await setUpAutomations(world, { names: ['merging'], options: { merging: options } })).run()
}

async function tapOnes(world: World, userId: string, count: number): Promise<void> {
  const party = await world.partyOf(userId)
  const taps = Array.from({ length: count }, () =>
    world.treasury.enqueue(party, { tag: 'CO_Tap', value: { tapAmount: ONE } }),
  )
  assert.ok((await Promise.all(taps)).every(({ ok }) => ok))
}

async function holdings(world: World, ...users: readonly string[]): Promise<readonly number[]> {
  return Promise.all(
    users.map(
      async (user) =>
        (await world.economy.reader.all(coin, { owner: await world.partyOf(user) })).length,
    ),
  )
}

/** Updates that are committed while `run` runs. */
async function updatesOf(
  { economy: { engine } }: World,
  run: () => Promise<void>,
): Promise<readonly CommittedUpdate[]> {
  const updates: CommittedUpdate[] = []
  const stop = engine.onCommitted((update) => void updates.push(update))
  await run()
  stop()
  return updates
}

/** A world whose engine refuses everything about this party. */
function refusing({ economy, treasury }: World, party: string) {
  const seen: number[] = []
  const submit: typeof economy.engine.submit = async <R>(submission: Submission<R>) => {
    const { readAs = [] } = submission
    seen.push(readAs.length)
    const refused: Rejected = { ok: false, kind: 'invalid', reason: 'planted' }
    return readAs.includes(party) ? refused : economy.engine.submit(submission)
  }
  return {
    seen,
    services: { treasury, economy: { ...economy, engine: { ...economy.engine, submit } } },
  }
}

test('servers that merge at once merge each owner once, and the featured operator earns one coupon for each', async () => {
  const world = await createWorld({ users: FIVE, ...MERGING })
  await world.handlers.selfGrantFeatureAppRight(
    { ...NOTHING, body: null },
    await world.as('operator'),
  )
  const other = await createWorld({ users: [], ...MERGING, store: world.store })
  for (const user of FIVE) await tapOnes(world, user, 12)
  await Promise.all([merge(world), merge(other), merge(world)])
  await merge(other)
  assert.deepEqual(await holdings(world, ...FIVE), [1, 1, 1, 1, 1])
  for (const user of FIVE) assert.equal(await amounts(world, user), '12 + 0 locked')
  const {
    reader,
    parties: { operator },
  } = world.economy
  assert.deepEqual(
    (await reader.all(appRewardCoupon)).map(({ payload }) => payload.provider),
    FIVE.map(() => operator),
  )
  assert.deepEqual(
    [(await reader.all(mergeDelegation)).length, (await reader.all(batchMergeUtility)).length],
    [5, 1],
  )
})

test('a batch has as many owners as the option says', async () => {
  const world = await createWorld({ users: FIVE, ...MERGING })
  await merge(world)
  for (const user of FIVE) await tapOnes(world, user, 11)
  await merge(world, { thresholdHoldings: 11 })
  assert.deepEqual(await holdings(world, ...FIVE), [11, 11, 11, 11, 11])
  const updates = await updatesOf(world, () => merge(world, { batchSize: 2 }))
  assert.equal(updates.length, 4, 'one for the utility, two of two owners, one of one')
  assert.deepEqual(await holdings(world, ...FIVE), [1, 1, 1, 1, 1])
})

test('one run brings every owner below the threshold, however few holdings a transfer takes', async () => {
  const world = await createWorld({ users: ['alice', 'bob'], ...MERGING })
  await tapOnes(world, 'alice', 30)
  await tapOnes(world, 'bob', 11)
  await merge(world, { maxInputs: 5, thresholdHoldings: 3 })
  const counts = await holdings(world, 'alice', 'bob')
  assert.ok(
    counts.every((count) => count >= 1 && count <= 3),
    String(counts),
  )
  assert.deepEqual(
    [await amounts(world, 'alice'), await amounts(world, 'bob')],
    ['30 + 0 locked', '11 + 0 locked'],
  )
})

test('an owner whom a run leaves above the threshold is merged further by another run, soon', async () => {
  const world = await createWorld({ users: ['alice'], ...MERGING })
  await tapOnes(world, 'alice', 60)
  const automations = await setUpAutomations(world, {
    names: ['merging'],
    options: { merging: { maxInputs: 2, thresholdHoldings: 2 } },
  })
  await automations.run()
  const [left = 0] = await holdings(world, 'alice')
  assert.deepEqual([left > 2, [...automations.unfinished]], [true, ['merging']])
  await automations.run()
  assert.deepEqual([await holdings(world, 'alice'), [...automations.unfinished]], [[2], []])
})

test('a batch that is refused is halved until the owner who spoils it is alone; all others are merged', async () => {
  const world = await createWorld({ users: FIVE, ...MERGING })
  await merge(world)
  for (const user of FIVE) await tapOnes(world, user, 11)
  const { seen, services } = refusing(world, await world.partyOf('carol'))
  await merge(services)
  assert.deepEqual(await holdings(world, ...FIVE), [1, 1, 11, 1, 1])
  assert.deepEqual(
    seen.filter((owners) => owners > 0),
    [5, 3, 2, 1, 2],
  )
  await merge(world)
  assert.deepEqual(await holdings(world, ...FIVE), [1, 1, 1, 1, 1])
})

test('a proposal is accepted as soon as it is there', async () => {
  const world = await createWorld()
  const automations = await setUpAutomations(world, { names: ['merging'] })
  automations.watch((error) => assert.fail(String(error)))
  assert.equal(
    (await world.handlers.proposeMergeDelegation(NOTHING, await world.as('alice'))).status,
    200,
  )
  await eventually(1, async () => (await world.economy.reader.all(mergeDelegation)).length)
  await automations.stop()
})
