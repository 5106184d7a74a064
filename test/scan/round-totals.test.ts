// What rounds came to, as scan tells it once they are over: rewards and traffic are those that the
// updates show, balances those of the coins there are, and it matters neither when they are added
// up nor how often. spec/scan.yaml
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type {
  RoundPartyTotals,
  RoundTotals,
  UpdateHistoryItemV2,
} from '../../generated/scan/types.gen.ts'
import {
  coin,
  coinRulesBuyMemberTraffic,
  coinRulesDevNetTap,
  lockedCoin,
} from '../../runtime/contracts/index.ts'
import { formatDecimal, parseDecimal } from '../../runtime/engine/decimal.ts'
import { kindsOf } from '../../runtime/economy/round-totals/names.ts'
import { member } from '../../runtime/host/member.ts'
import { setUpAutomations } from '../support/automations.ts'
import { bodyOf, startScan, TICK } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

const COIN = 10_000_000_000n
/** Bytes that the operator of a development network has from the start. */
const SEEDED_BYTES = 1_000_000_000n

async function tap(network: ScanNetwork, party: string, coins: bigint): Promise<void> {
  const operation = { tag: 'CO_Tap', value: { tapAmount: coins * COIN } } as const
  assert.ok((await network.services.treasury.enqueue(party, operation)).ok)
}

async function buyTraffic(network: ScanNetwork, trafficAmount: bigint): Promise<void> {
  const { economy } = network
  const { dso, operator, member: memberId } = economy.parties
  const [rules, round] = [await economy.network.coinRules(), await economy.network.usableRound()]
  assert.ok(round)
  const context = {
    openMiningRound: round.id,
    issuingMiningRounds: [],
    validatorRights: [],
    featuredAppRight: null,
  }
  const where = { synchronizerId: economy.node.synchronizerId, migrationId: 0n }
  const minting = { receiver: operator, amount: 10_000n * COIN, openRoundCid: round.id }
  await network.done([operator], (tx) => {
    const { coin: value } = tx.exercise(coinRulesDevNetTap, rules.id, minting).coinSum
    const inputs = [{ tag: 'InputCoin', value } as const]
    const purchase = { inputs, context, provider: operator, memberId, trafficAmount, ...where }
    tx.exercise(coinRulesBuyMemberTraffic, rules.id, { ...purchase, expectedDso: dso })
  })
}

/** Two users and an operator who earn and spend in the first rounds; then nobody does anything. */
async function spentNetwork(): Promise<ScanNetwork> {
  const network = await startScan()
  const alice = await network.partyOf('alice')
  await tap(network, alice, 100n)
  for (let ticks = 0; ticks < 5; ticks += 1) {
    await buyTraffic(network, 200_000n + BigInt(ticks))
    network.pass(TICK)
    await network.work('rounds', 'rewards', 'liveness')
  }
  await tap(network, alice, 7n)
  for (let ticks = 0; ticks < 8; ticks += 1) {
    network.pass(TICK)
    await network.work('rounds')
  }
  return network
}

async function totals({ scan }: ScanNetwork): Promise<readonly RoundTotals[]> {
  const { start, end } = bodyOf(await scan.getAggregatedRounds())
  const body = { start_round: start, end_round: end }
  return bodyOf(await scan.listRoundTotals({ body })).entries
}

async function partyTotals({ scan }: ScanNetwork) {
  const { start, end } = bodyOf(await scan.getAggregatedRounds())
  const body = { start_round: start, end_round: end }
  return bodyOf(await scan.listRoundPartyTotals({ body })).entries
}

/** Results of choices in the updates, by the round that they name. */
async function results({ scan }: ScanNetwork, choices: readonly string[]) {
  const input = { body: { page_size: 1_000 } }
  const { transactions } = bodyOf(await scan.getUpdateHistoryV2(input))
  const events = (update: UpdateHistoryItemV2) =>
    'events_by_id' in update ? Object.values(update.events_by_id) : []
  return transactions
    .flatMap(events)
    .flatMap((event) =>
      event.event_type === 'exercised_event' && choices.includes(event.choice)
        ? [{ result: event.exercise_result, argument: event.choice_argument }]
        : [],
    )
}

function decimalAt(value: unknown, ...path: readonly string[]): bigint {
  return parseDecimal(String(path.reduce(member, value))) ?? assert.fail(path.join('.'))
}

function roundIn(result: unknown): bigint {
  return BigInt(String(member(member(result, 'round'), 'number')))
}

function decimal(text: string): bigint {
  return parseDecimal(text) ?? assert.fail(text)
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, each) => total + each, 0n)
}

describe('totals of rounds', () => {
  /** The same for all tests that only read. */
  let spent: ScanNetwork

  before(async () => {
    spent = await spentNetwork()
    await spent.work('round-totals')
  })

  test('rounds have no totals before they are over', async () => {
    const { scan, work } = await startScan()
    await work('round-totals')
    assert.equal((await scan.getAggregatedRounds()).status, 404)
    const input = { body: { start_round: 0n, end_round: 0n } }
    assert.equal((await scan.listRoundTotals(input)).status, 404)
    const query = { round: 0n, limit: 5 }
    assert.equal((await scan.getTopProvidersByAppRewards({ query })).status, 404)
    const fees = bodyOf(await scan.getCoinConfigForRound({ query: { round: 0n } }))
    assert.match(fees.coin_create_fee, /^\d+\.\d{10}$/, 'fees are known as soon as a round is open')
  })

  test('totals are what updates and coins say', async () => {
    const network = spent
    const rounds = await totals(network)
    const last = rounds.at(-1) ?? assert.fail('no round')
    assert.ok(rounds.length > 6, `${rounds.length} rounds`)
    assert.deepEqual(
      rounds.map(({ closed_round: round }) => round),
      rounds.map((_, place) => BigInt(place)),
    )

    const paid = await results(network, ['CoinRules_Transfer', 'CoinRules_BuyMemberTraffic'])
    for (const { closed_round: round, ...total } of rounds) {
      const own = paid.filter(({ result }) => roundIn(result) === round)
      for (const [name, input] of [
        ['app_rewards', 'inputAppRewardAmount'],
        ['validator_rewards', 'inputValidatorRewardAmount'],
      ] as const)
        assert.equal(
          total[name],
          formatDecimal(sum(own.map(({ result }) => decimalAt(result, 'summary', input)))),
          `${name} of round ${round}`,
        )
    }
    assert.ok(decimal(last.cumulative_validator_rewards) > 0n, 'liveness was minted')
    assert.equal(
      last.cumulative_validator_rewards,
      formatDecimal(sum(rounds.map(({ validator_rewards: one }) => decimal(one)))),
    )

    const held = [
      ...(await network.payloads(coin)),
      ...(await network.payloads(lockedCoin)).map((one) => one.coin),
    ]
    const left = held.map(
      ({ amount: { initialAmount, createdAt, ratePerRound } }) =>
        initialAmount - ratePerRound.rate * (last.closed_round + 1n - createdAt),
    )
    assert.equal(last.total_coin_balance, formatDecimal(sum(left)))
  })

  test('the shares of parties add up to the round, and lists are in their order', async () => {
    const network = spent
    const [rounds, parties] = [await totals(network), await partyTotals(network)]
    for (const total of rounds) {
      const shares = parties.filter((one) => one.closed_round === total.closed_round)
      for (const name of ['app_rewards', 'validator_rewards'] as const)
        assert.equal(formatDecimal(sum(shares.map((one) => decimal(one[name])))), total[name])
    }
    const { operator } = network.economy.parties
    const mine = parties.filter(({ party }) => party === operator)
    const bought = sum(mine.map(({ traffic_purchased: bytes }) => bytes))
    assert.equal(bought, SEEDED_BYTES + 1_000_010n)
    const last = mine.at(-1) ?? assert.fail('nothing of the operator')
    assert.equal(last.cumulative_traffic_num_purchases, 6n)

    const round = rounds.at(-1)?.closed_round ?? 0n
    const query = { round, limit: 5 }
    const { scan } = network
    const buyers = await scan.getTopValidatorsByPurchasedTraffic({ query })
    const [buyer] = bodyOf(buyers).validatorsByPurchasedTraffic
    assert.deepEqual(buyer, {
      validator: operator,
      numPurchases: 6n,
      totalTrafficPurchased: bought,
      totalCcSpent: last.cumulative_traffic_purchased_cc_spent,
      lastPurchasedInRound: mine.filter(({ traffic_num_purchases: count }) => count > 0n).at(-1)
        ?.closed_round,
    })
    const earners = await scan.getTopValidatorsByValidatorRewards({ query })
    assert.deepEqual(bodyOf(earners).validatorsAndRewards, [
      { provider: operator, rewards: rounds.at(-1)?.cumulative_validator_rewards },
    ])
    const before = { query: { round: 0n, limit: 5 } }
    const then = bodyOf(await scan.getTopValidatorsByPurchasedTraffic(before))
    assert.ok(
      then.validatorsByPurchasedTraffic.every(({ totalTrafficPurchased: all }) => all < bought),
      'a list of an earlier round stays as it was',
    )
    const all = bodyOf(await scan.getRewardsCollected())
    assert.equal(all.amount, rounds.at(-1)?.cumulative_validator_rewards)
  })

  test('it makes no difference when rounds are added up, by how many servers, or whether before that updates are pruned', async () => {
    const network = await spentNetwork()
    await Promise.all([network.work('round-totals'), network.work('round-totals')])
    const [late, parties] = [await totals(network), await partyTotals(network)]
    await network.work('round-totals')
    assert.deepEqual([await totals(network), await partyTotals(network)], [late, parties])

    const alice = await network.partyOf('alice')
    for (const coins of [3n, 2n, 1n]) await tap(network, alice, coins)
    await network.store.updates.prune((await network.store.contracts.ledgerEnd()).offset - 1n)
    for (let ticks = 0; ticks < 9; ticks += 1) {
      network.pass(TICK)
      await network.work('rounds', 'round-totals')
    }
    const { start } = bodyOf(await network.scan.getAggregatedRounds())
    assert.ok(
      start > (late.at(-1)?.closed_round ?? 0n),
      'a new reckoning begins with a whole round',
    )
    const anew = (await totals(network)).at(-1) ?? assert.fail('no round')
    const held = await network.payloads(coin)
    const left = held.map(
      ({ amount: { initialAmount, createdAt, ratePerRound } }) =>
        initialAmount - ratePerRound.rate * (anew.closed_round + 1n - createdAt),
    )
    assert.equal(anew.total_coin_balance, formatDecimal(sum(left)), 'of all coins, older ones too')
  })

  test('a server that is late to forget an earlier reckoning takes nothing of the new one', async () => {
    const network = await spentNetwork()
    const { contracts } = network.store
    const forget = contracts.forgetFacts.bind(contracts)
    const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    contracts.forgetFacts = async (from, to) => {
      contracts.forgetFacts = forget
      asked.resolve()
      await late.promise
      await forget(from, to)
    }
    const slow = network.work('round-totals')
    await asked.promise
    await network.work('round-totals')
    const before = [await totals(network), await partyTotals(network)]
    late.resolve()
    await slow
    assert.deepEqual([await totals(network), await partyTotals(network)], before)
  })

  test('of the last rounds the shares of parties and lists are kept, of all rounds what they came to', async () => {
    const network = await spentNetwork()
    const { scan, store, economy } = network
    const { treasury } = network.services
    const choice = { names: ['round-totals'], options: { 'round-totals': { keptRounds: 5 } } }
    await (await setUpAutomations({ economy, treasury }, choice)).run()
    const rounds = await totals(network)
    assert.equal(rounds.length, (await totals(spent)).length)
    const end = BigInt(rounds.length - 1)

    const shares = (start_round: bigint) =>
      scan.listRoundPartyTotals({ body: { start_round, end_round: end } })
    /** Parties have other names there. */
    const amounts = (all: readonly RoundPartyTotals[]) =>
      all
        .filter(({ closed_round: round }) => round >= end - 4n)
        .map(({ party, ...amount }) => inspect(amount))
        .sort()
    const kept = bodyOf(await shares(end - 4n)).entries
    assert.ok(kept.length > 0, 'somebody had a share')
    assert.deepEqual(amounts(kept), amounts(await partyTotals(spent)))
    const refused = await shares(end - 5n)
    assert.equal(refused.status, 400)
    assert.match(String(member(member(refused, 'body'), 'error')), /are not all among/)

    const buyers = (round: bigint) =>
      scan.getTopValidatorsByPurchasedTraffic({ query: { round, limit: 5 } })
    assert.equal(bodyOf(await buyers(end - 4n)).validatorsByPurchasedTraffic.length, 1)
    assert.equal((await buyers(0n)).status, 404)
    const { roundParty, board } = kindsOf(1n)
    for (const kind of [roundParty(0n), board(0n)])
      assert.deepEqual(await store.contracts.facts(kind, '', 1), [], 'the store has forgotten them')
  })

  test('rounds that are not there are refused', async () => {
    const network = spent
    const { scan } = network
    const { end } = bodyOf(await scan.getAggregatedRounds())
    for (const [start_round, end_round] of [
      [end, end + 1n],
      [1n, 0n],
      [0n, 200n],
    ] as const) {
      const input = { body: { start_round, end_round } }
      assert.equal((await scan.listRoundTotals(input)).status, 400)
      assert.equal((await scan.listRoundPartyTotals(input)).status, 400)
    }
    const query = { round: end + 1n }
    assert.equal((await scan.getRewardsCollected({ query })).status, 404)
  })

  test('transfers and taps are listed once, in either direction and in pages of any size', async () => {
    const network = spent
    const { scan } = network
    const listed = async (sort_order: 'asc' | 'desc', page_size: bigint) => {
      const ids: string[] = []
      for (;;) {
        const last = ids.at(-1)
        const body = {
          page_size,
          sort_order,
          ...(last === undefined ? {} : { page_end_event_id: last }),
        }
        const page = bodyOf(await scan.listTransactionHistory({ body }))
        ids.push(...page.transactions.map(({ event_id: id }) => id))
        if (page.transactions.length === 0) return ids
      }
    }
    const all = await listed('asc', 1_000n)
    assert.equal(new Set(all).size, all.length)
    assert.deepEqual(await listed('asc', 2n), all)
    assert.deepEqual(await listed('desc', 3n), all.toReversed())
    const taps = await results(network, ['CoinRules_DevNet_Tap'])
    const transfers = await results(network, ['CoinRules_Transfer'])
    assert.equal(all.length, taps.length + transfers.length)
    const body = { page_size: 1_000n }
    const { activities } = bodyOf(await scan.listActivity({ body }))
    assert.deepEqual(
      activities.map(({ event_id: id }) => id),
      all.toReversed(),
    )
    const [newest] = activities.filter(({ tap: made }) => made !== undefined)
    assert.equal(newest?.tap?.coin_amount, '7.0000000000')
    const unknown = { body: { page_size: 1n, begin_after_id: '1220ff:0' } }
    assert.equal((await scan.listActivity(unknown)).status, 404)
  })

  test('validators are listed by the rounds in which they were live', async () => {
    const network = spent
    const { operator } = network.economy.parties
    const input = { query: { limit: 10 } }
    const [first] = bodyOf(
      await network.scan.getTopValidatorsByValidatorFaucets(input),
    ).validatorsByReceivedFaucets
    const asked = { query: { validator_ids: [operator] } }
    const { validatorsReceivedFaucets } = bodyOf(
      await network.scan.getValidatorFaucetsByValidator(asked),
    )
    assert.deepEqual([first], validatorsReceivedFaucets)
  })
})
