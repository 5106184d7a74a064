// What a balance says of holding fees is what coin by coin adds up to, and takes no look at a coin;
// also on a ledger that an earlier version wrote, which kept no sums.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-memory/index.ts'
import type { Coin } from '../../generated/contracts.gen.ts'
import { allTemplates, coin, holdingFeeAt } from '../../runtime/contracts/index.ts'
import { fillAccruals, formatDecimal } from '../../runtime/engine/index.ts'
import { balanceOf } from '../../runtime/interfaces/validator/wallet/holdings.ts'
import type { CommitWrites, Store } from '../../runtime/store/store.ts'
import { startNetwork, TICK } from '../network/kit.ts'
import type { Network } from '../network/kit.ts'

/** A store whose commits write what `change` leaves of them. */
function changing(store: Store, change: (writes: CommitWrites) => CommitWrites): Store {
  const commit: Store['contracts']['commit'] = ({ reads, decide }) =>
    store.contracts.commit({
      reads,
      decide: (facts) => {
        const { writes, result } = decide(facts)
        return { writes: change(writes), result }
      },
    })
  return { ...store, contracts: { ...store.contracts, commit } }
}

/** Coins of one more ten-billionth each, from the second on spent within three rounds or so. */
async function give({ economy }: Network, owner: string, count: number): Promise<void> {
  const { engine, network, parties } = economy
  const round = await network.usableRound()
  assert.ok(round)
  const amountOf = (index: number): Coin['amount'] => ({
    initialAmount: index % 2 === 0 ? 10n ** 12n : BigInt(index),
    createdAt: round.payload.round,
    ratePerRound: { rate: BigInt(index % 7) * 100n },
  })
  const outcome = await engine.submit({
    actAs: [parties.dso, owner],
    userId: '',
    free: true,
    run: (tx) => {
      for (let index = 1; index <= count; index += 1)
        tx.create(coin, { dso: parties.dso, owner, amount: amountOf(index) })
    },
  })
  assert.ok(outcome.ok)
}

async function assertFees(network: Network, owner: string): Promise<void> {
  const { reader, network: state } = network.economy
  const round = await state.usableRound()
  assert.ok(round)
  const coins = await reader.all(coin, { owner })
  const fees = coins.reduce(
    (sum, { payload }) => sum + holdingFeeAt(payload.amount, round.payload.round),
    0n,
  )
  const balance = await balanceOf(network.economy, owner)
  assert.ok('total_holding_fees' in balance)
  assert.equal(balance.total_holding_fees, formatDecimal(fees))
}

test('the fees of a balance are those of its coins, and none of them is read', async () => {
  const memory = createMemoryStore()
  let read = 0
  const contracts = {
    ...memory.contracts,
    active: async (...asked: Parameters<Store['contracts']['active']>) => {
      const page = await memory.contracts.active(...asked)
      read += page.filter(({ contract }) => coin.isOf(contract)).length
      return page
    },
  }
  const network = await startNetwork({ store: { ...memory, contracts } })
  const owner = 'ann::1220'
  for (let round = 0; round < 4; round += 1) {
    await give(network, owner, 300)
    await assertFees(network, owner)
    network.pass(TICK)
    await network.work('rounds')
  }
  await assertFees(network, owner)
  read = 0
  await balanceOf(network.economy, owner)
  assert.equal(read, 0)
})

test('a ledger that was written without sums of fees has them after a start, of two servers too', async () => {
  const memory = createMemoryStore()
  const before = changing(memory, (writes) => ({
    ...writes,
    accruals: [],
    facts: writes.facts.filter(({ kind }) => kind !== 'accruals'),
  }))
  const old = await startNetwork({ store: before })
  for (const owner of ['ann::1220', 'bob::1220']) await give(old, owner, 1_300)
  await Promise.all([1, 2].map(() => fillAccruals(memory.contracts, allTemplates)))
  const network = await startNetwork({ store: memory, clock: old.clock })
  network.pass(5n * TICK)
  await network.work('rounds')
  for (const owner of ['ann::1220', 'bob::1220']) await assertFees(network, owner)
})
