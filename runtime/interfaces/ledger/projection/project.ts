// One stored update as its readers see it; undefined where they see nothing of it.
// docs/ledger-rules.md, "Updates"
import type {
  EventFormat,
  JsReassignment,
  JsTransaction,
  JsTransactionTree,
  TransactionFormat,
  TreeEvent,
  Update,
  UpdateFormat,
} from '../../../../generated/ledger/types.gen.ts'
import type { Reassignment } from '../../../engine/transaction.ts'
import type { Engine, StoredTransaction } from '../../../engine/index.ts'
import type { ContractRecord, UpdateRecord } from '../../../store/store.ts'
import type { HostedParties, Sees } from '../../../participant/hosted.ts'
import { timeText } from '../../../participant/time.ts'
import { decodedOnce, seersOnce } from './decoded-once.ts'
import { EventFilter } from './event-filter.ts'
import type { TemplateOf } from './events.ts'
import { acsDelta, contractStakeholders, created, ledgerEffects } from './events.ts'

export interface ProjectionContext {
  readonly templateOf: TemplateOf
  readonly ready: Engine['ready']
  contractOf(contractId: string): Promise<ContractRecord | undefined>
  /** Undefined where this is the only node. */
  readonly hosted: HostedParties | undefined
}

/** The seers of an update who lived on this node then; undefined where everybody does. */
export async function seersHere(
  record: UpdateRecord,
  hosted: HostedParties | undefined,
): Promise<Sees | undefined> {
  return hosted?.seersOf(seersOnce(record) ?? [], record.offset)
}

/** An update as a format shows it. */
export async function projectUpdate(
  record: UpdateRecord,
  format: UpdateFormat,
  context: ProjectionContext,
): Promise<Update | undefined> {
  const update = decodedOnce(record)
  if (update.kind === 'transaction') {
    const asked = format.includeTransactions
    const sees = asked && (await seersHere(record, context.hosted))
    await context.ready(templatesIn(update.transaction))
    const value = asked && projectTransaction(record, update.transaction, asked, { context, sees })
    return value && { Transaction: { value } }
  }
  const contract = await context.contractOf(update.reassignment.contractId)
  const asked = format.includeReassignments
  const sees =
    contract && (await context.hosted?.seersOf(contractStakeholders(contract), record.offset))
  if (contract !== undefined) await context.ready([contract.templateId])
  const value =
    asked &&
    contract &&
    projectReassignment(record, update.reassignment, { asked, contract, context, sees })
  return value && { Reassignment: { value } }
}

/**
 * The update as a tree, for parties whose every event is asked for. docs/ledger-rules.md, "Updates"
 */
export async function projectTree(
  record: UpdateRecord,
  eventFormat: EventFormat,
  context: ProjectionContext,
): Promise<JsTransactionTree | undefined> {
  const update = decodedOnce(record)
  if (update.kind !== 'transaction') return undefined
  const format = { transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' as const, eventFormat }
  const sees = await seersHere(record, context.hosted)
  await context.ready(templatesIn(update.transaction))
  const shown = projectTransaction(record, update.transaction, format, { context, sees })
  return shown && treeOf(shown)
}

/** A transaction that shows ledger effects, its events as the nodes of a tree. */
export function treeOf({ events, ...rest }: JsTransaction): JsTransactionTree {
  return { ...rest, eventsById: Object.fromEntries(events.flatMap(treeEvent)) }
}

function treeEvent(event: JsTransaction['events'][number]): [string, TreeEvent][] {
  if ('CreatedEvent' in event)
    return [
      [String(event.CreatedEvent.nodeId), { CreatedTreeEvent: { value: event.CreatedEvent } }],
    ]
  if ('ExercisedEvent' in event)
    return [
      [
        String(event.ExercisedEvent.nodeId),
        { ExercisedTreeEvent: { value: event.ExercisedEvent } },
      ],
    ]
  return []
}

/**
 * A transaction for who submitted it, who is told of it even where none of its events is asked for.
 */
export async function projectCommitted(
  record: UpdateRecord,
  format: TransactionFormat,
  context: Pick<ProjectionContext, 'hosted' | 'ready' | 'templateOf'>,
): Promise<JsTransaction | undefined> {
  const update = decodedOnce(record)
  if (update.kind !== 'transaction') return undefined
  const sees = await seersHere(record, context.hosted)
  await context.ready(templatesIn(update.transaction))
  return showTransaction(record, update.transaction, format, { context, sees })
}

function* templatesIn({ events }: StoredTransaction): Generator<string> {
  for (const event of events)
    yield event.kind === 'create' ? event.contract.templateId : event.templateId
}

interface Eyes {
  readonly context: Pick<ProjectionContext, 'templateOf'>
  readonly sees: Sees | undefined
}

function projectTransaction(
  record: UpdateRecord,
  transaction: StoredTransaction,
  format: TransactionFormat,
  eyes: Eyes,
): JsTransaction | undefined {
  const shown = showTransaction(record, transaction, format, eyes)
  return shown.events.length === 0 ? undefined : shown
}

function showTransaction(
  { offset, recordTime }: UpdateRecord,
  transaction: StoredTransaction,
  { transactionShape, eventFormat }: TransactionFormat,
  { context: { templateOf }, sees }: Eyes,
): JsTransaction {
  const filter = new EventFilter(eventFormat, sees)
  const shape = transactionShape === 'TRANSACTION_SHAPE_ACS_DELTA' ? acsDelta : ledgerEffects
  const events = shape(transaction.events, { offset, filter, templateOf, together: {} })
  const { updateId, commandId, workflowId, actAs, effectiveAt, synchronizerId, traceContext } =
    transaction
  const { signedHash } = transaction
  return {
    updateId,
    commandId: filter.named(actAs).length > 0 ? commandId : '',
    workflowId,
    effectiveAt: timeText(effectiveAt),
    events: [...events],
    offset,
    synchronizerId,
    traceContext,
    recordTime: timeText(recordTime),
    ...(signedHash !== undefined && {
      externalTransactionHash: Buffer.from(signedHash, 'hex').toString('base64'),
    }),
  }
}

interface ReassignmentView {
  readonly asked: EventFormat
  readonly contract: ContractRecord
  readonly context: ProjectionContext
  readonly sees: Sees | undefined
}

function projectReassignment(
  { offset, recordTime }: UpdateRecord,
  reassignment: Omit<Reassignment, 'recordTime'>,
  { asked, contract, context, sees }: ReassignmentView,
): JsReassignment | undefined {
  const filter = new EventFilter(asked, sees)
  const { templateId, packageName } = contract
  const witnesses = filter.named(contractStakeholders(contract))
  const extras = filter.asks(
    { templateId, packageName, template: context.templateOf(contract) },
    witnesses,
  )
  if (extras === undefined) return undefined
  const { updateId, kind, contractId, source, target, unassignId, names } = reassignment
  const common = {
    // An assignment completes what took the contract off, and goes by its id.
    reassignmentId: kind === 'assigned' ? (unassignId ?? '') : updateId,
    reassignmentCounter: offset,
    source,
    target,
    submitter: names?.submitter ?? '',
  }
  const view = {
    offset,
    filter,
    templateOf: context.templateOf,
    extras,
    witnesses,
    delta: true,
    subject: { templateId, packageName },
  }
  const event: JsReassignment['events'][number] =
    kind === 'assigned'
      ? { JsAssignmentEvent: { ...common, createdEvent: created(contract, 0, view) } }
      : {
          JsUnassignedEvent: {
            value: {
              ...common,
              ...view.subject,
              offset,
              nodeId: 0,
              contractId,
              witnessParties: [...witnesses],
            },
          },
        }
  const isOwn = names !== undefined && filter.named([names.submitter]).length > 0
  return {
    updateId,
    ...(names && { commandId: isOwn ? names.commandId : '', workflowId: names.workflowId }),
    offset,
    recordTime: timeText(recordTime),
    synchronizerId: kind === 'assigned' ? target : source,
    events: [event],
  }
}
