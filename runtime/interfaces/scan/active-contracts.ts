// Pages of what was active at a snapshot, as far as the network's party sees it.
// docs/economy-rules.md, "Scan"
import type {
  AcsQuery,
  ActiveContract as WireContract,
  HoldingsStateQuery,
  SnapshotQuery,
} from '../../../generated/scan/types.gen.ts'
import { coin, lockedCoin } from '../../contracts/index.ts'
import { scheduler } from '../../work/scheduler.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, SnapshotQuery as StoreQuery } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import { holdingOwner } from '../../economy/holding-owner.ts'
import { timeText } from '../../participant/time.ts'
import { jsonBytes, Page } from '../pages.ts'
import { badRequest, PlainError } from '../../economy/errors.ts'
import { partiesProblem } from './parse.ts'
import type { AcsSnapshot } from '../../economy/snapshots/snapshots.ts'
import { snapshotOf } from '../../economy/snapshots/snapshots.ts'

/** Contracts that are read together: a thousand would stop everything else for a while. */
const SCAN_PAGE = 200
/**
 * Contracts that one request looks at: a page of a rare party may be short, and goes on with its
 * token.
 */
const MAX_SCANNED = 20_000
const HEAD_BYTES = 600
/** `<package name>:<module path>:<entity>`, or with a package id that version */
const TEMPLATE_NAME = /^[^:#]+:[^:]+:[^:]+$/

export interface AcsPage {
  readonly snapshot: AcsSnapshot
  readonly contracts: readonly WireContract[]
  /** Position after which the next page starts; undefined on the last page. */
  readonly next: bigint | undefined
}

interface Selection {
  /** Names of templates; none: all. */
  readonly templates: readonly string[]
  /** Templates of which only versions were asked for. */
  readonly versionsOf: ReadonlySet<string>
  /** The versions of those templates, by id. */
  readonly versions: ReadonlySet<string>
  /** Empty: everybody. */
  readonly parties: readonly string[]
  /** The owners of coins that are asked for; all where it is absent. */
  readonly owners?: readonly string[]
}

interface Place {
  /** Exclusive; 0 is the start. */
  readonly after: bigint
  readonly pageSize: number
  /** Once it aborts, nobody waits for the page, and it ends where it is. */
  readonly signal: AbortSignal
}

/** The start of a page that is asked for. */
type PageStart = Pick<Place, 'signal'> & { readonly after: bigint | undefined }

/**
 * Contracts of a snapshot by templates and stakeholders; 400 for filters and tokens that are none,
 * 404 without a snapshot.
 */
export async function acsPage(
  economy: Pick<Economy, 'engine' | 'parties' | 'store'>,
  query: AcsQuery,
  { after = 0n, signal }: PageStart,
): Promise<AcsPage | PlainError> {
  const { templates = [], party_ids: parties = [], page_size: pageSize } = query
  const problem =
    partiesProblem(parties) ?? templates.map(templateProblem).find((found) => found !== undefined)
  if (problem !== undefined) return problem
  const selection = { ...selected(economy, templates), parties }
  const isOfNothing = templates.length > 0 && selection.templates.length === 0
  return pageOf(economy, query, isOfNothing ? undefined : selection, {
    after,
    pageSize,
    signal,
  })
}

/** Coins and locked coins of owners in a snapshot; refusals as `acsPage`. */
export async function holdingsPage(
  economy: Pick<Economy, 'parties' | 'store'>,
  query: HoldingsStateQuery,
  { after = 0n, signal }: PageStart,
): Promise<AcsPage | PlainError> {
  const { owner_party_ids: owners, page_size: pageSize } = query
  const problem = partiesProblem(owners)
  if (problem !== undefined) return problem
  return pageOf(
    economy,
    query,
    {
      ...EVERY_VERSION,
      templates: [coin.type.reference, lockedCoin.type.reference],
      parties: owners,
      owners,
    },
    { after, pageSize, signal },
  )
}

/** A name means every version of its template, an id that version. */
function selected(
  { engine }: Pick<Economy, 'engine'>,
  asked: readonly string[],
): Omit<Selection, 'owners' | 'parties'> {
  const byName = asked.flatMap((name) => engine.template(`#${name}`)?.reference ?? [])
  const byId = asked
    .flatMap((id) => engine.template(id)?.reference ?? [])
    .filter((name) => !byName.includes(name))
  return {
    templates: [...new Set([...byName, ...byId])],
    versionsOf: new Set(byId),
    versions: new Set(asked),
  }
}

const EVERY_VERSION = { versionsOf: new Set<string>(), versions: new Set<string>() }

function isWanted({ versionsOf, versions }: Selection, contract: ContractRecord): boolean {
  return versions.has(contract.templateId) || !versionsOf.has(templateOf(contract))
}

async function pageOf(
  economy: Pick<Economy, 'parties' | 'store'>,
  query: SnapshotQuery,
  selection: Selection | undefined,
  place: Place,
): Promise<AcsPage | PlainError> {
  if (place.after < 0n) return badRequest('after is not a next_page_token')
  const snapshot = await snapshotOf(economy, query)
  if (snapshot instanceof PlainError) return snapshot
  if (selection === undefined) return { snapshot, contracts: [], next: undefined }
  const { found, next } = await scanFor(economy, { ...selection, offset: snapshot.offset }, place)
  const updateIds = await updateIdsAt(
    economy,
    found.map(({ createdOffset }) => createdOffset),
  )
  const pause = scheduler.parts()
  const contracts: WireContract[] = []
  for (const { contract, createdOffset } of found) {
    await pause()
    if (place.signal.aborted) break
    contracts.push(toWire(contract, updateIds.get(createdOffset)))
  }
  return { snapshot, contracts, next }
}

type Row = Awaited<ReturnType<Economy['store']['contracts']['snapshot']>>[number]

async function scanFor(
  economy: Pick<Economy, 'parties' | 'store'>,
  selection: Selection & Pick<StoreQuery, 'offset'>,
  { after: start, pageSize, signal }: Place,
): Promise<{ readonly found: readonly Row[]; readonly next: bigint | undefined }> {
  const {
    store,
    parties: { dso },
  } = economy
  const { owners, offset, templates } = selection
  const query = {
    offset,
    templates,
    parties: selection.parties.length === 0 ? [dso] : selection.parties,
  }
  const page = new Page<Row>(pageSize)
  const pause = scheduler.parts()
  let after = start
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += SCAN_PAGE) {
    await pause()
    if (signal.aborted) break
    const rows = await store.contracts.snapshot({ ...query, after, limit: SCAN_PAGE })
    for (const row of rows) {
      const isShown = isWanted(selection, row.contract) && isSeen(row.contract, dso, owners)
      const isOver = page.isFull || (isShown && !page.add(row, bytesOf(row.contract)))
      if (isOver) return { found: page.items, next: after }
      after = row.sequence
    }
    if (rows.length < SCAN_PAGE) return { found: page.items, next: undefined }
  }
  return { found: page.items, next: after }
}

/** Bytes of the contract as it is shown: ids, names and times besides what it says. */
function bytesOf({ payload, signatories, observers }: ContractRecord): number {
  return Buffer.byteLength(payload) + jsonBytes([...signatories, ...observers]) + HEAD_BYTES
}

/** Whether a contract is shown; with owners, only holdings are. */
function isSeen(
  contract: ContractRecord,
  dso: string,
  owners: readonly string[] | undefined,
): boolean {
  const { signatories, observers } = contract
  return (
    (signatories.includes(dso) || observers.includes(dso)) &&
    owners?.includes(holdingOwner(contract)) !== false
  )
}

/** Update ids, without those that are pruned. */
async function updateIdsAt(
  { store }: Pick<Economy, 'store'>,
  offsets: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const updates = await scheduler.all([...new Set(offsets)], (offset) =>
    store.updates.byOffset(offset),
  )
  return new Map(
    updates.flatMap((update) => (update === undefined ? [] : [[update.offset, update.updateId]])),
  )
}

function toWire(contract: ContractRecord, updateId: string | undefined): WireContract {
  return {
    ...createdContract(contract),
    ...(updateId === undefined ? {} : { created_in_update_id: updateId }),
  }
}

/** A contract as snapshots and updates show it. */
export function createdContract({
  contractId,
  templateId,
  packageName,
  payload,
  createdAt,
  signatories,
  observers,
}: ContractRecord) {
  return {
    contract_id: contractId,
    template_id: templateId,
    package_name: packageName,
    create_arguments: JSON.parse(payload),
    created_at: timeText(createdAt),
    signatories: [...signatories],
    observers: [...observers],
  }
}

function templateProblem(name: string): PlainError | undefined {
  return TEMPLATE_NAME.test(name)
    ? undefined
    : badRequest(`${name} is not <package name>:<module path>:<entity>`)
}
