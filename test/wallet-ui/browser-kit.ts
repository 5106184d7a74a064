// What tests in the browser share: the browser, and a service with the people of development, on
// SQLite or on the first store that STORES names.
import { after } from 'node:test'
import { startService } from '../support/service.ts'
import type { Service, StartOptions } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { closeBrowser } from './browser.ts'

export { openWallet, openWindow, sendFirst, skip } from './browser.ts'
export type { Window } from './browser.ts'

const [storage] = storesFor('wallet page')
let served: Promise<Service> | undefined

/** The `storage` section for a service of these tests, on fresh data. */
export async function freshStorage(): Promise<object> {
  return storage === undefined ? {} : storage.section()
}

/** A service of its own for a file that changes what others of the page rely on. */
export async function startWallet({ config = {}, ...options }: StartOptions): Promise<Service> {
  return startService({ ...options, config: { storage: await freshStorage(), ...config } })
}

/** One service for all tests of a file, with alice, bob and the operator. */
export function sharedService(): Promise<Service> {
  served ??= startWallet({ seeded: true })
  return served
}

after(async () => {
  await closeBrowser()
  await (await served)?.stop()
  await storage?.release()
})
