// What is over ends by itself, on time and not before. docs/automations.md, "expiry"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import {
  acceptedTransferOffer,
  buyTrafficRequest,
  coin,
  coinRulesDevNetTap,
  dsoRulesRequestVote,
  transferOffer,
  transferOfferAccept,
  voteRequest,
  voteResult,
} from '../../runtime/contracts/index.ts'
import { decimalOf } from '../../runtime/engine/index.ts'
import type { Engine, Tx } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { DAY, SECOND, startNetwork, TICK, type Network } from './kit.ts'

async function submitted<R>(
  { economy }: Network,
  actAs: readonly string[],
  run: (tx: Tx) => R,
): Promise<R> {
  const outcome = await economy.engine.submit({
    actAs,
    userId: '',
    free: true,
    run,
    disclosedContracts: await economy.network.disclosures(),
  })
  assert.ok(outcome.ok, inspect(outcome))
  return outcome.result
}

async function partyOf({ store }: Network, user: string): Promise<string> {
  return (await store.users.get(user))?.primaryParty ?? ''
}

test('offers, accepted offers and traffic requests end at their time, to the microsecond', async () => {
  const network = await startNetwork({ seeded: true })
  const {
    economy: {
      parties: { dso },
      node,
    },
    clock,
  } = network
  const [alice, bob] = [await partyOf(network, 'alice'), await partyOf(network, 'bob')]
  const expiresAt = clock.nowMicros() + 60n * SECOND
  const terms = {
    sender: alice,
    receiver: bob,
    dso,
    amount: { amount: decimalOf(1n), unit: 'CoinUnit' as const },
    description: '',
    expiresAt,
  }
  await submitted(network, [alice], (tx) => tx.create(transferOffer, { ...terms, trackingId: 'a' }))
  const accepted = await submitted(network, [alice], (tx) =>
    tx.create(transferOffer, { ...terms, trackingId: 'b' }),
  )
  await submitted(network, [bob], (tx) => tx.exercise(transferOfferAccept, accepted, {}))
  await submitted(network, [bob], (tx) =>
    tx.create(buyTrafficRequest, {
      dso,
      endUserParty: bob,
      expiresAt,
      trackingId: 'c',
      trafficAmount: 1n,
      memberId: 'x',
      synchronizerId: node.synchronizerId,
      migrationId: 0n,
    }),
  )
  const left = async () => [
    (await network.payloads(transferOffer)).length,
    (await network.payloads(acceptedTransferOffer)).length,
    (await network.payloads(buyTrafficRequest)).length,
  ]
  assert.ok(clock.moveTo(expiresAt - 1n))
  await network.work('expiry')
  assert.deepEqual(await left(), [1, 1, 1])
  assert.ok(clock.moveTo(expiresAt))
  await network.work('expiry')
  assert.deepEqual(await left(), [0, 0, 0])
})

test('a vote that nobody closes is closed when its time is over', async () => {
  const network = await startNetwork()
  const { economy, clock } = network
  const rules = await economy.network.dsoRules()
  const now = clock.nowMicros()
  await submitted(network, [economy.parties.sv], (tx) =>
    tx.exercise(dsoRulesRequestVote, rules.id, {
      requester: economy.parties.sv,
      reason: { url: '', body: '' },
      voteRequestTimeout: DAY,
      targetEffectiveAt: null,
      now,
      action: {
        tag: 'ARC_DsoRules',
        value: {
          dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'app::12' } },
        },
      },
    }),
  )
  network.pass(DAY - 1n)
  await network.work('expiry')
  assert.equal((await network.payloads(voteRequest)).length, 1)
  network.pass(1n)
  await network.work('expiry')
  assert.deepEqual(await network.payloads(voteRequest), [])
  assert.equal((await network.only(voteResult)).payload.outcome.tag, 'VRO_Accepted')
  assert.ok(await economy.network.featuredAppRightOf('app::12'))
})

test('dust goes, and nothing else does', async () => {
  const network = await startNetwork({ network: { holdingFeeUsd: '0.01' } })
  const {
    economy,
    economy: {
      parties: { operator },
    },
  } = network
  const [rules, round] = [await economy.network.coinRules(), await economy.network.usableRound()]
  assert.ok(round)
  // 2 coin a round: spent after 1, 3 and 500 rounds.
  for (const amount of [2n, 6n, 1_000n]) {
    await submitted(network, [operator], (tx) =>
      tx.exercise(coinRulesDevNetTap, rules.id, {
        receiver: operator,
        amount: decimalOf(amount),
        openRoundCid: round.id,
      }),
    )
  }
  const held = async () =>
    (await network.payloads(coin)).map(({ amount }) => amount.initialAmount / decimalOf(1n))
  const seen: bigint[][] = []
  for (let ticks = 0; ticks < 7; ticks += 1) {
    await network.work('rounds', 'expiry')
    seen.push(await held())
    network.pass(TICK)
  }
  // Created in round 1; the earliest open round is the one of its tick.
  assert.deepEqual(
    seen.map((amounts) => amounts.length),
    [3, 3, 2, 2, 1, 1, 1],
  )
  assert.deepEqual(seen.at(-1), [1_000n])
})

test('the refusal of one contract is reported after all others have ended, page by page', async () => {
  const network = await startNetwork({ seeded: true })
  const {
    economy,
    clock,
    services: { treasury },
  } = network
  const [alice, bob] = [await partyOf(network, 'alice'), await partyOf(network, 'bob')]
  const expiresAt = clock.nowMicros() + SECOND
  const amount = { amount: decimalOf(1n), unit: 'CoinUnit' as const }
  const terms = { dso: economy.parties.dso, amount, description: '', expiresAt }
  const senders = [alice, ...Array.from({ length: 120 }, () => bob)]
  for (const [n, sender] of senders.entries()) {
    const receiver = sender === alice ? bob : alice
    await submitted(network, [sender], (tx) =>
      tx.create(transferOffer, { ...terms, sender, receiver, trackingId: `t${n}` }),
    )
  }
  await submitted(network, [bob], (tx) =>
    tx.create(buyTrafficRequest, {
      dso: terms.dso,
      endUserParty: bob,
      expiresAt,
      trackingId: 'c',
      trafficAmount: 1n,
      memberId: 'x',
      synchronizerId: economy.node.synchronizerId,
      migrationId: 0n,
    }),
  )
  const engine: Engine = {
    ...economy.engine,
    submit: async (submission) =>
      submission.actAs.includes(alice)
        ? { ok: false, kind: 'invalid', reason: 'planted' }
        : economy.engine.submit(submission),
  }
  assert.ok(clock.moveTo(expiresAt))
  const expiry = await setUpAutomations(
    { economy: { ...economy, engine }, treasury },
    { names: ['expiry'] },
  )
  await assert.rejects(expiry.run(), /planted/)
  assert.deepEqual(
    (await network.payloads(transferOffer)).map(({ sender }) => sender),
    [alice],
  )
  assert.deepEqual(await network.payloads(buyTrafficRequest), [])
  await network.work('expiry')
  assert.deepEqual(await network.payloads(transferOffer), [])
})
