// Coin that is kept for one leg of a settlement: what locks it, who ends it and when, and that
// whatever order things come in, no coin is lost or doubled. docs/allocations.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Allocation, AllocationFactory } from '../../generated/contracts.gen.ts'
import {
  appRewardCoupon,
  coin,
  coinAllocation,
  coinAllocationDsoExpire,
  featuredAppRight,
  lockedCoin,
  lockedCoinOwnerExpireLock,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  DAY,
  dec,
  describe,
  DSO,
  SECOND,
  START,
  testLedger,
  exercising,
  exercisingInterface,
} from '../support/ledger.ts'
import type {
  AllocationSpecificationV1,
  AnyValue,
  ExtraArgs,
  SettlementInfoV1,
  TransferLeg,
} from '../../generated/contracts.gen.ts'
import type { TestLedger } from '../support/ledger.ts'
import type { Tx } from '../../runtime/engine/index.ts'

const VENUE = CAROL
const NO_META = { values: new Map<string, string>() }
const { AllocationFactory_Allocate } = AllocationFactory.choices
const { Allocation_Cancel, Allocation_ExecuteTransfer, Allocation_Withdraw } = Allocation.choices

function extraArgs(
  ledger: TestLedger,
  expireLock: boolean,
  contracts: Readonly<Record<string, string>> = {},
): ExtraArgs {
  const ids = { 'coin-rules': ledger.rules, 'open-round': ledger.round, ...contracts }
  const values = new Map<string, AnyValue>([['expire-lock', { tag: 'AV_Bool', value: expireLock }]])
  for (const [key, value] of Object.entries(ids)) values.set(key, { tag: 'AV_ContractId', value })
  return { context: { values }, meta: NO_META }
}

interface Terms {
  readonly settlement?: Partial<SettlementInfoV1>
  readonly leg?: Partial<TransferLeg>
  readonly expectedAdmin?: string
  readonly requestedAt?: bigint
}

/** Alice is to send 4 coin to Bob; allocated within a day, settled within two. */
function specification({ settlement, leg }: Terms = {}): AllocationSpecificationV1 {
  return {
    settlement: {
      executor: VENUE,
      settlementRef: { id: 'trade 17', cid: null },
      requestedAt: START,
      allocateBefore: START + DAY,
      settleBefore: START + 2n * DAY,
      meta: NO_META,
      ...settlement,
    },
    transferLegId: 'leg0',
    transferLeg: {
      sender: ALICE,
      receiver: BOB,
      amount: dec('4'),
      instrumentId: { admin: DSO, id: 'Coin' },
      meta: NO_META,
      ...leg,
    },
  }
}

function allocateBy(ledger: TestLedger, inputHoldingCids: readonly string[], terms: Terms = {}) {
  const argument = {
    expectedAdmin: terms.expectedAdmin ?? DSO,
    allocation: specification(terms),
    requestedAt: terms.requestedAt ?? START,
    inputHoldingCids,
    extraArgs: extraArgs(ledger, true),
  }
  return exercisingInterface(AllocationFactory_Allocate, ledger.factory, argument)
}

async function allocated(ledger: TestLedger, inputs: readonly string[], terms?: Terms) {
  const { output } = await ledger.done(
    [terms?.leg?.sender ?? ALICE],
    allocateBy(ledger, inputs, terms),
  )
  assert.ok(output.tag === 'AllocationInstructionResult_Completed', output.tag)
  return output.value.allocationCid
}

/** Locked coins are disclosed to whoever settles, as the registry does. */
async function disclosed(ledger: TestLedger) {
  const locked = await ledger.reader.all(lockedCoin)
  const allocations = await ledger.reader.all(coinAllocation)
  return { disclosedContracts: [...locked, ...allocations].map(({ record }) => record) }
}

const ALL = [VENUE, ALICE, BOB]
const execute = (ledger: TestLedger, id: string, contracts = {}) =>
  exercisingInterface(Allocation_ExecuteTransfer, id, {
    extraArgs: extraArgs(ledger, true, contracts),
  })
const cancel = (ledger: TestLedger, id: string, hasLock = true) =>
  exercisingInterface(Allocation_Cancel, id, { extraArgs: extraArgs(ledger, hasLock) })
const withdraw = (ledger: TestLedger, id: string, hasLock = true) =>
  exercisingInterface(Allocation_Withdraw, id, { extraArgs: extraArgs(ledger, hasLock) })
const expire = (id: string, expireLock = true) =>
  exercising(coinAllocationDsoExpire, id, { expireLock })

test('an allocation locks exactly its amount until settlement ends, and shows itself by the interface', async () => {
  const ledger = await testLedger()
  const id = await allocated(ledger, await ledger.coins(ALICE, '5', '4'))
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5')], locked: [dec('4')] })
  const [locked] = await ledger.reader.active(lockedCoin)
  assert.deepEqual(locked?.payload.lock, {
    holders: [DSO],
    expiresAt: START + 2n * DAY,
    optContext: "allocation for transfer leg 'leg0'",
  })
  const found = await ledger.reader.get(coinAllocation, id)
  assert.ok(found !== undefined)
  const bound = ledger.engine.template(found.record.templateId)
  assert.deepEqual(Allocation.view.decode(bound?.viewOf(found.record, Allocation.id)), {
    allocation: specification(),
    holdingCids: [locked.id],
    meta: NO_META,
  })
})

test('executed: the receiver has it, a featured executor earns', async () => {
  const ledger = await testLedger()
  const right = await ledger.create(featuredAppRight, {
    dso: DSO,
    provider: VENUE,
    activityWeight: null,
  })
  const id = await allocated(ledger, await ledger.coins(ALICE, '9'))
  const more = await disclosed(ledger)
  const result = await ledger.done(ALL, execute(ledger, id, { 'featured-app-right': right }), more)
  assert.deepEqual([result.senderHoldingCids, result.receiverHoldingCids.length], [[], 1])
  assert.deepEqual(await ledger.held(BOB), { unlocked: [dec('4')], locked: [] })
  assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('5')], locked: [] })
  const [coupon] = await ledger.reader.all(appRewardCoupon)
  assert.equal(coupon?.payload.provider, VENUE)
})

const REFUSED: readonly (readonly [string, Terms, kind?: string])[] = [
  ['another admin', { expectedAdmin: BOB }],
  ['another instrument', { leg: { instrumentId: { admin: DSO, id: 'Gold' } } }],
  ['no amount', { leg: { amount: 0n } }],
  ['a request from the future', { requestedAt: START + DAY }, 'too-early'],
  ['too late to allocate', { settlement: { allocateBefore: START } }, 'too-late'],
  ['settled before allocated', { settlement: { settleBefore: START + SECOND } }],
  ['kept too long', { settlement: { settleBefore: START + 91n * DAY } }],
  ['more than there is', { leg: { amount: dec('10') } }],
]

for (const [what, terms, kind = 'aborted'] of REFUSED) {
  test(`not allocated: ${what}`, async () => {
    const ledger = await testLedger()
    const coins = await ledger.coins(ALICE, '9')
    const outcome = await ledger.submit([ALICE], allocateBy(ledger, coins, terms))
    assert.equal(outcome.ok ? 'ok' : outcome.kind, kind, outcome.ok ? '' : describe(outcome))
    assert.deepEqual(await ledger.held(ALICE), { unlocked: [dec('9')], locked: [] })
  })
}

test('not allocated: nothing', async () => {
  const ledger = await testLedger()
  await ledger.denied('aborted', [ALICE], allocateBy(ledger, []))
})

type Step = readonly [
  kind: 'allocate' | 'execute' | 'settle' | 'withdraw' | 'cancel' | 'expire' | 'open' | 'wait',
  pick: number,
]

interface Live {
  readonly id: string
  readonly sender: string
  readonly receiver: string
  readonly amount: bigint
  readonly until: bigint
  hasLock: boolean
}

/** A model of what ought to be, kept beside the ledger. */
class Model {
  readonly free = new Map<string, bigint>([
    [ALICE, dec('60')],
    [BOB, dec('60')],
  ])
  live: Live[] = []

  give(party: string, amount: bigint): void {
    this.free.set(party, (this.free.get(party) ?? 0n) + amount)
  }

  lockedOf(party: string): bigint {
    const own = this.live.filter(({ sender, hasLock }) => sender === party && hasLock)
    return own.reduce((sum, { amount }) => sum + amount, 0n)
  }

  end(ended: readonly Live[], to: 'sender' | 'receiver'): void {
    this.live = this.live.filter((one) => !ended.includes(one))
    for (const one of ended) if (one.hasLock) this.give(one[to], one.amount)
  }
}

async function take(ledger: TestLedger, model: Model, [kind, pick]: Step): Promise<void> {
  const now = ledger.clock.nowMicros()
  const at = (index: number) => model.live[index % Math.max(model.live.length, 1)]
  const [one, other] = [at(pick), at(pick + 1)]
  const more = await disclosed(ledger)
  const act = async (actAs: readonly string[], run: (tx: Tx) => unknown) =>
    (await ledger.submit(actAs, run, more)).ok
  if (kind === 'wait') return ledger.move(6n * 3_600n * SECOND)
  if (kind === 'allocate') return allocateNext(ledger, model, pick)
  if (one === undefined) return
  const isOver = now >= one.until
  if (kind === 'execute') {
    const ok = await act(ALL, execute(ledger, one.id))
    assert.equal(ok, one.hasLock && !isOver)
    if (ok) model.end([one], 'receiver')
  } else if (kind === 'settle' && other !== undefined) {
    const ok = await act(ALL, (tx) => [one, other].map(({ id }) => execute(ledger, id)(tx)))
    const areGood = [one, other].every(({ hasLock, until }) => hasLock && now < until)
    assert.equal(ok, areGood && one !== other)
    if (ok) model.end([one, other], 'receiver')
  } else if (kind === 'open') {
    const { id } = one
    const lock = (await ledger.reader.get(coinAllocation, id))?.payload.lockedCoin ?? ''
    const ok = await act([one.sender], exercising(lockedCoinOwnerExpireLock, lock, {}))
    assert.equal(ok, one.hasLock && isOver)
    if (ok) {
      model.give(one.sender, one.amount)
      one.hasLock = false
    }
  } else {
    const ok = await returning(act, ledger, kind, one)
    assert.equal(ok, kind === 'expire' ? isOver : one.hasLock || isOver)
    if (ok) model.end([one], 'sender')
  }
}

function returning(
  act: (actAs: readonly string[], run: (tx: Tx) => unknown) => Promise<boolean>,
  ledger: TestLedger,
  kind: Step[0],
  { id, sender, hasLock }: Live,
): Promise<boolean> {
  if (kind === 'withdraw') return act([sender], withdraw(ledger, id, hasLock))
  if (kind === 'cancel') return act(ALL, cancel(ledger, id, hasLock))
  return act([DSO], expire(id, hasLock))
}

async function allocateNext(ledger: TestLedger, model: Model, pick: number): Promise<void> {
  const [sender, receiver] = pick % 2 === 0 ? [ALICE, BOB] : [BOB, ALICE]
  const amount = dec(String(1 + (pick % 25)))
  const now = ledger.clock.nowMicros()
  const until = now + BigInt(1 + (pick % 3)) * 6n * 3_600n * SECOND
  const coins = (await ledger.reader.active(coin, { owner: sender })).map(({ id }) => id)
  const terms = {
    settlement: { allocateBefore: until, settleBefore: until },
    leg: { sender, receiver, amount },
    requestedAt: now,
  }
  const done = await ledger.submit([sender], allocateBy(ledger, coins, terms))
  const free = model.free.get(sender) ?? 0n
  assert.equal(done.ok, free >= amount, done.ok ? '' : describe(done))
  if (!done.ok || done.result.output.tag !== 'AllocationInstructionResult_Completed') return
  model.give(sender, -amount)
  const id = done.result.output.value.allocationCid
  model.live.push({ id, sender, receiver, amount, until, hasLock: true })
}

async function assertAsReckoned(ledger: TestLedger, model: Model): Promise<void> {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)
  for (const party of [ALICE, BOB]) {
    const { unlocked, locked } = await ledger.held(party)
    assert.deepEqual([sum(unlocked), sum(locked)], [model.free.get(party), model.lockedOf(party)])
  }
  assert.equal((await ledger.reader.total('supply', '')).amount, dec('120'))
  const ids = (await ledger.reader.all(coinAllocation)).map(({ id }) => id)
  assert.deepEqual(ids.toSorted(), model.live.map(({ id }) => id).toSorted())
}

test('in whatever order they end, no coin is lost or doubled', async () => {
  const kind = fc.constantFrom<Step[0][]>(
    'allocate',
    'allocate',
    'allocate',
    'execute',
    'settle',
    'withdraw',
    'cancel',
    'expire',
    'open',
    'wait',
  )
  const steps = fc.array(fc.tuple(kind, fc.nat({ max: 100 })), { minLength: 15, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const ledger = await testLedger()
      await Promise.all([ALICE, BOB].map((party) => ledger.coins(party, '35', '25')))
      const model = new Model()
      for (const step of all) {
        await take(ledger, model, step)
        await assertAsReckoned(ledger, model)
      }
    }),
    { numRuns: 20 },
  )
})
