// Stores for suites that run without a service, in the test's own process: in memory, or on the
// first store that STORES names. Every store is empty; it is closed when the test that asked for
// it, or a hook before it, has ended. Those that a hook before several tests asks for stay until
// the process ends.
import { after, afterEach, beforeEach } from 'node:test'
import type { Store } from '../../runtime/store/store.ts'
import { releaseStores, storeNamed } from './open-store.ts'
import { chosenStores } from './storages.ts'

/** Stores that a test, and all tests, have opened. */
const [ofTest, ofAll]: [Close[], Close[]] = [[], []]
/** A test within a test counts. */
let depth = 0

type Close = () => Promise<void>

beforeEach(() => {
  depth += 1
})
afterEach(async () => {
  depth -= 1
  if (depth === 0) for (const close of ofTest.splice(0)) await close()
})
after(async () => {
  for (const close of ofAll.splice(0)) await close()
  await releaseStores()
})

const nameOfStore = () => chosenStores()?.[0] ?? 'memory'

/** How much of something that takes its time: on a database less, where every commit costs more. */
export function sized(inMemory: number, onDatabase: number): number {
  return nameOfStore() === 'memory' ? inMemory : onDatabase
}

/** An empty store, for a test or a suite that is under way. */
export async function newStore(): Promise<Store> {
  const { store, close } = await storeNamed(nameOfStore())()
  ;(depth > 0 ? ofTest : ofAll).push(close)
  return store
}
