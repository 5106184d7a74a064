// Preapprovals and the setup of external parties: fees, times, who pays, who may.
// docs/economy-rules.md, "Preapprovals" and "External parties"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  coinRulesCreateTransferPreapproval,
  featuredAppRight,
  transferPreapproval,
  transferPreapprovalSend,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  contextOf,
  DAY,
  dec,
  describe,
  DSO,
  inputsOf,
  preapprovalOf,
  START,
  testLedger,
  exercising,
} from '../support/ledger.ts'
import type { TransferContext } from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'

const END = START + 90n * DAY
const REASON = 'network.example.org/reason'

/** Alice receives, Bob provides and pays. */
function createBy(
  ledger: TestLedger,
  coins: readonly string[],
  expiresAt: bigint,
  createdAt = START,
) {
  const terms = { receiver: ALICE, provider: BOB, createdAt, expiresAt, expectedDso: DSO }
  const argument = { ...terms, context: contextOf(ledger), inputs: inputsOf(coins) }
  return exercising(coinRulesCreateTransferPreapproval, ledger.rules, argument)
}

function payment(
  ledger: TestLedger,
  coins: readonly string[],
  change: Partial<TransferContext> = {},
) {
  return {
    context: { coinRules: ledger.rules, context: contextOf(ledger, change) },
    inputs: inputsOf(coins),
  }
}

const newPreapproval = (ledger: TestLedger) =>
  ledger.create(transferPreapproval, preapprovalOf(ALICE, BOB), ALICE, BOB)

test('who receives must agree; it begins in the past and ends in the future; unpaid it is not made', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(BOB, '5')
  await ledger.denied('unauthorised', [BOB], createBy(ledger, coins, END))
  await ledger.denied('too-late', [ALICE, BOB], createBy(ledger, coins, START))
  await ledger.denied('too-early', [ALICE, BOB], createBy(ledger, coins, END, START + DAY))
  const unpaid = await ledger.refused([ALICE, BOB], createBy(ledger, coins, START + 180n * DAY))
  assert.match(describe(unpaid), /insufficient-funds .* 44\.3200000000/)
})

test('the sender alone sends, knowing the preapproval by disclosure; the description wins over a reason', async () => {
  const ledger = await testLedger()
  const id = await newPreapproval(ledger)
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: BOB,
    activityWeight: null,
  })
  const disclosed = await Promise.all([id, right].map((each) => ledger.reader.state(each)))
  const disclosedContracts = disclosed.flatMap((state) =>
    state === undefined ? [] : [state.contract],
  )
  const coins = await ledger.coins(CAROL, '9')
  const order = {
    ...payment(ledger, coins, { featuredAppRight: right }),
    amount: dec('4'),
    sender: CAROL,
    description: 'rent',
    meta: { values: new Map([[REASON, 'other']]) },
  }
  const send = exercising(transferPreapprovalSend, id, order)
  await ledger.denied('contract-not-found', [CAROL], send)
  const { result, meta } = await ledger.done([CAROL], send, { disclosedContracts })
  assert.equal(meta.values.get(REASON), 'rent')
  assert.equal(result.summary.senderChangeAmount, dec('5'))
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('4')])
  const [coupon] = await ledger.reader.active(appRewardCoupon, { beneficiary: BOB })
  assert.equal(coupon?.payload.amount, dec('200'))
  ledger.move(90n * DAY)
  const late = await ledger.submit([CAROL], send, { disclosedContracts })
  assert.equal(late.ok ? 'sent' : late.kind, 'too-late')
})
