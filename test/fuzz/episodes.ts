// Episodes of the fuzz: each on a service of its own; where its data outlives it, it is killed and
// started again at the end, and audited, so that what it acknowledged is still there.
import { member } from '../../runtime/host/member.ts'
import { auditLedger } from '../support/audit.ts'
import type { Audit } from '../support/audit.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorageUnderTest } from '../support/storages.ts'
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
  const lost = [...(await receipts.missing(world))]
  const findings: string[] = []
  if (world.storage.durable) {
    const rows = await readStore(placeOf(world.section, world.authority.service.dataDir))
    const audit = auditLedger(rows)
    const updateIds = new Set(rows.updates.map(({ update_id: id }) => id))
    lost.push(
      ...[...receipts.updates].filter((id) => !updateIds.has(id)).map((id) => `update ${id}`),
      ...[...receipts.contracts].filter((id) => !audit.lives.has(id)).map((id) => `contract ${id}`),
    )
    findings.push(...audit.findings, ...(await balanceFindings(world, audit)))
    report.notes.push(
      `books: ${audit.updates} updates, ${audit.lives.size} contracts; supply ${audit.supply} = minted ${audit.minted} - burned ${audit.burned}`,
    )
  }
  report.lost += lost.length
  if (report.growth > MOST_GROWTH)
    report.note(
      `the service's memory grew by ${Math.round(report.growth)} MiB`,
      'at the end of the episode',
    )
  for (const line of [...findings, ...lost.map((what) => `lost: ${what}`)])
    report.note(line, 'at the end of the episode')
  const { users, parties, updates, contracts, statuses } = receipts
  report.notes.push(
    `acknowledged: ${users.size} users, ${parties.size} parties, ${updates.size} updates, ${contracts.size} contracts, ${statuses.size} offers`,
  )
}

/** Balances that the service tells, against the coins on the disk. */
async function balanceFindings(
  { authority: { ask } }: World,
  { unlocked }: Audit,
): Promise<readonly string[]> {
  const findings: string[] = []
  for (const [party, held] of unlocked) {
    const line = `GET /api/validator/v0/admin/external-party/balance?party_id=${encodeURIComponent(party)}`
    const { status, json } = await ask('operator', line)
    const said = BigInt(String(member(json, 'total_unlocked_coin') ?? '0').replace('.', ''))
    if (status === 200 && said !== held)
      findings.push(`${party} has ${held}, its balance is ${said}`)
  }
  return findings
}
