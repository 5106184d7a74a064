// Suites without a service take their stores from test-store.ts: run by themselves on the first
// that STORES names, in memory usually, which is SQLite. Here they run once more on another one:
// their modules are loaded into a process that is for that store.
import { glob } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chosenStores, storesFor } from '../support/storages.ts'
import type { StoreName, SuiteName } from '../support/storages.ts'

const ROOT = new URL('../', import.meta.url)
/** The modules whose fixtures stand on `newStore`. */
const KITS =
  /from '[^']*(test-store|network\/kit|scan\/kit|wallet\/world|wallet-kit|support\/ledger|network-fixture|\.\/kit|\.\/world|\.\/toy)\.ts'/
/** They start services, or are about something else than what a store does. */
const OTHERS = /storesFor|startService|createMemoryStore/
/**
 * Tests of the first modules run while others are loaded: a hook of all would run in the middle of
 * one of them.
 */
const HOOK_OF_ALL = /^(before|after)(Each)?\(/m

/**
 * Loads the suites of some folders, all under one name, where they run on the store and do not do
 * so by themselves.
 */
export async function runOn(
  store: StoreName,
  suite: SuiteName,
  ...folders: readonly string[]
): Promise<void> {
  const own = chosenStores()?.[0] ?? 'memory'
  if (store === own || !storesFor(suite).some(({ name }) => name === store))
    return leaveOut(store, store === own)
  process.env['STORES'] = store
  for (const folder of folders) {
    for (const file of await suitesOf(folder)) await import(new URL(file, ROOT).href)
  }
}

function leaveOut(store: StoreName, areDone: boolean): void {
  const reason = areDone
    ? 'the suites run on it by themselves'
    : `for CI's time; STORES=${store} runs them`
  test(`suites in process on ${store}`, { skip: reason }, () => {})
}

async function suitesOf(folder: string): Promise<readonly string[]> {
  const files = await Array.fromAsync(glob(`${folder}/*.test.ts`, { cwd: ROOT }))
  return files
    .filter((file) => {
      const source = readFileSync(new URL(file, ROOT), 'utf8')
      if (!KITS.test(source) || OTHERS.test(source)) return false
      if (HOOK_OF_ALL.test(source))
        throw new Error(`${file}: put the hook and its tests into a describe`)
      return true
    })
    .toSorted()
}
