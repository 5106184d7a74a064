// One party leaves thousands of contracts for an automation: a look costs no more for it, others
// are served as they were, and what can never be done is left alone. Counted, not timed.
// docs/decisions/0011-floods.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptedTransferOffer,
  appRewardCoupon,
  coin,
  coinRulesMint,
  externalPartyCoinRulesCreateTransferCommand,
  memberTraffic,
  mergeDelegation,
  mergeDelegationProposal,
  mintingDelegation,
  mintingDelegationProposal,
  openMiningRound,
  subscription,
  subscriptionIdleState,
  subscriptionPayment,
  transferCommand,
  transferOffer,
  transferOfferAccept,
  transferPreapproval,
  transferPreapprovalProposal,
  unclaimedActivityRecord,
  validatorRewardCoupon,
  walletAppInstall,
} from '../../runtime/contracts/index.ts'
import { decimalOf, TRAFFIC_LIMIT, trafficGrant } from '../../runtime/engine/index.ts'
import type { Template, Tx } from '../../runtime/engine/index.ts'
import { DAY, SECOND, TICK } from '../scan/kit.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { createOnboarding } from '../../runtime/economy/wallets/onboarding.ts'
import { createUserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import { flooded, looksUntil, PLANTED } from './flood-kit.ts'
import type { Cost, Flooded } from './flood-kit.ts'

const MINUTE = 60n * SECOND
const DORA = 'dora::1220aa'
const NO_META = { values: new Map<string, string>() }

/** Looks as often; none of them may cost more. */
async function assertCost(look: () => Promise<Cost>, most: Cost, looks = 1): Promise<void> {
  for (let done = 0; done < looks; done += 1) assertWithin(await look(), most)
}

function assertWithin({ read, submissions }: Cost, most: Cost): void {
  const cost = `${read} contracts read, ${submissions} submissions`
  assert.ok(read <= most.read && submissions <= most.submissions, cost)
}

async function isGone<T>({ payloads }: Flooded, template: Template<T>): Promise<boolean> {
  return (await payloads(template)).length === 0
}

/** Coin that the network makes for a receiver, in the round that is open now. */
async function minting({ economy: { network } }: Flooded) {
  const [rules, round] = [await network.coinRules(), await network.usableRound()]
  const openRoundCid = round?.id ?? ''
  return (tx: Tx, receiver: string, amount: bigint) =>
    tx.exercise(coinRulesMint, rules.id, { receiver, amount: decimalOf(amount), openRoundCid })
}

async function passRounds(network: Flooded, count: number): Promise<void> {
  const rounds = await network.looker('rounds')
  for (let ticks = 0; ticks < count; ticks += 1) {
    network.pass(TICK)
    await rounds()
  }
}

async function balance({ economy: { reader } }: Flooded, party: string): Promise<bigint> {
  return (await reader.total('unlocked', party)).amount
}

interface Order {
  readonly sender: string
  readonly amount: bigint
  readonly nonce?: bigint
}

/** Orders to pay the operator, which takes payments without being asked. */
async function ordering({
  economy,
  clock,
  done,
}: Flooded): Promise<(tx: Tx, order: Order) => string> {
  const {
    parties: { dso, operator },
  } = economy
  const validFrom = clock.nowMicros()
  const terms = {
    dso,
    receiver: operator,
    provider: operator,
    validFrom,
    lastRenewedAt: validFrom,
    expiresAt: validFrom + 90n * DAY,
  }
  await done([dso, operator], (tx) => tx.create(transferPreapproval, terms))
  const rules = await economy.network.externalPartyCoinRules()
  return (tx, { sender, amount, nonce = 0n }) =>
    tx.exercise(externalPartyCoinRulesCreateTransferCommand, rules.id, {
      sender,
      receiver: operator,
      delegate: operator,
      amount: decimalOf(amount),
      expiresAt: clock.nowMicros() + 30n * DAY,
      nonce,
      description: null,
      expectedDso: dso,
    }).transferCommandCid
}

test("orders that cannot be paid: a look tries few of them, and another sender's order is carried out", async () => {
  const network = await flooded()
  const order = await ordering(network)
  const look = await network.looker('transfer-commands')
  await network.plant((tx, index) =>
    order(tx, { sender: network.alice, amount: 1_000_000n + BigInt(index) }),
  )
  await network.done([network.bob], (tx) => order(tx, { sender: network.bob, amount: 5n }))
  const before = await balance(network, network.bob)
  await looksUntil(look, 2, async () => (await balance(network, network.bob)) < before)
  await assertCost(look, { read: 1_000, submissions: 60 }, 5)
  assert.equal((await network.payloads(transferCommand)).length, PLANTED)
})

test('an order that can never be paid is tried ten times, then left with a warning, and tried again once there is more', async () => {
  const network = await flooded()
  const order = await ordering(network)
  const look = await network.looker('transfer-commands')
  await network.done([network.alice], (tx) =>
    order(tx, { sender: network.alice, amount: 1_000_000n }),
  )
  let submissions = 0
  for (let looks = 0; looks < 1_200; looks += 1) submissions += (await look()).submissions
  assert.equal(submissions, 11, "the sender's counter and ten tries")
  assert.deepEqual(network.warnings, [
    'a transfer command cannot be paid; it waits for funds of its sender',
  ])
  const mint = await minting(network)
  await network.done([network.dso, network.alice], (tx) => mint(tx, network.alice, 1_000_000n))
  await look()
  assert.deepEqual(await network.payloads(transferCommand), [])
})

test("proposals of preapprovals: one is accepted, the others go in few transactions, and another receiver's is accepted", async () => {
  const network = await flooded()
  const { dso, operator } = network
  const propose = (tx: Tx, receiver: string) =>
    tx.create(transferPreapprovalProposal, { receiver, provider: operator, expectedDso: dso })
  await network.plant((tx) => propose(tx, network.alice))
  await network.done([network.bob], (tx) => propose(tx, network.bob))
  const look = await network.looker('preapprovals')
  await assertCost(look, { read: 400, submissions: 5 }, 2)
  assert.deepEqual(
    (await network.payloads(transferPreapproval)).map(({ receiver }) => receiver).toSorted(),
    [network.alice, network.bob].toSorted(),
  )
  await looksUntil(look, PLANTED / 20 + 1, async () => isGone(network, transferPreapprovalProposal))
})

test("subscriptions that a party cannot pay: another party's is paid, and looks stay small", async () => {
  const network = await flooded()
  const { dso } = network.economy.parties
  const waiting = (tx: Tx, party: string, amount: bigint) => {
    const subscriptionData = {
      sender: party,
      receiver: party,
      provider: party,
      dso,
      description: '',
    }
    const payData = {
      paymentAmount: { amount: decimalOf(amount), unit: 'CoinUnit' },
      paymentInterval: 10n ** 12n,
      paymentDuration: 1n,
    } as const
    const reference = '00ab'
    return tx.create(subscriptionIdleState, {
      subscription: tx.create(subscription, { subscriptionData, reference }),
      subscriptionData,
      payData,
      nextPaymentDueAt: 1n,
      reference,
    })
  }
  await network.plant((tx) => waiting(tx, network.alice, 1_000_000n))
  await network.done([network.bob], (tx) => waiting(tx, network.bob, 1n))
  const look = await network.looker('subscriptions')
  await looksUntil(look, 3, async () => (await network.payloads(subscriptionPayment)).length === 1)
  await assertCost(look, { read: 400, submissions: 25 }, 5)
  assert.equal((await network.payloads(subscriptionIdleState)).length, PLANTED)
})

test("minting delegations and proposals of a party to itself: another party's rewards are minted", async () => {
  const network = await flooded()
  const { alice, dso, operator, store, clock, done } = network
  await store.parties.allocate(
    { party: DORA, isLocal: true, identityProviderId: '', annotations: {}, topology: '{}' },
    undefined,
  )
  const expiresAt = clock.nowMicros() + 30n * DAY
  const terms = { dso, expiresAt, coinMergeLimit: 10n }
  await network.plant((tx) => {
    tx.create(mintingDelegation, { ...terms, beneficiary: alice, delegate: alice })
    tx.create(mintingDelegationProposal, {
      delegation: { ...terms, beneficiary: alice, delegate: operator },
    })
  }, PLANTED / 2)
  await done([DORA, operator, dso], (tx) => {
    tx.create(mintingDelegation, { ...terms, beneficiary: DORA, delegate: operator })
    tx.create(unclaimedActivityRecord, {
      dso,
      beneficiary: DORA,
      amount: decimalOf(4n),
      reason: '',
      expiresAt,
    })
  })
  const look = await network.looker('minting')
  const first = await look()
  assertWithin(first, { read: 600, submissions: 5 })
  assert.equal(await balance(network, DORA), decimalOf(4n))
  await assertCost(look, { read: 600, submissions: 5 })
  await looksUntil(look, PLANTED / 20 + 2, async () => isGone(network, mintingDelegationProposal))
})

test("merge delegations: of one owner one is accepted, and another owner's is accepted and used", async () => {
  const network = await flooded()
  const { alice, bob, operator } = network
  const propose = (tx: Tx, owner: string) =>
    tx.create(mergeDelegationProposal, { delegation: { owner, operator, meta: NO_META } })
  await network.plant((tx) => propose(tx, alice))
  await network.done([bob], (tx) => propose(tx, bob))
  const look = await network.looker('merging')
  await assertCost(look, { read: 400, submissions: 8 }, 2)
  assert.deepEqual(
    (await network.payloads(mergeDelegation)).map(({ owner }) => owner).toSorted(),
    [alice, bob].toSorted(),
  )
  await network.plant(
    (tx) => tx.create(mergeDelegation, { owner: alice, operator, meta: NO_META }),
    PLANTED,
    operator,
  )
  await assertCost(look, { read: 400, submissions: 8 })
})

test("accepted offers that cannot be paid: a look ends few of them, and another sender's offer is paid", async () => {
  const network = await flooded()
  const { alice, bob, dso, operator, clock, done } = network
  const offer = (sender: string, receiver: string, amount: bigint, trackingId: string) => ({
    sender,
    receiver,
    dso,
    amount: { amount: decimalOf(amount), unit: 'CoinUnit' as const },
    expiresAt: clock.nowMicros() + DAY,
    trackingId,
  })
  await network.plant((tx, index) =>
    tx.create(acceptedTransferOffer, offer(alice, alice, 1_000_000n, `t${index}`)),
  )
  const made = await done([bob], (tx) =>
    tx.create(transferOffer, { ...offer(bob, operator, 7n, 'mine'), description: '' }),
  )
  await done([operator], (tx) => tx.exercise(transferOfferAccept, made, {}))
  const before = await balance(network, bob)
  const look = await network.looker('completion')
  const first = await look()
  assertWithin(first, { read: 2_500, submissions: 20 })
  assert.equal(before - (await balance(network, bob)), decimalOf(7n))
  assert.equal((await network.payloads(acceptedTransferOffer)).length, PLANTED - 20)
})

test('offers of strangers are not read where those of others are accepted', async () => {
  const network = await flooded()
  const { alice, bob, dso, operator, clock } = network
  const offer = (sender: string, trackingId: string) => ({
    sender,
    receiver: bob,
    dso,
    amount: { amount: decimalOf(1n), unit: 'CoinUnit' as const },
    expiresAt: clock.nowMicros() + DAY,
    trackingId,
    description: '',
  })
  const look = await network.looker('auto-accept', {
    receivers: { [bob]: { fromParties: [operator] } },
  })
  await network.plant((tx, index) => tx.create(transferOffer, offer(alice, `t${index}`)))
  await network.done([operator], (tx) => tx.create(transferOffer, offer(operator, 'trusted')))
  await assertCost(look, { read: 60, submissions: 1 })
  assert.deepEqual(
    (await network.payloads(acceptedTransferOffer)).map(({ trackingId }) => trackingId),
    ['trusted'],
  )
})

test('a wallet with very many open offers is not swept, and below its maximum nothing is read of them', async () => {
  const network = await flooded()
  const { alice, dso, operator, clock } = network
  await network.plant((tx, index) =>
    tx.create(transferOffer, {
      sender: alice,
      receiver: operator,
      dso,
      amount: { amount: 1n, unit: 'CoinUnit' as const },
      expiresAt: clock.nowMicros() + DAY,
      trackingId: `t${index}`,
      description: '',
    }),
  )
  const sweep = { receiver: operator, minBalanceUSD: '1.0' }
  const idle = await network.looker('sweeps', {
    senders: { [alice]: { ...sweep, maxBalanceUSD: '1000.0' } },
  })
  await assertCost(idle, { read: 60, submissions: 0 })
  const crowded = await network.looker('sweeps', {
    senders: { [alice]: { ...sweep, maxBalanceUSD: '2.0' } },
  })
  await assertCost(crowded, { read: 1_100, submissions: 0 }, 2)
  assert.deepEqual(network.warnings, ['a wallet with very many open offers is not swept'])
})

test("what is over, very much of it: a look ends a part in few transactions, and another party's ends beside it", async () => {
  const network = await flooded()
  const { alice, bob, dso, clock } = network
  const offer = (sender: string, trackingId: string, expiresAt: bigint) => ({
    sender,
    receiver: alice,
    dso,
    amount: { amount: 1n, unit: 'CoinUnit' as const },
    expiresAt,
    trackingId,
    description: '',
  })
  await network.plant((tx, index) => tx.create(transferOffer, offer(alice, `t${index}`, 0n)))
  await network.done([bob], (tx) =>
    tx.create(transferOffer, offer(bob, 'mine', clock.nowMicros() + SECOND)),
  )
  network.pass(MINUTE)
  const look = await network.looker('expiry')
  const isOver = async () =>
    (await network.payloads(transferOffer)).every(({ sender }) => sender !== bob)
  await assertCost(look, { read: 1_000, submissions: 10 })
  assert.ok(await isOver(), "bob's offer has ended")
  await looksUntil(look, PLANTED / 200 + 1, async () => isGone(network, transferOffer))
})

test('holdings that are nearly dust are gone through over several looks', async () => {
  const network = await flooded({ network: { holdingFeeUsd: '0.01' } })
  const mint = await minting(network)
  const { dso } = network
  await network.plant((tx) => mint(tx, network.alice, 7n), PLANTED, dso)
  await network.done([dso, network.bob], (tx) => mint(tx, network.bob, 8n))
  await passRounds(network, 2)
  const look = await network.looker('expiry')
  await assertCost(look, { read: 600, submissions: 0 }, 4)
  await assertCost(look, { read: 60, submissions: 0 })
})

test("rewards: nobody's coins keep another party from collecting", async () => {
  const network = await flooded()
  const mint = await minting(network)
  const { alice, bob, dso } = network
  await network.plant((tx) => mint(tx, alice, 1n), 3 * PLANTED, dso)
  await network.done([dso, bob], (tx) =>
    tx.create(unclaimedActivityRecord, {
      dso,
      beneficiary: bob,
      amount: decimalOf(4n),
      reason: '',
      expiresAt: network.clock.nowMicros() + DAY,
    }),
  )
  await passRounds(network, 2)
  const before = await balance(network, bob)
  const look = await network.looker('rewards')
  const { submissions } = await look()
  assert.ok(submissions <= 30, `${submissions} submissions`)
  assert.equal((await balance(network, bob)) - before, decimalOf(4n))
  await look()
  await look()
  assert.equal(
    (await network.economy.reader.total('unlocked', alice)).count,
    1n,
    'it goes on where it stopped',
  )
})

test('coupons that are worth nothing hide none that are', async () => {
  const network = await flooded()
  const { bob, dso } = network
  const current = await network.economy.network.usableRound()
  const number = current?.payload.round ?? 0n
  const coupon = (amount: bigint, featured: boolean) => ({
    dso,
    provider: bob,
    featured,
    amount,
    round: number,
    beneficiary: null,
  })
  // So much burned by others that the rate of unfeatured coupons is below a half.
  await network.plant((tx) => tx.create(appRewardCoupon, coupon(1n, false)), 450, dso)
  await network.done([dso], (tx) => {
    tx.create(appRewardCoupon, {
      ...coupon(decimalOf(10_000_000_000n), false),
      provider: 'else::1220',
    })
    tx.create(appRewardCoupon, coupon(decimalOf(100n), true))
  })
  await passRounds(network, 3)
  const before = await balance(network, bob)
  const look = await network.looker('rewards')
  await looksUntil(look, 6, async () => (await balance(network, bob)) > before)
})

test('coupons that are left over do not keep the next round from opening', async () => {
  const network = await flooded()
  const { alice, dso } = network
  const round = (await network.economy.network.usableRound())?.payload.round ?? 0n
  await network.plant(
    (tx) => tx.create(validatorRewardCoupon, { dso, user: alice, amount: 1n, round }),
    4 * PLANTED,
    dso,
  )
  const look = await network.looker('rounds')
  for (let ticks = 0; ticks < 5; ticks += 1) {
    const before = (await network.payloads(openMiningRound)).map((each) => each.round)
    network.pass(TICK)
    const cost = await look()
    assertWithin(cost, { read: 5_000, submissions: 40 })
    assert.deepEqual(
      (await network.payloads(openMiningRound)).map((each) => each.round),
      before.map((each) => each + 1n),
    )
  }
  await looksUntil(look, 6, async () =>
    (await network.payloads(validatorRewardCoupon)).every((each) => each.round !== round),
  )
})

test("purchases of traffic for made-up members: this node's own counts at the next look", async () => {
  const network = await flooded()
  const {
    economy: {
      parties: { dso, member },
      node,
      store,
    },
  } = network
  const purchase = (memberId: string) => ({
    dso,
    memberId,
    synchronizerId: node.synchronizerId,
    migrationId: 0n,
    totalPurchased: 200_000n,
    numPurchases: 1n,
    coinSpent: 1n,
    usdSpent: 1n,
  })
  await network.plant(
    (tx, index) =>
      tx.create(memberTraffic, purchase(`PAR::a${String(index).padStart(5, '0')}::12`)),
    PLANTED,
    dso,
  )
  await network.done([dso], (tx) => tx.create(memberTraffic, purchase(member)))
  network.pass(MINUTE)
  const look = await network.looker('traffic')
  await assertCost(look, { read: 400, submissions: 1 })
  assert.equal(
    trafficGrant((await store.contracts.fact(TRAFFIC_LIMIT, member))?.body).limit,
    1_000_200_000n,
  )
})

test('installations that a party signed alone: a user of their name is taken in, and what is remembered of the network stays', async () => {
  const network = await flooded()
  const {
    alice,
    bob,
    economy,
    store,
    clock: { nowMicros },
  } = network
  await economy.network.walletOfParty(bob)
  const install = {
    dsoParty: economy.parties.dso,
    validatorParty: alice,
    endUserName: 'erin',
    endUserParty: alice,
  }
  await network.plant((tx) => tx.create(walletAppInstall, install), 2 * PLANTED)
  const beforeRead = network.answered()
  await economy.network.walletOfParty(bob)
  assert.equal(network.answered() - beforeRead, 0)
  const users = createUserKeeper(
    store,
    new PrincipalDirectory(store, { nowMicros, monotonicMs: () => 0 }),
  )
  const beforeOnboarding = network.answered()
  const onboarded = await createOnboarding(economy, users).onboardUser({
    name: 'erin',
    identityProviderId: '',
  })
  assert.ok(onboarded.ok)
  assertWithin(
    { read: network.answered() - beforeOnboarding, submissions: 0 },
    { read: 400, submissions: 0 },
  )
  assert.equal(
    (await economy.network.walletOfUser('erin', onboarded.partyId))?.payload.endUserName,
    'erin',
  )
})

test('more parties than a look serves have their turns one look after the other', async () => {
  const network = await flooded()
  const { dso, operator, done } = network
  const receivers = Array.from(
    { length: 450 },
    (_, index) => `r${String(index).padStart(3, '0')}::1220`,
  )
  const propose = (tx: Tx, receiver: string) =>
    tx.create(transferPreapprovalProposal, { receiver, provider: operator, expectedDso: dso })
  await done(receivers, (tx) => receivers.forEach((receiver) => void propose(tx, receiver)))
  await network.plant((tx) => propose(tx, network.alice))
  await done([network.bob], (tx) => propose(tx, network.bob))
  const look = await network.looker('preapprovals')
  await looksUntil(look, 3, async () =>
    (await network.payloads(transferPreapproval)).some(({ receiver }) => receiver === network.bob),
  )
  assert.equal((await network.economy.reader.all(coin, { owner: network.bob })).length, 1)
})
