// Legacy offers: who may do what until when, and what completion pays. docs/economy-rules.md,
// "Legacy offers"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  acceptedTransferOffer,
  acceptedTransferOfferAbort,
  acceptedTransferOfferComplete,
  acceptedTransferOfferExpire,
  acceptedTransferOfferWithdraw,
  transferOffer,
  transferOfferAccept,
  transferOfferExpire,
  transferOfferReject,
  transferOfferWithdraw,
} from '../../runtime/contracts/wallet/transfer-offer.ts'
import {
  ALICE,
  BOB,
  CAROL,
  dec,
  DSO,
  outline,
  SECOND,
  START,
  startNetwork,
  VALIDATOR,
  exercising,
  creating,
} from './wallet-kit.ts'
import type { Network } from './wallet-kit.ts'
import type { TransferOffer } from '../../generated/contracts.gen.ts'

const EXPIRY = START + 60n * SECOND

const OFFER: TransferOffer = {
  sender: ALICE,
  receiver: BOB,
  dso: DSO,
  amount: { amount: dec('4'), unit: 'CoinUnit' },
  description: 'lunch',
  expiresAt: EXPIRY,
  trackingId: 'offer-1',
}
const TRACKING = { trackingId: 'offer-1', sender: ALICE, receiver: BOB }

describe('A legacy offer', () => {
  let network: Network

  beforeEach(async () => {
    network = await startNetwork()
  })

  async function offer(changes: Partial<TransferOffer> = {}): Promise<string> {
    return network.run([ALICE], creating(transferOffer, { ...OFFER, ...changes }))
  }

  async function accepted(changes: Partial<TransferOffer> = {}): Promise<string> {
    const cid = await offer(changes)
    const result = await network.run([BOB], exercising(transferOfferAccept, cid, {}))
    return result.acceptedTransferOffer
  }

  it('is refused without amount, in an unknown unit or with long texts', async () => {
    const changes: readonly Partial<TransferOffer>[] = [
      { amount: { amount: 0n, unit: 'CoinUnit' } },
      { amount: { amount: 1n, unit: 'ExtUnit' } },
      { description: 'x'.repeat(280) },
      { trackingId: 'x'.repeat(280) },
    ]
    for (const change of changes) {
      const rejection = await network.refused(
        [ALICE],
        creating(transferOffer, { ...OFFER, ...change }),
      )
      assert.equal(rejection.kind, 'aborted')
    }
    await offer({ description: '😀'.repeat(279), trackingId: 'x'.repeat(279) })
  })

  it("is the sender's to make", async () => {
    const rejection = await network.refused([BOB], creating(transferOffer, OFFER))
    assert.equal(rejection.kind, 'unauthorised')
  })

  it('is accepted by the receiver and found by sender, receiver and tracking id', async () => {
    const cid = await accepted()
    for (const key of [{ sender: ALICE }, { receiver: BOB }, { trackingId: 'offer-1' }]) {
      const [found] = await network.reader.active(acceptedTransferOffer, key)
      assert.equal(found?.id, cid)
    }
    assert.deepEqual(await network.reader.active(transferOffer), [])
  })

  it('is not accepted, rejected, withdrawn or expired by others', async () => {
    const cid = await offer()
    const attempts = [
      await network.refused([ALICE], exercising(transferOfferAccept, cid, {})),
      await network.refused([ALICE], exercising(transferOfferReject, cid, {})),
      await network.refused([BOB], exercising(transferOfferWithdraw, cid, { reason: '' })),
    ]
    assert.deepEqual(
      attempts.map(({ kind }) => kind),
      Array(3).fill('unauthorised'),
    )
    network.clock.moveTo(EXPIRY)
    await network.denied(
      'aborted',
      [CAROL, ALICE],
      exercising(transferOfferExpire, cid, { actor: CAROL }),
    )
    await network.denied(
      'unauthorised',
      [BOB],
      exercising(transferOfferExpire, cid, { actor: ALICE }),
    )
  })

  it('is accepted before expiry and expires from expiry on, equality included', async () => {
    const cid = await offer()
    network.clock.moveTo(EXPIRY - 1n)
    await network.denied('too-early', [BOB], exercising(transferOfferExpire, cid, { actor: BOB }))
    network.clock.moveTo(EXPIRY)
    await network.denied('too-late', [BOB], exercising(transferOfferAccept, cid, {}))
    const ended = await network.run([BOB], exercising(transferOfferExpire, cid, { actor: BOB }))
    assert.deepEqual(ended, { trackingInfo: TRACKING, reason: null })
  })

  it('is rejected and withdrawn, also after expiry', async () => {
    const [rejected, withdrawn] = [await offer(), await offer()]
    network.clock.moveTo(EXPIRY)
    const rejection = await network.run([BOB], exercising(transferOfferReject, rejected, {}))
    assert.deepEqual(rejection, { trackingInfo: TRACKING, reason: null })
    const withdrawal = await network.run(
      [ALICE],
      exercising(transferOfferWithdraw, withdrawn, { reason: 'no' }),
    )
    assert.deepEqual(withdrawal, { trackingInfo: TRACKING, reason: 'no' })
  })

  it('pays the receiver out of the inputs when it is completed', async () => {
    const [cid, input] = [await accepted(), await network.mint(ALICE, '10')]
    const argument = { inputs: [input], context: network.context, walletProvider: VALIDATOR }
    const result = await network.run(
      [ALICE, VALIDATOR],
      exercising(acceptedTransferOfferComplete, cid, argument),
    )
    assert.deepEqual(result.trackingInfo, TRACKING)
    assert.equal(result.receiverCoin, result.transferResult.createdCoins[0]?.value)
    assert.deepEqual(await network.coinsOf(BOB), [dec('4')])
    assert.deepEqual(await network.coinsOf(ALICE), [dec('6')])
    assert.deepEqual(outline(network.transactions.at(-1)).slice(0, 2), [
      'AcceptedTransferOffer_Complete',
      '  CoinRules_LegacyTransfer',
    ])
  })

  it('in USD pays at the price of the round', async () => {
    const cid = await accepted({ amount: { amount: dec('3'), unit: 'USDUnit' } })
    const argument = {
      inputs: [await network.mint(ALICE, '10')],
      context: network.context,
      walletProvider: VALIDATOR,
    }
    await network.run([ALICE, VALIDATOR], exercising(acceptedTransferOfferComplete, cid, argument))
    assert.deepEqual(await network.coinsOf(BOB), [dec('6')])
  })

  it('is completed by sender and provider only, before expiry, with funds', async () => {
    const [cid, input] = [await accepted(), await network.mint(ALICE, '3.9')]
    const argument = { inputs: [input], context: network.context, walletProvider: VALIDATOR }
    const complete = (actAs: readonly string[]) =>
      network.refused(actAs, exercising(acceptedTransferOfferComplete, cid, argument))
    assert.equal((await complete([ALICE])).kind, 'unauthorised')
    assert.equal((await complete([BOB, VALIDATOR])).kind, 'unauthorised')
    const poor = await complete([ALICE, VALIDATOR])
    assert.ok(poor.kind === 'aborted' && poor.reason.id === 'insufficient-funds')
    network.clock.moveTo(EXPIRY)
    assert.equal((await complete([ALICE, VALIDATOR])).kind, 'too-late')
  })

  it('once accepted is aborted, withdrawn or expired by whom it concerns', async () => {
    const cids = [await accepted(), await accepted(), await accepted()]
    const [first = '', second = '', third = ''] = cids
    const foreign = [
      await network.refused([BOB], exercising(acceptedTransferOfferAbort, first, { reason: '' })),
      await network.refused(
        [ALICE],
        exercising(acceptedTransferOfferWithdraw, second, { reason: '' }),
      ),
    ]
    assert.deepEqual(
      foreign.map(({ kind }) => kind),
      ['unauthorised', 'unauthorised'],
    )
    const aborted = await network.run(
      [ALICE],
      exercising(acceptedTransferOfferAbort, first, { reason: 'poor' }),
    )
    assert.deepEqual(aborted, { trackingInfo: TRACKING, reason: 'poor' })
    const withdrawn = await network.run(
      [BOB],
      exercising(acceptedTransferOfferWithdraw, second, { reason: 'x' }),
    )
    assert.deepEqual(withdrawn, { trackingInfo: TRACKING, reason: 'x' })
    const expire = { actor: ALICE }
    await network.denied(
      'too-early',
      [ALICE],
      exercising(acceptedTransferOfferExpire, third, expire),
    )
    network.clock.moveTo(EXPIRY)
    const expired = await network.run(
      [ALICE],
      exercising(acceptedTransferOfferExpire, third, expire),
    )
    assert.deepEqual(expired, { trackingInfo: TRACKING, reason: null })
  })
})
