// Large updates of one payer leave time to others: where the store works in this thread, the next
// one of the same payer waits for longer than the last one took. docs/decisions/0018-fair-turns.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { createToy, iouSplit, make, must, paidBy } from './toy.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import type { Toy } from './toy.ts'

const NODES = 60

async function pay({ engine }: Toy, party: string, count: number): Promise<void> {
  must(await engine.submit(paidBy(party, make(party, count))))
}

/** A toy whose commits of large updates keep the thread for so long, milliseconds. */
async function slowToy(ms: number): Promise<Toy> {
  const inner = createMemoryStore().contracts
  const commit: ContractStore['commit'] = (asked) =>
    inner.commit({
      ...asked,
      decide: (facts) => {
        const decided = asked.decide(facts)
        const isLarge = decided.writes.creates.length > 1
        for (const since = performance.now(); isLarge && performance.now() - since < ms;);
        return decided
      },
    })
  return createToy({ store: { ...inner, commit } })
}

test('bob pays again and again between two large updates of alice', async () => {
  // As long as a rest may be: also a busy machine lets bob pay some times in each.
  const toy = await slowToy(50)
  const payers: string[] = []
  toy.engine.onCommitted(({ transaction: { userId } }) => payers.push(userId))
  await pay(toy, 'bob', 1)
  let isOver = false
  const hers = Promise.all(Array.from({ length: 6 }, () => pay(toy, 'alice', NODES)))
  void hers.finally(() => (isOver = true))
  while (!isOver) await pay(toy, 'bob', 1)
  await hers
  const between = payers.slice(payers.indexOf('alice'), payers.lastIndexOf('alice'))
  const his = between.filter((payer) => payer === 'bob').length
  assert.ok(his >= 15, `${his} of his between her six`)
})

test('a small update that depends on a large one that rests is committed after it', async () => {
  const toy = await slowToy(5)
  await pay(toy, 'bob', 1)
  const staged = Array.from({ length: 3 }, () =>
    toy.engine.stage(paidBy('alice', make('alice', NODES))),
  )
  const made = (await Promise.all(staged)).map(must)
  const spent = made.map(({ result: [id = ''] }) =>
    toy.engine.submit(paidBy('alice', (tx) => tx.exercise(iouSplit, id, 1n))),
  )
  assert.deepEqual(
    (await Promise.all(spent)).map(({ ok }) => ok),
    [true, true, true],
  )
})

test('of one payer a bounded number of large updates waits; further ones are refused for now', async () => {
  const inner = createMemoryStore().contracts
  const opened = Promise.withResolvers<void>()
  const commit: ContractStore['commit'] = (asked) => opened.promise.then(() => inner.commit(asked))
  const toy = await createToy({ store: { ...inner, commit } })
  const large = (party: string) => toy.engine.stage(paidBy(party, make(party, NODES)))
  const hers = await Promise.all(Array.from({ length: 200 }, () => large('alice')))
  const his = must(await large('bob'))
  opened.resolve()
  const waiting = hers.filter(({ ok }) => ok).map(must)
  // One of them is with the store already.
  assert.ok([128, 129].includes(waiting.length), `${waiting.length} of hers wait`)
  assert.ok(hers.every((staged) => staged.ok || staged.kind === 'over-quota'))
  for (const { committed } of [his, ...waiting]) must(await committed)
  must(await large('alice'))
})
