// An update as scan shows it: the tree of what the network's party sees, or a move of a contract.
// spec/scan.yaml
import type {
  ActiveContract,
  CreatedEvent,
  TreeEvent,
  UpdateHistoryItemV1,
  UpdateHistoryItemV2,
  UpdateHistoryReassignment,
  UpdateHistoryTransactionV2,
} from '../../../generated/scan/types.gen.ts'
import { decodeUpdate } from '../../engine/index.ts'
import type {
  ExerciseEvent,
  LedgerEvent,
  Reassignment,
  StoredTransaction,
} from '../../engine/index.ts'
import type { ContractRecord, UpdateRecord } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import { timeText } from '../../participant/time.ts'
import { scheduler } from '../../work/scheduler.ts'
import { createdContract } from './active-contracts.ts'

/** Digits of an offset where its text has to sort as the number does. */
const OFFSET_DIGITS = 18

/** An update as `updateToWire` has it, in the form of the earlier versions: each has its offset. */
export async function updateToEarlierWire(
  economy: Pick<Economy, 'parties' | 'settings' | 'store'>,
  record: UpdateRecord,
): Promise<UpdateHistoryItemV1 | undefined> {
  const update = await updateToWire(economy, record)
  return update && { ...update, offset: offsetText(record.offset) }
}

/** An offset as the earlier forms write it: texts sort as the numbers do. */
export function offsetText(offset: bigint): string {
  return String(offset).padStart(OFFSET_DIGITS, '0')
}

/** The update; undefined where the network's party sees nothing of it. */
export async function updateToWire(
  economy: Pick<Economy, 'parties' | 'settings' | 'store'>,
  record: UpdateRecord,
): Promise<UpdateHistoryItemV2 | undefined> {
  const update = decodeUpdate(record.body)
  if (update.kind === 'transaction') return transactionToWire(economy, record, update.transaction)
  const [state] = await economy.store.contracts.byIds([update.reassignment.contractId])
  const isSeen =
    state !== undefined &&
    [...state.contract.signatories, ...state.contract.observers].includes(economy.parties.dso)
  return isSeen ? moveToWire(economy, record, update.reassignment, state.contract) : undefined
}

function transactionToWire(
  { parties: { dso }, settings: { network } }: Pick<Economy, 'parties' | 'settings'>,
  { recordTime }: UpdateRecord,
  transaction: StoredTransaction,
): UpdateHistoryTransactionV2 | undefined {
  const { updateId, workflowId, synchronizerId, effectiveAt, signedHash } = transaction
  const seen = transaction.events.filter(({ witnesses }) => witnesses.includes(dso))
  if (seen.length === 0) return undefined
  const { roots, children } = linksOf(seen)
  const idOf = (node: number): string => `${updateId}:${node}`
  return {
    update_id: updateId,
    migration_id: BigInt(network.migrationId),
    workflow_id: workflowId,
    record_time: timeText(recordTime),
    synchronizer_id: synchronizerId,
    effective_at: timeText(effectiveAt),
    root_event_ids: roots.map(idOf),
    events_by_id: Object.fromEntries(
      seen.map((event) => {
        const below = (children.get(event.node) ?? []).map(idOf)
        return [idOf(event.node), eventToWire(event, idOf(event.node), below)]
      }),
    ),
    ...(signedHash !== undefined && { external_transaction_hash: signedHash }),
  }
}

/**
 * Contracts of a snapshot as the events of their creation; with an empty id where that is pruned.
 * Nobody waits for them once the signal aborts.
 */
export async function creationsOf(
  { store }: Pick<Economy, 'store'>,
  contracts: readonly ActiveContract[],
  signal: AbortSignal,
): Promise<CreatedEvent[]> {
  const eventIds = new Map<string, string>()
  const pause = scheduler.parts()
  // An update can be large, and many contracts may share it.
  for (const updateId of new Set(contracts.map((each) => each.created_in_update_id))) {
    if (updateId === undefined) continue
    await pause()
    if (signal.aborted) break
    const record = await store.updates.byId(updateId)
    const update = record && decodeUpdate(record.body)
    if (update?.kind !== 'transaction') continue
    for (const event of update.transaction.events)
      if (event.kind === 'create')
        eventIds.set(event.contract.contractId, `${updateId}:${event.node}`)
  }
  return contracts.map(({ created_in_update_id: _, ...contract }) => ({
    event_type: 'created_event',
    event_id: eventIds.get(contract.contract_id) ?? '',
    ...contract,
  }))
}

interface Links {
  readonly roots: readonly number[]
  readonly children: ReadonlyMap<number, readonly number[]>
}

/**
 * Who hangs below whom among the nodes that are seen: below the nearest exercise above that is
 * seen, too.
 */
function linksOf(seen: readonly LedgerEvent[]): Links {
  const roots: number[] = []
  const children = new Map<number, number[]>()
  const above: ExerciseEvent[] = []
  for (const event of seen) {
    while ((above.at(-1)?.lastDescendant ?? event.node) < event.node) above.pop()
    const parent = above.at(-1)
    if (parent === undefined) roots.push(event.node)
    else children.set(parent.node, [...(children.get(parent.node) ?? []), event.node])
    if (event.kind === 'exercise') above.push(event)
  }
  return { roots, children }
}

function eventToWire(event: LedgerEvent, id: string, children: string[]): TreeEvent {
  if (event.kind === 'create') return createdEvent(event.contract, id)
  const {
    contractId,
    templateId,
    packageName,
    choice,
    argument,
    result,
    consuming,
    actingParties,
    interfaceId,
  } = event
  return {
    event_type: 'exercised_event',
    event_id: id,
    contract_id: contractId,
    template_id: templateId,
    package_name: packageName,
    choice,
    choice_argument: typeof argument === 'object' && argument !== null ? { ...argument } : {},
    child_event_ids: children,
    exercise_result: result,
    consuming,
    acting_parties: [...actingParties],
    ...(interfaceId === undefined ? {} : { interface_id: interfaceId }),
  }
}

function createdEvent(contract: ContractRecord, id: string): CreatedEvent {
  return { event_type: 'created_event', event_id: id, ...createdContract(contract) }
}

function moveToWire(
  { parties, settings: { network } }: Pick<Economy, 'parties' | 'settings'>,
  { offset, recordTime, updateId }: UpdateRecord,
  { kind, contractId, source, target, unassignId, names }: Omit<Reassignment, 'recordTime'>,
  contract: ContractRecord,
): UpdateHistoryReassignment {
  const common = {
    submitter: names?.submitter ?? parties.operator,
    source_synchronizer: source,
    target_synchronizer: target,
    migration_id: BigInt(network.migrationId),
    unassign_id: unassignId ?? updateId,
    // Rises with every move of a contract, which is all that the number promises.
    reassignment_counter: offset,
  }
  return {
    update_id: updateId,
    offset: String(offset),
    record_time: timeText(recordTime),
    event:
      kind === 'unassigned'
        ? { ...common, contract_id: contractId }
        : { ...common, created_event: createdEvent(contract, `${updateId}:0`) },
  }
}
