// Rounds on the real engine: the times and numbers of docs/economy-rules.md, "Rounds", bounds at
// equality, and §17 items 28 and 29.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unclaimedReward } from '../../runtime/contracts/coupons.ts'
import { unclaimedDevelopmentFundCoupon } from '../../runtime/contracts/development-fund.ts'
import {
  coinRulesAdvanceOpenMiningRounds,
  coinRulesBootstrapRounds,
  coinRulesMiningRoundArchive,
  coinRulesMiningRoundClose,
  coinRulesMiningRoundStartIssuing,
} from '../../runtime/contracts/round-steps.ts'
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from '../../runtime/contracts/rounds.ts'
import {
  advanceArgument,
  assertRequires,
  DSO,
  GENESIS,
  issueNext,
  NO_ACTIVITY,
  openRound,
  openRounds,
  PRICE,
  startNetwork,
  startNetworkWithRounds,
  succeeded,
  assertKind,
} from './network-fixture.ts'
import type { NetworkUnderTest } from './network-fixture.ts'
import { dec, MINUTE, sampleConfig, TICK } from './sample-config.ts'

async function advance(network: NetworkUnderTest) {
  return network.submit(
    DSO,
    coinRulesAdvanceOpenMiningRounds,
    await network.coinRulesId(),
    await advanceArgument(network),
  )
}

test('bootstrap makes three rounds: two open, the third when the first is to close', async () => {
  const network = await startNetworkWithRounds()
  const rounds = (await openRounds(network)).map(({ payload }) => payload)
  assert.deepEqual(
    rounds.map(({ round, opensAt, targetClosesAt, issuingFor }) => [
      round,
      ...[opensAt - GENESIS, targetClosesAt - GENESIS, issuingFor].map((micros) => micros / MINUTE),
    ]),
    [
      [0n, 0n, 20n, 0n],
      [1n, 0n, 30n, 10n],
      [2n, 20n, 40n, 20n],
    ],
  )
  assert.deepEqual(
    rounds.map(({ conversionRate, trafficPrice }) => [conversionRate, trafficPrice]),
    Array(3).fill([PRICE, dec('16.67')]),
  )
})

test('a first round shorter than a tick is refused, one of a tick is not, and numbering starts where told', async () => {
  const network = await startNetwork()
  const rules = await network.coinRulesId()
  const argument = {
    conversionRate: PRICE,
    round0Duration: TICK - 1n,
    initialRound: 7n,
    now: network.now(),
  }
  assertRequires(
    await network.submit(DSO, coinRulesBootstrapRounds, rules, argument),
    /a tick of 600000000 µs at least; given: 599999999 µs/,
  )
  await network.exercise(DSO, coinRulesBootstrapRounds, rules, {
    ...argument,
    round0Duration: TICK,
  })
  assert.deepEqual(
    (await openRounds(network)).map(({ payload }) => payload.round),
    [7n, 8n, 9n],
  )
})

test('rounds advance when the oldest is to close and the newest is open: not a microsecond before', async () => {
  const network = await startNetworkWithRounds()
  network.setTime(GENESIS + 20n * MINUTE - 1n)
  assertKind(await advance(network), 'too-early')
  network.setTime(GENESIS + 20n * MINUTE)
  const { result } = succeeded(await advance(network))
  const opened = await network.payload(openMiningRound, result.openRoundCid)
  assert.equal(opened.round, 3n)
  assert.equal(opened.opensAt, network.now() + TICK)
  assert.equal(opened.targetClosesAt, network.now() + 3n * TICK)
  assert.equal(opened.issuingFor, 3n * TICK)
  assert.equal(
    (await network.payload(summarizingMiningRound, result.summarizingRoundCid)).round,
    0n,
  )
})

test('the middle round is open for a tick, and the three are consecutive', async () => {
  const network = await startNetworkWithRounds()
  network.setTime(GENESIS + 25n * MINUTE)
  const argument = await advanceArgument(network)
  const swapped = {
    ...argument,
    middleRoundCid: argument.latestRoundCid,
    latestRoundCid: argument.middleRoundCid,
  }
  const rules = await network.coinRulesId()
  assertRequires(
    await network.submit(DSO, coinRulesAdvanceOpenMiningRounds, rules, swapped),
    /the rounds follow each other; given: /,
  )
  const base = await openRound(network, 2n)
  const [oldest, middle] = [
    { round: 10n, targetClosesAt: GENESIS + 1n },
    { round: 11n, opensAt: GENESIS + 20n * MINUTE },
  ]
  const far = { ...base.payload, opensAt: GENESIS, targetClosesAt: GENESIS + 100n * MINUTE }
  const cids = {
    roundToArchiveCid: await network.create(openMiningRound, { ...far, ...oldest }),
    middleRoundCid: await network.create(openMiningRound, { ...far, ...middle }),
    latestRoundCid: await network.create(openMiningRound, { ...far, round: 12n }),
  }
  const early = await network.submit(DSO, coinRulesAdvanceOpenMiningRounds, rules, {
    ...argument,
    ...cids,
  })
  assert.deepEqual(early, { ok: false, kind: 'too-early', notBefore: GENESIS + 30n * MINUTE })
})

test('the time that an argument says is not ahead of the update nor a day behind it', async () => {
  const network = await startNetworkWithRounds()
  network.setTime(GENESIS + 21n * MINUTE)
  const rules = await network.coinRulesId()
  const argument = await advanceArgument(network)
  const ahead = await network.submit(DSO, coinRulesAdvanceOpenMiningRounds, rules, {
    ...argument,
    now: network.now() + 1n,
  })
  assertKind(ahead, 'too-early')
  network.setTime(GENESIS + 24n * 60n * MINUTE)
  const behind = await network.submit(DSO, coinRulesAdvanceOpenMiningRounds, rules, {
    ...argument,
    now: GENESIS,
  })
  assertKind(behind, 'too-late')
})

test('issuing opens a tick after it starts and closes two ticks later, not before', async () => {
  const network = await startNetworkWithRounds()
  const cid = await issueNext(network, NO_ACTIVITY)
  const issuing = await network.payload(issuingMiningRound, cid)
  assert.equal(issuing.opensAt, network.now() + TICK)
  assert.equal(issuing.targetClosesAt, network.now() + 3n * TICK)
  const rules = await network.coinRulesId()
  network.setTime(issuing.targetClosesAt - 1n)
  await network.denied('too-early', DSO, coinRulesMiningRoundClose, rules, { issuingRoundCid: cid })
  network.setTime(issuing.targetClosesAt)
  const { closedRoundCid } = await network.exercise(DSO, coinRulesMiningRoundClose, rules, {
    issuingRoundCid: cid,
  })
  const { opensAt: _opens, targetClosesAt: _closes, ...values } = issuing
  assert.deepEqual(await network.payload(closedMiningRound, closedRoundCid), values)
  await network.exercise(DSO, coinRulesMiningRoundArchive, rules, { closedRoundCid })
  assert.equal(await network.reader.get(closedMiningRound, closedRoundCid), undefined)
})

test("what nobody can mint and the fund's part are there as soon as issuing starts", async () => {
  const { initialValue, futureValues } = sampleConfig.issuanceCurve
  const withFund = {
    initialValue: { ...initialValue, optDevelopmentFundPercentage: dec('0.05') },
    futureValues,
  }
  const network = await startNetworkWithRounds({ config: { issuanceCurve: withFund } })
  await issueNext(network, { ...NO_ACTIVITY, totalSvRewardWeight: 10_000n })
  const [reward] = await network.reader.active(unclaimedReward)
  const [fund] = await network.reader.active(unclaimedDevelopmentFundCoupon)
  assert.equal(fund?.payload.amount, dec('38051.7503805175'))
  // validator and app pools; the super validators' 578386.6057838661 goes to their weight,
  // 57.8386605784 each
  assert.equal(reward?.payload.amount, dec('144596.6514459665'))
})

test('a summary with a negative count is refused', async () => {
  const network = await startNetworkWithRounds()
  network.setTime(GENESIS + 21n * MINUTE)
  const {
    result: { summarizingRoundCid },
  } = succeeded(await advance(network))
  const argument = { miningRoundCid: summarizingRoundCid, now: network.now() }
  const rules = await network.coinRulesId()
  for (const summary of [
    { ...NO_ACTIVITY, totalSvRewardWeight: -1n },
    { ...NO_ACTIVITY, optTotalValidatorFaucetCoupons: -1n },
    { ...NO_ACTIVITY, totalFeaturedAppRewardCoupons: -1n },
  ])
    assertRequires(
      await network.submit(DSO, coinRulesMiningRoundStartIssuing, rules, { ...argument, summary }),
      /negative/,
    )
})

test('however late the network is: three consecutive open rounds, no number in two phases, openings in order', async () => {
  const delays = fc.array(fc.bigInt({ min: 0n, max: 3n * TICK }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(delays, async (waits) => {
      const network = await startNetworkWithRounds()
      for (const wait of waits) {
        const [oldest, middle, latest] = (await openRounds(network)).map(({ payload }) => payload)
        assert.ok(oldest && middle && latest)
        const due = [oldest.targetClosesAt, middle.opensAt + TICK, latest.opensAt].reduce((a, b) =>
          a > b ? a : b,
        )
        network.setTime((due > network.now() ? due : network.now()) + wait)
        succeeded(await advance(network))
        await assertInOrder(network)
      }
    }),
    { numRuns: 15 },
  )
})

async function assertInOrder(network: NetworkUnderTest): Promise<void> {
  const rounds = (await openRounds(network)).map(({ payload }) => payload)
  assert.equal(rounds.length, 3)
  const [first, second, third] = rounds
  assert.ok(first && second && third)
  assert.deepEqual([second.round - first.round, third.round - second.round], [1n, 1n])
  assert.ok(first.opensAt <= second.opensAt && second.opensAt < third.opensAt)
  assert.ok(
    rounds.some(({ opensAt }) => opensAt <= network.now()),
    'one is usable',
  )
  const summarizing = (await network.reader.active(summarizingMiningRound)).map(
    ({ payload }) => payload.round,
  )
  const numbers = [...summarizing, ...rounds.map(({ round }) => round)]
  assert.equal(new Set(numbers).size, numbers.length)
}
