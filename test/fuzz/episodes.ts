// Episodes of the fuzz: each on a service of its own, whose books are read at the end; where its
// data outlives it, after it was killed and started again, so that what it acknowledged is still
// there.
import { auditLedger } from '../support/audit.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { readBooks } from './books.ts'
import { fuzz } from './fuzz.ts'
import type { FuzzOptions } from './fuzz.ts'
import type { Receipts } from './receipts.ts'
import { Report } from './report.ts'
import { loadSurface } from './surface.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

/** MiB in an episode: of the store in memory, too, which keeps all that it is told. */
const MOST_GROWTH = 1_024

export interface Play {
  readonly storage: StorageUnderTest
  readonly seed: number
  readonly requests: number
  /** Requests of an episode. */
  readonly episode: number
  readonly say?: (line: string) => void
}

export async function play({
  storage,
  seed,
  requests,
  episode,
  say = () => undefined,
}: Play): Promise<Report> {
  const surface = loadSurface()
  const report = new Report(surface.map(({ name }) => name))
  for (let left = requests, at = 0; left > 0; left -= episode, at += 1) {
    const world = await openWorld(storage)
    try {
      const requests = Math.min(left, episode)
      await playOn(world, { surface, report, seed: seed + at, requests })
      const { findings, failures, lost } = report
      say(
        `episode ${at + 1}, seed ${seed + at}: ${report.requests} requests, ${findings.size} findings, ${failures} 5xx, ${lost} lost`,
      )
    } finally {
      await world.stop()
    }
  }
  return report
}

/** One episode on a service. */
export async function playOn(world: World, options: Omit<FuzzOptions, 'world'>): Promise<void> {
  const receipts = await fuzz({ world, ...options })
  if (world.storage.durable) await world.crash()
  await world.mend()
  await settle(world, receipts, options.report)
}

/** Nothing acknowledged is lost, and the books add up. */
async function settle(world: World, receipts: Receipts, report: Report): Promise<void> {
  const books = await readBooks(world)
  const audited = world.storage.durable ? await audit(world) : undefined
  const lost = [
    ...(await receipts.missing(world)),
    ...[...receipts.updates].filter((id) => !books.updateIds.has(id)).map((id) => `update ${id}`),
    ...[...receipts.contracts].filter((id) => !books.lives.has(id)).map((id) => `contract ${id}`),
  ]
  report.lost += lost.length
  if (report.growth > MOST_GROWTH)
    report.note(
      `the service's memory grew by ${Math.round(report.growth)} MiB`,
      'at the end of the episode',
    )
  const findings = [
    ...books.findings,
    ...(audited?.findings ?? []),
    ...lost.map((what) => `lost: ${what}`),
  ]
  for (const line of findings) report.note(line, 'at the end of the episode')
  const supply =
    audited === undefined
      ? ''
      : `; supply ${audited.supply} = minted ${audited.minted} - burned ${audited.burned}`
  const { users, parties, updates, contracts, statuses } = receipts
  report.notes.push(
    `books: ${books.updates} updates, ${books.lives.size} contracts, ${books.owners} owners${supply}`,
    `acknowledged: ${users.size} users, ${parties.size} parties, ${updates.size} updates, ${contracts.size} contracts, ${statuses.size} offers`,
  )
}

async function audit({ section, authority: { service } }: World) {
  return auditLedger(await readStore(placeOf(section, service.dataDir)))
}
