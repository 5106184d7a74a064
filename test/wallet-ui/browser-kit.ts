// What tests in the browser share: the browser, and a service on SQLite with the people of
// development.
import { after } from 'node:test'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { closeBrowser } from './browser.ts'

export { openWallet, openWindow, skip } from './browser.ts'
export type { Window } from './browser.ts'

let served: Promise<Service> | undefined

/** One service for all tests of a file, with alice, bob and the operator. */
export function sharedService(): Promise<Service> {
  served ??= startService({ seeded: true })
  return served
}

after(async () => {
  await closeBrowser()
  await (await served)?.stop()
})
