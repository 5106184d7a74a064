// Payments for apps and subscriptions: what locks the coin, who ends it and when, and that whatever
// order things come in, no coin is lost or doubled. docs/payments.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  acceptedAppPayment,
  acceptedAppPaymentCollect,
  acceptedAppPaymentExpire,
  acceptedAppPaymentReject,
  appPaymentRequest,
  appPaymentRequestAccept,
  appPaymentRequestExpire,
  appRewardCoupon,
  coin,
  featuredAppRight,
  lockedCoin,
  lockedCoinOwnerExpireLock,
  subscription,
  subscriptionIdleState,
  subscriptionIdleStateExpireSubscription,
  subscriptionIdleStateMakePayment,
  subscriptionInitialPayment,
  subscriptionInitialPaymentCollect,
  subscriptionInitialPaymentExpire,
  subscriptionInitialPaymentReject,
  subscriptionPayment,
  subscriptionPaymentCollect,
  subscriptionPaymentExpire,
  subscriptionPaymentReject,
  subscriptionRequest,
  subscriptionRequestAcceptAndMakePayment,
  terminatedSubscription,
} from '../../runtime/contracts/index.ts'
import type { AppPaymentRequest, PaymentAmount } from '../../generated/contracts.gen.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  contextOf,
  DAY,
  dec,
  DSO,
  inputsOf,
  SECOND,
  START,
  testLedger,
  exercising,
  creating,
} from '../support/ledger.ts'
import type { TestLedger } from '../support/ledger.ts'

const APP = CAROL
const ALL = [ALICE, BOB, APP]
const HOUR = 3_600n * SECOND

const coins = (amount: string): PaymentAmount => ({ amount: dec(amount), unit: 'CoinUnit' })
const dollars = (amount: string): PaymentAmount => ({ amount: dec(amount), unit: 'USDUnit' })

/** Alice pays 4 coin to Bob and 0.01 USD, 2 coin at the price of 0.005, to the app. */
const REQUEST: AppPaymentRequest = {
  sender: ALICE,
  receiverAmounts: [
    { receiver: BOB, amount: coins('4') },
    { receiver: APP, amount: dollars('0.01') },
  ],
  provider: APP,
  dso: DSO,
  expiresAt: START + HOUR,
  description: 'Two tickets',
}

function meansOf(ledger: TestLedger, coinIds: readonly string[]) {
  const context = { coinRules: ledger.rules, context: contextOf(ledger) }
  return { inputs: inputsOf(coinIds), context, walletProvider: ALICE, now: null }
}

function collectContext(ledger: TestLedger, featuredAppRight: string | null = null) {
  return { coinRules: ledger.rules, openMiningRound: ledger.round, featuredAppRight }
}

async function ask(ledger: TestLedger, change: Partial<AppPaymentRequest> = {}) {
  return ledger.done(ALL, creating(appPaymentRequest, { ...REQUEST, ...change }))
}

async function accept(ledger: TestLedger, id: string, ...amounts: readonly string[]) {
  const means = meansOf(ledger, await ledger.coins(ALICE, ...amounts))
  return ledger.done([ALICE], exercising(appPaymentRequestAccept, id, means))
}

const kindOf = async (submitted: Promise<{ readonly ok: boolean }>) => {
  const outcome = await submitted
  return 'kind' in outcome ? outcome.kind : 'ok'
}

test('an accepted payment locks what it costs, USD at the price of the round; its app pays it out', async () => {
  const ledger = await testLedger()
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: APP,
    activityWeight: null,
  })
  const id = await ask(ledger)
  const { acceptedPayment } = await accept(ledger, id, '9')
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('3')], locked: [dec('6')] })
  const [locked] = await ledger.reader.active(lockedCoin)
  assert.deepEqual(locked?.payload.lock.holders, [BOB, APP])
  const payment = await ledger.reader.get(acceptedAppPayment, acceptedPayment)
  assert.equal(payment?.payload.reference, id)
  const collect = exercising(acceptedAppPaymentCollect, acceptedPayment, {
    context: collectContext(ledger, right),
  })
  const { receiverCoins } = await ledger.done(ALL, collect)
  assert.deepEqual(
    receiverCoins.map(([party]) => party),
    [BOB, APP],
  )
  assert.deepEqual((await ledger.held(BOB)).unlocked, [dec('4')])
  assert.deepEqual((await ledger.held(APP)).unlocked, [dec('2')])
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('3')], locked: [] })
  assert.equal((await ledger.reader.all(appRewardCoupon))[0]?.payload.provider, APP)
})

test('an accepted payment that is rejected goes back at once, and to its sender alone after its lock', async () => {
  const ledger = await testLedger()
  const context = collectContext(ledger)
  const accepted = async () => (await accept(ledger, await ask(ledger), '6')).acceptedPayment
  const [rejected, expired, shell] = [await accepted(), await accepted(), await accepted()]
  const reject = exercising(acceptedAppPaymentReject, rejected, { context })
  const expire = (id: string, expireLock: boolean | null) =>
    exercising(acceptedAppPaymentExpire, id, { context, expireLock })
  await ledger.done([BOB, APP], reject)
  assert.deepEqual((await ledger.held(ALICE)).unlocked, [dec('6')])
  for (const expireLock of [true, false, null])
    assert.equal(await kindOf(ledger.submit([ALICE], expire(expired, expireLock))), 'too-early')
  const until = (await ledger.reader.get(acceptedAppPayment, expired))?.payload.lockExpiresAt ?? 0n
  ledger.move(until - START)
  await ledger.done([ALICE], expire(expired, null))
  const lock = (await ledger.reader.active(lockedCoin))[0]?.id ?? ''
  await ledger.done([ALICE], exercising(lockedCoinOwnerExpireLock, lock, {}))
  assert.equal(await kindOf(ledger.submit([ALICE], expire(shell, true))), 'contract-not-found')
  assert.deepEqual(await ledger.done([ALICE], expire(shell, false)), { coin: null })
  assert.deepEqual(await ledger.held(ALICE), {
    unlocked: [dec('6'), dec('6'), dec('6')],
    locked: [],
  })
})

for (const [what, change] of [
  ['no receiver', { receiverAmounts: [] }],
  ['nothing to pay', { receiverAmounts: [{ receiver: BOB, amount: coins('0') }] }],
  [
    'an amount of no unit',
    { receiverAmounts: [{ receiver: BOB, amount: { amount: dec('1'), unit: 'ExtUnit' } }] },
  ],
] as const) {
  test(`not asked for: ${what}`, async () => {
    const ledger = await testLedger()
    const run = creating(appPaymentRequest, { ...REQUEST, ...change })
    await ledger.denied('aborted', ALL, run)
  })
}

test('a payment that the inputs do not cover is not made', async () => {
  const ledger = await testLedger()
  const id = await ask(ledger, { expiresAt: START + DAY })
  const means = meansOf(ledger, await ledger.coins(ALICE, '5.9'))
  const run = exercising(appPaymentRequestAccept, id, means)
  await ledger.denied('aborted', [ALICE], run)
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5.9')], locked: [] })
})

test('a request is accepted before its end, and expires from then on', async () => {
  const ledger = await testLedger()
  const id = await ask(ledger)
  const means = meansOf(ledger, await ledger.coins(ALICE, '9'))
  const expire = exercising(appPaymentRequestExpire, id, { actor: BOB })
  await ledger.denied('too-early', [BOB], expire)
  ledger.move(HOUR)
  await ledger.denied('too-late', [ALICE], exercising(appPaymentRequestAccept, id, means))
  await ledger.done([BOB], expire)
})

const PAY_DATA = {
  paymentAmount: coins('4'),
  paymentInterval: 2n * DAY,
  paymentDuration: DAY,
}

async function offer(ledger: TestLedger, payData = PAY_DATA) {
  const subscriptionData = {
    sender: ALICE,
    receiver: BOB,
    provider: APP,
    dso: DSO,
    description: 'A paper',
  }
  return ledger.done(ALL, creating(subscriptionRequest, { subscriptionData, payData }))
}

async function begin(ledger: TestLedger, id: string) {
  const means = meansOf(ledger, await ledger.coins(ALICE, '4'))
  const paid = await ledger.done(
    [ALICE],
    exercising(subscriptionRequestAcceptAndMakePayment, id, means),
  )
  return paid.subscriptionPayment
}

/** A round that is open now, for locks that must not have expired. */
async function renewRound(ledger: TestLedger): Promise<TestLedger> {
  const opensAt = ledger.clock.nowMicros()
  return { ...ledger, round: await ledger.openRound({ opensAt, targetClosesAt: opensAt + HOUR }) }
}

test('a subscription begins with its first payment, is paid within its time, and ends overdue', async () => {
  const ledger = await testLedger()
  const initial = await begin(ledger, await offer(ledger))
  const first = await ledger.done(
    ALL,
    exercising(subscriptionInitialPaymentCollect, initial, {
      transferContext: collectContext(ledger),
      now: START,
    }),
  )
  assert.deepEqual((await ledger.held(BOB)).unlocked, [dec('4')])
  const stateOf = async () => (await ledger.reader.active(subscriptionIdleState))[0]
  assert.equal((await stateOf())?.payload.nextPaymentDueAt, START + 2n * DAY)
  const pay = async (by: TestLedger, id: string) => {
    const means = meansOf(by, await ledger.coins(ALICE, '4'))
    return ledger.submit([ALICE], exercising(subscriptionIdleStateMakePayment, id, means))
  }
  assert.equal(await kindOf(pay(await renewRound(ledger), first.subscriptionState)), 'too-early')
  ledger.move(DAY)
  const later = await renewRound(ledger)
  const paid = await pay(later, first.subscriptionState)
  assert.ok(paid.ok)
  const transferContext = collectContext(later)
  const second = await ledger.done(
    ALL,
    exercising(subscriptionPaymentCollect, paid.result.subscriptionPayment, { transferContext }),
  )
  assert.equal((await stateOf())?.payload.nextPaymentDueAt, START + 4n * DAY)
  const expire = exercising(subscriptionIdleStateExpireSubscription, second.subscriptionState, {
    actor: BOB,
  })
  assert.equal(await kindOf(ledger.submit([BOB], expire)), 'too-early')
  ledger.move(3n * DAY)
  await ledger.done([BOB], expire)
  assert.deepEqual(await ledger.reader.all(subscription), [])
  assert.equal((await ledger.reader.all(terminatedSubscription)).length, 1)
})

test('an app is paid neither for a time before the subscription nor for years ahead', async () => {
  const ledger = await testLedger()
  const long = { ...PAY_DATA, paymentDuration: 3650n * DAY }
  const initial = await begin(ledger, await offer(ledger, long))
  const transferContext = collectContext(ledger)
  const collect = (now: bigint) =>
    exercising(subscriptionInitialPaymentCollect, initial, { transferContext, now })
  await ledger.denied('aborted', ALL, collect(START - HOUR))
  const first = await ledger.done(ALL, collect(START))
  const pay = async (id: string) => {
    const means = meansOf(ledger, await ledger.coins(ALICE, '4'))
    return ledger.submit([ALICE], exercising(subscriptionIdleStateMakePayment, id, means))
  }
  const ahead = await pay(first.subscriptionState)
  assert.ok(ahead.ok)
  const second = await ledger.done(
    ALL,
    exercising(subscriptionPaymentCollect, ahead.result.subscriptionPayment, { transferContext }),
  )
  assert.equal(await kindOf(pay(second.subscriptionState)), 'too-early')
})

type Step = readonly [
  kind: 'ask' | 'offer' | 'accept' | 'pay' | 'collect' | 'reject' | 'expire' | 'open' | 'wait',
  pick: number,
]

const PAYMENTS = [
  {
    read: (ledger: TestLedger) => ledger.reader.all(acceptedAppPayment),
    collect: (tx: Tx, id: string, context: ReturnType<typeof collectContext>) =>
      tx.exercise(acceptedAppPaymentCollect, id, { context }),
    reject: (tx: Tx, id: string, context: ReturnType<typeof collectContext>) =>
      tx.exercise(acceptedAppPaymentReject, id, { context }),
    expire: (tx: Tx, id: string, context: ReturnType<typeof collectContext>, expireLock: boolean) =>
      tx.exercise(acceptedAppPaymentExpire, id, { context, expireLock }),
  },
  {
    read: (ledger: TestLedger) => ledger.reader.all(subscriptionInitialPayment),
    collect: (tx: Tx, id: string, transferContext: ReturnType<typeof collectContext>) =>
      tx.exercise(subscriptionInitialPaymentCollect, id, { transferContext, now: null }),
    reject: (tx: Tx, id: string, transferContext: ReturnType<typeof collectContext>) =>
      tx.exercise(subscriptionInitialPaymentReject, id, { transferContext }),
    expire: (
      tx: Tx,
      id: string,
      transferContext: ReturnType<typeof collectContext>,
      expireLock: boolean,
    ) =>
      tx.exercise(subscriptionInitialPaymentExpire, id, {
        actor: ALICE,
        transferContext,
        expireLock,
      }),
  },
  {
    read: (ledger: TestLedger) => ledger.reader.all(subscriptionPayment),
    collect: (tx: Tx, id: string, transferContext: ReturnType<typeof collectContext>) =>
      tx.exercise(subscriptionPaymentCollect, id, { transferContext }),
    reject: (tx: Tx, id: string, transferContext: ReturnType<typeof collectContext>) =>
      tx.exercise(subscriptionPaymentReject, id, { transferContext }),
    expire: (
      tx: Tx,
      id: string,
      transferContext: ReturnType<typeof collectContext>,
      expireLock: boolean,
    ) => tx.exercise(subscriptionPaymentExpire, id, { actor: BOB, transferContext, expireLock }),
  },
] as const

/** Locked coins, and the payments that they are locked for. */
async function paymentsOf(ledger: TestLedger) {
  const all = await Promise.all(
    PAYMENTS.map(async (kind) =>
      (await kind.read(ledger)).map(({ id, payload }) => ({
        kind,
        id,
        lockedCoin: payload.lockedCoin,
      })),
    ),
  )
  return all.flat()
}

async function take(before: TestLedger, [kind, pick]: Step): Promise<void> {
  const ledger = await renewRound(before)
  const context = collectContext(ledger)
  const at = <T>(all: readonly T[]): T | undefined => all[pick % Math.max(all.length, 1)]
  const mine = (await ledger.reader.active(coin, { owner: ALICE })).map(({ id }) => id)
  const means = meansOf(ledger, mine)
  if (kind === 'wait') return ledger.move(BigInt(1 + (pick % 30)) * HOUR)
  if (kind === 'ask') return void (await ask(ledger, { expiresAt: START + 365n * DAY }))
  if (kind === 'offer') return void (await offer(ledger))
  if (kind === 'accept') {
    const request = at(await ledger.reader.all(appPaymentRequest))
    const offered = at(await ledger.reader.all(subscriptionRequest))
    await ledger.submit([ALICE], (tx) =>
      pick % 2 === 0 && request !== undefined
        ? tx.exercise(appPaymentRequestAccept, request.id, means)
        : tx.exercise(subscriptionRequestAcceptAndMakePayment, offered?.id ?? '', means),
    )
  } else if (kind === 'pay') {
    const id = at(await ledger.reader.all(subscriptionIdleState))?.id ?? ''
    await ledger.submit([ALICE], exercising(subscriptionIdleStateMakePayment, id, means))
  } else if (kind === 'open') {
    const id = at(await ledger.reader.all(lockedCoin))?.id ?? ''
    await ledger.submit([ALICE], exercising(lockedCoinOwnerExpireLock, id, {}))
  } else {
    const payment = at(await paymentsOf(ledger))
    if (payment === undefined) return
    const { kind: of, id, lockedCoin: lock } = payment
    const hasLock = (await ledger.reader.get(lockedCoin, lock)) !== undefined
    await ledger.submit(kind === 'reject' ? [BOB, APP] : ALL, (tx) =>
      kind === 'expire' ? of.expire(tx, id, context, hasLock) : of[kind](tx, id, context),
    )
  }
}

test('in whatever order payments end, no coin is lost or doubled, and none is locked for nothing', async () => {
  const kind = fc.constantFrom<Step[0][]>(
    'ask',
    'offer',
    'accept',
    'accept',
    'pay',
    'collect',
    'collect',
    'reject',
    'expire',
    'open',
    'wait',
  )
  const steps = fc.array(fc.tuple(kind, fc.nat({ max: 100 })), { minLength: 20, maxLength: 40 })
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const ledger = await testLedger()
      await ledger.coins(ALICE, '35', '25')
      for (const step of all) {
        await take(ledger, step)
        const held = await Promise.all(ALL.map((party) => ledger.held(party)))
        const total = sum(held.flatMap(({ unlocked, locked }) => [...unlocked, ...locked]))
        assert.equal(total, dec('60'))
        assert.equal((await ledger.reader.total('supply', '')).amount, dec('60'))
        const named = new Set((await paymentsOf(ledger)).map((payment) => payment.lockedCoin))
        for (const { id } of await ledger.reader.all(lockedCoin)) assert.ok(named.has(id))
      }
    }),
    { numRuns: 15 },
  )
})
