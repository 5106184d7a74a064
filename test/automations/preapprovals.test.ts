// Preapprovals are accepted for parties of this node and renewed before they end, each once on
// several servers. docs/economy-rules.md, "Preapprovals"; what wallets see of them is tested in
// test/wallet/preapproval.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coinPriceVote,
  dsoRulesUpdateCoinPriceVote,
  installChoices,
  transferPreapproval,
  transferPreapprovalProposal,
  validatorRight,
} from '../../runtime/contracts/index.ts'
import { DECIMAL_ONE } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { createWorld, tapCoins } from '../wallet/world.ts'
import type { World, WorldOptions } from '../wallet/world.ts'
import { amounts, DAY } from '../wallet/token-kit.ts'

const DAY_SECONDS = 86_400
/** 90 days beyond the free time. */
const HALF_YEAR = { transferPreapproval: { preapprovalLifetimeSeconds: 180 * DAY_SECONDS } }

async function keep(world: World, options: object = {}): Promise<void> {
  await (
    await setUpAutomations(world, { names: ['preapprovals'], options: { preapprovals: options } })
  ).run()
}

/** Bob proposes and nobody has answered yet. */
async function proposed(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld({ users: ['bob'], validator: HALF_YEAR, ...options })
  await tapCoins(world, 'operator', 1000n)
  await propose(world)
  return world
}

async function propose({ economy: { engine, parties }, treasury, partyOf }: World): Promise<void> {
  const bob = await partyOf('bob')
  const install = await treasury.installOf(bob)
  assert.ok(install)
  const run = { actAs: [parties.operator], readAs: [bob], userId: '' }
  const choice = installChoices.WalletAppInstall_TransferPreapprovalProposal_Create
  const done = await engine.submit({ ...run, run: (tx) => tx.exercise(choice, install.id, {}) })
  assert.ok(done.ok)
}

const preapprovals = async ({ economy: { reader } }: World) =>
  (await reader.all(transferPreapproval)).map(({ payload }) => payload)

test('180 days cost the operator 0.2466 USD, 49.32 CC at 0.005: on acceptance, and on renewal once more', async () => {
  const world = await proposed()
  await keep(world)
  const [accepted] = await preapprovals(world)
  assert.ok(accepted)
  assert.equal(accepted.expiresAt, accepted.validFrom + 180n * DAY)
  assert.equal(await amounts(world, 'operator'), '950.68 + 0 locked')
  world.clock.now = accepted.expiresAt - 30n * DAY
  await keep(world)
  const [renewed, ...others] = await preapprovals(world)
  assert.deepEqual([renewed?.expiresAt, others], [accepted.expiresAt + 180n * DAY, []])
  assert.equal(await amounts(world, 'operator'), '901.36 + 0 locked')
})

test('servers that look at once accept once, refuse a second proposal, and renew once', async () => {
  const world = await proposed()
  await propose(world)
  const other = await createWorld({ users: [], validator: HALF_YEAR, store: world.store })
  await Promise.all([keep(world), keep(other)])
  assert.equal((await preapprovals(world)).length, 1)
  assert.deepEqual(await world.economy.reader.all(transferPreapprovalProposal), [])
  assert.equal(await amounts(world, 'operator'), '950.68 + 0 locked')
  const end = (await preapprovals(world))[0]?.expiresAt ?? 0n
  world.clock.now = other.clock.now = end - 30n * DAY
  await Promise.all([keep(world), keep(other), keep(world)])
  assert.deepEqual(
    (await preapprovals(world)).map(({ expiresAt }) => expiresAt),
    [end + 180n * DAY],
  )
  assert.equal(await amounts(world, 'operator'), '901.36 + 0 locked')
})

test('how long before the end it renews is said by the option; without funds it goes on trying until the end', async () => {
  const world = await proposed()
  await keep(world)
  const end = (await preapprovals(world))[0]?.expiresAt ?? 0n
  world.clock.now = end - 30n * DAY
  await keep(world, { renewalSeconds: DAY_SECONDS })
  assert.equal((await preapprovals(world))[0]?.expiresAt, end)
  const { transferPreapprovalSend: send } = world.handlers
  const all = {
    receiver_party_id: await world.partyOf('bob'),
    amount: '940.0',
    deduplication_id: 'all',
    description: 'all',
  }
  const input = { path: {}, query: {}, headers: {}, cookies: {}, body: all }
  assert.equal((await send(input, await world.as('operator'))).status, 200)
  world.clock.now = end - DAY
  await keep(world, { renewalSeconds: DAY_SECONDS })
  assert.equal((await preapprovals(world))[0]?.expiresAt, end, 'cannot be paid')
  world.clock.now = end - 1_000n
  await tapCoins(world, 'operator', 100n)
  await keep(world, { renewalSeconds: DAY_SECONDS })
  assert.equal((await preapprovals(world))[0]?.expiresAt, end + 180n * DAY)
})

test('what the operator could not pay for many times is paid in the round that makes it cheaper', async () => {
  const world = await createWorld({ users: ['bob'], validator: HALF_YEAR })
  await tapCoins(world, 'operator', 10n)
  await propose(world)
  const { run } = await setUpAutomations(world, { names: ['rounds', 'preapprovals'] })
  for (let looks = 0; looks < 20; looks += 1) await run('preapprovals')
  assert.deepEqual(await preapprovals(world), [])
  const {
    engine,
    network,
    parties: { sv },
    reader,
  } = world.economy
  const [rules, [vote]] = [await network.dsoRules(), await reader.all(coinPriceVote)]
  const changed = await engine.submit({
    actAs: [sv],
    userId: '',
    free: true,
    run: (tx) =>
      tx.exercise(dsoRulesUpdateCoinPriceVote, rules.id, {
        sv,
        coinPrice: DECIMAL_ONE,
        optCoinPriceVoteCid: vote?.id ?? null,
        now: world.clock.now,
      }),
  })
  assert.ok(changed.ok)
  for (let ticks = 0; ticks < 4; ticks += 1) {
    world.clock.now += 600_000_000n
    await run('rounds')
  }
  assert.equal((await network.usableRound())?.payload.conversionRate, DECIMAL_ONE)
  await run('preapprovals')
  assert.equal((await preapprovals(world)).length, 1)
})

test('a party whose keys are outside is accepted when it is hosted here, whoever its validator is, and nobody else is', async () => {
  const world = await createWorld()
  const {
    store,
    economy: {
      engine,
      parties: { dso, operator },
    },
  } = world
  for (const [party, isLocal] of [
    ['dora::1220', true],
    ['stranger::1220', false],
  ] as const) {
    await store.parties.allocate(
      { party, isLocal, identityProviderId: '', annotations: {}, topology: '{}' },
      undefined,
    )
  }
  for (const receiver of ['dora::1220', 'stranger::1220', 'unknown::1220']) {
    const done = await engine.submit({
      actAs: [receiver, operator],
      userId: '',
      run: (tx) => {
        tx.create(validatorRight, { dso, user: receiver, validator: receiver })
        tx.create(transferPreapprovalProposal, { receiver, provider: operator, expectedDso: dso })
      },
    })
    assert.ok(done.ok)
  }
  await keep(world)
  assert.deepEqual(
    (await preapprovals(world)).map(({ receiver }) => receiver),
    ['dora::1220'],
  )
})

test('a proposal that cannot be settled fails the run, and keeps nobody from being renewed', async () => {
  const world = await proposed()
  await keep(world)
  const end = (await preapprovals(world))[0]?.expiresAt ?? 0n
  world.clock.now = end - DAY
  await propose(world)
  const { economy, treasury } = world
  const parties: typeof economy.store.parties = {
    ...economy.store.parties,
    get: async () => Promise.reject(new Error('planted')),
  }
  const services = { treasury, economy: { ...economy, store: { ...economy.store, parties } } }
  await assert.rejects(
    async () => (await setUpAutomations(services, { names: ['preapprovals'] })).run(),
    /planted/,
  )
  assert.equal((await preapprovals(world))[0]?.expiresAt, end + 180n * DAY)
})
