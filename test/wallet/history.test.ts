// What histories tell of transfers that the wallet's own endpoints do not make: two steps, one
// step, rewards, unlocks. Every party's entries add up to its balance throughout.
// docs/economy-rules.md, "Histories"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { ExtraArgs } from '../../generated/contracts.gen.ts'
import {
  coin,
  coinRulesMint,
  coinTransferInstructionAccept,
  coinTransferInstructionReject,
  coinTransferInstructionWithdraw,
  externalPartyCoinRulesTransfer,
  instrumentId,
  lockedCoin,
  metaKeys,
  NO_METADATA,
  transferPreapproval,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { formatDecimal, parseDecimal } from '../../runtime/engine/index.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import { createWorld, NOTHING, START_MICROS, tapCoins } from './world.ts'
import type { World } from './world.ts'

const COIN = 10_000_000_000n
const HOUR = 3_600_000_000n

async function entries(world: World, owner: string): Promise<readonly unknown[]> {
  const lines = await world.store.contracts.log({ log: 'history', owner, after: '', limit: 100 })
  return lines.map(({ body }): unknown => JSON.parse(body))
}

function changeOf(entry: unknown, party: string): bigint {
  const sender = member(entry, 'sender')
  const receivers = member(entry, 'receivers')
  const parts = [
    ...(sender === undefined ? [] : [sender]),
    ...(Array.isArray(receivers) ? receivers : []),
  ]
  return parts
    .filter((part) => member(part, 'party') === party)
    .reduce((sum: bigint, part) => sum + (parseDecimal(String(member(part, 'amount'))) ?? 0n), 0n)
}

async function assertAddsUp(world: World, ...parties: readonly string[]): Promise<void> {
  for (const party of parties) {
    const sum = (await entries(world, party)).reduce(
      (total: bigint, entry) => total + changeOf(entry, party),
      0n,
    )
    assert.equal(
      formatDecimal(sum),
      formatDecimal((await world.economy.reader.total('unlocked', party)).amount),
      party,
    )
  }
}

async function submit<R>(world: World, actAs: readonly string[], run: (tx: Tx) => R): Promise<R> {
  const disclosedContracts = [...(await world.economy.network.disclosures())]
  const [preapprovals, locked] = await Promise.all([
    world.economy.reader.all(transferPreapproval),
    world.economy.reader.all(lockedCoin),
  ])
  disclosedContracts.push(...[...preapprovals, ...locked].map(({ record }) => record))
  const done = await world.economy.engine.submit({ actAs, userId: '', disclosedContracts, run })
  assert.ok(done.ok, inspect(done))
  return done.result
}

async function args(
  world: World,
  more: readonly (readonly [string, string | boolean])[] = [],
): Promise<ExtraArgs> {
  const rules = await world.economy.network.coinRules()
  const round = await world.economy.network.usableRound()
  const all = [['coin-rules', rules.id], ['open-round', round?.id ?? ''], ...more] as const
  const values = new Map(
    all.map(([key, value]) => [
      key,
      typeof value === 'string'
        ? ({ tag: 'AV_ContractId', value } as const)
        : ({ tag: 'AV_Bool', value } as const),
    ]),
  )
  return { context: { values }, meta: NO_METADATA }
}

interface World2 {
  readonly world: World
  readonly alice: string
  readonly bob: string
}

async function start(): Promise<World2> {
  const world = await createWorld()
  await tapCoins(world, 'alice', 20n, 30n)
  return { world, alice: await world.partyOf('alice'), bob: await world.partyOf('bob') }
}

async function sendFrom(
  { world, alice, bob }: World2,
  amount: bigint,
  more: readonly (readonly [string, string | boolean])[] = [],
) {
  const { dso } = world.economy.parties
  const factory = await world.economy.network.externalPartyCoinRules()
  const inputHoldingCids = (await world.economy.reader.all(coin, { owner: alice })).map(
    ({ id }) => id,
  )
  const extraArgs = await args(world, more)
  const meta = { values: new Map([[metaKeys().reason, 'for lunch']]) }
  const transfer = {
    sender: alice,
    receiver: bob,
    amount,
    instrumentId: { admin: dso, id: instrumentId() },
    requestedAt: START_MICROS,
    executeBefore: START_MICROS + HOUR,
    inputHoldingCids,
    meta,
  }
  const { output } = await submit(world, [alice], (tx) =>
    tx.exercise(externalPartyCoinRulesTransfer, factory.id, {
      expectedAdmin: dso,
      transfer,
      extraArgs,
    }),
  )
  return output.tag === 'TransferInstructionResult_Pending'
    ? output.value.transferInstructionCid
    : output.tag
}

const choiceOf = (entry: unknown) => member(member(entry, 'transaction_subtype'), 'choice')

test('an offer in two steps: the lock, seen from both sides, then the acceptance', async () => {
  const two = await start()
  const { world, alice, bob } = two
  const cid = await sendFrom(two, 12n * COIN)
  await assertAddsUp(world, alice, bob)
  const [sent] = await entries(world, alice)
  const [announced] = await entries(world, bob)
  assert.equal(choiceOf(sent), 'TransferFactory_Transfer')
  assert.ok(member(member(sent, 'transaction_subtype'), 'interface_id'))
  assert.deepEqual(member(sent, 'sender'), { party: alice, amount: '-12.0000000000' })
  assert.deepEqual(member(announced, 'sender'), { party: alice, amount: '0.0000000000' })
  for (const entry of [sent, announced]) {
    assert.deepEqual(member(entry, 'receivers'), [])
    assert.equal(member(entry, 'transfer_instruction_receiver'), bob)
    assert.equal(member(entry, 'transfer_instruction_amount'), '12.0000000000')
    assert.equal(member(entry, 'transfer_instruction_cid'), cid)
    assert.equal(member(entry, 'description'), 'for lunch')
  }
  const extraArgs = await args(world, [['expire-lock', true]])
  await submit(world, [bob], (tx) => tx.exercise(coinTransferInstructionAccept, cid, { extraArgs }))
  await assertAddsUp(world, alice, bob)
  for (const owner of [alice, bob]) {
    const [accepted] = await entries(world, owner)
    assert.equal(choiceOf(accepted), 'TransferInstruction_Accept')
    assert.deepEqual(member(accepted, 'sender'), { party: alice, amount: '0.0000000000' })
    assert.deepEqual(member(accepted, 'receivers'), [{ party: bob, amount: '12.0000000000' }])
  }
})

for (const ending of ['Reject', 'Withdraw'] as const) {
  test(`an offer in two steps that ends by ${ending} gives the coin back`, async () => {
    const two = await start()
    const { world, alice, bob } = two
    const cid = await sendFrom(two, 12n * COIN)
    const extraArgs = await args(world, [['expire-lock', true]])
    const end =
      ending === 'Reject' ? coinTransferInstructionReject : coinTransferInstructionWithdraw
    await submit(world, [ending === 'Reject' ? bob : alice], (tx) =>
      tx.exercise(end, cid, { extraArgs }),
    )
    await assertAddsUp(world, alice, bob)
    const [back] = await entries(world, alice)
    assert.equal(member(back, 'transaction_type'), 'balance_change')
    assert.equal(choiceOf(back), `TransferInstruction_${ending}`)
    assert.deepEqual(member(back, 'receivers'), [{ party: alice, amount: '12.0000000000' }])
    const [none] = await entries(world, bob)
    assert.deepEqual(member(none, 'receivers'), [{ party: bob, amount: '0.0000000000' }])
    assert.equal(member(none, 'transfer_instruction_cid'), cid)
  })
}

test('one step: by the token standard and by the wallet, with the description', async () => {
  const two = await start()
  const { world, alice, bob } = two
  const { dso, operator } = world.economy.parties
  const terms = {
    dso,
    receiver: bob,
    provider: operator,
    validFrom: START_MICROS,
    lastRenewedAt: START_MICROS,
    expiresAt: START_MICROS + HOUR,
  }
  const cid = await submit(world, [bob, operator, dso], (tx) =>
    tx.create(transferPreapproval, terms),
  )
  assert.equal(
    await sendFrom(two, 5n * COIN, [['transfer-preapproval', cid]]),
    'TransferInstructionResult_Completed',
  )
  const sent = await world.treasury.enqueue(
    alice,
    {
      tag: 'CO_TransferPreapprovalSend',
      value: {
        transferPreapprovalCid: cid,
        providerFeaturedAppRightCid: null,
        amount: 7n * COIN,
        description: 'more',
      },
    },
    { dedup: { id: 'd', content: '' } },
  )
  assert.ok(sent.ok, inspect(sent))
  await assertAddsUp(world, alice, bob)
  const [second, first] = await entries(world, bob)
  assert.deepEqual(
    [choiceOf(first), choiceOf(second)],
    ['TransferPreapproval_Send', 'TransferPreapproval_Send'],
  )
  assert.deepEqual(
    [member(first, 'description'), member(second, 'description')],
    ['for lunch', 'more'],
  )
  assert.deepEqual(member(second, 'receivers'), [{ party: bob, amount: '7.0000000000' }])
})

test('what the network mints for a party is a change of its balance', async () => {
  const { world, alice } = await start()
  const { dso } = world.economy.parties
  const rules = await world.economy.network.coinRules()
  const round = await world.economy.network.usableRound()
  await submit(world, [dso, alice], (tx) =>
    tx.exercise(coinRulesMint, rules.id, {
      receiver: alice,
      amount: COIN,
      openRoundCid: round?.id ?? '',
    }),
  )
  assert.equal(choiceOf((await entries(world, alice))[0]), 'CoinRules_Mint')
  await assertAddsUp(world, alice)
})

test('rewards of a round are collected while it issues, and coins are merged on the way', async () => {
  const { world, alice } = await start()
  await tapCoins(world, 'alice', 2000n)
  const completion = await setUpAutomations(world, { names: ['completion'] })
  completion.watch((error) => assert.fail(String(error)))
  const bought = await world.handlers.createBuyTrafficRequest(
    {
      ...NOTHING,
      body: {
        receiving_validator_party_id: alice,
        domain_id: world.economy.node.synchronizerId,
        traffic_amount: 200_000n,
        tracking_id: 'b',
        expires_at: START_MICROS + HOUR,
      },
    },
    await world.as('alice'),
  )
  assert.equal(bought.status, 200)
  await world.settle(completion)
  const { operator } = world.economy.parties
  const automations = await setUpAutomations(world, { names: ['rounds', 'rewards'] })
  await tapCoins(world, 'bob', 1n, 1n)
  for (let ticks = 0; ticks < 6; ticks++) {
    world.clock.now += 600_000_000n
    await automations.run()
  }
  const [collected] = await entries(world, operator)
  assert.equal(choiceOf(collected), 'WalletAppInstall_ExecuteBatch')
  assert.ok((parseDecimal(String(member(collected, 'validator_rewards_used'))) ?? 0n) > 0n)
  assert.equal(
    changeOf(collected, operator),
    parseDecimal(String(member(collected, 'validator_rewards_used'))),
  )
  assert.equal(
    (await world.economy.reader.total('unlocked', await world.partyOf('bob'))).count,
    1n,
    "bob's coins are merged",
  )
  await assertAddsUp(world, alice, operator, await world.partyOf('bob'))
})
