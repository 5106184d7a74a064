// A wallet scrolls with at most 16 ms of work in a frame, also with 10,000 entries of history and
// 1,000 holdings: WALLET_BIG=1, which takes minutes and a quiet machine; WALLET_BIG_DATA=folder
// keeps what was built for the next time.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Service } from '../support/service.ts'
import { countHoldings, makeBigWallet } from './big-wallet.ts'
import { openWallet, skip, startWallet } from './browser-kit.ts'
import { framesOf } from './frames.ts'
import type { Frames } from './frames.ts'
import { tokenOf } from './people.ts'

const IS_FULL = process.env['WALLET_BIG'] === '1'
const ENTRIES = Number(process.env['WALLET_BIG_ENTRIES'] ?? (IS_FULL ? 10_000 : 120))
const HOLDINGS = Number(process.env['WALLET_BIG_HOLDINGS'] ?? (IS_FULL ? 1_000 : 60))
/** Of a frame by the clock, and of the work in it. */
const FRAME_MS = 50
const WORK_MS = 16
const TRIES = IS_FULL ? 5 : 2
/** As long as one reads before scrolling fast. */
const SLOW_MS = IS_FULL ? 4_000 : 500

let service: Service | undefined

before(
  async () => {
    if (skip !== false) return
    const dataDir = process.env['WALLET_BIG_DATA']
    service = await startWallet({ seeded: true, ...(dataDir === undefined ? {} : { dataDir }) })
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
 * enough. Frames by the clock count at full size alone, and where others leave the machine to it.
 */
async function scrolls(path: string, rows: number, say: (text: string) => void): Promise<void> {
  assert.ok(service !== undefined)
  const { page, close } = await openWallet(service.url, 'whale', path)
  await page.getByRole('listitem').first().waitFor()
  const found: Frames[] = []
  const isLight = ({ workMs }: Frames): boolean => workMs <= WORK_MS
  const isSmooth = ({ longestMs }: Frames): boolean => !IS_FULL || longestMs <= FRAME_MS
  while (found.length < TRIES && !(found.some(isLight) && found.some(isSmooth))) {
    const frames = await framesOf(page, SLOW_MS)
    found.push(frames)
    say(
      `${path}: ${frames.count} frames, longest ${frames.longestMs.toFixed(1)} ms, longest work ${frames.workMs.toFixed(1)} ms of processor`,
    )
  }
  const last = Number(await page.getByRole('listitem').last().getAttribute('data-index'))
  assert.ok(last >= rows - 1, `the end of the list is drawn, not row ${last}`)
  await close()
  const [load = 0] = loadavg()
  const isBusy = load > availableParallelism()
  if (isBusy) say(`${path}: others use the machine (load ${load.toFixed(1)})`)
  assert.ok(found.some(isLight) || isBusy, `never all frames within ${WORK_MS} ms of work`)
  assert.ok(found.some(isSmooth) || isBusy, `never all frames within ${FRAME_MS} ms`)
}
