// The queue of a treasury by itself: serial batches, order, each operation settled once, bounds,
// failures. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SerialQueue } from '../../runtime/economy/treasury/serial-queue.ts'

const LIMIT_MS = 60_000
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('it says once that nothing is left, also after many operations and after one that failed', async () => {
  let ends = 0
  const queue = new SerialQueue<number, number>({
    capacity: 100,
    limitMs: LIMIT_MS,
    batchLength: () => 3,
    run: async (batch) => {
      if (batch.includes(42)) throw new Error('down')
      return [...batch]
    },
    idle: () => {
      ends += 1
    },
  })
  await Promise.allSettled(Array.from({ length: 100 }, (_, one) => queue.enqueue(one)))
  await queue.settled()
  assert.equal(ends, 1)
  await queue.enqueue(1)
  await queue.settled()
  assert.equal(ends, 2)
})

test('what arrives while its turn is waited for shares the batch', async () => {
  const batches: number[][] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let turns = 0
  const queue = new SerialQueue<number, number>({
    ready: () => gates[turns++]?.promise,
    capacity: 10,
    limitMs: LIMIT_MS,
    batchLength: (waiting) => waiting.length,
    run: async (batch) => {
      batches.push([...batch])
      return [...batch]
    },
  })
  const results = [1, 2].map((one) => queue.enqueue(one))
  await turn()
  results.push(queue.enqueue(3))
  gates[0]?.resolve()
  await Promise.all(results)
  const later = queue.enqueue(4)
  await turn()
  assert.deepEqual(batches, [[1, 2, 3]])
  gates[1]?.resolve()
  assert.equal(await later, 4)
})

test('a full queue takes nothing, and takes again once there is room', async () => {
  const queue = new SerialQueue<number, number>({
    capacity: 2,
    limitMs: LIMIT_MS,
    batchLength: () => 1,
    run: async (batch) => [...batch],
  })
  const taken = [1, 2].map((one) => queue.enqueue(one))
  assert.equal(queue.enqueue(3), undefined)
  await Promise.all(taken)
  assert.equal(await queue.enqueue(4), 4)
})

test('a batch that throws fails its own operations and no others', async () => {
  const queue = new SerialQueue<string, string>({
    capacity: 9,
    limitMs: LIMIT_MS,
    batchLength: () => 1,
    run: async (batch) => {
      if (batch[0] === 'bad') throw new Error('down')
      return [...batch]
    },
  })
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((one) => queue.enqueue(one)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a batch that hangs, or a turn that never comes, fails in time and holds up nobody behind it', async () => {
  let turns = 0
  const queue = new SerialQueue<string, string>({
    ready: () => (turns++ === 1 ? new Promise(() => {}) : undefined),
    capacity: 9,
    limitMs: 30,
    batchLength: () => 1,
    run: (batch) => (batch[0] === 'hangs' ? new Promise(() => {}) : Promise.resolve([...batch])),
  })
  const [hanging, behind, last] = ['hangs', 'b', 'c'].map((one) => queue.enqueue(one))
  await assert.rejects(async () => hanging, { code: 'STORE_UNAVAILABLE' })
  assert.deepEqual([await behind, await last], ['b', 'c'])
  await queue.settled()
})

test('a batch that answers too little rejects those that got nothing', async () => {
  const batchLength = (waiting: readonly number[]): number => waiting.length
  const queue = new SerialQueue<number, number>({
    capacity: 9,
    limitMs: LIMIT_MS,
    batchLength,
    run: async () => [1],
  })
  const results = await Promise.allSettled([queue.enqueue(1), queue.enqueue(2)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
})

test('never two batches at once, whatever arrives when; every operation has its own result, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          value: fc.nat(),
          pause: fc.boolean(),
          length: fc.integer({ min: -1, max: 5 }),
        }),
        { maxLength: 30 },
      ),
      async (arrivals) => {
        let running = 0
        const seen: number[] = []
        const queue = new SerialQueue<number, number>({
          capacity: 100,
          limitMs: LIMIT_MS,
          batchLength: (waiting) => arrivals[waiting[0] ?? 0]?.length ?? 1,
          run: async (batch) => {
            running += 1
            assert.equal(running, 1)
            await turn()
            seen.push(...batch)
            running -= 1
            return batch.map((at) => arrivals[at]?.value ?? -1)
          },
        })
        const results: (Promise<number> | undefined)[] = []
        for (const [at, { pause }] of arrivals.entries()) {
          results.push(queue.enqueue(at))
          if (pause) await turn()
        }
        assert.deepEqual(
          await Promise.all(results),
          arrivals.map(({ value }) => value),
        )
        assert.deepEqual(
          seen,
          arrivals.map((_, at) => at),
        )
      },
    ),
    { numRuns: 50 },
  )
})
