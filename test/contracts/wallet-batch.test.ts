// Batches of operations: order, change that is threaded through, errors that leave the inputs to
// the next. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  acceptedTransferOffer,
  buyTrafficRequestCancel,
  buyTrafficRequest,
  transferOffer,
  installChoices,
  validatorTopUpState,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  DAY,
  dec,
  DSO,
  MEMBER,
  outline,
  SECOND,
  START,
  startNetwork,
  SYNCHRONIZER,
  VALIDATOR,
  exercising,
  creating,
} from './wallet-kit.ts'
import type {
  BuyMemberTrafficOperation,
  CoinOperation,
  CoinOperationOutcome,
  PaymentAmount,
  TransferInput,
} from '../../generated/contracts.gen.ts'
import type { Network } from './wallet-kit.ts'

const { WalletAppInstall_ExecuteBatch: executeBatch } = installChoices

const EXPIRY = START + 60n * SECOND
const CHEAP = 200_000n // bytes: 4 coin at 10 USD a megabyte and 0.5 USD a coin

describe('A batch', () => {
  let network: Network
  let install: string

  beforeEach(async () => {
    network = await startNetwork()
    install = await network.install(ALICE)
  })

  async function execute(
    inputs: readonly TransferInput[],
    ...operations: readonly CoinOperation[]
  ): Promise<readonly CoinOperationOutcome[]> {
    const argument = { context: network.context, inputs, operations }
    const { outcomes } = await network.run([VALIDATOR], exercising(executeBatch, install, argument))
    return outcomes
  }

  async function accepted(
    amount: string,
    unit: PaymentAmount['unit'] = 'CoinUnit',
  ): Promise<CoinOperation> {
    const offer = {
      sender: ALICE,
      receiver: BOB,
      dso: DSO,
      amount: { amount: dec(amount), unit },
      expiresAt: EXPIRY,
      trackingId: 't',
    }
    const acceptedTransferOfferCid = await network.run(
      [ALICE, BOB],
      creating(acceptedTransferOffer, offer),
    )
    return { tag: 'CO_CompleteAcceptedTransfer', value: { acceptedTransferOfferCid } }
  }

  it('gives each operation the change of the one before as its only input', async () => {
    const inputs = [await network.mint(ALICE, '10'), await network.mint(ALICE, '5')]
    const outcomes = await execute(
      inputs,
      await accepted('4'),
      await accepted('3'),
      await accepted('8'),
    )
    assert.deepEqual(
      outcomes.map(({ tag }) => tag),
      Array(3).fill('COO_CompleteAcceptedTransfer'),
    )
    const [first, second] = outcomes
    assert.ok(
      first?.tag === 'COO_CompleteAcceptedTransfer' &&
        second?.tag === 'COO_CompleteAcceptedTransfer',
    )
    assert.equal(
      second.value.transferResult.summary.inputCoinAmount,
      first.value.transferResult.summary.senderChangeAmount,
    )
    assert.deepEqual(await network.coinsOf(ALICE), [])
    assert.deepEqual(await network.coinsOf(BOB), [dec('8'), dec('4'), dec('3')])
    assert.deepEqual(outline(network.transactions.at(-1)).slice(0, 3), [
      'WalletAppInstall_ExecuteBatch',
      '  AcceptedTransferOffer_Complete',
      '    CoinRules_LegacyTransfer',
    ])
  })

  it('goes on after an operation without funds, which leaves the inputs as they were', async () => {
    const poor = await accepted('7')
    const outcomes = await execute(
      [await network.mint(ALICE, '6')],
      await accepted('2'),
      poor,
      await accepted('4'),
    )
    assert.deepEqual(
      outcomes.map(({ tag }) => tag),
      ['COO_CompleteAcceptedTransfer', 'COO_Error', 'COO_CompleteAcceptedTransfer'],
    )
    assert.deepEqual(outcomes[1]?.value, {
      tag: 'ITR_InsufficientFunds',
      value: { missingAmount: dec('3') },
    })
    assert.equal((await network.reader.active(acceptedTransferOffer)).length, 1)
    assert.deepEqual(await network.coinsOf(BOB), [dec('4'), dec('2')])
  })

  it('counts what coupons bring before the first operation', async () => {
    const inputs = [await network.mint(ALICE, '1'), await network.appCoupon(ALICE, '10')]
    const outcomes = await execute(inputs, await accepted('7'), await accepted('6'))
    assert.deepEqual(
      outcomes.map(({ tag }) => tag),
      ['COO_Error', 'COO_CompleteAcceptedTransfer'],
    )
    assert.deepEqual(outcomes[0]?.value, {
      tag: 'ITR_InsufficientFunds',
      value: { missingAmount: dec('1') },
    })
  })

  it('pays offers in USD', async () => {
    const [paid, poor] = await execute(
      [await network.mint(ALICE, '7')],
      await accepted('3', 'USDUnit'),
      await accepted('1', 'USDUnit'),
    )
    assert.equal(paid?.tag, 'COO_CompleteAcceptedTransfer')
    assert.deepEqual(poor?.value, {
      tag: 'ITR_InsufficientFunds',
      value: { missingAmount: dec('1') },
    })
    assert.deepEqual(await network.coinsOf(BOB), [dec('6')])
  })

  it('ends as a whole where a fault cannot be foreseen', async () => {
    const operations = [await accepted('1'), await accepted('1')]
    const inputs = [await network.mint(ALICE, '10')]
    network.clock.moveTo(EXPIRY)
    const argument = { context: network.context, inputs, operations }
    const rejection = await network.refused(
      [VALIDATOR],
      exercising(executeBatch, install, argument),
    )
    assert.equal(rejection.kind, 'too-late')
    assert.deepEqual(await network.coinsOf(ALICE), [dec('10')])
  })

  it('has what to pay in coin or dollars, and ends requests for traffic in time', async () => {
    const offer = {
      sender: ALICE,
      receiver: BOB,
      dso: DSO,
      amount: { amount: 1n, unit: 'ExtUnit' as const },
      description: '',
      expiresAt: EXPIRY,
      trackingId: 't',
    }
    await network.denied('aborted', [ALICE], creating(transferOffer, offer))
    const request = await network.run(
      [ALICE],
      creating(buyTrafficRequest, {
        dso: DSO,
        endUserParty: ALICE,
        expiresAt: EXPIRY,
        trackingId: 'r',
        trafficAmount: CHEAP,
        memberId: MEMBER,
        synchronizerId: SYNCHRONIZER,
        migrationId: 0n,
      }),
    )
    network.clock.moveTo(EXPIRY)
    const cancel = exercising(buyTrafficRequestCancel, request, { reason: '' })
    await network.denied('too-late', [ALICE], cancel)
  })

  it('takes no coin of somebody else', async () => {
    const argument = {
      context: network.context,
      inputs: [await network.mint(BOB, '10')],
      operations: [await accepted('1')],
    }
    const rejection = await network.refused(
      [VALIDATOR],
      exercising(executeBatch, install, argument),
    )
    assert.equal(rejection.kind, 'unauthorised')
  })
})

describe('A batch of the validator itself', () => {
  const topUp = {
    dso: DSO,
    validator: VALIDATOR,
    memberId: MEMBER,
    synchronizerId: SYNCHRONIZER,
    migrationId: 0n,
    lastPurchasedAt: 0n,
  }

  async function prepare(isDevNet: boolean) {
    const network = await startNetwork({ isDevNet })
    const install = await network.install(VALIDATOR)
    const state = await network.run([VALIDATOR], creating(validatorTopUpState, topUp))
    const batch = (inputs: readonly TransferInput[], operations: readonly CoinOperation[]) => {
      return { context: network.context, inputs, operations }
    }
    const execute = async (
      inputs: readonly TransferInput[],
      ...operations: readonly CoinOperation[]
    ) => {
      const argument = batch(inputs, operations)
      const { outcomes } = await network.run(
        [VALIDATOR],
        exercising(executeBatch, install, argument),
      )
      return outcomes
    }
    const refuse = async (
      inputs: readonly TransferInput[],
      ...operations: readonly CoinOperation[]
    ) => {
      const argument = batch(inputs, operations)
      return network.refused([VALIDATOR], exercising(executeBatch, install, argument))
    }
    return { network, state, execute, refuse }
  }

  function buy(
    topupStateCid: string,
    change: Partial<BuyMemberTrafficOperation> = {},
  ): CoinOperation {
    return {
      tag: 'CO_BuyMemberTraffic',
      value: {
        trafficAmount: CHEAP,
        memberId: MEMBER,
        synchronizerId: SYNCHRONIZER,
        migrationId: 0n,
        minTopupInterval: 600n * SECOND,
        topupStateCid,
        now: START,
        ...change,
      },
    }
  }

  it('tops up out of its coins, not again before the interval is over', async () => {
    const { network, state, execute, refuse } = await prepare(false)
    const [outcome] = await execute([await network.mint(VALIDATOR, '9')], buy(state))
    assert.ok(
      outcome?.tag === 'COO_BuyMemberTraffic' && outcome.value.purchase.coinPaid === dec('4'),
    )
    assert.deepEqual(await network.coinsOf(VALIDATOR), [dec('5')])
    const { topupStateCid } = outcome.value
    const renewed = await network.reader.get(validatorTopUpState, topupStateCid)
    assert.equal(renewed?.payload.lastPurchasedAt, START)
    const change = outcome.value.purchase.senderChangeCoin ?? ''
    const inputs: readonly TransferInput[] = [{ tag: 'InputCoin', value: change }]
    network.clock.moveTo(START + 600n * SECOND - 1n)
    assert.equal(
      (await refuse(inputs, buy(topupStateCid, { now: START + 600n * SECOND - 1n }))).kind,
      'aborted',
    )
    assert.equal(
      (await refuse(inputs, buy(topupStateCid, { now: START + 600n * SECOND }))).kind,
      'too-early',
    )
    assert.equal((await refuse(inputs, buy(state))).kind, 'contract-not-found')
    network.clock.moveTo(START + 600n * SECOND)
    const [again] = await execute(inputs, buy(topupStateCid, { now: START + 600n * SECOND }))
    assert.equal(again?.tag, 'COO_BuyMemberTraffic')
  })

  it('leaves the top-up state where it cannot pay', async () => {
    const { network, state, execute, refuse } = await prepare(false)
    const input = await network.mint(VALIDATOR, '3')
    await execute([input], buy(state))
    assert.ok(await network.reader.get(validatorTopUpState, state))
    const more = await network.mint(VALIDATOR, '3')
    const other = buy(state, { memberId: 'PAR::other::12' })
    assert.equal((await refuse([input, more], other)).kind, 'aborted')
  })

  it('adds what it taps to the inputs', async () => {
    const { network, execute, refuse } = await prepare(true)
    const tap: CoinOperation = { tag: 'CO_Tap', value: { tapAmount: dec('2') } }
    const input = await network.mint(VALIDATOR, '1')
    const outcomes = await execute([input], tap, tap, { tag: 'CO_MergeTransferInputs', value: {} })
    assert.deepEqual(
      outcomes.map(({ tag }) => tag),
      ['COO_Tap', 'COO_Tap', 'COO_MergeTransferInputs'],
    )
    assert.deepEqual(await network.coinsOf(VALIDATOR), [dec('5')])
    assert.equal((await refuse([], { tag: 'CO_Tap', value: { tapAmount: 0n } })).kind, 'aborted')
    const real = await prepare(false)
    assert.equal((await real.refuse([], tap)).kind, 'aborted')
  })

  it("alone pays for setup proposals, a user's wallet does not", async () => {
    const { network } = await prepare(false)
    const operation: CoinOperation = {
      tag: 'CO_CreateExternalPartySetupProposal',
      value: {
        externalParty: CAROL,
        preapprovalExpiresAt: START + 91n * DAY,
        now: START,
      },
    }
    const install = await network.install(ALICE)
    const argument = {
      context: network.context,
      inputs: [await network.mint(ALICE, '9')],
      operations: [operation],
    }
    const rejection = await network.refused(
      [VALIDATOR],
      exercising(executeBatch, install, argument),
    )
    assert.equal(rejection.kind, 'aborted')
  })
})
