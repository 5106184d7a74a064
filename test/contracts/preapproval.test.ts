// Preapprovals and the setup of external parties: fees, times, who pays, who may.
// docs/economy-rules.md, "Preapprovals" and "External parties"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  coinRulesCreateExternalPartySetupProposal,
  coinRulesCreateTransferPreapproval,
  externalPartySetupProposalAccept,
  externalPartySetupProposalReject,
  externalPartySetupProposalWithdraw,
  featuredAppRight,
  mergeDelegationProposal,
  transferPreapproval,
  transferPreapprovalCancel,
  transferPreapprovalExpire,
  transferPreapprovalRenew,
  transferPreapprovalSend,
  validatorRewardCoupon,
  validatorRight,
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

test('90 days are free: nothing is burned and the inputs stay', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(BOB, '5')
  const bought = await ledger.done([ALICE, BOB], createBy(ledger, coins, END))
  assert.deepEqual([bought.coinPaid, bought.transferResult.senderChangeCoin], [0n, null])
  assert.deepEqual((await ledger.held(BOB)).unlocked, [dec('5')])
  const created = await ledger.reader.get(transferPreapproval, bought.transferPreapprovalCid)
  assert.deepEqual(created?.payload, preapprovalOf(ALICE, BOB))
  assert.deepEqual(created?.record.observers, [], 'seen by those who sign it only')
})

test('days beyond are paid by the provider: 0.00274 USD each, burned, with a validator coupon', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(BOB, '50')
  const { coinPaid } = await ledger.done([ALICE, BOB], createBy(ledger, coins, START + 180n * DAY))
  assert.equal(coinPaid, dec('49.32'))
  assert.deepEqual((await ledger.held(BOB)).unlocked, [dec('0.68')])
  const coupons = await ledger.reader.active(validatorRewardCoupon, { user: BOB })
  assert.deepEqual(
    coupons.map(({ payload }) => payload.amount),
    [dec('49.32')],
  )
})

test('who receives must agree; it begins in the past and ends in the future; unpaid it is not made', async () => {
  const ledger = await testLedger()
  const coins = await ledger.coins(BOB, '5')
  await ledger.denied('unauthorised', [BOB], createBy(ledger, coins, END))
  await ledger.denied('too-late', [ALICE, BOB], createBy(ledger, coins, START))
  await ledger.denied('too-early', [ALICE, BOB], createBy(ledger, coins, END, START + DAY))
  const unpaid = await ledger.refused([ALICE, BOB], createBy(ledger, coins, START + 180n * DAY))
  assert.match(describe(unpaid), /insufficient-funds .* 44\.3200000000/)
})

test('a renewal pays for what it adds and remembers the old expiry', async () => {
  const ledger = await testLedger()
  const id = await newPreapproval(ledger)
  const renewBy = (newExpiresAt: bigint, coins: readonly string[]) =>
    exercising(transferPreapprovalRenew, id, { ...payment(ledger, coins), newExpiresAt })
  assert.match(describe(await ledger.refused([BOB], renewBy(END, []))), /after the old one/)
  await ledger.denied('unauthorised', [ALICE], renewBy(END + DAY, []))
  const coins = await ledger.coins(BOB, '50')
  const { transferPreapprovalCid, coinPaid } = await ledger.done(
    [BOB],
    renewBy(END + 180n * DAY, coins),
  )
  const renewed = await ledger.reader.get(transferPreapproval, transferPreapprovalCid)
  assert.deepEqual(renewed?.payload, {
    ...preapprovalOf(ALICE, BOB),
    lastRenewedAt: END,
    expiresAt: END + 180n * DAY,
  })
  assert.equal(coinPaid, dec('49.32'))
})

test('receiver or provider cancel before the end, the network clears away from the end on', async () => {
  const ledger = await testLedger()
  const [first, second, third] = [
    await newPreapproval(ledger),
    await newPreapproval(ledger),
    await newPreapproval(ledger),
  ]
  const cancelBy = (id: string, p: string) => exercising(transferPreapprovalCancel, id, { p })
  const expire = exercising(transferPreapprovalExpire, third, {})
  assert.match(
    describe(await ledger.refused([DSO], cancelBy(first, DSO))),
    /the actor is alice.* or bob.*; given: /,
  )
  await ledger.denied('too-early', [DSO], expire)
  await ledger.done([ALICE], cancelBy(first, ALICE))
  await ledger.done([BOB], cancelBy(second, BOB))
  ledger.move(90n * DAY)
  await ledger.denied('too-late', [ALICE], cancelBy(third, ALICE))
  await ledger.done([DSO], expire)
  assert.deepEqual(await ledger.reader.active(transferPreapproval), [])
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

function proposeBy(ledger: TestLedger, coins: readonly string[], preapprovalExpiresAt = END) {
  const terms = {
    user: ALICE,
    validator: BOB,
    createdAt: START,
    preapprovalExpiresAt,
    expectedDso: DSO,
  }
  const argument = { ...terms, context: contextOf(ledger), inputs: inputsOf(coins) }
  return exercising(coinRulesCreateExternalPartySetupProposal, ledger.rules, argument)
}

test('an external party signs once: right, preapproval and, where wished, the proposal to merge', async () => {
  for (const mergeOperator of [null, BOB]) {
    const ledger = await testLedger()
    const { proposalCid, coinPaid } = await ledger.done(
      [BOB],
      proposeBy(ledger, await ledger.coins(BOB, '50'), START + 180n * DAY),
    )
    assert.equal(coinPaid, dec('49.32'))
    const accept = exercising(externalPartySetupProposalAccept, proposalCid, { mergeOperator })
    await ledger.denied('unauthorised', [BOB], accept)
    const accepted = await ledger.done([ALICE], accept)
    const right = await ledger.reader.get(validatorRight, accepted.validatorRightCid)
    assert.deepEqual(right?.payload, { dso: DSO, user: ALICE, validator: BOB })
    const preapproval = await ledger.reader.get(
      transferPreapproval,
      accepted.transferPreapprovalCid,
    )
    assert.deepEqual(preapproval?.payload, {
      ...preapprovalOf(ALICE, BOB),
      expiresAt: START + 180n * DAY,
    })
    const proposals = await ledger.reader.active(mergeDelegationProposal, { owner: ALICE })
    assert.deepEqual(
      proposals.map(({ id }) => id),
      mergeOperator === null ? [] : [accepted.optMergeDelegationProposalCid],
    )
  }
})

test('the user rejects, the validator withdraws: nothing stays', async () => {
  const ledger = await testLedger()
  const propose = proposeBy(ledger, await ledger.coins(BOB, '5'))
  const [first, second] = [await ledger.done([BOB], propose), await ledger.done([BOB], propose)]
  await ledger.done([ALICE], exercising(externalPartySetupProposalReject, first.proposalCid, {}))
  await ledger.done([BOB], exercising(externalPartySetupProposalWithdraw, second.proposalCid, {}))
  const accept = exercising(externalPartySetupProposalAccept, second.proposalCid, {
    mergeOperator: null,
  })
  await ledger.denied('contract-not-found', [ALICE], accept)
})
