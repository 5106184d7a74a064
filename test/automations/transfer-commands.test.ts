// Orders of external parties are carried out when they come, each nonce once, whichever server sees
// them. docs/economy-rules.md, "Transfer commands"; what requests and scan say of them is tested in
// test/external/send.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  externalPartyCoinRulesCreateTransferCommand,
  transferCommand,
  transferCommandCounter,
  transferPreapproval,
} from '../../runtime/contracts/index.ts'
import { decimalOf } from '../../runtime/engine/index.ts'
import { DAY, SECOND, startScan } from '../scan/kit.ts'
import type { ScanNetwork } from '../scan/kit.ts'
import { setUpAutomations } from '../support/automations.ts'
import { eventually } from '../support/eventually.ts'

interface Terms {
  readonly nonce: bigint
  readonly amount?: bigint
  readonly from?: string
}

async function order(
  network: ScanNetwork,
  { nonce, amount = 1n, from = 'alice' }: Terms,
): Promise<string> {
  const { economy, clock } = network
  const {
    parties: { dso, operator },
  } = economy
  const [sender, receiver] = [await network.partyOf(from), await network.partyOf('bob')]
  const factory = await economy.network.externalPartyCoinRules()
  return network.done(
    [sender],
    (tx) =>
      tx.exercise(externalPartyCoinRulesCreateTransferCommand, factory.id, {
        sender,
        receiver,
        delegate: operator,
        amount: decimalOf(amount),
        expiresAt: clock.nowMicros() + 600n * SECOND,
        nonce,
        description: null,
        expectedDso: dso,
      }).transferCommandCid,
  )
}

async function startApproved(other?: ScanNetwork): Promise<ScanNetwork> {
  if (other !== undefined) return startScan({ store: other.store, clock: other.clock })
  const network = await startScan()
  const {
    economy: {
      parties: { dso, operator },
    },
    clock,
  } = network
  const [receiver, validFrom] = [await network.partyOf('bob'), clock.nowMicros()]
  const terms = {
    dso,
    receiver,
    provider: operator,
    validFrom,
    lastRenewedAt: validFrom,
    expiresAt: validFrom + 90n * DAY,
  }
  await network.done([dso, receiver, operator], (tx) => tx.create(transferPreapproval, terms))
  return network
}

const automationOf = (network: ScanNetwork) =>
  setUpAutomations(network.services, { names: ['transfer-commands'] })
const amountOf = async (network: ScanNetwork, user: string) =>
  (await network.economy.reader.total('unlocked', await network.partyOf(user))).amount
const endOf = async ({ store }: ScanNetwork) => (await store.contracts.ledgerEnd()).offset
const waiting = (network: ScanNetwork) => network.payloads(transferCommand)
const countersOf = async (network: ScanNetwork) =>
  (await network.payloads(transferCommandCounter)).map(({ nextNonce }) => nextNonce)

test('orders are carried out as they come, without a look in between, and take those with them that waited for them', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  automations.watch((error) => assert.fail(String(error)))
  const before = await amountOf(network, 'bob')
  for (const nonce of [2n, 1n]) await order(network, { nonce })
  await eventually([0n], () => countersOf(network))
  assert.equal((await waiting(network)).length, 2)
  await order(network, { nonce: 0n })
  await eventually([], () => waiting(network))
  assert.deepEqual(
    [await countersOf(network), (await amountOf(network, 'bob')) - before],
    [[3n], decimalOf(3n)],
  )
  await automations.stop()
})

test('an order whose turn has not come takes older ones with it that nobody was told of', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  for (const nonce of [0n, 1n]) await order(network, { nonce })
  automations.watch((error) => assert.fail(String(error)))
  await order(network, { nonce: 2n })
  await eventually([], () => waiting(network))
  assert.deepEqual(await countersOf(network), [3n])
  await automations.stop()
})

test('two servers that look at once, while orders still come, carry out each nonce once and make one counter a sender', async () => {
  const first = await startApproved()
  const second = await startApproved(first)
  const before = { alice: await amountOf(first, 'alice'), bob: await amountOf(first, 'bob') }
  const servers = [await automationOf(first), await automationOf(second)]
  for (const server of servers) server.watch((error) => assert.fail(String(error)))
  const run = () => Promise.all(servers.map((server) => server.run()))
  for (const nonce of [0n, 1n, 1n, 2n, 3n]) {
    await Promise.all([order(first, { nonce }), order(second, { nonce: nonce + 4n }), run()])
  }
  await eventually([], async () => (await run(), waiting(first)))
  assert.deepEqual(await countersOf(first), [8n])
  assert.equal((await amountOf(first, 'bob')) - before.bob, decimalOf(8n))
  assert.equal(before.alice - (await amountOf(first, 'alice')), decimalOf(8n))
  for (const server of servers) await server.stop()
})

test('an order that cannot be paid waits, and keeps neither another one with its nonce nor other senders waiting', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  const rich = (await amountOf(network, 'alice')) / decimalOf(1n) + 1n
  await order(network, { nonce: 0n, amount: rich })
  await order(network, { nonce: 1n })
  await order(network, { nonce: 0n, from: 'operator', amount: 2n })
  const before = await amountOf(network, 'bob')
  await automations.run()
  assert.deepEqual(
    (await waiting(network)).map(({ nonce }) => nonce),
    [0n, 1n],
  )
  assert.equal((await amountOf(network, 'bob')) - before, decimalOf(2n))
  await order(network, { nonce: 0n, amount: 3n })
  await automations.run()
  assert.deepEqual(
    [await waiting(network), (await amountOf(network, 'bob')) - before],
    [[], decimalOf(6n)],
  )
})

test('orders of one sender that come all at once are tried one after the other, each once', async () => {
  const network = await startApproved()
  const { economy, treasury } = network.services
  let submissions = 0
  const submit: typeof economy.engine.submit = async (submission) => {
    submissions += 1
    return economy.engine.submit(submission)
  }
  const automations = await setUpAutomations(
    { treasury, economy: { ...economy, engine: { ...economy.engine, submit } } },
    {
      names: ['transfer-commands'],
    },
  )
  automations.watch((error) => assert.fail(String(error)))
  const before = await amountOf(network, 'bob')
  await Promise.all(
    Array.from({ length: 40 }, (_, nonce) => order(network, { nonce: BigInt(nonce) })),
  )
  await eventually([], () => waiting(network))
  assert.deepEqual(
    [await countersOf(network), (await amountOf(network, 'bob')) - before],
    [[40n], decimalOf(40n)],
  )
  assert.ok(submissions <= 42, `${submissions} submissions for 40 orders and a counter`)
  await automations.stop()
})

test('orders that come with their nonces backwards are all carried out once the first one is there', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  automations.watch((error) => assert.fail(String(error)))
  const before = await amountOf(network, 'bob')
  for (let nonce = 69n; nonce >= 0n; nonce -= 1n) await order(network, { nonce })
  await eventually([], () => waiting(network))
  assert.deepEqual(
    [await countersOf(network), (await amountOf(network, 'bob')) - before],
    [[70n], decimalOf(70n)],
  )
  await automations.stop()
})

test('an order that comes while its sender is served is found behind all that wait', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  for (let nonce = 60n; nonce >= 1n; nonce -= 1n) await order(network, { nonce })
  automations.watch((error) => assert.fail(String(error)))
  await Promise.all([automations.run(), order(network, { nonce: 0n })])
  await eventually([], () => waiting(network))
  assert.deepEqual(await countersOf(network), [61n])
  await automations.stop()
})

test('orders under a nonce that was used end in few transactions, and the next nonce is carried out after them', async () => {
  const network = await startApproved()
  const automations = await automationOf(network)
  await order(network, { nonce: 0n })
  await automations.run()
  for (let count = 0; count < 25; count += 1) await order(network, { nonce: 0n })
  await order(network, { nonce: 1n })
  const before = { end: await endOf(network), amount: await amountOf(network, 'bob') }
  await automations.run()
  assert.deepEqual(
    [
      await waiting(network),
      (await amountOf(network, 'bob')) - before.amount,
      (await endOf(network)) - before.end,
    ],
    [[], decimalOf(1n), 4n],
  )
})
