// Who mints for external parties, what one mint takes and leaves, what history tells of it, and
// which proposals stay. docs/economy-rules.md, "Minting delegations" and "Histories"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MintingDelegation } from '../../generated/contracts.gen.ts'
import { coinsToMerge } from '../../plugins/automation-minting/inputs.ts'
import {
  appRewardCoupon,
  coin,
  coinRulesMint,
  developmentFundCoupon,
  mintingDelegation,
  mintingDelegationProposal,
  unclaimedActivityRecord,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
  validatorRight,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { decimalOf, formatDecimal } from '../../runtime/engine/index.ts'
import type { Rejected, Tx } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { START, startNetwork, TICK, type Network, type NetworkOptions } from '../network/kit.ts'

const [DORA, EMIL, STRANGER] = ['dora::1220aa', 'emil::1220bb', 'else::1220cc']
const EXPIRY = START + 1_000n * TICK

interface Minted extends Network {
  readonly alice: string
  /** Kinds of the inputs of each mint. */
  readonly mints: (readonly string[])[]
}

/** A network with two external parties. */
async function start(options: NetworkOptions = {}): Promise<Minted> {
  const network = await startNetwork({ seeded: true, ...options })
  const { store, economy } = network
  for (const party of [DORA, EMIL]) {
    await store.parties.allocate(
      { party, isLocal: true, identityProviderId: '', annotations: {}, topology: '{}' },
      undefined,
    )
  }
  const mints: (readonly string[])[] = []
  economy.engine.onCommitted(({ transaction: { events } }) => {
    for (const event of events) {
      if (event.kind !== 'exercise' || event.choice !== 'MintingDelegation_Mint') continue
      const inputs = member(event.argument, 'inputs')
      assert.ok(Array.isArray(inputs))
      mints.push(inputs.map((input: unknown) => String(member(input, 'tag'))))
    }
  })
  return { ...network, mints, alice: (await store.users.get('alice'))?.primaryParty ?? '' }
}

async function submit<R>(
  { economy }: Network,
  run: (tx: Tx) => R,
  ...actAs: readonly string[]
): Promise<R> {
  const done = await economy.engine.submit({
    actAs: [economy.parties.dso, ...actAs],
    userId: '',
    free: true,
    run,
  })
  return done.ok ? done.result : assert.fail(done.kind)
}

function termsOf(
  {
    economy: {
      parties: { dso, operator },
    },
  }: Network,
  change: Partial<MintingDelegation>,
): MintingDelegation {
  return {
    beneficiary: DORA,
    delegate: operator,
    dso,
    expiresAt: EXPIRY,
    coinMergeLimit: 10n,
    ...change,
  }
}

async function delegate(
  network: Network,
  change: Partial<MintingDelegation> = {},
): Promise<string> {
  const terms = termsOf(network, change)
  return submit(
    network,
    (tx) => tx.create(mintingDelegation, terms),
    terms.beneficiary,
    terms.delegate,
  )
}

async function propose(network: Network, change: Partial<MintingDelegation> = {}): Promise<string> {
  const delegation = termsOf(network, change)
  return submit(
    network,
    (tx) => tx.create(mintingDelegationProposal, { delegation }),
    delegation.beneficiary,
  )
}

/** Gives coins of 1, 2, … */
async function give(network: Network, receiver: string, count: number): Promise<void> {
  const [rules, round] = [
    await network.economy.network.coinRules(),
    await network.economy.network.usableRound(),
  ]
  const openRoundCid = round?.id ?? ''
  await submit(
    network,
    (tx) => {
      for (let given = 1; given <= count; given += 1) {
        tx.exercise(coinRulesMint, rules.id, {
          receiver,
          amount: decimalOf(BigInt(given)),
          openRoundCid,
        })
      }
    },
    receiver,
  )
}

async function coinsOf(
  { economy: { reader } }: Network,
  owner: string,
): Promise<readonly bigint[]> {
  return (await reader.all(coin, { owner }))
    .map(({ payload }) => payload.amount.initialAmount / decimalOf(1n))
    .toSorted(byValue)
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

/** A coupon of each kind, made in the order in which they are not taken. */
async function rewardAll(network: Network, party: string): Promise<void> {
  const {
    economy: {
      parties: { dso },
    },
  } = network
  const round = 0n
  await submit(
    network,
    (tx) => {
      tx.create(developmentFundCoupon, {
        dso,
        beneficiary: party,
        fundManager: dso,
        amount: decimalOf(5n),
        expiresAt: EXPIRY,
        reason: '',
        mintAfter: null,
      })
      tx.create(unclaimedActivityRecord, {
        dso,
        beneficiary: party,
        amount: decimalOf(4n),
        reason: '',
        expiresAt: EXPIRY,
      })
      tx.create(appRewardCoupon, {
        dso,
        provider: party,
        featured: true,
        amount: decimalOf(3n),
        round,
        beneficiary: null,
      })
      tx.create(validatorRewardCoupon, { dso, user: party, amount: decimalOf(2n), round })
      tx.create(validatorLivenessActivityRecord, { dso, validator: party, round })
      tx.create(validatorRight, { dso, user: party, validator: party })
    },
    party,
  )
}

/** Round 0 issues. */
async function toIssuing(network: Network): Promise<void> {
  for (let ticks = 0; ticks < 2; ticks += 1) {
    network.pass(TICK)
    await network.work('rounds')
  }
}

test('coins are merged once there are twice as many as the limit, and then exactly as many remain', () => {
  const counts = [
    [19, 10],
    [20, 10],
    [55, 10],
    [2, 1],
    [0, 1],
  ] as const
  assert.deepEqual(
    counts.map(([count, limit]) => coinsToMerge(count, limit)),
    [0, 11, 46, 2, 0],
  )
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 1_000 }), (count, limit) => {
      const merged = coinsToMerge(count, limit)
      assert.ok(count < 2 * limit ? merged === 0 : merged >= 2 && count - merged + 1 === limit)
    }),
  )
})

test('every kind of coupon is minted, in its order, into one coin of the beneficiary; the delegate gains nothing', async () => {
  const network = await start()
  const { operator } = network.economy.parties
  await delegate(network)
  await rewardAll(network, DORA)
  await give(network, DORA, 19)
  const operatorsBefore = (await network.economy.reader.total('unlocked', operator)).amount
  await toIssuing(network)
  await network.work('minting')
  assert.deepEqual(network.mints, [
    [
      'InputValidatorLivenessActivityRecord',
      'InputValidatorRewardCoupon',
      'InputAppRewardCoupon',
      'InputUnclaimedActivityRecord',
      'InputDevelopmentFundCoupon',
    ],
    [...Array<string>(11).fill('InputCoin')],
  ])
  const coins = await coinsOf(network, DORA)
  assert.deepEqual(
    [coins.length, coins.slice(0, 9)],
    [10, [12n, 13n, 14n, 15n, 16n, 17n, 18n, 19n, coins[8]]],
    'the smallest were merged',
  )
  assert.equal((await network.economy.reader.total('unlocked', operator)).amount, operatorsBefore)
  await network.work('minting')
  assert.equal(network.mints.length, 2, 'nothing is left')
})

test('history tells the beneficiary of a transfer to itself with what was minted, and the delegate of nothing', async () => {
  const network = await start()
  const {
    store,
    economy: {
      parties: { operator },
    },
  } = network
  await delegate(network)
  await rewardAll(network, DORA)
  await toIssuing(network)
  const operatorsBefore = await store.contracts.log({
    log: 'history',
    owner: operator,
    after: '',
    limit: 100,
  })
  await network.work('minting')
  const [line, ...others] = await store.contracts.log({
    log: 'history',
    owner: DORA,
    after: '',
    limit: 100,
  })
  assert.deepEqual(others, [])
  const entry: unknown = JSON.parse(line?.body ?? '')
  const minted = (await network.economy.reader.total('unlocked', DORA)).amount
  assert.equal(member(entry, 'transaction_type'), 'transfer')
  assert.equal(member(member(entry, 'transaction_subtype'), 'choice'), 'CoinRules_Transfer')
  assert.deepEqual(member(entry, 'sender'), { party: DORA, amount: formatDecimal(minted) })
  assert.deepEqual(member(entry, 'receivers'), [])
  assert.equal(member(entry, 'development_fund_coupons_used'), '5.0000000000')
  for (const used of ['app_rewards_used', 'validator_rewards_used'])
    assert.notEqual(member(entry, used), '0.0000000000', used)
  assert.deepEqual(
    await store.contracts.log({ log: 'history', owner: operator, after: '', limit: 100 }),
    operatorsBefore,
  )
})

test('many coins are merged in several transactions of a hundred inputs, coupons first', async () => {
  const network = await start()
  await delegate(network)
  await give(network, DORA, 250)
  await rewardAll(network, DORA)
  await toIssuing(network)
  await network.work('minting')
  const taken = network.mints.map((kinds) => [
    kinds.length,
    kinds.filter((kind) => kind === 'InputCoin').length,
  ])
  assert.deepEqual(taken, [
    [100, 95],
    [100, 100],
    [48, 48],
  ])
  assert.equal((await coinsOf(network, DORA)).length, 10)
})

test("coupons of a party's own burns need its right; without a delegation, a hosted delegate or time, nothing is minted", async () => {
  const network = await start()
  const { dso } = network.economy.parties
  await delegate(network)
  await delegate(network, { beneficiary: EMIL, delegate: STRANGER })
  await delegate(network, { beneficiary: network.alice })
  await submit(network, (tx) => {
    for (const user of [DORA, EMIL])
      tx.create(validatorRewardCoupon, { dso, user, amount: decimalOf(2n), round: 0n })
    tx.create(unclaimedActivityRecord, {
      dso,
      beneficiary: EMIL,
      amount: decimalOf(4n),
      reason: '',
      expiresAt: EXPIRY,
    })
  })
  await toIssuing(network)
  await network.work('minting')
  assert.deepEqual(network.mints, [])
  await delegate(network, { beneficiary: EMIL, expiresAt: network.clock.nowMicros() })
  await network.work('minting')
  assert.deepEqual(network.mints, [])
  await delegate(network, { beneficiary: EMIL })
  await network.work('minting')
  assert.deepEqual(network.mints, [['InputUnclaimedActivityRecord']])
})

test('two servers mint everything once', async () => {
  const one = await start()
  const other = await startNetwork({ store: one.store, clock: one.clock })
  for (const beneficiary of [DORA, EMIL]) {
    await delegate(one, { beneficiary })
    await give(one, beneficiary, 30)
    await rewardAll(one, beneficiary)
  }
  await toIssuing(one)
  const [before, worth] = [(30n * 31n) / 2n, 9n]
  for (let runs = 0; runs < 3; runs += 1)
    await Promise.all([one.work('minting'), other.work('minting')])
  for (const beneficiary of [DORA, EMIL]) {
    const coins = await coinsOf(one, beneficiary)
    assert.equal(coins.length, 10)
    assert.ok(
      (await one.economy.reader.total('unlocked', beneficiary)).amount > decimalOf(before + worth),
    )
  }
  const [dora, emil] = await Promise.all(
    [DORA, EMIL].map((party) => one.economy.reader.total('unlocked', party)),
  )
  assert.deepEqual(dora, emil)
  assert.deepEqual(await one.payloads(unclaimedActivityRecord), [])
})

test('what one run cannot mint, another one does, soon', async () => {
  const network = await start()
  await delegate(network)
  await rewardAll(network, DORA)
  await toIssuing(network)
  const { economy, ...others } = network.services
  const lost: Rejected = { ok: false, kind: 'contention', contractIds: [] }
  const engine = { ...economy.engine, submit: () => Promise.resolve(lost) }
  const names = ['minting']
  const late = await setUpAutomations({ ...others, economy: { ...economy, engine } }, { names })
  await late.run()
  assert.deepEqual([network.mints.length, [...late.unfinished]], [0, names])
  const automations = await setUpAutomations(network.services, { names })
  await automations.run()
  assert.deepEqual([network.mints.length, [...automations.unfinished]], [1, []])
})

test('where delegates are the operator alone those proposals stay that go to it, for an external party of this node, the newest of each', async () => {
  const network = await start()
  const ids = {
    older: await propose(network),
    newer: await propose(network, { coinMergeLimit: 20n }),
    toAlice: await propose(network, { beneficiary: EMIL, delegate: network.alice }),
    toStranger: await propose(network, { beneficiary: EMIL, delegate: STRANGER }),
    ofAlice: await propose(network, { beneficiary: network.alice }),
    ofStranger: await propose(network, { beneficiary: STRANGER }),
    expired: await propose(network, { expiresAt: START + 1n }),
  }
  network.pass(1n)
  const strict = await setUpAutomations(network.services, {
    names: ['minting'],
    options: { minting: { delegates: 'operator' } },
  })
  await strict.run()
  const left = (await network.economy.reader.all(mintingDelegationProposal)).map(({ id }) => id)
  assert.deepEqual(
    left.toSorted(),
    [ids.newer, ids.toStranger, ids.expired].toSorted(),
    'who signs for others rejects for them',
  )
})

test('proposals to any hosted party stay, unless the operator alone may be a delegate', async () => {
  const network = await start()
  const kept = await propose(network, { delegate: network.alice })
  await network.work('minting')
  assert.deepEqual(
    (await network.economy.reader.all(mintingDelegationProposal)).map(({ id }) => id),
    [kept],
  )
  const strict = await setUpAutomations(network.services, {
    names: ['minting'],
    options: { minting: { delegates: 'operator' } },
  })
  await strict.run()
  assert.deepEqual(await network.economy.reader.all(mintingDelegationProposal), [])
  assert.deepEqual([...strict.unfinished], ['minting'], 'others may have come meanwhile')
  await strict.run()
  assert.deepEqual([...strict.unfinished], [])
})
