// What is remembered of contracts that seldom change: as long as nobody changed them, on whichever
// server, and no longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unclaimedActivityRecord } from '../../runtime/contracts/index.ts'
import { nextRead } from '../../runtime/economy/network/next-read.ts'
import { readFunds } from '../../runtime/economy/treasury/funds.ts'
import { twoServers } from '../wallet/offer-kit.ts'
import { NOTHING, tapCoins } from '../wallet/world.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one read answers all who asked before it began, and nobody who asked later', async () => {
  const gates: PromiseWithResolvers<number>[] = []
  const ask = nextRead(() => {
    const gate = Promise.withResolvers<number>()
    gates.push(gate)
    return gate.promise
  })
  const first = [ask(), ask()]
  await turn()
  const second = [ask(), ask(), ask()]
  await turn()
  assert.equal(gates.length, 1)
  gates[0]?.resolve(1)
  assert.deepEqual(await Promise.all(first), [1, 1])
  await turn()
  assert.equal(gates.length, 2)
  gates[1]?.resolve(2)
  assert.deepEqual(await Promise.all(second), [2, 2, 2])
})

test('who asks after a read that failed gets another', async () => {
  let reads = 0
  const ask = nextRead(async () => {
    reads += 1
    if (reads === 1) throw new Error('down')
    return reads
  })
  const first = ask()
  const later = turn().then(() => ask())
  await assert.rejects(first, /down/)
  assert.equal(await later, 2)
})

test('wallets, preapprovals and rights are those of the last commit of any server', async () => {
  const [world, other] = await twoServers({
    network: { traffic: { baseBurstBytes: 1_000_000_000 } },
  })
  const bob = await world.partyOf('bob')
  const { operator } = world.economy.parties
  const seen = async () => {
    const { network } = other.economy
    const [wallet, payable] = await Promise.all([
      network.walletOfUser('bob', bob),
      network.payableTo(bob),
    ])
    assert.equal((await network.walletOfParty(bob))?.id, wallet?.id)
    const ids = payable === undefined ? [] : [payable.preapproval.id]
    assert.deepEqual(
      (await network.known(ids)).map(({ contractId }) => contractId),
      ids,
    )
    return {
      hasWallet: wallet !== undefined,
      preapproved: ids.length,
      featured: payable?.right !== undefined,
    }
  }
  const path = { 'receiver-party': bob }
  const as = await world.as('operator')
  await tapCoins(world, 'operator', 1_000n)
  assert.deepEqual(await seen(), { hasWallet: true, preapproved: 0, featured: false })
  assert.equal(
    (await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))).status,
    200,
  )
  assert.deepEqual(await seen(), { hasWallet: true, preapproved: 1, featured: false })
  assert.equal(
    (await world.handlers.selfGrantFeatureAppRight({ ...NOTHING, body: {} }, as)).status,
    200,
  )
  assert.equal(
    (await world.economy.network.featuredAppRightOf(operator))?.payload.provider,
    operator,
  )
  assert.deepEqual(await seen(), { hasWallet: true, preapproved: 1, featured: true })
  assert.equal(
    (await world.handlers.cancelTransferPreapprovalByParty({ ...NOTHING, path }, as)).status,
    200,
  )
  assert.deepEqual(await seen(), { hasWallet: true, preapproved: 0, featured: false })
  assert.equal(
    (await world.handlers.offboardUser({ ...NOTHING, query: { username: 'bob' } }, as)).status,
    200,
  )
  assert.deepEqual(await seen(), { hasWallet: false, preapproved: 0, featured: false })
})

test('what the network grants on one server is a reward of the next payment on another', async () => {
  const [world, other] = await twoServers({
    network: { traffic: { baseBurstBytes: 1_000_000_000 } },
  })
  const {
    economy: {
      engine,
      parties: { dso },
    },
    clock,
  } = world
  const alice = await world.partyOf('alice')
  const mintable = async () => (await readFunds(other.economy, alice))?.unclaimedActivity.length
  assert.equal(await mintable(), 0)
  const record = {
    dso,
    beneficiary: alice,
    amount: 10_000_000_000n,
    reason: 'help',
    expiresAt: clock.now + 60_000_000n,
  }
  const granted = await engine.submit({
    actAs: [dso],
    userId: '',
    run: (tx) => tx.create(unclaimedActivityRecord, record),
  })
  assert.ok(granted.ok)
  assert.equal(await mintable(), 1)
  assert.equal(
    await readFunds(other.economy, await world.partyOf('bob')).then(
      (funds) => funds?.unclaimedActivity.length,
    ),
    0,
  )
  clock.now += 60_000_000n
  other.clock.now = clock.now
  assert.equal(await mintable(), 0)
})
