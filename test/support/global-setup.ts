// Before the first test file: one PostgreSQL and one browser for all of them, which they find by
// the environment, and a word on which stores this run is about. `node --test
// --test-global-setup=test/support/global-setup.ts`
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shareBrowser } from './chromium.ts'
import { SHARED_SERVER, startPostgres } from './postgres.ts'
import { chosenStores, describeRun } from './storages.ts'
import type { TestPostgres } from './postgres.ts'

let postgres: TestPostgres | undefined
let closeBrowser: (() => Promise<void>) | undefined

export async function globalSetup(): Promise<void> {
  // Every test file is a process of its own, which would read and compile the same sources again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'lw-test-cache')
  closeBrowser = await shareBrowser()
  if (chosenStores()?.includes('postgres') === false) return console.log(describeRun())
  postgres = await startPostgres()
  const shared = await postgres.share()
  process.env[SHARED_SERVER] = JSON.stringify(shared)
  console.log(describeRun(shared))
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([postgres?.stop(), closeBrowser?.()])
}
