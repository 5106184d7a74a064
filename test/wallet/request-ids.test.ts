// Ids for what is to happen once, on a network in process: how long they are kept, what may change
// meanwhile, and at random: two servers, several clients, restarts. docs/idempotency.md;
// docs/idempotency.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DECIMAL_ONE } from '../../runtime/engine/index.ts'
import {
  coinPriceVote,
  dsoRulesUpdateCoinPriceVote,
  transferOffer,
  transferPreapprovalCancel,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { setUpAutomations } from '../support/automations.ts'
import { chosenStores } from '../support/storages.ts'
import { newStore } from '../support/test-store.ts'
import { DAY, effects, effectsOf, fund, meant, OPERATIONS, request } from './request-kit.ts'
import type { OperationName, Reply, Way } from './request-kit.ts'
import { createWorld, NOTHING } from './world.ts'
import type { World, WorldOptions } from './world.ts'

const TRAFFIC = { traffic: { baseBurstBytes: 1_000_000_000 } }
/** Runs; on databases fewer, because servers wait for each other's leases. */
const RUNS = Number(
  process.env['RUNS'] ?? ((chosenStores()?.[0] ?? 'memory') === 'memory' ? 40 : 4),
)
/** USD a coin. */
const PRICE = 50_000_000n

async function funded(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld({ network: TRAFFIC, ...options })
  await fund(world)
  return world
}

async function done(reply: Promise<Reply>): Promise<Reply> {
  const given = await reply
  assert.equal(given.status, 200, JSON.stringify(given.body))
  return given
}

test('ids of payments and taps are free again after a day, those of offers and traffic never', async () => {
  const world = await funded()
  const firsts = new Map<OperationName, Reply>()
  for (const name of OPERATIONS) firsts.set(name, await done(request(world, name, 'a')))
  world.clock.now += DAY
  for (const name of OPERATIONS) {
    assert.deepEqual(
      await request(world, name, 'a', 2),
      firsts.get(name),
      `${name}, the same again`,
    )
    assert.equal((await request(world, name, 'a', 1)).status, 409, `${name}, another one`)
  }
  world.clock.now += 1_000_000n
  for (const name of ['send', 'token', 'tap'] as const) {
    const again = await done(request(world, name, 'a', 1))
    if (name !== 'send') assert.notDeepEqual(again, firsts.get(name), name)
    assert.equal(
      (await request(world, name, 'a', 0)).status,
      409,
      `${name}: now it is the other one's`,
    )
  }
  for (const name of ['offer', 'traffic'] as const) {
    world.clock.now += 40n * DAY
    assert.deepEqual(
      await request(world, name, 'a'),
      firsts.get(name),
      `${name}, long after it has expired`,
    )
    assert.equal((await request(world, name, 'a', 1)).status, 409, name)
  }
})

test('what requests came to is forgotten when it is no longer asked for, and what is kept for good is not', async () => {
  const world = await funded()
  const { store } = world.economy
  const kept = async (): Promise<number> => {
    const days = Array.from({ length: 10 }, (_, day) => world.clock.now / DAY - BigInt(day))
    const pages = await Promise.all(
      days.map((day) => store.contracts.facts(`wallet.request/${day}`, '', 1_000)),
    )
    return pages.flat().length
  }
  const keeper = await setUpAutomations(world, { names: ['command-ids'] })
  for (let day = 0; day < 6; day += 1) {
    await done(request(world, 'send', `day ${day}`))
    await done(request(world, 'tap', `day ${day}`))
    await keeper.run()
    assert.ok((await kept()) <= 4, `day ${day}: ${await kept()} are kept`)
    const before = await kept()
    world.clock.now += DAY / 2n
    await done(request(world, 'offer', `day ${day}`))
    await keeper.run()
    assert.equal(
      (await request(world, 'send', `day ${day}`, 1)).status,
      409,
      'half a day later it is still known',
    )
    assert.ok(before >= 2)
    world.clock.now += DAY / 2n
  }
  const later = await setUpAutomations(world, { names: ['command-ids'] })
  world.clock.now += 30n * DAY
  await done(request(world, 'tap', 'last'))
  await later.run()
  assert.equal(await kept(), 1, 'also of days on which nobody was there to forget them')
  for (let day = 0; day < 6; day += 1)
    assert.equal((await request(world, 'offer', `day ${day}`, 1)).status, 409)
})

test('a tap is the same for as many dollars, whatever a coin costs by now', async () => {
  const world = await funded()
  const first = await done(request(world, 'tap', 'a'))
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
  const rounds = await setUpAutomations(world, { names: ['rounds'] })
  for (let ticks = 0; ticks < 4; ticks += 1) {
    world.clock.now += 600_000_000n
    await rounds.run()
  }
  assert.equal((await network.usableRound())?.payload.conversionRate, DECIMAL_ONE)
  assert.deepEqual(await request(world, 'tap', 'a'), first)
  assert.equal((await request(world, 'tap', 'a', 1)).status, 409)
})

test('what was done is answered as it was, though it could not be done now', async () => {
  const world = await funded()
  const firsts = [await done(request(world, 'send', 'a')), await done(request(world, 'token', 'a'))]
  const {
    engine,
    parties: { operator },
    network,
  } = world.economy
  const preapproval = await network.preapprovalOf(await world.partyOf('bob'))
  assert.ok(preapproval)
  const cancelled = await engine.submit({
    actAs: [operator],
    userId: '',
    run: (tx) => tx.exercise(transferPreapprovalCancel, preapproval.id, { p: operator }),
  })
  assert.ok(cancelled.ok)
  const all = await world.handlers.createTokenStandardTransfer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: operator,
        amount: '997',
        description: '',
        expires_at: world.clock.now + DAY,
        tracking_id: 'all',
      },
    },
    await world.as('alice'),
  )
  assert.equal(all.status, 200)
  assert.equal((await request(world, 'send', 'b')).status, 400, 'no preapproval')
  assert.equal((await request(world, 'token', 'b')).status, 400, 'no coin')
  assert.deepEqual([await request(world, 'send', 'a'), await request(world, 'token', 'a')], firsts)
  assert.deepEqual(
    [(await request(world, 'send', 'a', 1)).status, (await request(world, 'token', 'a', 1)).status],
    [409, 409],
  )
})

test('an offer that others made under a tracking id counts, and says itself what it is', async () => {
  const world = await funded()
  const [alice, { operator: receiver, dso }] = [await world.partyOf('alice'), world.economy.parties]
  const expires_at = world.clock.now + DAY
  const terms = {
    sender: alice,
    receiver,
    dso,
    description: 'x',
    expiresAt: expires_at,
    trackingId: 'raw',
  }
  const made = await world.economy.engine.submit({
    actAs: [alice],
    userId: '',
    run: (tx) =>
      tx.create(transferOffer, {
        ...terms,
        amount: { amount: 15_000_000_000n, unit: 'CoinUnit' as const },
      }),
  })
  assert.ok(made.ok)
  const ask = async (amount: string) =>
    world.handlers.createTransferOffer(
      {
        ...NOTHING,
        body: {
          receiver_party_id: receiver,
          amount,
          description: 'x',
          expires_at,
          tracking_id: 'raw',
        },
      },
      await world.as('alice'),
    )
  assert.deepEqual(await ask('1.5'), { status: 200, body: { offer_contract_id: made.result } })
  assert.equal((await ask('1.6')).status, 409)
})

interface Ask {
  readonly name: OperationName
  readonly id: string
  readonly way: Way
  readonly server: 0 | 1
}

interface Group {
  /** Asked for at once. */
  readonly asks: readonly Ask[]
  /** The server that is started again before. */
  readonly restarts: 0 | 1 | undefined
  readonly passes: bigint
}

const server = fc.constantFrom(0 as const, 1 as const)
const ask: fc.Arbitrary<Ask> = fc.record({
  name: fc.constantFrom(...OPERATIONS),
  id: fc.constantFrom('a', 'b'),
  way: fc.constantFrom(0 as const, 1 as const, 2 as const),
  server,
})
const group: fc.Arbitrary<Group> = fc.record({
  asks: fc.oneof(
    fc.array(ask, { minLength: 1, maxLength: 4 }),
    // One id, from several clients.
    fc
      .tuple(ask, fc.array(fc.tuple(ask, server), { minLength: 1, maxLength: 5 }))
      .map(([{ name, id }, others]) =>
        others.map(([{ way }, at]) => ({ name, id, way, server: at })),
      ),
  ),
  restarts: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 4 },
    { arbitrary: server, weight: 1 },
  ),
  passes: fc.constantFrom(0n, 1_000_000n, 3_600_000_000n),
})

interface Known {
  readonly way: Way
  readonly text: string
}

/**
 * What one group was answered, against what is known of its ids; answers what is known afterwards.
 */
function judge(asks: readonly Ask[], replies: readonly Reply[], known: Map<string, Known>): void {
  for (const [at, { name, id, way }] of asks.entries()) {
    const { status, body } = replies[at] ?? { status: 0 }
    if (status !== 200) continue
    const first = known.get(`${name} ${id}`) ?? { way, text: JSON.stringify(body) }
    known.set(`${name} ${id}`, first)
    assert.deepEqual(
      [meant(way), JSON.stringify(body)],
      [meant(first.way), first.text],
      `${name} ${id}`,
    )
  }
  for (const [at, { name, id, way }] of asks.entries()) {
    const { status, body } = replies[at] ?? { status: 0 }
    const first = known.get(`${name} ${id}`)
    const why = `${name} ${id} as ${way}: ${status} ${JSON.stringify(body)}`
    const isOther = first !== undefined && meant(first.way) !== meant(way)
    if (status === 409 && /other content/.test(String(member(body, 'error'))))
      assert.ok(isOther, why)
    // Others at the same moment may be in the way.
    else if (status !== 200) assert.ok(asks.length > 1 && (status === 409 || status === 429), why)
    else assert.ok(!isOther, why)
  }
}

test('at random: one effect for an id, and each answer is the first one, 409 or 429', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(group, { minLength: 3, maxLength: 10 }), async (groups) => {
      const store = await newStore()
      const first = await funded({ store })
      const start = async () => createWorld({ network: TRAFFIC, store, users: [] })
      const servers: [World, World] = [first, await start()]
      const bob = await first.partyOf('bob')
      const [held, known] = [await effects(first, bob), new Map<string, Known>()]
      for (const { asks, restarts, passes } of groups) {
        if (restarts !== undefined) {
          await servers[restarts].treasury.stop()
          const {
            clock: { now },
          } = servers[restarts]
          servers[restarts] = await start()
          servers[restarts].clock.now = now
        }
        for (const { clock } of servers) clock.now += passes
        const replies = await Promise.all(
          asks.map(({ name, id, way, server: at }) => request(servers[at], name, id, way)),
        )
        judge(asks, replies, known)
      }
      const ways = Map.groupBy(
        known,
        ([key]) => OPERATIONS.find((name) => key.startsWith(`${name} `)) ?? 'tap',
      )
      const counted = new Map(
        [...ways].map(([name, entries]) => [name, entries.map(([, { way }]) => way)]),
      )
      assert.deepEqual(await effects(servers[0], bob), effectsOf(counted, held, PRICE))
      for (const { treasury } of servers) await treasury.stop()
    }),
    { numRuns: RUNS },
  )
})

test('a server that starts asks the store once what to forget, however long nobody was there', async () => {
  const store = createMemoryStore()
  let asked = 0
  const contracts = {
    ...store.contracts,
    forgetFacts: (from: string, to: string) => {
      asked += 1
      return store.contracts.forgetFacts(from, to)
    },
  }
  const world = await createWorld({ store: { ...store, contracts } })
  const { run } = await setUpAutomations(world, { names: ['command-ids'] })
  await run()
  assert.equal(asked, 1)
})
