// Pages of what was active at a snapshot, as far as the network's party sees it. domain/wire.md §2.4
import type { AcsQuery, ActiveContract as WireContract, HoldingsStateQuery, SnapshotQuery } from '../../../generated/scan/types.gen.ts'
import { coin, lockedCoin } from '../../contracts/index.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, SnapshotQuery as StoreQuery } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { timeText } from '../time.ts'
import { badRequest, PlainError } from '../wallet/errors.ts'
import { inTurns } from './in-turns.ts'
import { partiesFault } from './parse.ts'
import type { AcsSnapshot } from './snapshots.ts'
import { snapshotOf } from './snapshots.ts'

const SCAN_PAGE = 1_000
/** Contracts that one request looks at: a page of a rare party may be short, and goes on with its token. */
const MAX_SCANNED = 20_000
/** `<package name>:<module path>:<entity>`, or with a package id that version */
const TEMPLATE_NAME = /^[^:#]+:[^:]+:[^:]+$/

export interface AcsPage {
  readonly snapshot: AcsSnapshot
  readonly contracts: readonly WireContract[]
  /** Position after which the next page starts; undefined on the last page. */
  readonly next: bigint | undefined
}

interface Selection {
  /** By name; empty: all. */
  readonly templates: readonly string[]
  /** Templates of which only versions were asked for. */
  readonly versionsOf: ReadonlySet<string>
  /** Those versions, by id. */
  readonly versions: ReadonlySet<string>
  readonly owners: readonly string[]
  /** Empty: everybody. */
  readonly parties: readonly string[]
}

interface Place {
  /** Exclusive; 0 is the start. */
  readonly after: bigint
  readonly pageSize: number
}

/** Contracts of a snapshot by templates and stakeholders; 400 for filters and tokens that are none, 404 without a snapshot. */
export async function acsPage(economy: Economy, query: AcsQuery, after: bigint | undefined): Promise<AcsPage | PlainError> {
  const { templates = [], party_ids: parties = [], page_size: pageSize } = query
  const fault = partiesFault(parties) ?? templates.map(templateFault).find((found) => found !== undefined)
  if (fault !== undefined) return fault
  const selection = { ...selected(economy, templates), owners: [], parties }
  const isOfNothing = templates.length > 0 && selection.templates.length === 0
  return pageOf(economy, query, isOfNothing ? undefined : selection, { after: after ?? 0n, pageSize })
}

/** Coins and locked coins of owners in a snapshot; refusals as `acsPage`. */
export async function holdingsPage(economy: Economy, query: HoldingsStateQuery, after: bigint | undefined): Promise<AcsPage | PlainError> {
  const { owner_party_ids: owners, page_size: pageSize } = query
  const fault = partiesFault(owners)
  if (fault !== undefined) return fault
  return pageOf(economy, query, {
    ...EVERY_VERSION, templates: [coin.type.reference, lockedCoin.type.reference], owners, parties: [],
  }, { after: after ?? 0n, pageSize })
}

/** A name means every version of its template, an id that version. */
function selected({ engine }: Economy, asked: readonly string[]): Omit<Selection, 'owners' | 'parties'> {
  const byName = asked.flatMap((name) => engine.template(`#${name}`)?.reference ?? [])
  const byId = asked.flatMap((id) => engine.template(id)?.reference ?? []).filter((name) => !byName.includes(name))
  return { templates: [...new Set([...byName, ...byId])], versionsOf: new Set(byId), versions: new Set(asked) }
}

const EVERY_VERSION = { versionsOf: new Set<string>(), versions: new Set<string>() }

function isWanted({ versionsOf, versions }: Selection, contract: ContractRecord): boolean {
  return versions.has(contract.templateId) || !versionsOf.has(templateOf(contract))
}

async function pageOf(
  economy: Economy, query: SnapshotQuery, selection: Selection | undefined, place: Place,
): Promise<AcsPage | PlainError> {
  if (place.after < 0n) return badRequest('after is no next_page_token')
  const snapshot = await snapshotOf(economy, query)
  if (snapshot instanceof PlainError) return snapshot
  if (selection === undefined) return { snapshot, contracts: [], next: undefined }
  const { found, next } = await scanFor(economy, { ...selection, offset: snapshot.offset }, place)
  const updateIds = await updateIdsAt(economy, found.map(({ createdOffset }) => createdOffset))
  return { snapshot, contracts: found.map(({ contract, createdOffset }) => toWire(contract, updateIds.get(createdOffset))), next }
}

type Row = Awaited<ReturnType<Economy['store']['contracts']['snapshot']>>[number]

async function scanFor(
  economy: Economy, selection: Selection & Pick<StoreQuery, 'offset'>, { after: start, pageSize }: Place,
): Promise<{ readonly found: readonly Row[]; readonly next: bigint | undefined }> {
  const { store, parties: { dso } } = economy
  const { offset, templates, owners, parties } = selection
  const found: Row[] = []
  let after = start
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += SCAN_PAGE) {
    const rows = await store.contracts.snapshot({ offset, templates, owners, after, limit: SCAN_PAGE })
    for (const row of rows) {
      if (found.length === pageSize) return { found, next: after }
      after = row.sequence
      if (isWanted(selection, row.contract) && isSeenBy(row.contract, dso, parties)) found.push(row)
    }
    if (rows.length < SCAN_PAGE) return { found, next: undefined }
  }
  return { found, next: after }
}

function isSeenBy({ signatories, observers }: ContractRecord, dso: string, parties: readonly string[]): boolean {
  const stakeholders = new Set([...signatories, ...observers])
  return stakeholders.has(dso) && (parties.length === 0 || parties.some((party) => stakeholders.has(party)))
}

/** Without those that are pruned. */
async function updateIdsAt({ store }: Economy, offsets: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  const updates = await inTurns([...new Set(offsets)], (offset) => store.updates.byOffset(offset))
  return new Map(updates.flatMap((update) => (update === undefined ? [] : [[update.offset, update.updateId]])))
}

function toWire(contract: ContractRecord, updateId: string | undefined): WireContract {
  return { ...createdContract(contract), ...updateId === undefined ? {} : { created_in_update_id: updateId } }
}

/** A contract as snapshots and updates show it. */
export function createdContract({ contractId, templateId, packageName, payload, createdAt, signatories, observers }: ContractRecord) {
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

function templateFault(name: string): PlainError | undefined {
  return TEMPLATE_NAME.test(name) ? undefined : badRequest(`${name} is no <package name>:<module path>:<entity>`)
}
