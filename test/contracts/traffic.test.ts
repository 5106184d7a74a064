// Traffic purchases and taps. docs/economy-rules.md, "Traffic"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coinRulesBuyMemberTraffic,
  coinRulesMergeMemberTrafficContracts,
  memberTraffic,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  contextOf,
  dec,
  describe,
  DSO,
  inputsOf,
  SYNCHRONIZER,
  testLedger,
  exercising,
} from '../support/ledger.ts'
import type { CoinRules_BuyMemberTraffic } from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'

const MEMBER = 'PAR::node::12'

function buyBy(
  ledger: TestLedger,
  coins: readonly string[],
  change: Partial<CoinRules_BuyMemberTraffic> = {},
) {
  const purchase = {
    inputs: inputsOf(coins),
    context: contextOf(ledger),
    provider: ALICE,
    memberId: MEMBER,
    synchronizerId: SYNCHRONIZER,
    migrationId: 0n,
    trafficAmount: 200_000n,
    expectedDso: DSO,
    ...change,
  }
  return exercising(coinRulesBuyMemberTraffic, ledger.rules, purchase)
}

test("the round's own traffic price wins over the rules'", async () => {
  const ledger = await testLedger()
  const openMiningRound = await ledger.openRound({ round: 4n, trafficPrice: dec('1') })
  const cheap = buyBy(ledger, await ledger.coins(ALICE, '700'), {
    context: contextOf(ledger, { openMiningRound }),
  })
  assert.equal((await ledger.done([ALICE], cheap)).coinPaid, dec('40'))
})

test('an unknown synchronizer, too little traffic and missing funds are told apart, in this order', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(ALICE, '1')
  const faultOf = async (change: Partial<CoinRules_BuyMemberTraffic>) => {
    const rejection = await ledger.refused([ALICE], buyBy(ledger, coins, change))
    return rejection.kind === 'aborted'
      ? { id: rejection.reason.id, ...rejection.reason.metadata }
      : rejection.kind
  }
  assert.deepEqual(await faultOf({ synchronizerId: 'other::12', trafficAmount: 1n }), {
    id: 'unknown-synchronizer',
    synchronizerId: 'other::12',
  })
  assert.deepEqual(await faultOf({ trafficAmount: 199_999n }), {
    id: 'insufficient-topup-amount',
    requestedTopupAmount: '199999',
    minTopupAmount: '200000',
  })
  assert.deepEqual(await faultOf({}), {
    id: 'insufficient-funds',
    requiredAmount: '665.8000000000',
  })
  assert.equal(await faultOf({ provider: BOB }), 'unauthorised')
})

test('traffic of a member merges into one contract with the sums; bytes end at the largest integer', async () => {
  const ledger = await testLedger()
  const one = {
    dso: DSO,
    memberId: MEMBER,
    synchronizerId: SYNCHRONIZER,
    migrationId: 0n,
    totalPurchased: 200n,
    numPurchases: 2n,
    coinSpent: dec('1.5'),
    usdSpent: dec('0.1'),
  }
  const trafficCids = [
    await ledger.create(memberTraffic, one),
    await ledger.create(memberTraffic, { ...one, totalPurchased: 2n ** 63n - 100n }),
  ]
  const merging = (cids: readonly string[]) =>
    exercising(coinRulesMergeMemberTrafficContracts, ledger.rules, { trafficCids: cids })
  await ledger.done([DSO], merging(trafficCids))
  const [merged, ...others] = await ledger.reader.active(memberTraffic)
  assert.deepEqual(
    [merged?.payload.totalPurchased, merged?.payload.numPurchases, others],
    [2n ** 63n - 1n, 4n, []],
  )
  assert.deepEqual([merged?.payload.coinSpent, merged?.payload.usdSpent], [dec('3'), dec('0.2')])
  const foreign = await ledger.create(memberTraffic, { ...one, memberId: 'PAR::other::12' })
  assert.match(
    describe(await ledger.refused([DSO], merging([merged?.id ?? '', foreign]))),
    /all traffic is of PAR::node.*; given: .*PAR::other/,
  )
  assert.match(describe(await ledger.refused([DSO], merging([]))), /traffic to merge/)
})
