// The book of what callers hold: whatever they take, wait for and give back in whatever order, no
// limit is exceeded but by one holding alone, and nobody waits for room that there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Book } from '../../runtime/work/book.ts'
import type { Holding } from '../../runtime/work/book.ts'
import { LIMITS } from '../../runtime/work/limits.ts'

const [ALL, EACH, LARGEST, CALLERS, STEPS] = [100, 40, 60, 5, 3_000]

/** Numbers below a bound, the same for the same seed. */
function drawer(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % bound
  }
}

const wholeTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('streams that wait get their room in the end, and limits hold all the while', async (t) => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  t.diagnostic(`SEED=${seed}`)
  const draw = drawer(seed)
  const book = new Book({ ...LIMITS, unread: { all: ALL, each: EACH } })
  const open = new Set<Holding>()
  const waiting = new Set<Holding>()
  const sumOf = (holdings: Iterable<Holding>): number =>
    [...holdings].reduce((sum, { amount }) => sum + amount, 0)
  const assertLimits = (): void => {
    const held = [...open].filter(({ amount }) => amount > 0)
    assert.equal(book.held('unread'), sumOf(open))
    assert.ok(sumOf(held) <= ALL || held.length === 1)
    for (const { caller } of held) {
      const own = held.filter((each) => each.caller === caller)
      assert.ok(sumOf(own) <= EACH || own.length === 1)
    }
  }
  for (let step = 0; step < STEPS; step += 1) {
    const idle = [...open].filter((each) => !waiting.has(each))
    const some = idle[draw(idle.length + 1)]
    if (some === undefined) open.add(book.open(`user ${draw(CALLERS)}`, 'unread'))
    else if (draw(3) === 0) {
      some.close()
      open.delete(some)
    } else {
      const room = some.wait(draw(LARGEST))
      if (room !== undefined) waiting.add(some)
      void room?.then(() => waiting.delete(some))
    }
    await Promise.resolve()
    assertLimits()
  }
  while (open.size > 0) {
    await wholeTurn()
    const [holder] = [...open].filter((each) => !waiting.has(each))
    assert.ok(holder, 'somebody waits although nothing is held')
    holder.close()
    open.delete(holder)
  }
  assert.equal(book.held('unread'), 0)
})

test('where all is in use, the caller that holds most gives way, and of its holdings the one taken of longest ago', () => {
  const book = new Book({ ...LIMITS, unread: { all: ALL, each: ALL } })
  const cut: string[] = []
  const hold = (caller: string, name: string, amount: number): Holding => {
    const holding = book.open(caller, 'unread', () => cut.push(name))
    holding.force(amount)
    return holding
  }
  const first = hold('alice', 'first', 30)
  hold('alice', 'second', 30)
  hold('bob', 'third', 30)
  first.moved()
  hold('carol', 'fourth', 20)
  assert.deepEqual(cut, ['second'])
  hold('carol', 'fifth', 85)
  assert.deepEqual(cut, ['second', 'fourth', 'first', 'third'])
})

test('a stream that waits and is closed leaves its place to the next one', async () => {
  const book = new Book({ ...LIMITS, unread: { all: ALL, each: EACH } })
  const [holder, leaver, next] = [1, 2, 3].map(() => book.open('alice', 'unread'))
  assert.ok(holder && leaver && next)
  assert.equal(holder.wait(EACH), undefined)
  const [left, got] = [leaver.wait(EACH), next.wait(EACH)]
  leaver.close()
  await left
  assert.deepEqual([leaver.amount, next.amount], [0, 0])
  holder.close()
  await got
  assert.equal(next.amount, EACH)
})
