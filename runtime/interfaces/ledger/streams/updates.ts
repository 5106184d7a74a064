// The stream of updates as a format shows them. docs/ledger-rules.md, "Streams and lists"
import type {
  GetUpdatesRequest,
  JsGetUpdatesResponse,
  JsGetUpdateTreesResponse,
  UpdateFormat,
} from '../../../../generated/ledger/types.gen.ts'
import { LedgerError, ledgerError } from '../../../errors/errors.ts'
import type { UpdateRecord } from '../../../store/store.ts'
import { seersOnce } from '../projection/decoded-once.ts'
import { EventFilter } from '../projection/event-filter.ts'
import type { ProjectionContext } from '../projection/project.ts'
import { projectUpdate, treeOf } from '../projection/project.ts'
import { checkpointOf, Checkpoints } from './checkpoints.ts'
import { treesFormat, updatesFormat } from './formats.ts'
import { rangeProblem } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import { ShownOnce } from './shown-once.ts'
import { mapped } from './elements.ts'
import type { Elements, Show } from './elements.ts'
import { downwards, upwards } from './update-feed.ts'

/**
 * The stream that a request means, or why there is none. Errors: those of `updatesFormat` and
 * `rangeFault`, DESCENDING_ORDER_MISSING_END
 */
export async function openUpdates(
  reads: StreamReads,
  request: GetUpdatesRequest,
  reading: Reading,
): Promise<Elements<JsGetUpdatesResponse> | LedgerError> {
  return openAs(updatesFormat(request), reads, request, reading)
}

type UpdatesRange = Omit<GetUpdatesRequest, 'updateFormat' | 'filter' | 'verbose'>

async function openAs(
  format: UpdateFormat | LedgerError,
  reads: StreamReads,
  range: UpdatesRange,
  reading: Reading,
): Promise<Elements<JsGetUpdatesResponse> | LedgerError> {
  if (format instanceof LedgerError) return format
  const { beginExclusive: begin, endInclusive: end, descendingOrder = false } = range
  if (descendingOrder && end === undefined) return ledgerError('DESCENDING_ORDER_MISSING_END', {})
  const { updates } = reads.store
  const ledgerEnd = await updates.ledgerEnd()
  const problem = rangeProblem({ begin, end }, ledgerEnd, await updates.prunedUpTo())
  if (problem !== undefined) return problem
  const parties = partiesOf(format)
  const show = showAs(reads, { format, parties, hasNoEnd: end === undefined })
  return descendingOrder
    ? downwards(reads, { begin, end: end ?? begin, parties }, reading, show)
    : upwards(reads, { begin, end, ledgerEnd, parties }, reading, show)
}

/**
 * As `openUpdates`, with each transaction as a tree. Errors: those of `treesFormat` and
 * `openUpdates`
 */
export async function openUpdateTrees(
  reads: StreamReads,
  request: GetUpdatesRequest,
  reading: Reading,
): Promise<Elements<JsGetUpdateTreesResponse> | LedgerError> {
  const updates = await openAs(treesFormat(request), reads, request, reading)
  return updates instanceof LedgerError ? updates : mapped(updates, asTree)
}

function asTree({ update }: JsGetUpdatesResponse): JsGetUpdateTreesResponse | undefined {
  if (update === undefined || 'TopologyTransaction' in update) return undefined
  return {
    update:
      'Transaction' in update
        ? { TransactionTree: { value: treeOf(update.Transaction.value) } }
        : update,
  }
}

/** The parties that a format asks for; undefined: anybody. */
function partiesOf({ includeTransactions, includeReassignments }: UpdateFormat) {
  const asked = [includeTransactions?.eventFormat, includeReassignments].flatMap((format) =>
    format === undefined ? [] : [new EventFilter(format).parties],
  )
  const parties = asked.flatMap((each) => each ?? [])
  return asked.includes(undefined) ? undefined : [...new Set(parties)]
}

interface View {
  readonly format: UpdateFormat
  readonly parties: readonly string[] | undefined
  readonly hasNoEnd: boolean
}

const UPDATES = new ShownOnce<JsGetUpdatesResponse>()

function showAs(
  { store: { contracts }, templateOf, ready, synchronizerId, hosted }: StreamReads,
  { format, parties, hasNoEnd }: View,
): Show<JsGetUpdatesResponse> {
  const context: ProjectionContext = {
    templateOf,
    ready,
    contractOf: async (id) => (await contracts.byIds([id]))[0]?.contract,
    hosted,
  }
  const checkpoints = new Checkpoints()
  const mayShow = (record: UpdateRecord): boolean => {
    const seers = parties && seersOnce(record)
    return parties === undefined || seers === undefined || parties.some((each) => seers.has(each))
  }
  const name = JSON.stringify([hosted?.node, format])
  return async (record) => {
    const shown = await UPDATES.of(record, name, async () => {
      const update = mayShow(record) ? await projectUpdate(record, format, context) : undefined
      return update === undefined ? [] : [{ update }]
    })
    const isDue = hasNoEnd && checkpoints.isDue(shown.length > 0)
    return isDue ? [...shown, { update: checkpointOf(record, synchronizerId) }] : shown
  }
}
