// What a balance says of holding fees is what coin by coin adds up to, and takes no look at a coin.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import type { Coin } from '../../generated/contracts.gen.ts'
import { coin, holdingFeeAt } from '../../runtime/contracts/index.ts'
import { formatDecimal } from '../../runtime/engine/index.ts'
import { balanceOf } from '../../runtime/interfaces/validator/wallet/holdings.ts'
import type { Store } from '../../runtime/store/store.ts'
import { startNetwork, TICK } from '../network/kit.ts'
import type { Network } from '../network/kit.ts'

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
