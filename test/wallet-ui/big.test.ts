// A wallet with 10,000 entries of history and 1,000 holdings scrolls with at most 16 ms of work in
// a frame. Takes minutes and a quiet machine: WALLET_BIG=1, and WALLET_BIG_DATA=folder keeps what
// was built for the next time.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventuallyHolds } from '../support/eventually.ts'
import type { Service } from '../support/service.ts'
import { countHoldings, makeBigWallet } from './big-wallet.ts'
import { openWallet, skip as noBrowser, startWallet } from './browser-kit.ts'
import { framesOf } from './frames.ts'
import type { Frames } from './frames.ts'
import { tokenOf } from './people.ts'

const ENTRIES = Number(process.env['WALLET_BIG_ENTRIES'] ?? 10_000)
const HOLDINGS = Number(process.env['WALLET_BIG_HOLDINGS'] ?? 1_000)
/** Milliseconds of a frame by the clock, and of the work in it. */
const FRAME_MS = 50
const WORK_MS = 16
const TRIES = 5
/** Quotas so large that they are none: a large wallet takes longer to fill than to read. */
const NO_QUOTAS = {
  paymentsPerSecond: 100_000,
  paymentBurst: 1_000_000,
  submissionsPerSecond: 100_000,
  submissionBurst: 1_000_000,
}
const TRAFFIC = { traffic: { baseBurstBytes: 1_000_000_000_000 } }

const skip = process.env['WALLET_BIG'] === '1' ? noBrowser : 'WALLET_BIG=1 asks for it'

let service: Service | undefined

before(
  async () => {
    if (skip !== false) return
    const dataDir = process.env['WALLET_BIG_DATA']
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
    const dir = dataDir === undefined ? {} : { dataDir }
    service = await startWallet({
      seeded: true,
      config: { quotas: NO_QUOTAS, network: TRAFFIC },
      ...dir,
    })
    const mark = join(service.dataDir, 'big-wallet-is-built')
    if (existsSync(mark)) return
    await makeBigWallet(service.url, 'whale', { entries: ENTRIES, holdings: HOLDINGS })
    writeFileSync(mark, '')
  },
  { timeout: 1_800_000 },
)

after(async () => {
  await service?.stop()
})

test('history: to the end of it, and back', { skip, timeout: 600_000 }, async (context) => {
  await scrolls('/history', ENTRIES, (text) => context.diagnostic(text))
})

test('holdings: to the end of them, and back', { skip, timeout: 600_000 }, async (context) => {
  assert.ok(service !== undefined)
  const { url } = service
  const token = await tokenOf(url, 'whale')
  assert.ok((await countHoldings(url, { name: 'whale', token, party: '' })) >= HOLDINGS)
  await scrolls('/holdings', HOLDINGS, (text) => context.diagnostic(text))
})

/**
 * Others on the machine only add to what is measured, so one try within the limits is
 * enough. Both count only where others leave the machine to it.
 */
async function scrolls(path: string, rows: number, say: (text: string) => void): Promise<void> {
  assert.ok(service !== undefined)
  const { page, close } = await openWallet(service.url, 'whale', path)
  await page.locator('[data-index]').first().waitFor()
  const found: Frames[] = []
  const isLight = ({ workMs }: Frames): boolean => workMs <= WORK_MS
  const isSmooth = ({ longestMs }: Frames): boolean => longestMs <= FRAME_MS
  while (found.length < TRIES && !(found.some(isLight) && found.some(isSmooth))) {
    const frames = await framesOf(page)
    found.push(frames)
    say(
      `${path}: ${frames.count} frames, longest ${frames.longestMs.toFixed(1)} ms, longest work ${frames.workMs.toFixed(1)} ms of processor`,
    )
  }
  await eventuallyHolds(
    'the end of the list is drawn',
    async () =>
      Number(await page.locator('[data-index]').last().getAttribute('data-index')) >= rows - 1,
  )
  await close()
  const [load = 0] = loadavg()
  const isBusy = load > availableParallelism()
  if (isBusy) say(`${path}: others use the machine (load ${load.toFixed(1)})`)
  assert.ok(found.some(isLight) || isBusy, `never all frames within ${WORK_MS} ms of work`)
  assert.ok(found.some(isSmooth) || isBusy, `never all frames within ${FRAME_MS} ms`)
}
