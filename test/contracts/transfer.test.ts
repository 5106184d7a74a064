// CoinRules_Transfer on the real engine: inputs, outputs, change, limits, refusals.
// docs/economy-rules.md, "Transfers"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Holding } from '../../generated/contracts.gen.ts'
import { coin, coinExpire, coinRulesTransfer, lockedCoin } from '../../runtime/contracts/index.ts'
import { formatDecimal, sum } from '../../runtime/engine/index.ts'
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
import type {
  TransferContext,
  TransferInput,
  TransferOutput,
} from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'

interface Parts {
  readonly inputs: readonly TransferInput[]
  readonly outputs: readonly TransferOutput[]
  readonly sender?: string
  readonly provider?: string
  readonly context?: Partial<TransferContext>
  readonly expectedDso?: string
}

function transferBy(
  ledger: TestLedger,
  { inputs, outputs, sender = ALICE, provider = sender, context, expectedDso = DSO }: Parts,
) {
  const transfer = { sender, provider, inputs, outputs, beneficiaries: null }
  const argument = { transfer, context: contextOf(ledger, context), expectedDso }
  return exercising(coinRulesTransfer, ledger.rules, argument)
}

test('balance changes are as of round 0: an output counts with the fees of the rounds before', async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '7', '3'))
  const { summary } = await ledger.done(
    [ALICE, BOB],
    transferBy(ledger, { inputs, outputs: [output(BOB, '4')] }),
  )
  const rate = dec('0.00380518')
  assert.deepEqual(summary.balanceChanges, [
    [
      ALICE,
      { changeToInitialAmountAsOfRoundZero: dec('-4') - 3n * rate, changeToHoldingFeesRate: -rate },
    ],
    [
      BOB,
      { changeToInitialAmountAsOfRoundZero: dec('4') + 3n * rate, changeToHoldingFeesRate: rate },
    ],
  ])
})

test('the inputs are counted first, then the outputs, then the funds; 100 of each are allowed', async () => {
  const ledger = await testLedger()
  const coins = inputsOf(await ledger.coins(ALICE, ...Array.from({ length: 101 }, () => '1')))
  const outputs = (count: number) => Array.from({ length: count }, () => output(BOB, '5'))
  const faultOf = async (inputs: readonly TransferInput[], count: number) =>
    describe(
      await ledger.refused([ALICE, BOB], transferBy(ledger, { inputs, outputs: outputs(count) })),
    ).split(' ')[1]
  assert.equal(await faultOf(coins, 101), 'maximum-inputs-exceeded')
  assert.equal(await faultOf(coins.slice(0, 100), 101), 'maximum-outputs-exceeded')
  assert.equal(await faultOf(coins.slice(0, 100), 100), 'insufficient-funds')
  await ledger.done([ALICE], transferBy(ledger, { inputs: coins.slice(0, 100), outputs: [] }))
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('100'), dec('1')])
})

test('the same coin twice, a coin of somebody else and an archived coin are refused', async () => {
  const ledger = await testLedger()
  const [own = '', spent = ''] = await ledger.coins(ALICE, '2', '3')
  const [foreign = ''] = await ledger.coins(BOB, '2')
  const merge = (...coins: readonly string[]) =>
    transferBy(ledger, { inputs: inputsOf(coins), outputs: [] })
  assert.equal(describe(await ledger.refused([ALICE], merge(own, own))), 'contract-not-found')
  assert.match(
    describe(await ledger.refused([ALICE, BOB], merge(own, foreign))),
    /the owner of the input is alice.*; given: bob/,
  )
  assert.equal(
    describe(await ledger.refused([ALICE], merge(foreign))),
    'contract-not-found',
    'not visible',
  )
  await ledger.done([ALICE], merge(spent))
  assert.equal(describe(await ledger.refused([ALICE], merge(spent))), 'contract-not-found')
})

test('sender, provider, receivers and lock holders must all authorise', async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const lock = { holders: [CAROL], expiresAt: START + SECOND, optContext: null }
  const parts = { inputs, outputs: [output(BOB, '1', lock)], provider: DSO }
  for (const missing of [ALICE, BOB, CAROL, DSO]) {
    const actAs = [ALICE, BOB, CAROL, DSO].filter((party) => party !== missing)
    const rejection = await ledger.refused(actAs, transferBy(ledger, parts))
    assert.ok(rejection.kind === 'unauthorised', `${missing}: ${rejection.kind}`)
    assert.deepEqual(rejection.missing, [missing])
  }
  await ledger.done([ALICE, BOB, CAROL, DSO], transferBy(ledger, parts))
})

test('a locked coin is no input; the lock forgets its owner and doubles', async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const lock = {
    holders: [CAROL, ALICE, BOB, CAROL],
    expiresAt: START + SECOND,
    optContext: 'a purpose',
  }
  const locking = transferBy(ledger, { inputs, outputs: [output(ALICE, '4', lock)] })
  const {
    createdCoins: [created],
    meta,
  } = await ledger.done([ALICE, BOB, CAROL], locking)
  assert.ok(created?.tag === 'TransferResultLockedCoin')
  assert.equal(meta.values.get('network.example.org/tx-kind'), 'transfer', 'others hold the lock')
  const locked = await ledger.reader.get(lockedCoin, created.value)
  assert.deepEqual(locked?.payload.lock.holders, [BOB, CAROL])
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5')], locked: [dec('4')] })
  const spending = transferBy(ledger, { inputs: inputsOf([created.value]), outputs: [] })
  await ledger.denied('invalid', [ALICE], spending)
})

test('an output is above zero, its fee ratio a ratio, its lock in the future and held by few', async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const rejectionOf = async (change: Partial<TransferOutput>) =>
    describe(
      await ledger.refused(
        [ALICE],
        transferBy(ledger, { inputs, outputs: [{ ...output(ALICE, '1'), ...change }] }),
      ),
    )
  assert.match(await rejectionOf({ amount: 0n }), /above 0; given: (0|-)/)
  assert.match(await rejectionOf({ amount: -1n }), /above 0; given: (0|-)/)
  assert.match(await rejectionOf({ receiverFeeRatio: dec('1.1') }), /from 0 to 1; given: /)
  assert.equal(
    await rejectionOf({ lock: { holders: [], expiresAt: START, optContext: null } }),
    'too-late',
  )
  const many = Array.from({ length: 51 }, (_, index) => `holder${index}::12`)
  const lock = { holders: many, expiresAt: START + SECOND, optContext: null }
  const outputs = [output(ALICE, '1', lock)]
  assert.match(
    describe(await ledger.refused([ALICE, ...many], transferBy(ledger, { inputs, outputs }))),
    /at most 50 holders/,
  )
})

test("the round must have opened and be the network's; so must the rules", async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const openMiningRound = await ledger.openRound({ round: 4n, opensAt: START + 5n * SECOND })
  const early = transferBy(ledger, { inputs, outputs: [], context: { openMiningRound } })
  await ledger.denied('too-early', [ALICE], early)
  const wrong = transferBy(ledger, { inputs, outputs: [], expectedDso: BOB })
  assert.match(describe(await ledger.refused([ALICE], wrong)), /expected/)
  ledger.move(5n * SECOND)
  assert.equal((await ledger.done([ALICE], early)).round, 4n)
})

test('what goes in comes out, whatever the amounts; a coin of change is there exactly when something is left', async () => {
  const ledger = await testLedger()
  const amount = fc.bigInt(1n, 10n ** 16n)
  await fc.assert(
    fc.asyncProperty(
      fc.array(amount, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.constantFrom(ALICE, BOB, CAROL), amount), { maxLength: 6 }),
      async (have, wanted) => {
        const before = await totals(ledger)
        const inputs = inputsOf(await ledger.coins(ALICE, ...have.map(formatDecimal)))
        const outputs = wanted.map(([receiver, each]) => output(receiver, formatDecimal(each)))
        const outcome = await ledger.submit(
          [ALICE, BOB, CAROL],
          transferBy(ledger, { inputs, outputs }),
        )
        const change = sum(have) - sum(wanted.map(([, each]) => each))
        assert.equal(outcome.ok, change >= 0n)
        if (outcome.ok) assert.equal(outcome.result.senderChangeCoin === null, change === 0n)
        assert.equal(await totals(ledger), before + sum(have))
      },
    ),
    { numRuns: 40 },
  )
  assert.equal((await ledger.reader.total('supply', '')).amount, await totals(ledger))
})

async function totals(ledger: TestLedger): Promise<bigint> {
  const each = await Promise.all(
    [ALICE, BOB, CAROL].map((party) => ledger.reader.total('unlocked', party)),
  )
  return sum(each.map(({ amount }) => amount))
}

test("dust is the network's to expire, from the round on that the fee has used it up; what it was worth is gone", async () => {
  const ledger = await testLedger()
  const [dust = ''] = await ledger.coins(ALICE, '1', '2')
  const expireBy = (openRoundCid: string) => exercising(coinExpire, dust, { openRoundCid })
  const [before, due] = [
    await ledger.openRound({ round: 3n + 262n }),
    await ledger.openRound({ round: 3n + 263n }),
  ]
  assert.match(
    describe(await ledger.refused([DSO], expireBy(before))),
    /the coin is dust, .*; given: /,
  )
  await ledger.denied('unauthorised', [ALICE], expireBy(due))
  const { expireSum, meta } = await ledger.done([DSO], expireBy(due))
  const rate = dec('0.00380518')
  assert.deepEqual(expireSum, {
    owner: ALICE,
    round: 266n,
    changeToInitialAmountAsOfRoundZero: -(dec('1') + 3n * rate),
    changeToHoldingFeesRate: -rate,
  })
  assert.equal(meta.values.get('network.example.org/tx-kind'), 'expire-dust')
  assert.equal((await ledger.reader.total('supply', '')).amount, dec('2'))
})

test('a holding shows its initial amount, its lock and where it comes from', async () => {
  const ledger = await testLedger()
  const inputs = inputsOf(await ledger.coins(ALICE, '9'))
  const lock = { holders: [BOB], expiresAt: START + SECOND, optContext: 'a purpose' }
  await ledger.done(
    [ALICE, BOB],
    transferBy(ledger, { inputs, outputs: [output(ALICE, '4', lock)] }),
  )
  const holdings = [
    ...(await ledger.reader.active(coin)),
    ...(await ledger.reader.active(lockedCoin)),
  ]
  const views = holdings.map(({ record }) =>
    Holding.view.decode(ledger.engine.template(record.templateId)?.viewOf(record, Holding.id)),
  )
  assert.deepEqual(
    views.map(({ amount }) => amount),
    [dec('5'), dec('4')],
  )
  assert.deepEqual(
    views.map((view) => view.lock),
    [null, { holders: [BOB], expiresAt: START + SECOND, expiresAfter: null, context: 'a purpose' }],
  )
  assert.deepEqual(views[0]?.instrumentId, { admin: DSO, id: 'Coin' })
  assert.deepEqual(
    [...views[0].meta.values],
    [
      ['coin.network.example.org/created-in-round', '3'],
      ['coin.network.example.org/rate-per-round', '0.00380518'],
    ],
  )
})
