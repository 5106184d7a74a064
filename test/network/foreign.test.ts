// Whoever makes contracts of a network of his own gets nowhere: what looks like a coin, a coupon,
// traffic or a vote of the network's is one, or is refused. Services can thus take what they find
// for what it is. docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contracts from '../../runtime/contracts/index.ts'
import {
  appRewardCoupon,
  coin,
  coinPriceVote,
  coinTransferInstruction,
  externalPartyCoinRulesCreateTransferCommand,
  featuredAppRight,
  memberTraffic,
  NO_METADATA,
  transferCommandCounter,
  unclaimedActivityRecord,
  walletAppInstall,
} from '../../runtime/contracts/index.ts'
import { decimalOf } from '../../runtime/engine/index.ts'
import type { Template, Tx } from '../../runtime/engine/index.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { createOnboarding } from '../../runtime/economy/wallets/onboarding.ts'
import { createUserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import { SECOND, startNetwork, type Network } from './kit.ts'

const HUGE = decimalOf(10n ** 27n)

/** Contracts that a party would make in a network of its own; nobody else signs them. */
function forgeries(
  { economy, clock }: Network,
  forger: string,
): Readonly<Record<string, (tx: Tx) => string>> {
  const { operator, sv, member, dso: genuine } = economy.parties
  const now = clock.nowMicros()
  const transfer = {
    sender: forger,
    receiver: genuine,
    amount: HUGE,
    instrumentId: { admin: forger, id: 'Coin' },
    requestedAt: now - SECOND,
    executeBefore: now,
    inputHoldingCids: [],
    meta: NO_METADATA,
  }
  const make =
    <T>(template: Template<T>, payload: T) =>
    (tx: Tx) =>
      tx.create(template, payload)
  return {
    coin: make(coin, {
      dso: forger,
      owner: forger,
      amount: { initialAmount: HUGE, createdAt: 0n, ratePerRound: { rate: 0n } },
    }),
    coupon: make(appRewardCoupon, {
      dso: forger,
      provider: operator,
      featured: true,
      amount: HUGE,
      round: 0n,
      beneficiary: null,
    }),
    record: make(unclaimedActivityRecord, {
      dso: forger,
      beneficiary: operator,
      amount: HUGE,
      reason: '',
      expiresAt: now + SECOND,
    }),
    traffic: make(memberTraffic, {
      dso: forger,
      memberId: member,
      synchronizerId: economy.node.synchronizerId,
      migrationId: 0n,
      totalPurchased: 2n ** 63n - 1n,
      numPurchases: 1n,
      coinSpent: 0n,
      usdSpent: 0n,
    }),
    price: make(coinPriceVote, { dso: forger, sv, coinPrice: HUGE, lastUpdatedAt: now }),
    right: make(featuredAppRight, { dso: forger, provider: operator, activityWeight: null }),
    instruction: make(coinTransferInstruction, { lockedCoin: `00${'ab'.repeat(48)}`, transfer }),
    wallet: make(walletAppInstall, {
      dsoParty: forger,
      validatorParty: forger,
      endUserName: 'operator',
      endUserParty: forger,
    }),
  }
}

test('contracts of another network are refused, whatever they would be', async () => {
  const network = await startNetwork({ seeded: true })
  const forger = (await network.store.users.get('alice'))?.primaryParty ?? ''
  const before = await network.store.contracts.ledgerEnd()
  for (const [what, run] of Object.entries(forgeries(network, forger))) {
    const outcome = await network.economy.engine.submit({ actAs: [forger], userId: 'alice', run })
    assert.ok(
      !outcome.ok &&
        outcome.kind === 'aborted' &&
        /is of another network$/.test(outcome.reason.message),
      what,
    )
  }
  assert.deepEqual(await network.store.contracts.ledgerEnd(), before)
})

test('as many wallets of a name as a page has do not hide the one that counts', async () => {
  const network = await startNetwork({ seeded: true })
  const { economy, store, clock } = network
  const forger = (await store.users.get('alice'))?.primaryParty ?? ''
  const own = {
    dsoParty: economy.parties.dso,
    validatorParty: forger,
    endUserName: 'carol',
    endUserParty: forger,
  }
  const made = await economy.engine.submit({
    actAs: [forger],
    userId: 'alice',
    free: true,
    run: (tx) => Array.from({ length: 1_001 }, () => tx.create(walletAppInstall, own)).length,
  })
  assert.ok(made.ok)
  const onboarding = createOnboarding(
    economy,
    createUserKeeper(store, new PrincipalDirectory(store, clock)),
  )
  const onboarded = await onboarding.onboardUser({ name: 'carol', identityProviderId: '' })
  assert.ok(onboarded.ok && onboarded.partyId !== forger)
})

test('as many orders to send as a page has do not keep others from their counters', async () => {
  const network = await startNetwork({ seeded: true })
  const { economy, store, clock } = network
  const { dso, operator } = economy.parties
  const [hog = '', other = ''] = (
    await Promise.all(['alice', 'bob'].map((name) => store.users.get(name)))
  ).map((user) => user?.primaryParty)
  const factory = await economy.network.externalPartyCoinRules()
  const order = (sender: string, count: bigint) =>
    economy.engine.submit({
      actAs: [sender],
      userId: '',
      free: true,
      disclosedContracts: [factory.record],
      run: (tx) => {
        for (let nonce = 0n; nonce < count; nonce += 1n)
          tx.exercise(externalPartyCoinRulesCreateTransferCommand, factory.id, {
            sender,
            receiver: operator,
            delegate: sender,
            amount: 1n,
            expiresAt: clock.nowMicros() + SECOND,
            nonce,
            description: null,
            expectedDso: dso,
          })
      },
    })
  assert.ok((await order(hog, 1_001n)).ok)
  assert.ok((await order(other, 1n)).ok)
  await network.work('transfer-commands')
  assert.deepEqual(
    (await network.payloads(transferCommandCounter)).map(({ sender }) => sender).toSorted(),
    [hog, other].toSorted(),
  )
})

test('every template that has a network says which it is', () => {
  const templates = Object.values(contracts).flatMap((each) =>
    typeof each === 'object' && 'rules' in each && 'signatories' in each.rules ? [each] : [],
  )
  const without = templates.filter(({ rules }) => !('issuer' in rules)).map(({ type }) => type.name)
  assert.ok(templates.length > without.length)
  assert.deepEqual(without.toSorted(), [
    'BatchMergeUtility',
    'MergeDelegation',
    'MergeDelegationProposal',
    'OTCTrade',
    'OTCTradeProposal',
    'Ping',
    'TerminatedAppPayment',
    'TestTokenAllocation',
    'TestTokenAllocationInstruction',
    'TestTokenHolding',
    'TestTokenRules',
  ])
})
