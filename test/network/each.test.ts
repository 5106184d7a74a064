// Work on many within a bound: all are done, also around failures, and as many at a time as was
// said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forEachOf } from '../../runtime/economy/each.ts'

const NEVER = new AbortController().signal
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function* pages(items: readonly number[]): AsyncGenerator<number> {
  for (const item of items) {
    await turn()
    yield item
  }
}

test('each is done once, at most so many at a time, and what fails is told at the end', async () => {
  const drawn = fc.record({
    count: fc.nat(30),
    parallel: fc.integer({ min: 1, max: 8 }),
    isPaged: fc.boolean(),
    bad: fc.nat(4),
  })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ count, parallel, isPaged, bad }) => {
      const items = Array.from({ length: count }, (_, n) => n)
      const done: number[] = []
      let [now, most] = [0, 0]
      const outcome = await forEachOf(
        isPaged ? pages(items) : items,
        parallel,
        NEVER,
        async (n) => {
          most = Math.max(most, (now += 1))
          await turn()
          now -= 1
          done.push(n)
          if (n < bad) throw new Error(`failed ${n}`)
        },
      ).catch((error: unknown) => error)
      assert.deepEqual(
        done.toSorted((a, b) => a - b),
        items,
      )
      assert.ok(most <= parallel)
      const failed = Math.min(bad, count)
      if (failed === 0) assert.equal(outcome, undefined)
      else
        assert.match(
          String(outcome),
          failed === 1
            ? /^Error: failed 0$/
            : new RegExp(`${failed} failed, the first of them: Error: failed \\d`),
        )
    }),
  )
})

test('once it is told to stop, nothing more begins', async () => {
  const stop = new AbortController()
  const done: number[] = []
  await forEachOf([1, 2, 3, 4], 1, stop.signal, async (n) => {
    done.push(n)
    if (n === 2) stop.abort()
  })
  assert.deepEqual(done, [1, 2])
})

test('items that cannot be fetched end it, after those that could', async () => {
  const done: number[] = []
  const items = async function* () {
    yield* [1, 2]
    throw new Error('the next page is not there')
  }
  await assert.rejects(
    forEachOf(items(), 3, NEVER, async (n) => void done.push(n)),
    /the next page is not there/,
  )
  assert.deepEqual(done, [1, 2])
})

test('of very many that fail all are counted, and ten are kept', async () => {
  const items = Array.from({ length: 5_000 }, (_, n) => n)
  const outcome = await forEachOf(items, 32, NEVER, async (n) => {
    throw new Error(`failed ${n}`)
  }).catch((error: unknown) => error)
  assert.ok(outcome instanceof AggregateError)
  assert.match(outcome.message, /^5000 failed/)
  assert.equal(outcome.errors.length, 10)
})
