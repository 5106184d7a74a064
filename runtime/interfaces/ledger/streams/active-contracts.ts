// What was active right after an offset, for stakeholders: the store finds the contracts of the
// parties and templates that are asked for. docs/ledger-rules.md, "Streams and lists"
import type {
  EventFormat,
  GetActiveContractsRequest,
  JsGetActiveContractsResponse,
} from '../../../../generated/ledger/types.gen.ts'
import { allTemplates } from '../../../contracts/index.ts'
import { isSnapshotPruned } from '../../../store/rules.ts'
import type { ContractRecord, SnapshotQuery, Store } from '../../../store/store.ts'
import { scheduler } from '../../../work/scheduler.ts'
import { LedgerError } from '../../../errors/errors.ts'
import { EventFilter } from '../projection/event-filter.ts'
import { contractStakeholders, created } from '../projection/events.ts'
import { contractsFormat } from './formats.ts'
import { prunedSnapshot, snapshotProblem } from './offsets.ts'
import { readAhead, StreamFailure } from './reads.ts'
import type { Reading, StreamReads } from './reads.ts'

const SLICE = 500

type ContractsReading = Pick<Reading, 'signal' | 'hold'>

/** Oldest first. Errors: those of `contractsFormat` and `snapshotProblem` */
export async function openActiveContracts(
  reads: StreamReads,
  request: GetActiveContractsRequest,
  reading: ContractsReading,
): Promise<AsyncGenerator<JsGetActiveContractsResponse> | LedgerError> {
  const format = contractsFormat(request)
  if (format instanceof LedgerError) return format
  const from = { offset: request.activeAtOffset, format, after: 0n, slice: SLICE }
  const contracts = await openSnapshot(reads, from, reading)
  return contracts instanceof LedgerError ? contracts : shownOf(contracts)
}

async function* shownOf(
  contracts: AsyncGenerator<PlacedContract>,
): AsyncGenerator<JsGetActiveContractsResponse> {
  for await (const { shown } of contracts) yield shown
}

/** A part of a snapshot that is read, and where it begins. */
interface SnapshotRead {
  readonly offset: bigint
  readonly format: EventFormat
  /** `place` of the last contract that was read; 0 is the start. */
  readonly after: bigint
  /** Contracts that are read at once, at most. */
  readonly slice: number
}

/** A contract, and where the reader goes on after it. */
export interface PlacedContract {
  readonly shown: JsGetActiveContractsResponse
  readonly place: bigint
}

/** Oldest first. Errors: those of `snapshotProblem` */
export async function openSnapshot(
  reads: StreamReads,
  from: SnapshotRead,
  reading: ContractsReading,
): Promise<AsyncGenerator<PlacedContract> | LedgerError> {
  const { updates } = reads.store
  const problem = snapshotProblem(
    from.offset,
    await updates.ledgerEnd(),
    await updates.prunedUpTo(),
  )
  return problem ?? active(reads, from, reading)
}

async function* active(
  reads: StreamReads,
  { offset, format, after: begin, slice }: SnapshotRead,
  reading: ContractsReading,
): AsyncGenerator<PlacedContract> {
  const limit = Math.min(slice, SLICE)
  const filter = new EventFilter(format)
  const templates = await templatesOf(filter, reads)
  const { parties } = filter
  if (templates?.length === 0 || parties?.length === 0) return
  const { hosted } = reads
  for (let after = begin; !reading.signal.aborted;) {
    const query = { offset, templates: templates ?? [], parties: parties ?? [], after, limit }
    const page = await readAhead(reading, () => readSnapshot(reads, query), charsOf)
    const stakeholders = page.flatMap(({ contract }) => contractStakeholders(contract))
    const sees = await hosted?.hostedAt(stakeholders, offset)
    await reads.ready(page.map(({ contract }) => contract.templateId))
    const here = sees === undefined ? filter : new EventFilter(format, sees)
    const isLast = page.length < limit
    const pause = scheduler.parts()
    // Emptied, since its reader may take its time.
    for (let state = page.shift(); state !== undefined; state = page.shift()) {
      const rest = pause()
      if (rest !== undefined) await rest
      const absent = reads.ready([state.contract.templateId])
      if (absent !== undefined) await absent
      const { contract, createdOffset, synchronizerId: at, sequence } = state
      after = sequence
      // One in flight belongs to no synchronizer; the update that assigns it tells of it.
      const createdEvent = at === '' ? undefined : activeEvent(reads, contract, createdOffset, here)
      if (createdEvent === undefined) continue
      const reassignmentCounter = 0n
      // It may have been stored under an id that the synchronizer had before.
      const { synchronizerId } = reads
      const contractEntry = {
        JsActiveContract: { createdEvent, synchronizerId, reassignmentCounter },
      }
      yield { shown: { workflowId: '', contractEntry }, place: sequence }
    }
    if (isLast) return
  }
}

type Snapshot = Awaited<ReturnType<Store['contracts']['snapshot']>>[number][]

/** Ends the stream where the offset was pruned since it began. */
async function readSnapshot({ store, tail }: StreamReads, query: SnapshotQuery): Promise<Snapshot> {
  // A store in this process answers at once: others would wait until all is read.
  await tail.turn()
  try {
    return [...(await store.contracts.snapshot(query))]
  } catch (error) {
    if (!isSnapshotPruned(error)) throw error
    throw new StreamFailure(prunedSnapshot(query.offset, await store.updates.prunedUpTo()))
  }
}

function charsOf(page: Snapshot): number {
  return page.reduce((sum, { contract }) => sum + contract.payload.length, 0)
}

/** A contract that was created at `offset`, as far as a filter asks for it. */
export function activeEvent(
  { templateOf }: Pick<StreamReads, 'templateOf'>,
  contract: ContractRecord,
  offset: bigint,
  filter: EventFilter,
) {
  const { templateId, packageName } = contract
  const witnesses = filter.named(contractStakeholders(contract))
  const extras = filter.asks({ templateId, packageName, template: templateOf(contract) }, witnesses)
  return (
    extras && created(contract, 0, { offset, filter, templateOf, extras, witnesses, delta: true })
  )
}

/** The templates that the filters can let through; undefined where that is every one. */
async function templatesOf(
  filter: EventFilter,
  { uploaded }: Pick<StreamReads, 'uploaded'>,
): Promise<readonly string[] | undefined> {
  const own = allTemplates.filter((template) => filter.mayAsk(template))
  if (own.length === allTemplates.length) return undefined
  const { templates } = await uploaded.now()
  const others = templates.filter((template) => filter.mayAsk(template))
  return [...new Set([...own, ...others].map(({ reference }) => reference))]
}
