// The token standard's transfers: checks in their order, and what only the contract can tell of an
// instruction; their ends are those of test/properties and test/wallet/token-transfers.test.ts.
// docs/economy-rules.md, "Token-standard transfers"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransferFactory, TransferInstruction } from '../../generated/contracts.gen.ts'
import {
  lockedCoin,
  lockedCoinExpireCoin,
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
const { TransferInstruction_Update, TransferInstruction_Withdraw } = TransferInstruction.choices

function extraArgs(
  ledger: TestLedger,
  contracts: Readonly<Record<string, string>> = {},
): ExtraArgs {
  const ids = { 'coin-rules': ledger.rules, 'open-round': ledger.round, ...contracts }
  const values = new Map(
    Object.entries(ids).map(([key, value]): [string, AnyValue] => [
      key,
      { tag: 'AV_ContractId', value },
    ]),
  )
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

test('the network expires an instruction alone', async () => {
  const { ledger, instruction } = await offer()
  const expire = exercisingInterface(TransferInstruction_Update, instruction, {
    extraActors: [ALICE],
    extraArgs: extraArgs(ledger),
  })
  assert.match(describe(await ledger.refused([DSO, ALICE], expire)), /acts alone/)
})

test("without the lock's key in the context nothing is given back", async () => {
  const { ledger, instruction } = await offer()
  const withdraw = exercisingInterface(TransferInstruction_Withdraw, instruction, {
    extraArgs: extraArgs(ledger),
  })
  assert.match(describe(await ledger.refused([ALICE], withdraw)), /expire-lock/)
})

test("a locked coin that is dust is the network's to expire, though its lock is live", async () => {
  const { ledger } = await offer()
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
