// Pages that many ask for at once: each is read in slices, of which a turn of the event loop has
// few, and those whose clients have gone are not read to their end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices } from '../../runtime/interfaces/pages.ts'

const READERS = 40
const ITEMS = 2_000
/** Milliseconds of one read, as from a file. */
const READ_MS = 1

function read(last: number | undefined, size: number): readonly number[] {
  for (const since = performance.now(); performance.now() - since < READ_MS;);
  const first = last === undefined ? 0 : last + 1
  return Array.from({ length: Math.min(size, ITEMS - first) }, (_, at) => first + at)
}

async function readAll(onRead: () => void, signal: AbortSignal): Promise<number> {
  let count = 0
  const slices = inSlices<number>(
    async (last, size) => {
      onRead()
      return read(last, size)
    },
    () => 1,
    signal,
  )
  for await (const _ of slices) count += 1
  return count
}

test('of the pages of many callers a turn of the event loop reads few slices', async () => {
  let [inTurn, most, isOver] = [0, 0, false]
  const look = (): void => {
    most = Math.max(most, inTurn)
    inTurn = 0
    if (!isOver) setImmediate(look)
  }
  look()
  const { signal } = new AbortController()
  const counts = await Promise.all(
    Array.from({ length: READERS }, () => readAll(() => (inTurn += 1), signal)),
  )
  isOver = true
  assert.deepEqual(new Set(counts), new Set([ITEMS]))
  assert.ok(most <= 6, `${most} slices in one turn`)
})

test('a page that nobody waits for any more is not read to its end', async () => {
  const client = new AbortController()
  let reads = 0
  const count = await readAll(() => {
    reads += 1
    if (reads === 2) client.abort()
  }, client.signal)
  assert.ok(count < ITEMS, `${count} items`)
  assert.equal(reads, 2)
})
