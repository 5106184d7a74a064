// Rounds over days: they advance, issue, close and go, their coupons are counted and what nobody
// mints is kept. docs/economy-rules.md, "Rounds" and "Rewards"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closedMiningRound,
  coinPriceVote,
  dsoRulesUpdateCoinPriceVote,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
  unclaimedReward,
  validatorLicense,
  validatorLivenessActivityRecord,
} from '../../runtime/contracts/index.ts'
import { DECIMAL_ONE } from '../../runtime/engine/index.ts'
import { DAY, SECOND, startNetwork, TICK, type Network } from './kit.ts'

async function assertRegular({ payloads, clock }: Network): Promise<void> {
  const open = await payloads(openMiningRound)
  assert.equal(open.length, 3)
  const [first, second, third] = open
  assert.ok(first && second && third)
  assert.deepEqual([second.round, third.round], [first.round + 1n, first.round + 2n], 'consecutive')
  assert.ok(
    first.opensAt <= second.opensAt && second.opensAt < third.opensAt,
    'opening one after the other',
  )
  assert.ok(second.opensAt <= clock.nowMicros(), 'two are usable')
  const others = [
    ...(await payloads(summarizingMiningRound)),
    ...(await payloads(issuingMiningRound)),
    ...(await payloads(closedMiningRound)),
  ]
  const numbers = [...open, ...others].map(({ round }) => round)
  assert.equal(new Set(numbers).size, numbers.length, 'no number is in two phases')
}

test('a jump of days leaves no gap: the next round opens a tick after it', async () => {
  const network = await startNetwork()
  network.pass(3n * DAY)
  await network.work()
  await assertRegular(network)
  const latest = (await network.payloads(openMiningRound)).at(-1)
  assert.equal(latest?.round, 3n)
  assert.equal(latest?.opensAt, network.clock.nowMicros() + TICK)
  assert.equal((await network.economy.network.usableRound())?.payload.round, 2n)
  network.pass(TICK)
  await network.work()
  assert.equal((await network.economy.network.usableRound())?.payload.round, 3n)
})

test('servers that advance at once advance once', async () => {
  const network = await startNetwork()
  const other = await startNetwork({ store: network.store, clock: network.clock })
  for (let ticks = 0; ticks < 6; ticks += 1) {
    network.pass(TICK)
    await Promise.all([network.work(), other.work()])
    await assertRegular(network)
  }
  assert.equal((await network.payloads(openMiningRound))[0]?.round, 6n)
})

test('a vote changes the price of rounds to come, not of those that are there', async () => {
  const network = await startNetwork()
  const { economy } = network
  const [rules, vote] = [await economy.network.dsoRules(), await network.only(coinPriceVote)]
  const now = network.clock.nowMicros()
  const changed = await economy.engine.submit({
    actAs: [economy.parties.sv],
    userId: '',
    free: true,
    run: (tx) =>
      tx.exercise(dsoRulesUpdateCoinPriceVote, rules.id, {
        sv: economy.parties.sv,
        coinPrice: DECIMAL_ONE,
        optCoinPriceVoteCid: vote.id,
        now,
      }),
  })
  assert.ok(changed.ok)
  const before = (await network.payloads(openMiningRound)).map(
    ({ conversionRate }) => conversionRate,
  )
  assert.equal(new Set(before).size, 1)
  network.pass(TICK)
  await network.work('rounds')
  const after = (await network.payloads(openMiningRound)).map(
    ({ conversionRate }) => conversionRate,
  )
  assert.deepEqual(after, [before[0], before[0], DECIMAL_ONE])
})

test('liveness is recorded once a round, and rounds that were missed are counted', async () => {
  const network = await startNetwork()
  for (let ticks = 0; ticks < 3; ticks += 1) {
    await network.work('rounds', 'liveness')
    await network.work('rounds', 'liveness')
    network.pass(TICK)
  }
  const {
    payload: { faucetState },
  } = await network.only(validatorLicense)
  assert.deepEqual(faucetState, { firstReceivedFor: 0n, lastReceivedFor: 3n, numCouponsMissed: 0n })
  const received = (await network.payloads(validatorLivenessActivityRecord)).map(
    ({ round }) => round,
  )
  assert.equal(new Set(received).size, received.length)
})

test('unclaimed rewards are merged once there are more than the rules want', async () => {
  const network = await startNetwork()
  for (let ticks = 0; ticks < 30; ticks += 1) {
    await network.work('rounds')
    network.pass(TICK + SECOND)
  }
  const rewards = await network.payloads(unclaimedReward)
  assert.ok(rewards.length <= 10, `${rewards.length} unclaimed rewards`)
})
