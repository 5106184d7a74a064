// Whose update is committed next where many wait: a small one waits neither for all that somebody
// else has brought nor for more than one large one, and nothing goes before what it depends on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToy, iou, iouSplit, issue, make, must, paidBy } from './toy.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import type { Toy } from './toy.ts'

const NODES = 100

async function offsetOf({ engine }: Toy, party: string, count: number): Promise<bigint> {
  return must(await engine.submit(paidBy(party, make(party, count)))).offset
}

test('a small update of bob goes before nearly all of the large ones that alice submitted first', async () => {
  const toy = await createToy()
  const hers = Array.from({ length: 20 }, () => offsetOf(toy, 'alice', NODES))
  const his = await offsetOf(toy, 'bob', 1)
  assert.ok(his <= 4n, `his is the update ${his}`)
  assert.deepEqual(
    (await Promise.all(hers)).toSorted((a, b) => Number(a - b)).at(-1),
    BigInt(hers.length + 1),
  )
})

test('nor does it share a commit with updates that many parties see', async () => {
  const toy = await createToy()
  const watchers = Array.from({ length: NODES }, (_, at) => `watcher ${at}`)
  const seenByMany = async (): Promise<bigint> =>
    must(
      await toy.engine.submit(
        paidBy('alice', (tx) =>
          tx.create(iou, { issuer: 'alice', owner: 'alice', amount: 5n, watchers }),
        ),
      ),
    ).offset
  const hers = Array.from({ length: 12 }, seenByMany)
  const his = await offsetOf(toy, 'bob', 1)
  assert.ok(his <= 4n, `his is the update ${his}`)
  await Promise.all(hers)
})

test('nor does it wait for a flood of small ones', async () => {
  const toy = await createToy()
  const offsets: bigint[] = []
  toy.engine.onCommitted(({ transaction: { userId }, offset }) => {
    if (userId === 'bob') offsets.push(offset)
  })
  const hers = Array.from({ length: 1_000 }, () => offsetOf(toy, 'alice', 1))
  const his = await offsetOf(toy, 'bob', 1)
  assert.ok(his <= 500n, `his is the update ${his}`)
  await Promise.all(hers)
})

test('large updates are not put off for ever by small ones', async () => {
  const toy = await createToy()
  let isOver = false
  const flood = async (): Promise<void> => {
    while (!isOver) await offsetOf(toy, 'alice', 1)
  }
  const lanes = Array.from({ length: 8 }, flood)
  await offsetOf(toy, 'bob', NODES)
  await offsetOf(toy, 'bob', NODES)
  isOver = true
  await Promise.all(lanes)
})

test('a small update that spends what a large one makes comes after it, at its first attempt', async () => {
  const toy = await createToy()
  const { engine } = toy
  const large = Array.from({ length: 3 }, () => engine.stage(paidBy('alice', make('alice', NODES))))
  const made = (await Promise.all(large)).map(must)
  const spent = made.map(({ result: [id = ''] }) =>
    engine.submit(paidBy('alice', (tx) => tx.exercise(iouSplit, id, 1n))),
  )
  const ends = (await Promise.all(spent)).map(must)
  const begins = (await Promise.all(made.map(({ committed }) => committed))).map(must)
  for (const [at, { offset }] of ends.entries()) assert.ok(offset > (begins[at]?.offset ?? 0n))
  assert.equal(engine.counts.retries, 0)
})

test('bob pays while the long command of alice is still interpreted', async () => {
  const toy = await createToy()
  let his: Promise<bigint> | undefined
  const steps = Array.from({ length: NODES }, (_, at) => (tx: Tx) => {
    make('alice', 1)(tx)
    // As long as it takes on a slow machine.
    for (const since = performance.now(); performance.now() - since < 1;);
    if (at === 0) his = offsetOf(toy, 'bob', 1)
  })
  const long = { ...paidBy('alice', () => undefined), steps }
  const hers = must(await toy.engine.submit(long)).offset
  assert.deepEqual([await his, hers], [1n, 2n])
})

test('a long command does not spend what another one spent while it was interpreted', async () => {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 10n)
  const split = (tx: Tx): readonly string[] => tx.exercise(iouSplit, id, 1n)
  const short: Promise<boolean>[] = []
  const steps = Array.from({ length: 20 }, (_, at) => (tx: Tx) => {
    if (at === 0) split(tx)
    else make('alice', 1)(tx)
    for (const since = performance.now(); performance.now() - since < 1;);
    if (at === 0)
      short.push(
        toy.engine.submit({ ...paidBy('carol', split), actAs: ['alice'] }).then(({ ok }) => ok),
      )
  })
  const long = await toy.engine.submit({ ...paidBy('alice', () => undefined), steps })
  assert.deepEqual(await Promise.all(short), [true])
  assert.equal(long.ok || long.kind, 'contract-not-found')
})
