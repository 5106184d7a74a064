// What rounds bring is minted once and in time, whatever others leave beside it: liveness, burns of
// users, the schedule of collection, and two servers that do the same. docs/economy-rules.md,
// "Rounds" and "Rewards"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collectionWindow, instantWithin } from '../../plugins/automation-rewards/schedule.ts'
import {
  coinRulesMint,
  issuingMiningRound,
  svRewardCoupon,
  unclaimedActivityRecord,
  validatorLicense,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
} from '../../runtime/contracts/index.ts'
import { decimalOf, multiply, sum } from '../../runtime/engine/index.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { SECOND, START, startNetwork, TICK, type Network } from '../network/kit.ts'

const LATER = { previous: undefined, now: START, closeBuffer: 120n * SECOND }
/** Worth of a liveness record, where the pool suffices: 2.85 USD at 0.005 USD a coin. */
const LIVENESS = decimalOf(570n)

async function partyOf({ store }: Network, user: string): Promise<string> {
  return (await store.users.get(user))?.primaryParty ?? assert.fail(user)
}

async function asNetwork<R>(
  { economy }: Network,
  run: (tx: Tx) => R,
  ...others: readonly string[]
): Promise<R> {
  const done = await economy.engine.submit({
    actAs: [economy.parties.dso, ...others],
    userId: '',
    free: true,
    run,
  })
  return done.ok ? done.result : assert.fail(done.kind)
}

/** Coupons of a user's burns in the round that is open. */
async function burn(network: Network, user: string, amounts: readonly bigint[]): Promise<bigint> {
  const {
    economy: {
      parties: { dso },
      network: state,
    },
  } = network
  const round = (await state.usableRound())?.payload.round ?? assert.fail('no round')
  await asNetwork(network, (tx) =>
    amounts.forEach(
      (amount) => void tx.create(validatorRewardCoupon, { dso, user, amount, round }),
    ),
  )
  return round
}

async function balanceOf({ economy: { reader } }: Network, party: string): Promise<bigint> {
  return (await reader.total('unlocked', party)).amount
}

/** Waits until the round issues. */
async function untilIssuing(network: Network, round: bigint): Promise<void> {
  for (;;) {
    await network.work('rounds')
    const found = (await network.payloads(issuingMiningRound)).find((each) => each.round === round)
    if (found !== undefined && found.opensAt <= network.clock.nowMicros()) return
    network.pass(TICK / 2n)
  }
}

test('a round is collected within a tick of its opening, and not in the last two minutes of any', () => {
  const round = (number: bigint, opensAt: bigint) => ({
    round: number,
    opensAt,
    targetClosesAt: opensAt + 2n * TICK,
  })
  const [first, second] = [round(1n, START), round(2n, START + TICK)]
  assert.deepEqual(collectionWindow({ ...LATER, issuing: [first] }), {
    start: START,
    end: START + TICK,
  })
  assert.deepEqual(
    collectionWindow({
      ...LATER,
      issuing: [first, second],
      previous: first,
      now: second.opensAt + 5n * SECOND,
    }),
    {
      start: START + TICK + 5n * SECOND,
      end: START + TICK + 480n * SECOND,
    },
  )
  const late = { ...LATER, issuing: [first] as const, now: START + 700n * SECOND }
  assert.deepEqual(collectionWindow(late), { start: late.now, end: late.now })
})

test('instants are within their window, which no round leaves', () => {
  const time = fc.bigInt(0n, 10_000n * SECOND)
  const length = fc.bigInt(1n, 2_000n * SECOND)
  const round = fc
    .record({ round: fc.constant(0n), opensAt: time, length })
    .map(({ length: each, ...rest }) => ({ ...rest, targetClosesAt: rest.opensAt + 2n * each }))
  const chances = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  fc.assert(
    fc.property(
      round,
      fc.option(round, { nil: undefined }),
      time,
      length,
      chances,
      (latest, previous, now, closeBuffer, chance) => {
        const window = collectionWindow({ issuing: [latest], previous, now, closeBuffer })
        const { start, end } = window
        assert.equal(start, now > latest.opensAt ? now : latest.opensAt)
        const instant = instantWithin(window, chance)
        assert.ok(start <= instant && instant <= end)
        if (start === end) return
        assert.ok(
          end <= latest.opensAt + (latest.targetClosesAt - latest.opensAt) / 2n &&
            end <= latest.targetClosesAt - closeBuffer,
        )
        if (previous !== undefined && previous.targetClosesAt > now)
          assert.ok(end <= previous.targetClosesAt - closeBuffer)
      },
    ),
  )
})

test('a drawn schedule lets nothing be collected before its instant, and all afterwards', async () => {
  const network = await startNetwork({ seeded: true })
  const alice = await partyOf(network, 'alice')
  const { operator } = network.economy.parties
  const draws = [0.25, 0.5, 0.75]
  const automations = await setUpAutomations(network.services, {
    names: ['rewards'],
    options: { rewards: { schedule: 'random' } },
    random: () => draws.shift() ?? 0.75,
  })
  const round = await burn(network, alice, [decimalOf(1_000n)])
  await untilIssuing(network, round)
  const before = await balanceOf(network, operator)
  await automations.run()
  assert.equal(await balanceOf(network, operator), before)
  assert.deepEqual(draws, [], 'each party has its own instant')
  network.pass((TICK * 3n) / 4n)
  await automations.run()
  assert.ok((await balanceOf(network, operator)) > before)
})

test("burns of users that are not the validator's hide none of those that are", async () => {
  const network = await startNetwork({ seeded: true })
  const { operator } = network.economy.parties
  const [alice, spammer] = [await partyOf(network, 'alice'), 'spammer::1220']
  await burn(
    network,
    spammer,
    Array.from({ length: 401 }, () => 1n),
  )
  await burn(
    network,
    alice,
    Array.from({ length: 250 }, (_, index) => decimalOf(1n) + BigInt(index)),
  )
  const round = await burn(network, operator, [decimalOf(7n)])
  const mine = (await network.payloads(validatorRewardCoupon)).filter(
    ({ user }) => user !== spammer,
  )
  assert.equal(mine.length, 252, 'with the one that the seed bought')
  await untilIssuing(network, round)
  const before = await balanceOf(network, operator)
  await network.work('rewards')
  const left = (await network.payloads(validatorRewardCoupon)).filter(
    (coupon) => coupon.round === round,
  )
  assert.deepEqual([left.length, new Set(left.map(({ user }) => user))], [401, new Set([spammer])])
  const rates = new Map(
    (await network.payloads(issuingMiningRound)).map((each) => [
      each.round,
      each.issuancePerValidatorRewardCoupon,
    ]),
  )
  const worth = sum(
    mine.map((coupon) =>
      multiply(coupon.amount, rates.get(coupon.round) ?? assert.fail(`round ${coupon.round}`)),
    ),
  )
  assert.equal((await balanceOf(network, operator)) - before, worth)
  assert.equal((await network.economy.reader.total('unlocked', operator)).count, 1n)
})

test('two servers mint every coupon once and in its life, to the last digit', async () => {
  const one = await startNetwork({ seeded: true })
  const other = await startNetwork({ store: one.store, clock: one.clock })
  const { operator } = one.economy.parties
  const users = [await partyOf(one, 'alice'), await partyOf(one, 'bob'), operator]
  const names = ['rounds', 'rewards', 'liveness']
  const [known, before] = [new Set<bigint>(), await balanceOf(one, operator)]
  const amounts = Array.from({ length: 130 }, (_, index) => decimalOf(1n) + BigInt(index))
  let expected = 0n
  for (let ticks = 0n; ticks < 8n; ticks += 1n) {
    if (ticks < 4n) await burn(one, users[Number(ticks) % 3] ?? operator, amounts)
    await Promise.all([one.work('rounds'), other.work('rounds')])
    for (const issuing of await one.payloads(issuingMiningRound)) {
      if (known.has(issuing.round) || issuing.opensAt > one.clock.nowMicros()) continue
      known.add(issuing.round)
      const coupons = (await one.payloads(validatorRewardCoupon)).filter(
        ({ round }) => round === issuing.round,
      )
      const records = (await one.payloads(validatorLivenessActivityRecord)).filter(
        ({ round }) => round === issuing.round,
      )
      expected += sum(
        coupons.map(({ amount }) => multiply(amount, issuing.issuancePerValidatorRewardCoupon)),
      )
      expected += BigInt(records.length) * (issuing.optIssuancePerValidatorFaucetCoupon ?? 0n)
    }
    await Promise.all([one.work(...names), other.work(...names)])
    await one.services.treasury.settled()
    one.pass(TICK)
  }
  assert.ok(known.size >= 5 && expected > 0n)
  assert.equal((await balanceOf(one, operator)) - before, expected)
  const received = (await one.payloads(svRewardCoupon)).map(({ round }) => round)
  assert.equal(new Set(received).size, received.length)
  assert.equal((await one.only(validatorLicense)).payload.faucetState?.numCouponsMissed, 0n)
})

test('liveness is recorded once a round by two servers, the round that opened first before others; what was skipped is missed', async () => {
  const one = await startNetwork()
  const other = await startNetwork({ store: one.store, clock: one.clock })
  const record = () => Promise.all([one.work('liveness'), other.work('liveness')])
  const rounds = async () =>
    (await one.payloads(validatorLivenessActivityRecord)).map(({ round }) => round)
  await record()
  assert.deepEqual(await rounds(), [0n, 1n], 'two rounds are open')
  for (let ticks = 0; ticks < 4; ticks += 1) {
    one.pass(TICK)
    await one.work('rounds')
  }
  await record()
  await record()
  const {
    payload: { faucetState },
  } = await one.only(validatorLicense)
  assert.deepEqual(faucetState, { firstReceivedFor: 0n, lastReceivedFor: 5n, numCouponsMissed: 2n })
  assert.deepEqual(
    (await rounds()).filter((round) => round > 1n),
    [4n, 5n],
  )
})

test('a liveness record is worth 2.85 USD', async () => {
  const network = await startNetwork()
  const { operator } = network.economy.parties
  await network.work('liveness')
  await untilIssuing(network, 0n)
  await network.work('rewards')
  assert.equal(await balanceOf(network, operator), LIVENESS)
})

test('what is not bound to a round is collected with the next one, and merged; users take their own only', async () => {
  const network = await startNetwork({ seeded: true })
  const {
    economy: {
      parties: { dso, operator },
    },
  } = network
  const alice = await partyOf(network, 'alice')
  const [rules, round] = [
    await network.economy.network.coinRules(),
    await network.economy.network.usableRound(),
  ]
  const expiresAt = START + 100n * TICK
  await asNetwork(
    network,
    (tx) => {
      for (const ends of [START + 1n, expiresAt, expiresAt + 1n]) {
        tx.create(unclaimedActivityRecord, {
          dso,
          beneficiary: alice,
          amount: decimalOf(3n),
          reason: 'work',
          expiresAt: ends,
        })
      }
      tx.exercise(coinRulesMint, rules.id, {
        receiver: alice,
        amount: decimalOf(5n),
        openRoundCid: round?.id ?? '',
      })
    },
    alice,
  )
  const before = await balanceOf(network, alice)
  await burn(network, alice, [decimalOf(9n)])
  await untilIssuing(network, 0n)
  await network.work('rewards')
  const { amount, count } = await network.economy.reader.total('unlocked', alice)
  assert.deepEqual([amount - before, count], [decimalOf(6n), 1n])
  assert.ok((await balanceOf(network, operator)) > 0n)
  assert.equal((await network.payloads(unclaimedActivityRecord)).length, 1, 'the one that expired')
})
