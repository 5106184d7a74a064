// One browser for all test files of a run, which the first that wants one has started: a start
// takes as much time as the tests of a small file.
import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserServer, LaunchOptions } from 'playwright-core'

/** The first one has no windows: a page takes a third less CPU time. */
const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
]

/** Debian's, or the one that the variable CHROMIUM names; undefined where there is none. */
export const CHROMIUM = PLACES.find((path) => path !== '' && existsSync(path))

/** The variable in which global-setup.ts puts the shared browser's address. */
const SHARED_BROWSER = 'TEST_BROWSER'

const OPTIONS: LaunchOptions = {
  ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
}

/**
 * The shared browser where there is one, else one of this process: with arguments, always one of
 * this process.
 */
export async function openBrowser(...args: readonly string[]): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  if (args.length > 0)
    return chromium.launch({ ...OPTIONS, args: [...(OPTIONS.args ?? []), ...args] })
  const shared = process.env[SHARED_BROWSER]
  if (shared === undefined) return chromium.launch(OPTIONS)
  return chromium.connect(await (await fetch(shared)).text())
}

/** Starts a browser for the processes of this one, once one of them asks. Answers how to end it. */
export async function shareBrowser(): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined
  const launch = async (): Promise<BrowserServer> =>
    (await import('playwright-core')).chromium.launchServer(OPTIONS)
  const server = createServer((_, response) => {
    browser ??= launch()
    browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env[SHARED_BROWSER] = addressOf(server.address())
  return async () => {
    server.close()
    await (await browser)?.close()
  }
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return `http://127.0.0.1:${address.port}`
}
