// A refusal says what is wrong, not what would be right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dsoRulesUpdateCoinPriceVote, transferOffer } from '../../runtime/contracts/index.ts'
import { DSO, startNetwork, sv } from '../contracts/network-fixture.ts'
import type { NetworkUnderTest } from '../contracts/network-fixture.ts'

const ALICE = 'alice::1220ee'
const offer = {
  sender: ALICE,
  receiver: 'bob::1220bb',
  dso: DSO,
  amount: { amount: 1n, unit: 'CoinUnit' },
  description: '',
  expiresAt: 0n,
  trackingId: 't',
} as const

async function vote(network: NetworkUnderTest, party: string, coinPrice: bigint): Promise<string> {
  const argument = { sv: party, coinPrice, optCoinPriceVoteCid: null, now: network.now() }
  const done = await network.submit(
    party,
    dsoRulesUpdateCoinPriceVote,
    await network.dsoRulesId(),
    argument,
  )
  assert.ok(!done.ok && done.kind === 'aborted')
  return done.reason.message
}

test('who is not a super validator reads that', async () => {
  assert.equal(await vote(await startNetwork(), ALICE, 1n), `${ALICE} is not a super validator`)
})

test('a requirement that is not met is called one', async () => {
  assert.equal(
    await vote(await startNetwork(), sv(1), 0n),
    'Requirement not met: the price is above 0; given: 0.0000000000',
  )
})

test('a time before 1970 is named as one, not as a negative rank', async () => {
  const done = await (
    await startNetwork()
  ).refusalOfCreate(ALICE, transferOffer, { ...offer, expiresAt: -1_000_000n })
  assert.ok(done.kind === 'invalid')
  assert.equal(
    done.reason,
    'TransferOffer is ordered by -1000000: times before 1970 and negative numbers are not taken',
  )
})
