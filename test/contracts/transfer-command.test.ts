// Orders of external parties: each nonce once. docs/economy-rules.md, "Transfer commands"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  externalPartyCoinRulesCreateTransferCommand,
  transferCommandCounter,
  transferCommandExpire,
  transferCommandSend,
  transferCommandWithdraw,
  transferPreapproval,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  contextOf,
  dec,
  describe,
  DSO,
  inputsOf,
  preapprovalOf,
  SECOND,
  START,
  testLedger,
  exercising,
} from '../support/ledger.ts'
import type { TestLedger } from '../support/ledger.ts'
import type { Tx } from '../../runtime/engine/index.ts'

/** Carol orders 4 coin for Alice; Bob is her validator. */
function orderBy(ledger: TestLedger, nonce: bigint) {
  const command = {
    sender: CAROL,
    receiver: ALICE,
    delegate: BOB,
    amount: dec('4'),
    expiresAt: START + SECOND,
  }
  const argument = { ...command, nonce, description: 'rent', expectedDso: DSO }
  return (tx: Tx) =>
    tx.exercise(externalPartyCoinRulesCreateTransferCommand, ledger.factory, argument)
      .transferCommandCid
}

interface Order {
  readonly ledger: TestLedger
  readonly coins: readonly string[]
  readonly counter: string
  readonly preapproval: string | null
}

function sendBy(command: string, { ledger, coins, counter, preapproval }: Order) {
  const argument = {
    context: { coinRules: ledger.rules, context: contextOf(ledger) },
    inputs: inputsOf(coins),
    transferPreapprovalCid: preapproval,
    transferCounterCid: counter,
  }
  return exercising(transferCommandSend, command, argument)
}

async function newOrder(ledger: TestLedger, nextNonce = 7n): Promise<Order> {
  return {
    ledger,
    coins: await ledger.coins(CAROL, '9'),
    counter: await ledger.create(transferCommandCounter, { dso: DSO, sender: CAROL, nextNonce }),
    preapproval: await ledger.create(transferPreapproval, preapprovalOf(ALICE, BOB), ALICE, BOB),
  }
}

/** The delegate sees what its user sees. */
const AS_CAROL = { readAs: [CAROL] }

test("counter and preapproval must be the sender's and the receiver's", async () => {
  const ledger = await testLedger()
  const order = await newOrder(ledger)
  const command = await ledger.done([CAROL], orderBy(ledger, 7n))
  const counter = await ledger.create(transferCommandCounter, {
    dso: DSO,
    sender: BOB,
    nextNonce: 7n,
  })
  const preapproval = await ledger.create(
    transferPreapproval,
    preapprovalOf(BOB, CAROL),
    BOB,
    CAROL,
  )
  const rejections = [
    { ...order, counter },
    { ...order, preapproval },
  ].map(async (each) => {
    const outcome = await ledger.submit([BOB], sendBy(command, each), AS_CAROL)
    return outcome.ok ? 'sent' : describe(outcome)
  })
  assert.deepEqual(await Promise.all(rejections), [
    'aborted  Requirement not met: the sender of the counter is carol::12; given: bob::12',
    'aborted  Requirement not met: the receiver of the preapproval is alice::12; given: bob::12',
  ])
})

test('the sender withdraws; from the end on a stakeholder clears away and the delegate no longer sends', async () => {
  const ledger = await testLedger()
  const order = await newOrder(ledger)
  const [first, second] = [
    await ledger.done([CAROL], orderBy(ledger, 7n)),
    await ledger.done([CAROL], orderBy(ledger, 7n)),
  ]
  const expireBy = (actor: string) => exercising(transferCommandExpire, second, { actor })
  const withdrawn = await ledger.done([CAROL], exercising(transferCommandWithdraw, first, {}))
  assert.deepEqual(withdrawn, { sender: CAROL, nonce: 7n })
  await ledger.denied('too-early', [BOB], expireBy(BOB))
  ledger.move(SECOND)
  const late = await ledger.submit([BOB], sendBy(second, order), AS_CAROL)
  assert.equal(late.ok ? 'sent' : late.kind, 'too-late')
  assert.deepEqual(await ledger.done([BOB], expireBy(BOB)), { sender: CAROL, nonce: 7n })
  await ledger.denied('too-late', [CAROL], orderBy(ledger, 8n))
})
