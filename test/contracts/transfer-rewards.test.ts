// What transfers mint and earn: coupons of every kind, featured providers, legacy offers.
// docs/economy-rules.md, "Featured transfers" and "Burns"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appRewardCoupon,
  coinRulesLegacyTransfer,
  coinRulesTransfer,
  developmentFundCoupon,
  featuredAppRight,
  svRewardCoupon,
  unclaimedActivityRecord,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
  validatorRight,
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
  output,
  SECOND,
  START,
  testLedger,
  exercising,
} from '../support/ledger.ts'
import type { TransferContext, TransferInput } from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'

/** Alice mints what the inputs bring. */
function mintBy(
  ledger: TestLedger,
  inputs: readonly TransferInput[],
  context: Partial<TransferContext> = {},
) {
  const transfer = { sender: ALICE, provider: ALICE, inputs, outputs: [], beneficiaries: null }
  const argument = { transfer, context: contextOf(ledger, context), expectedDso: DSO }
  return exercising(coinRulesTransfer, ledger.rules, argument)
}

async function issuingRounds(
  ledger: TestLedger,
  change: { readonly round?: bigint; readonly opensAt?: bigint } = {},
) {
  return {
    issuingMiningRounds: [[1n, await ledger.issuingRound(change)]],
  } satisfies Partial<TransferContext>
}

function appCoupon(change: {
  readonly featured?: boolean
  readonly provider?: string
  readonly beneficiary?: string | null
}) {
  return {
    dso: DSO,
    provider: ALICE,
    featured: true,
    amount: dec('2'),
    round: 1n,
    beneficiary: null,
    ...change,
  }
}

test('each kind of coupon brings what its issuing round gives for it', async () => {
  const ledger = await testLedger()
  const right = await ledger.create(
    validatorRight,
    { dso: DSO, user: BOB, validator: ALICE },
    BOB,
    ALICE,
  )
  const inputs: readonly TransferInput[] = [
    ...inputsOf(await ledger.coins(ALICE, '1')),
    { tag: 'InputAppRewardCoupon', value: await ledger.create(appRewardCoupon, appCoupon({})) },
    {
      tag: 'InputAppRewardCoupon',
      value: await ledger.create(appRewardCoupon, appCoupon({ featured: false })),
    },
    {
      tag: 'InputValidatorRewardCoupon',
      value: await ledger.create(validatorRewardCoupon, {
        dso: DSO,
        user: BOB,
        amount: dec('7'),
        round: 1n,
      }),
    },
    {
      tag: 'InputSvRewardCoupon',
      value: await ledger.create(svRewardCoupon, {
        dso: DSO,
        sv: CAROL,
        beneficiary: ALICE,
        round: 1n,
        weight: 3n,
      }),
    },
    {
      tag: 'InputValidatorLivenessActivityRecord',
      value: await ledger.create(validatorLivenessActivityRecord, {
        dso: DSO,
        validator: ALICE,
        round: 1n,
      }),
    },
    {
      tag: 'InputUnclaimedActivityRecord',
      value: await ledger.create(unclaimedActivityRecord, {
        dso: DSO,
        beneficiary: ALICE,
        amount: dec('5'),
        reason: 'late',
        expiresAt: START + SECOND,
      }),
    },
    {
      tag: 'InputDevelopmentFundCoupon',
      value: await ledger.create(developmentFundCoupon, {
        dso: DSO,
        beneficiary: ALICE,
        fundManager: BOB,
        amount: dec('6'),
        expiresAt: START + SECOND,
        reason: 'work',
        mintAfter: START,
      }),
    },
  ]
  const context = { ...(await issuingRounds(ledger)), validatorRights: [[BOB, right]] as const }
  const { summary, meta } = await ledger.done([ALICE], mintBy(ledger, inputs, context), {
    readAs: [BOB],
  })
  assert.equal(summary.inputCoinAmount, dec('1'))
  assert.equal(summary.inputAppRewardAmount, dec('201.2'), '2 x 100 and 2 x 0.6')
  assert.equal(summary.inputValidatorFaucetAmount, dec('570'))
  assert.equal(summary.inputValidatorRewardAmount, dec('571.4'), '7 x 0.2 and the liveness record')
  assert.equal(summary.inputSvRewardAmount, dec('37.5'), '3 x 12.5')
  assert.equal(summary.inputUnclaimedActivityRecordAmount, dec('5'))
  assert.equal(summary.inputDevelopmentFundAmount, dec('6'))
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('822.1')])
  assert.equal(meta.values.get('coin.network.example.org/app-rewards'), '201.2')
  assert.equal((await ledger.reader.total('coupons.validator', '1')).count, 0n)
})

test("a coupon is its owner's alone: the beneficiary before the provider", async () => {
  const ledger = await testLedger()
  const context = await issuingRounds(ledger)
  const mintWith = async (beneficiary: string | null, provider: string) => {
    const value = await ledger.create(appRewardCoupon, appCoupon({ beneficiary, provider }))
    return ledger.submit(
      [ALICE, BOB],
      mintBy(ledger, [{ tag: 'InputAppRewardCoupon', value }], context),
    )
  }
  assert.ok((await mintWith(ALICE, BOB)).ok)
  for (const rejection of [await mintWith(BOB, ALICE), await mintWith(null, BOB)]) {
    assert.ok(!rejection.ok)
    assert.match(describe(rejection), /the owner of the input is alice.*; given: bob/)
  }
})

test('without the issuing round of the coupon, or before it opens, nothing is minted', async () => {
  const ledger = await testLedger()
  const value = await ledger.create(appRewardCoupon, appCoupon({}))
  const minting = (context: Partial<TransferContext>) =>
    mintBy(ledger, [{ tag: 'InputAppRewardCoupon', value }], context)
  assert.match(
    describe(await ledger.refused([ALICE], minting({}))),
    /did not contain issuing mining round 1/,
  )
  const other = await issuingRounds(ledger, { round: 2n })
  assert.match(
    describe(await ledger.refused([ALICE], minting(other))),
    /the issuing round is 1, .*; given: 2/,
  )
  const late = await issuingRounds(ledger, { opensAt: START + SECOND })
  await ledger.denied('too-early', [ALICE], minting(late))
})

test('a validator coupon needs the right of its user for the sender, also where they are the same', async () => {
  const ledger = await testLedger()
  const context = await issuingRounds(ledger)
  const coupon = { dso: DSO, user: ALICE, amount: dec('7'), round: 1n }
  const inputs: readonly TransferInput[] = [
    {
      tag: 'InputValidatorRewardCoupon',
      value: await ledger.create(validatorRewardCoupon, coupon),
    },
  ]
  assert.match(
    describe(await ledger.refused([ALICE], mintBy(ledger, inputs, context))),
    /validator right of alice/,
  )
  const foreign = await ledger.create(
    validatorRight,
    { dso: DSO, user: ALICE, validator: BOB },
    ALICE,
    BOB,
  )
  const wrong = mintBy(ledger, inputs, { ...context, validatorRights: [[ALICE, foreign]] })
  assert.match(
    describe(await ledger.refused([ALICE], wrong)),
    /the validator of the validator right is alice.*; given: bob/,
  )
  const own = await ledger.create(
    validatorRight,
    { dso: DSO, user: ALICE, validator: ALICE },
    ALICE,
  )
  await ledger.done(
    [ALICE],
    mintBy(ledger, inputs, { ...context, validatorRights: [[ALICE, own]] }),
  )
})

test("the fund's coupon waits for its time, ends with it, and not for a black-listed manager", async () => {
  const config = (initial: TestLedger['config']) => ({
    ...initial,
    developmentFundManagerBlacklist: [CAROL],
  })
  const ledger = await testLedger({ config })
  const fund = { dso: DSO, beneficiary: ALICE, amount: dec('6'), reason: 'work' }
  const mintOf = async (change: {
    readonly fundManager: string
    readonly expiresAt: bigint
    readonly mintAfter: bigint
  }) => {
    const value = await ledger.create(developmentFundCoupon, { ...fund, ...change })
    return ledger.refused([ALICE], mintBy(ledger, [{ tag: 'InputDevelopmentFundCoupon', value }]))
  }
  const [past, soon, later] = [START - SECOND, START + SECOND, START + 2n * SECOND]
  assert.equal(
    (await mintOf({ fundManager: BOB, mintAfter: soon, expiresAt: later })).kind,
    'too-early',
  )
  assert.equal(
    (await mintOf({ fundManager: BOB, mintAfter: past, expiresAt: START })).kind,
    'too-late',
  )
  assert.match(
    describe(await mintOf({ fundManager: CAROL, mintAfter: past, expiresAt: soon })),
    /the fund manager .* is not barred/,
  )
})

test('a featured provider earns a coupon of the extra amount over the price', async () => {
  const ledger = await testLedger()
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: CAROL,
    activityWeight: null,
  })
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const transfer = {
    sender: ALICE,
    provider: CAROL,
    inputs,
    outputs: [output(BOB, '1')],
    beneficiaries: null,
  }
  const argument = {
    transfer,
    context: contextOf(ledger, { featuredAppRight: right }),
    expectedDso: DSO,
  }
  const result = await ledger.done(
    [ALICE, BOB, CAROL],
    exercising(coinRulesTransfer, ledger.rules, argument),
  )
  assert.equal(result.summary.senderChangeAmount, dec('8'), 'no fee')
  const [coupon] = await ledger.reader.active(appRewardCoupon)
  assert.deepEqual(coupon?.payload, {
    dso: DSO,
    provider: CAROL,
    featured: true,
    amount: dec('200'),
    round: 3n,
    beneficiary: CAROL,
  })
})

test('a featured right of somebody else features nothing', async () => {
  const ledger = await testLedger()
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: CAROL,
    activityWeight: null,
  })
  const featured = mintBy(ledger, inputsOf(await ledger.coins(ALICE, '9')), {
    featuredAppRight: right,
  })
  const rejection = await ledger.submit([ALICE, CAROL], featured)
  assert.ok(!rejection.ok)
  assert.match(describe(rejection), /the provider of the featured right is alice.*; given: carol/)
})

test('a legacy offer is never featured; its sender earns a validator coupon where the rules give one', async () => {
  for (const [rate, expected] of [
    [null, []],
    [dec('0.25'), [dec('1')]],
  ] as const) {
    const ledger = await testLedger({
      config: (initial) => ({ ...initial, legacyTransferRewardRate: rate }),
    })
    const featured = await ledger.create(featuredAppRight, {
      dso: DSO,
      provider: CAROL,
      activityWeight: null,
    })
    const inputs = inputsOf(await ledger.coins(ALICE, '9'))
    const outputs = [output(BOB, '4'), output(ALICE, '2')]
    const transfer = { sender: ALICE, provider: CAROL, inputs, outputs, beneficiaries: null }
    const argument = {
      transfer,
      context: contextOf(ledger, { featuredAppRight: featured }),
      expectedDso: DSO,
    }
    await ledger.done(
      [ALICE, BOB, CAROL],
      exercising(coinRulesLegacyTransfer, ledger.rules, argument),
    )
    const coupons = await ledger.reader.active(validatorRewardCoupon, { user: ALICE })
    assert.deepEqual(
      coupons.map(({ payload }) => payload.amount),
      expected,
    )
    assert.deepEqual(await ledger.reader.active(appRewardCoupon), [])
  }
})
