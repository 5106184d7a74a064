// Three queues pay from the same coins through one engine, while the store answers in whatever
// order and at whatever microtask: committer, overlay and treasury together let nobody wait for
// ever, and money is neither made nor lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { Treasury } from '../../runtime/economy/treasury/index.ts'
import type { TreasuryResult } from '../../runtime/economy/treasury/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { balance, createWorld, NOTHING, tapCoins } from './world.ts'

const COIN = 10_000_000_000n
const QUEUES = 3
const MAX_MICROTASKS = 7
/** Waits for a lease take real milliseconds, of which many turns pass. */
const MAX_TURNS = 200_000

/**
 * Holds the store's answers back, and lets those go that chance picks: several in one moment, some
 * microtasks apart.
 */
class Chance {
  /** Undefined: answers come at once. */
  numbers: Iterator<number> | undefined
  readonly #held: (() => void)[] = []

  async pass<T>(answer: Promise<T>): Promise<T> {
    if (this.numbers === undefined) return answer
    await new Promise<void>((resolve) => this.#held.push(resolve))
    for (let left = this.#below(MAX_MICROTASKS); left > 0; left -= 1) await undefined
    return answer
  }

  release(): void {
    for (let count = this.#below(this.#held.length + 1); count > 0; count -= 1)
      this.#held.splice(this.#below(this.#held.length), 1)[0]?.()
  }

  #below(limit: number): number {
    return Number(this.numbers?.next().value ?? 0) % limit
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function chosen(inner: ContractStore, chance: Chance): ContractStore {
  return {
    ...inner,
    commit: (commit) => chance.pass(Promise.resolve()).then(() => inner.commit(commit)),
    byIds: (ids) => chance.pass(inner.byIds(ids)),
    active: (query) => chance.pass(inner.active(query)),
    fact: (kind, key) => chance.pass(inner.fact(kind, key)),
    command: (key) => chance.pass(inner.command(key)),
  }
}

async function ended(
  work: Promise<readonly TreasuryResult[]>,
  chance: Chance,
): Promise<readonly TreasuryResult[]> {
  let isOver = false
  void work.finally(() => void (isOver = true)).catch(() => undefined)
  for (let turns = 0; !isOver; turns += 1) {
    assert.ok(turns < MAX_TURNS, 'somebody waits for ever')
    chance.release()
    await turn()
  }
  return work
}

test('payments of several queues from the same coins all end, whatever the store answers when', async () => {
  const memory = createMemoryStore()
  const chance = new Chance()
  const network = { traffic: { baseBurstBytes: 100_000_000_000 } }
  const world = await createWorld({
    network,
    store: { ...memory, contracts: chosen(memory.contracts, chance) },
  })
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  await tapCoins(world, 'operator', 1_000n)
  await tapCoins(world, 'alice', ...Array<bigint>(12).fill(1_000n))
  assert.equal(
    (await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))).status,
    200,
  )
  const preapproval = await world.economy.network.preapprovalOf(bob)
  assert.ok(preapproval)
  const value = {
    transferPreapprovalCid: preapproval.id,
    providerFeaturedAppRightCid: null,
    description: null,
    amount: COIN,
  }
  let [names, paid] = [0, 0]
  const pay = (treasury: Treasury, isOnce: boolean) => {
    const options = isOnce ? { dedup: { id: `id ${names++}`, content: 'a coin' } } : {}
    return treasury.enqueue(alice, { tag: 'CO_TransferPreapprovalSend', value }, options)
  }
  const plan = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), {
    minLength: QUEUES,
    maxLength: QUEUES,
  })
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), plan, async (numbers, queues) => {
      chance.numbers = numbers
      const all = Promise.all(
        queues.flatMap((payments) => {
          const treasury = new Treasury(world.economy)
          return payments.map((isOnce) => pay(treasury, isOnce))
        }),
      )
      const results = await ended(all, chance)
      chance.numbers = undefined
      await world.economy.engine.drain()
      assert.deepEqual(
        [world.economy.engine.invariants.line, world.economy.engine.oldestSubmissionMs()],
        [undefined, 0],
      )
      paid += results.filter(({ ok }) => ok).length
      for (const result of results)
        if (!result.ok) assert.equal(result.kind, 'refused', JSON.stringify(result))
      assert.equal((await balance(world, 'bob')).unlocked, `${paid}.0000000000`)
    }),
    { numRuns: 60, endOnFailure: true },
  )
  assert.ok(paid > 0)
})
