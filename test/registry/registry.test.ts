// The registry: what it tells of the coin, and that a client which knows only the token standard
// gets everywhere with it. docs/economy-rules.md, "Token-standard transfers" and "Choice contexts"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { DisclosedContract } from '../../generated/registry/types.gen.ts'
import {
  coin,
  lockedCoin,
  lockedCoinOwnerExpireLock,
  openMiningRound,
  testTokenHolding,
  testTokenRules,
  testTokenRulesMint,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { networkChange } from '../../runtime/economy/network/state.ts'
import { timeText } from '../../runtime/participant/time.ts'
import { bodyOf } from '../scan/kit.ts'
import { amounts, assertUnchanged, DAY, FORGED, MINUTE } from '../wallet/token-kit.ts'
import { createWorld, NOTHING, tapCoins } from '../wallet/world.ts'
import type { World } from '../wallet/world.ts'
import { TokenClient } from './token-client.ts'

interface Setting {
  readonly world: World
  readonly client: TokenClient
  readonly alice: string
  readonly bob: string
  readonly inputs: readonly string[]
}

async function start(): Promise<Setting> {
  const world = await createWorld({ users: ['alice', 'bob', 'carol'] })
  await tapCoins(world, 'alice', 20n, 30n)
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  const inputs = (await world.economy.reader.all(coin, { owner: alice })).map(({ id }) => id)
  return { world, client: new TokenClient(world), alice, bob, inputs }
}

async function waiting({ client, alice, bob, inputs }: Setting): Promise<string> {
  const { done } = await client.transfer({ sender: alice, receiver: bob, amount: '12.5', inputs })
  assert.ok(done.ok, inspect(done))
  const output = member(done.result, 'output')
  assert.equal(member(output, 'tag'), 'TransferInstructionResult_Pending')
  return String(member(member(output, 'value'), 'transferInstructionCid'))
}

const instructionPath = (id: string) => ({ path: { transferInstructionId: id } })
const allocationPath = (id: string) => ({ path: { allocationInstructionId: id } })
type Replied = { readonly status: number }
const status = async (asked: Replied | Promise<Replied>) => (await asked).status

test('the coin is its one instrument, with what there is of it', async () => {
  const { world, client } = await start()
  const { registry } = client
  assert.equal(bodyOf(await registry.getRegistryInfo()).adminId, world.economy.parties.dso)
  const found = bodyOf(await registry.getInstrument({ path: { instrumentId: 'Coin' } }))
  assert.deepEqual([found.totalSupply, found.decimals, found.id], ['50.0000000000', 10, 'Coin'])
  assert.equal(await status(registry.getInstrument({ path: { instrumentId: '__proto__' } })), 404)
  const page = async (query: { pageSize: number; pageToken?: string }) =>
    bodyOf(await registry.listInstruments({ query }))
  assert.deepEqual(await page({ pageSize: 1 }), { instruments: [found] })
  assert.deepEqual(await page({ pageSize: 25, pageToken: 'Coin' }), { instruments: [] })
})

for (const [choice, user] of [
  ['reject', 'bob'],
  ['withdraw', 'alice'],
] as const) {
  test(`it can ${choice}, also when its lock is gone, and then nothing more`, async () => {
    const setting = await start()
    const { world, client, alice } = setting
    const party = await world.partyOf(user)
    const first = await waiting(setting)
    assert.ok((await client.end(party, first, choice)).ok)
    assert.equal(await amounts(world, 'alice'), '50 + 0 locked')
    const inputs = (await world.economy.reader.all(coin, { owner: alice })).map(({ id }) => id)
    const second = await waiting({ ...setting, inputs })
    world.clock.now += 2n * 60n * MINUTE
    const [locked] = await world.economy.reader.all(lockedCoin)
    assert.ok(locked)
    const opened = await world.economy.engine.submit({
      actAs: [alice],
      userId: '',
      run: (tx) => tx.exercise(lockedCoinOwnerExpireLock, locked.id, {}),
    })
    assert.ok(opened.ok)
    const shell = await client.registry.getTransferInstructionRejectContext(instructionPath(second))
    assert.deepEqual(shell.body, {
      choiceContextData: { values: { 'expire-lock': { tag: 'AV_Bool', value: false } } },
      disclosedContracts: [],
    })
    assert.equal(
      await status(client.registry.getTransferInstructionAcceptContext(instructionPath(second))),
      404,
    )
    assert.ok((await client.end(party, second, choice)).ok)
    for (const ask of [
      client.registry.getTransferInstructionWithdrawContext,
      client.registry.getTransferInstructionRejectContextV2,
    ]) {
      assert.equal(await status(ask(instructionPath(second))), 404)
    }
    assert.equal(await amounts(world, 'alice'), '50 + 0 locked')
  })
}

test('what is disclosed is genuine, and altered it is refused', async () => {
  const { world, client, alice, bob, inputs } = await start()
  const choiceArguments = await client.arguments({
    sender: alice,
    receiver: bob,
    amount: '1',
    inputs,
  })
  const ask = async (excludeDebugFields: boolean) =>
    bodyOf(
      await client.registry.getTransferFactory({ body: { choiceArguments, excludeDebugFields } }),
    )
  const plain = await ask(true)
  assert.ok(
    plain.choiceContext.disclosedContracts.every((one) =>
      Object.keys(one).every((key) => !key.startsWith('debug')),
    ),
  )
  const { disclosedContracts } = (await ask(false)).choiceContext
  const isDebugged = disclosedContracts.map((one) =>
    Boolean(one.debugPayload && one.debugPackageName && one.debugCreatedAt),
  )
  assert.ok(isDebugged.every(Boolean))
  const [first] = disclosedContracts
  assert.ok(first)
  const argument = {
    ...choiceArguments,
    extraArgs: { context: plain.choiceContext.choiceContextData, meta: { values: {} } },
  }
  const transferBy = async (party: string, disclosed: readonly DisclosedContract[]) =>
    (await client.submit(party, plain.factoryId, 'TransferFactory_Transfer', argument, disclosed))
      .ok
  await assertUnchanged(world, async () => {
    const blob = Buffer.from(first.createdEventBlob, 'base64')
    blob[blob.length - 1] = (blob[blob.length - 1] ?? 0) ^ 1
    const forged = [
      { ...first, createdEventBlob: blob.toString('base64') },
      ...disclosedContracts.slice(1),
    ]
    assert.ok(!(await transferBy(alice, forged)), 'forged')
    assert.ok(!(await transferBy(alice, [])), 'undisclosed')
    assert.ok(!(await transferBy(bob, disclosedContracts)), 'somebody else')
  })
  assert.ok(await transferBy(alice, disclosedContracts))
})

test('arguments that are none get no factory', async () => {
  const { world, client, alice, bob, inputs } = await start()
  const good = await client.arguments({ sender: alice, receiver: bob, amount: '1', inputs })
  const withTransfer = (change: object) => ({ ...good, transfer: { ...good.transfer, ...change } })
  const account = (owner: string | null, more: object = {}) => ({
    owner,
    provider: null,
    id: '',
    ...more,
  })
  const asV2 = (sender: unknown, receiver: unknown) => withTransfer({ sender, receiver })
  const v1: readonly (readonly [string, number, Record<string, unknown>])[] = [
    ['good', 200, good],
    ['nothing', 400, {}],
    ['null', 400, { transfer: null }],
    ['another admin', 400, { ...good, expectedAdmin: alice }],
    ['zero', 400, withTransfer({ amount: '0' })],
    ['negative', 400, withTransfer({ amount: '-1' })],
    ['eleven decimals', 400, withTransfer({ amount: '0.00000000001' })],
    ['a number', 400, withTransfer({ amount: 1 })],
    ['times the wrong way round', 400, withTransfer({ executeBefore: good.transfer.requestedAt })],
    [
      'another instrument',
      404,
      withTransfer({ instrumentId: { admin: good.expectedAdmin, id: 'Other' } }),
    ],
    ['another registry', 404, withTransfer({ instrumentId: { admin: alice, id: 'Coin' } })],
    ['an unknown field', 400, { ...good, more: 1 }],
    ['accounts', 400, asV2(account(alice), account(bob))],
  ]
  const v2: typeof v1 = [
    ['accounts', 200, asV2(account(alice), account(bob))],
    ['parties', 400, good],
    ['nothing', 400, {}],
    ['no owner', 400, asV2(account(null), account(bob))],
    ['a provider', 400, asV2(account(alice, { provider: bob }), account(bob))],
    ['an account id', 400, asV2(account(alice), account(bob, { id: 'savings' }))],
  ]
  await assertUnchanged(world, async () => {
    const { getTransferFactory, getTransferFactoryV2 } = client.registry
    for (const [ask, rows] of [
      [getTransferFactory, v1],
      [getTransferFactoryV2, v2],
    ] as const)
      for (const [name, expected, choiceArguments] of rows)
        assert.equal(await status(ask({ body: { choiceArguments } })), expected, name)
  })
})

test('ids that name no instruction get no context', async () => {
  const { client, inputs } = await start()
  const { registry } = client
  const transfers = [
    registry.getTransferInstructionAcceptContext,
    registry.getTransferInstructionAcceptContextV2,
    registry.getTransferInstructionRejectContext,
    registry.getTransferInstructionRejectContextV2,
    registry.getTransferInstructionWithdrawContext,
    registry.getTransferInstructionWithdrawContextV2,
  ]
  const allocations = [
    registry.getAllocationInstructionAcceptContext,
    registry.getAllocationInstructionWithdrawContext,
  ]
  for (const id of [...FORGED, inputs[0] ?? '']) {
    for (const ask of transfers)
      assert.ok([400, 404].includes(await status(ask(instructionPath(id)))), id)
    for (const ask of allocations)
      assert.ok([400, 404].includes(await status(ask(allocationPath(id)))), id)
  }
  assert.equal(
    await status(registry.getAllocationInstructionAcceptContext(allocationPath('not hexadecimal'))),
    400,
  )
  assert.equal(
    await status(registry.getAllocationInstructionAcceptContext(allocationPath('00ab'))),
    404,
  )
})

test('while something is between synchronizers there is no context; nor a factory before a round opens', async () => {
  const setting = await start()
  const { world, client, alice, bob } = setting
  const { engine, reader, node, network } = world.economy
  const cid = await waiting(setting)
  const [locked] = await reader.all(lockedCoin)
  const preapproved = await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))
  const preapproval = String(member(preapproved.body, 'transfer_preapproval_contract_id'))
  const accept = () =>
    status(client.registry.getTransferInstructionAcceptContext(instructionPath(cid)))
  const choiceArguments = await client.arguments({ sender: alice, receiver: bob, amount: '1' })
  const factory = () => status(client.registry.getTransferFactory({ body: { choiceArguments } }))
  for (const [contractId, ask] of [
    [cid, accept],
    [locked?.id ?? '', accept],
    [preapproval, factory],
  ] as const) {
    assert.equal(await ask(), 200)
    assert.ok((await engine.reassign({ contractId, to: undefined })).ok)
    assert.equal(await ask(), 409)
    assert.ok((await engine.reassign({ contractId, to: node.synchronizerId })).ok)
    assert.equal(await ask(), 200)
  }
  const rounds = await reader.all(openMiningRound)
  await engine.submit({
    actAs: [world.economy.parties.dso],
    userId: '',
    free: true,
    run: (tx) => rounds.forEach(({ id }) => tx.archive(openMiningRound, id)),
  })
  await engine.recordFacts([networkChange('')], () => [networkChange('gone')])
  assert.equal((await network.openRounds()).length, 0)
  assert.deepEqual([await factory(), await accept()], [404, 404])
  assert.equal(
    await status(client.registry.getTransferInstructionWithdrawContext(instructionPath(cid))),
    200,
  )
})

test('allocations of the test token wait, and end by who may, in the context that the registry gives', async () => {
  const { world, client, alice, bob } = await start()
  const {
    engine,
    reader,
    parties: { dso },
  } = world.economy
  const [rules] = await reader.all(testTokenRules)
  assert.ok(rules)
  const allocate = async () => {
    const minted = await engine.submit({
      actAs: [dso, alice],
      userId: '',
      run: (tx) =>
        tx.exercise(testTokenRulesMint, rules.id, {
          owner: alice,
          instrumentId: 'TT',
          amount: 50_000_000_000n,
        }),
    })
    assert.ok(minted.ok)
    const meta = { values: {} }
    const done = await engine.submit({
      actAs: [alice],
      userId: '',
      disclosedContracts: [rules.record],
      run: (tx) =>
        tx
          .templateOf(rules.id)
          .choices.get('TestTokenRules_Allocate')
          ?.exerciseJson(tx, rules.id, {
            allocation: {
              settlement: { executors: [bob], id: 's1', cid: null, meta },
              admin: dso,
              authorizer: { owner: alice, provider: null, id: '' },
              transferLegSides: [
                {
                  transferLegId: 'l1',
                  side: 'SenderSide',
                  otherside: { owner: bob, provider: null, id: '' },
                  amount: '4',
                  instrumentId: 'TT',
                  meta,
                },
              ],
              settlementDeadline: null,
              nextIterationFunding: null,
              committed: false,
              meta,
            },
            requestedAt: timeText(world.clock.now),
            inputHoldingCids: [minted.result.holdingCid],
            expiresAt: timeText(world.clock.now + DAY),
          }),
    })
    assert.ok(done.ok, inspect(done))
    return String(
      member(member(member(done.result, 'output'), 'value'), 'allocationInstructionCid'),
    )
  }
  const [first, second] = [await allocate(), await allocate()]
  const {
    getAllocationInstructionAcceptContext: toAccept,
    getAllocationInstructionWithdrawContext: toWithdraw,
  } = client.registry
  const end = async (
    cid: string,
    ask: typeof toAccept | typeof toWithdraw,
    choice: string,
    party: string,
  ) => {
    const reply = await ask(allocationPath(cid))
    assert.ok(reply.status === 200, inspect(reply.body))
    assert.equal(reply.body.disclosedContracts.length, 1)
    const extraArgs = { context: reply.body.choiceContextData, meta: { values: {} } }
    return client.submit(
      party,
      cid,
      choice,
      { actors: [party], extraArgs },
      reply.body.disclosedContracts,
    )
  }
  const withdrawn = await end(second, toWithdraw, 'AllocationInstruction_Withdraw', alice)
  assert.ok(withdrawn.ok, inspect(withdrawn))
  const accepted = await end(first, toAccept, 'AllocationInstruction_Accept', bob)
  assert.ok(accepted.ok, inspect(accepted))
  for (const cid of [first, second]) {
    for (const ask of [toAccept, toWithdraw])
      assert.equal(await status(ask(allocationPath(cid))), 404)
  }
  const third = await allocate()
  const held = (await reader.all(testTokenHolding)).findLast(({ payload }) => payload.lock !== null)
  assert.ok(held)
  assert.ok((await engine.reassign({ contractId: held.id, to: undefined })).ok)
  assert.equal(await status(toAccept(allocationPath(third))), 409)
  assert.ok(
    (await engine.reassign({ contractId: held.id, to: world.economy.node.synchronizerId })).ok,
  )
  const gone = await engine.submit({
    actAs: [dso, alice],
    userId: '',
    run: (tx) => tx.archive(testTokenHolding, held.id),
  })
  assert.ok(gone.ok)
  assert.equal(await status(toAccept(allocationPath(third))), 404)
  assert.equal(await status(toWithdraw(allocationPath(third))), 200)
})
