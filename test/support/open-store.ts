// Empty stores in the test's own process, by name.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import type { Store } from '../../runtime/store/store.ts'
import { makeFresh, startPostgres } from './postgres.ts'
import type { TestPostgres } from './postgres.ts'
import type { StoreName } from './storages.ts'
import { tempDir } from './temp-dir.ts'

export interface OpenedStore {
  readonly store: Store
  /** Closes it; its data is gone. */
  close(): Promise<void>
}

export type OpenStore = () => Promise<OpenedStore>

const POOL_SIZE = 4

const STORES: Readonly<Record<StoreName, OpenStore>> = {
  memory: openMemory,
  sqlite: openSqlite,
  postgres: openPostgres,
}

let postgres: Promise<TestPostgres> | undefined
let template: Promise<{ readonly file: string; remove(): Promise<void> }> | undefined
/** Databases that no test uses now. */
const idle: string[] = []

/** The store of that name; throws RangeError where there is none. */
export function storeNamed(name: string): OpenStore {
  const found = Object.entries(STORES).find(([known]) => known === name)
  if (found === undefined)
    throw new RangeError(`there is no store ${name}, only ${Object.keys(STORES).join(', ')}`)
  return found[1]
}

/** Ends what all stores share; once, at the end. */
export async function releaseStores(): Promise<void> {
  await (await postgres)?.stop()
  await (await template)?.remove()
}

async function openMemory(): Promise<OpenedStore> {
  const store = createMemoryStore()
  return { store, close: () => store.close() }
}

async function openSqlite(): Promise<OpenedStore> {
  template ??= newTemplate()
  const { path, remove } = await tempDir()
  const file = join(path, 'store.sqlite')
  await copyFile((await template).file, file)
  const store = await openSqlStore({ dialect: 'sqlite', file })
  return {
    store,
    close: async () => {
      await store.close()
      await remove()
    },
  }
}

async function newTemplate(): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const { path, remove } = await tempDir()
  const file = join(path, 'template.sqlite')
  await (await openSqlStore({ dialect: 'sqlite', file })).close()
  return { file, remove }
}

async function openPostgres(): Promise<OpenedStore> {
  postgres ??= startPostgres()
  const url = idle.pop() ?? (await (await postgres).createStoreDatabase())
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: POOL_SIZE })
  return {
    store,
    close: async () => {
      await store.close()
      await makeFresh(url)
      idle.push(url)
    },
  }
}
