// Stores for suites that run without a service, in the test's own process: in memory, or on the
// first store that STORES names. Every store is empty; it is closed when the test that asked for
// it, or a hook before it, has ended. Those that a hook before several tests asks for stay until
// the process ends.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, beforeEach } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import type { Store } from '../../runtime/store/store.ts'
import { makeFresh, startPostgres } from './postgres.ts'
import type { TestPostgres } from './postgres.ts'
import { chosenStores } from './storages.ts'
import { tempDir } from './temp-dir.ts'

const POOL_SIZE = 4

let postgres: Promise<TestPostgres> | undefined
let template: Promise<{ readonly file: string; remove(): Promise<void> }> | undefined
/** Databases that no test uses now. */
const idle: string[] = []
/** What a test has opened, the test under way and all. */
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
  await (await postgres)?.stop()
  await (await template)?.remove()
})

const nameOfStore = () => chosenStores()?.[0] ?? 'memory'

/** How much of something that takes its time: on a database less, where every commit costs more. */
export function sized(inMemory: number, onDatabase: number): number {
  return nameOfStore() === 'memory' ? inMemory : onDatabase
}

/** An empty store, for a test or a suite that is under way. */
export async function newStore(): Promise<Store> {
  const name = nameOfStore()
  if (name === 'memory') return createMemoryStore()
  return name === 'sqlite' ? newSqliteStore() : newPostgresStore()
}

async function newSqliteStore(): Promise<Store> {
  template ??= newTemplate()
  const { path, remove } = await tempDir()
  const file = join(path, 'store.sqlite')
  await copyFile((await template).file, file)
  const store = await openSqlStore({ dialect: 'sqlite', file })
  closeLater(async () => {
    await store.close()
    await remove()
  })
  return store
}

function closeLater(close: Close): void {
  ;(depth > 0 ? ofTest : ofAll).push(close)
}

async function newTemplate(): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const { path, remove } = await tempDir()
  const file = join(path, 'template.sqlite')
  await (await openSqlStore({ dialect: 'sqlite', file })).close()
  return { file, remove }
}

async function newPostgresStore(): Promise<Store> {
  postgres ??= startPostgres()
  const url = idle.pop() ?? (await (await postgres).createStoreDatabase())
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: POOL_SIZE })
  closeLater(async () => {
    await store.close()
    await makeFresh(url)
    idle.push(url)
  })
  return store
}
