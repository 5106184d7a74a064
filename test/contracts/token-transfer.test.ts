// The token standard's transfers: checks in their order, the three outcomes, and what becomes of an
// instruction. docs/economy-rules.md, "Token-standard transfers"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransferFactory, TransferInstruction } from '../../generated/contracts.gen.ts'
import {
  appRewardCoupon,
  coinTransferInstruction,
  featuredAppRight,
  lockedCoin,
  lockedCoinExpireCoin,
  lockedCoinOwnerExpireLock,
  transferPreapproval,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  coinOf,
  DAY,
  dec,
  describe,
  DSO,
  preapprovalOf,
  SECOND,
  START,
  testLedger,
  exercising,
  exercisingInterface,
} from '../support/ledger.ts'
import type {
  AnyValue,
  ExtraArgs,
  TokenTransfer,
  TransferInstructionResult,
} from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'

const END = START + DAY
const NO_META = { values: new Map<string, string>() }
const { TransferFactory_Transfer } = TransferFactory.choices
const {
  TransferInstruction_Accept,
  TransferInstruction_Reject,
  TransferInstruction_Update,
  TransferInstruction_Withdraw,
} = TransferInstruction.choices

function extraArgs(
  ledger: TestLedger,
  contracts: Readonly<Record<string, string>> = {},
  expireLock?: boolean,
): ExtraArgs {
  const ids = { 'coin-rules': ledger.rules, 'open-round': ledger.round, ...contracts }
  const values = new Map(
    Object.entries(ids).map(([key, value]): [string, AnyValue] => [
      key,
      { tag: 'AV_ContractId', value },
    ]),
  )
  if (expireLock !== undefined) values.set('expire-lock', { tag: 'AV_Bool', value: expireLock })
  return { context: { values }, meta: NO_META }
}

interface Sending {
  readonly change?: Partial<TokenTransfer>
  readonly expectedAdmin?: string
  readonly contracts?: Readonly<Record<string, string>>
}

/** Alice sends 4 coin to Bob. */
function sendBy(
  ledger: TestLedger,
  coins: readonly string[],
  { change, expectedAdmin = DSO, contracts }: Sending = {},
) {
  const transfer: TokenTransfer = {
    sender: ALICE,
    receiver: BOB,
    amount: dec('4'),
    instrumentId: { admin: DSO, id: 'Coin' },
    requestedAt: START,
    executeBefore: END,
    inputHoldingCids: coins,
    meta: NO_META,
    ...change,
  }
  const argument = { expectedAdmin, transfer, extraArgs: extraArgs(ledger, contracts) }
  return exercisingInterface(TransferFactory_Transfer, ledger.factory, argument)
}

function instructionOf({ output }: TransferInstructionResult): string {
  assert.ok(output.tag === 'TransferInstructionResult_Pending', output.tag)
  return output.value.transferInstructionCid
}

interface Offer {
  readonly ledger: TestLedger
  readonly instruction: string
}

/** Alice had 9, offered 4. */
async function offer(): Promise<Offer> {
  const ledger = await testLedger()
  return {
    ledger,
    instruction: instructionOf(
      await ledger.done([ALICE], sendBy(ledger, await ledger.coins(ALICE, '9'))),
    ),
  }
}

const ends = {
  accept: ({ ledger, instruction }: Offer) =>
    exercisingInterface(TransferInstruction_Accept, instruction, {
      extraArgs: extraArgs(ledger),
    }),
  reject: ({ ledger, instruction }: Offer, expireLock = true) =>
    exercisingInterface(TransferInstruction_Reject, instruction, {
      extraArgs: extraArgs(ledger, {}, expireLock),
    }),
  withdraw: ({ ledger, instruction }: Offer, expireLock = true) =>
    exercisingInterface(TransferInstruction_Withdraw, instruction, {
      extraArgs: extraArgs(ledger, {}, expireLock),
    }),
  expire: (
    { ledger, instruction }: Offer,
    expireLock = true,
    extraActors: readonly string[] = [],
  ) =>
    exercisingInterface(TransferInstruction_Update, instruction, {
      extraActors,
      extraArgs: extraArgs(ledger, {}, expireLock),
    }),
}

/** Bob learns of the locked coin, which is Alice's and the network's, by disclosure. */
async function disclosing({ ledger }: Offer) {
  return {
    disclosedContracts: (await ledger.reader.active(lockedCoin)).map(({ record }) => record),
  }
}

test('an offer locks exactly its amount for the network and gives the rest back', async () => {
  const { ledger, instruction } = await offer()
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5')], locked: [dec('4')] })
  const [locked] = await ledger.reader.active(lockedCoin)
  assert.deepEqual(locked?.payload.lock, {
    holders: [DSO],
    expiresAt: END,
    optContext: `transfer to '${BOB}'`,
  })
  const waiting = await ledger.reader.get(coinTransferInstruction, instruction)
  assert.deepEqual(waiting?.payload.transfer.inputHoldingCids, [locked?.id])
  assert.deepEqual([waiting?.record.signatories, waiting?.record.observers], [[DSO, ALICE], [BOB]])
  assert.ok(waiting !== undefined)
  const bound = ledger.engine.template(waiting.record.templateId)
  const view = TransferInstruction.view.decode(
    bound?.viewOf(waiting.record, TransferInstruction.id),
  )
  assert.deepEqual(
    [view.status.tag, view.originalInstructionCid],
    ['TransferPendingReceiverAcceptance', null],
  )
})

test('accepted: the receiver has the amount, the sender no less than before', async () => {
  const pending = await offer()
  const { ledger } = pending
  const { output, senderChangeCids } = await ledger.done(
    [BOB],
    ends.accept(pending),
    await disclosing(pending),
  )
  assert.ok(output.tag === 'TransferInstructionResult_Completed')
  assert.deepEqual([output.value.receiverHoldingCids.length, senderChangeCids], [1, []])
  assert.deepEqual(await ledger.held(BOB), { unlocked: [dec('4')], locked: [] })
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5')], locked: [] })
})

test('rejected or withdrawn: the sender has all of it again, as it was', async () => {
  for (const [actor, end] of [
    [BOB, ends.reject],
    [ALICE, ends.withdraw],
  ] as const) {
    const pending = await offer()
    const { output, senderChangeCids } = await pending.ledger.done(
      [actor],
      end(pending),
      await disclosing(pending),
    )
    assert.deepEqual([output.tag, senderChangeCids.length], ['TransferInstructionResult_Failed', 1])
    assert.deepEqual(await pending.ledger.held(ALICE), {
      unlocked: [dec('5'), dec('4')],
      locked: [],
    })
  }
})

test('only the receiver accepts and rejects, only the sender withdraws, only the network expires, alone', async () => {
  const pending = await offer()
  const { ledger } = pending
  const wrong = [
    [ALICE, ends.accept(pending)],
    [ALICE, ends.reject(pending)],
    [BOB, ends.withdraw(pending)],
    [BOB, ends.expire(pending)],
  ] as const
  for (const [actor, end] of wrong) await ledger.denied('unauthorised', [actor], end)
  assert.match(
    describe(await ledger.refused([DSO, ALICE], ends.expire(pending, true, [ALICE]))),
    /acts alone/,
  )
})

test('acceptance ends where expiry begins', async () => {
  const pending = await offer()
  const { ledger } = pending
  await ledger.denied('too-early', [DSO], ends.expire(pending))
  ledger.move(DAY)
  const disclosed = await disclosing(pending)
  const late = await ledger.submit([BOB], ends.accept(pending), disclosed)
  assert.equal(late.ok ? 'accepted' : late.kind, 'too-late')
  await ledger.done([DSO], ends.expire(pending))
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('5'), dec('4')])
})

test('of all ends at once one happens', async () => {
  const pending = await offer()
  const { ledger } = pending
  const disclosed = await disclosing(pending)
  const tries = [
    [BOB, ends.accept(pending)],
    [BOB, ends.reject(pending)],
    [ALICE, ends.withdraw(pending)],
  ] as const
  const outcomes = await Promise.all(
    tries.map(([actor, end]) => ledger.submit([actor], end, disclosed)),
  )
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1)
})

test('once the owner took the coin back after its time, the shell is cleared without it, and only then', async () => {
  const pending = await offer()
  const { ledger } = pending
  const [locked] = await ledger.reader.active(lockedCoin)
  assert.ok(locked !== undefined)
  await ledger.denied('too-early', [ALICE], ends.withdraw(pending, false))
  const takeBack = exercising(lockedCoinOwnerExpireLock, locked.id, {})
  await ledger.denied('too-early', [ALICE], takeBack)
  ledger.move(DAY)
  const { coin: taken } = await ledger.done([ALICE], takeBack)
  await ledger.denied('contract-not-found', [ALICE], ends.withdraw(pending))
  const { senderChangeCids } = await ledger.done([ALICE], ends.withdraw(pending, false))
  assert.deepEqual([senderChangeCids, (await ledger.reader.state(taken))?.archivedOffset], [[], 0n])
})

test("without the lock's key in the context nothing is given back", async () => {
  const { ledger, instruction } = await offer()
  const withdraw = exercisingInterface(TransferInstruction_Withdraw, instruction, {
    extraArgs: extraArgs(ledger),
  })
  assert.match(describe(await ledger.refused([ALICE], withdraw)), /expire-lock/)
})

test("a locked coin that is dust is the network's to expire, though its lock is live; then nobody accepts", async () => {
  const pending = await offer()
  const { ledger } = pending
  const [locked] = await ledger.reader.active(lockedCoin)
  assert.ok(locked !== undefined)
  const expireAt = (openRoundCid: string) =>
    exercising(lockedCoinExpireCoin, locked.id, { openRoundCid })
  assert.match(
    describe(await ledger.refused([DSO], expireAt(ledger.round))),
    /the coin is dust, .*; given: /,
  )
  const rounds = 1_052n // 4 / 0.00380518, rounded up
  const before = await ledger.openRound({ round: 3n + rounds - 1n })
  assert.match(
    describe(await ledger.refused([DSO], expireAt(before))),
    /the coin is dust, .*; given: /,
  )
  const { expireSum } = await ledger.done(
    [DSO],
    expireAt(await ledger.openRound({ round: 3n + rounds })),
  )
  assert.equal(expireSum.changeToInitialAmountAsOfRoundZero, -(dec('4') + 3n * dec('0.00380518')))
  const outcome = await ledger.submit([BOB], ends.accept(pending), {
    disclosedContracts: [locked.record],
  })
  assert.equal(outcome.ok ? 'accepted' : outcome.kind, 'contract-not-found')
})

test('to oneself: the amount and the change, at once; a preapproval is not needed', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(ALICE, '1', '2', '3')
  const { output, senderChangeCids } = await ledger.done(
    [ALICE],
    sendBy(ledger, coins, { change: { receiver: ALICE } }),
  )
  assert.ok(output.tag === 'TransferInstructionResult_Completed')
  assert.deepEqual([output.value.receiverHoldingCids.length, senderChangeCids.length], [1, 1])
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('4'), dec('2')])
})

test("with the receiver's preapproval: at once, and featured by its provider", async () => {
  const ledger = await testLedger()
  const preapproval = await ledger.create(
    transferPreapproval,
    preapprovalOf(BOB, CAROL),
    BOB,
    CAROL,
  )
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: CAROL,
    activityWeight: null,
  })
  const contracts = { 'transfer-preapproval': preapproval, 'featured-app-right': right }
  const send = sendBy(ledger, await ledger.coins(ALICE, '9'), { contracts })
  const { output } = await ledger.done([ALICE], send, { readAs: [CAROL] })
  assert.equal(output.tag, 'TransferInstructionResult_Completed')
  assert.deepEqual((await ledger.held(BOB)).unlocked, [dec('4')])
  assert.deepEqual(
    (await ledger.reader.active(appRewardCoupon)).map(({ payload }) => payload.amount),
    [dec('200')],
  )
})

test('the checks, each in its place: of several that fail the first is told', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(ALICE, '9')
  const foreign = await ledger.create(transferPreapproval, preapprovalOf(CAROL, DSO), CAROL)
  const steps: readonly (readonly [Sending, RegExp])[] = [
    [{ change: { inputHoldingCids: [] } }, /there is an input holding; given: none/],
    [{ change: { executeBefore: START + 90n * DAY + 1n } }, /executed within/],
    [{ change: { executeBefore: START } }, /too-late/],
    [{ change: { requestedAt: START + SECOND } }, /too-early/],
    [{ change: { amount: 0n } }, /above 0; given: (0|-)/],
    [{ change: { instrumentId: { admin: DSO, id: 'Gold' } } }, /instrument is Coin/],
    [
      { contracts: { 'transfer-preapproval': foreign } },
      /the receiver of the preapproval is bob.*; given: carol/,
    ],
    [{ expectedAdmin: BOB }, /expected/],
  ]
  let all: Sending = {}
  for (const [step, expected] of steps) {
    all = { ...all, ...step, change: { ...all.change, ...step.change } }
    const outcome = await ledger.submit([ALICE], sendBy(ledger, coins, all), { readAs: [CAROL] })
    assert.match(outcome.ok ? 'sent' : describe(outcome), expected)
  }
})

test('inputs are coins, or locked coins whose time is over, at most 100', async () => {
  const ledger = await testLedger()
  const lockUntil = (expiresAt: bigint) =>
    ledger.create(
      lockedCoin,
      { coin: coinOf(ALICE, dec('4')), lock: { holders: [BOB], expiresAt, optContext: null } },
      ALICE,
      BOB,
    )
  const [over, live] = [await lockUntil(START), await lockUntil(START + SECOND)]
  const merge = (coins: readonly string[]) => sendBy(ledger, coins, { change: { receiver: ALICE } })
  await ledger.denied('too-early', [ALICE], merge([live]))
  await ledger.done([ALICE], merge([over]))
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('4')], locked: [dec('4')] })
  assert.match(
    describe(await ledger.refused([ALICE], merge([ledger.rules]))),
    /holding of the coin/,
  )
  const many = await ledger.coins(ALICE, ...Array.from({ length: 101 }, () => '1'))
  assert.match(describe(await ledger.refused([ALICE], merge(many))), /maximum-inputs-exceeded/)
})
