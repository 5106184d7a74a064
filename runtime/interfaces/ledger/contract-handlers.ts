// Single contracts: how one began and ended, and what it says. Absent, pruned and invisible ones
// are not told apart. docs/ledger-rules.md, "Rights" and "Formats and filters"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type {
  ArchivedEvent,
  CreatedEvent,
  EventFormat,
  GetContractRequest,
  JsGetEventsByContractIdResponse,
} from '../../../generated/ledger/types.gen.ts'
import type { ContractState, UpdateRecord } from '../../store/store.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument, ledgerError } from '../../errors/errors.ts'
import { partyProblem } from '../../errors/grammar.ts'
import { callerOf } from '../reply.ts'
import type { Context, Respond } from '../reply.ts'
import { contractIdProblem } from './commands/command-reader.ts'
import { decodedOnce } from './projection/decoded-once.ts'
import { EventFilter } from './projection/event-filter.ts'
import { archival, contractStakeholders, created } from './projection/events.ts'
import { seersHere } from './projection/project.ts'
import { activeEvent } from './streams/active-contracts.ts'
import type { StreamReads } from './streams/reads.ts'
import { eventProblem } from './update-format.ts'

type ContractReads = Pick<
  StreamReads,
  'hosted' | 'ready' | 'store' | 'templateOf' | 'synchronizerId'
>

/** Handlers of the reads of one contract. */
export function contractHandlers(reads: ContractReads, respond: Respond) {
  return {
    getEventsByContractId: async ({ body: { contractId, eventFormat } }, context) => {
      const events =
        contractIdProblem(contractId) ??
        eventProblem(eventFormat) ??
        (await contractEvents(reads, contractId, eventFormat))
      return respond(events, context, (value) => value)
    },
    getContractById: async ({ body }, context) => {
      const everybodys = callerOf(context).rights.has('CanReadAsAnyParty')
      const event =
        contractIdProblem(body.contractId) ?? (await contractEvent(reads, body, everybodys))
      return respond(event, context, (createdEvent) => ({ createdEvent }))
    },
  } satisfies Partial<Handlers<Context>>
}

/** CONTRACT_EVENTS_NOT_FOUND */
async function contractEvents(
  reads: ContractReads,
  contractId: string,
  format: EventFormat,
): Promise<JsGetEventsByContractIdResponse | LedgerError> {
  const { store, synchronizerId } = reads
  const state = await keptState(reads, contractId)
  if (state === undefined) return eventsNotFound(contractId)
  const { createdOffset, archivedOffset } = state
  const [birth, death] = await Promise.all([
    store.updates.byOffset(createdOffset),
    archivedOffset === 0n ? undefined : store.updates.byOffset(archivedOffset),
  ])
  const sees = await reads.hosted?.hostedDuring(contractStakeholders(state.contract), state)
  const filter = new EventFilter(format, sees)
  await reads.ready([state.contract.templateId])
  const shown = activeEvent(reads, state.contract, createdOffset, filter)
  if (shown === undefined) return eventsNotFound(contractId)
  const nodeId = birth === undefined ? 0 : nodeOfCreation(birth, contractId)
  const acsDelta = createdOffset !== archivedOffset
  const end = death && (await archivedEvent(reads, death, contractId, format))
  return {
    created: {
      createdEvent: { ...shown, nodeId, acsDelta },
      synchronizerId: synchronizerOf(birth) ?? synchronizerId,
    },
    ...(end === undefined
      ? {}
      : {
          archived: {
            archivedEvent: end,
            synchronizerId: synchronizerOf(death) ?? synchronizerId,
          },
        }),
  }
}

/** INVALID_ARGUMENT, PERMISSION_DENIED, CONTRACT_PAYLOAD_NOT_FOUND */
async function contractEvent(
  reads: ContractReads,
  { contractId, queryingParties = [] }: GetContractRequest,
  everybodys: boolean,
): Promise<CreatedEvent | LedgerError> {
  const malformed = queryingParties.map(partyProblem).find((problem) => problem !== undefined)
  if (malformed !== undefined) return invalidArgument(malformed)
  if (queryingParties.length === 0 && !everybodys) return ledgerError('PERMISSION_DENIED', {})
  const state = await keptState(reads, contractId)
  const all = state === undefined ? [] : contractStakeholders(state.contract)
  const sees = state && (await reads.hosted?.hostedDuring(all, state))
  const stakeholders = sees === undefined ? all : all.filter(sees)
  const asked = new Set(queryingParties)
  const witnesses = asked.size === 0 ? stakeholders : stakeholders.filter((each) => asked.has(each))
  if (state === undefined || witnesses.length === 0)
    return ledgerError('CONTRACT_PAYLOAD_NOT_FOUND', { contract_id: contractId })
  return created(state.contract, 0, {
    offset: state.createdOffset,
    filter: new EventFilter({}),
    templateOf: reads.templateOf,
    extras: { blob: false, views: [] },
    witnesses,
    delta: true,
  })
}

/** Undefined where it was archived in history that is pruned. */
async function keptState(
  { store }: ContractReads,
  contractId: string,
): Promise<ContractState | undefined> {
  const [[state], { participant }] = await Promise.all([
    store.contracts.byIds([contractId]),
    store.updates.prunedUpTo(),
  ])
  const isGone =
    state !== undefined && state.archivedOffset > 0n && state.archivedOffset <= participant
  return isGone ? undefined : state
}

function nodeOfCreation(record: UpdateRecord, contractId: string): number {
  const update = decodedOnce(record)
  const events = update.kind === 'transaction' ? update.transaction.events : []
  const found = events.find(
    (event) => event.kind === 'create' && event.contract.contractId === contractId,
  )
  return found?.node ?? 0
}

async function archivedEvent(
  { hosted, ready, templateOf }: ContractReads,
  record: UpdateRecord,
  contractId: string,
  format: EventFormat,
): Promise<ArchivedEvent | undefined> {
  const update = decodedOnce(record)
  const events = update.kind === 'transaction' ? update.transaction.events : []
  const end = events.find(
    (event) => event.kind === 'exercise' && event.consuming && event.contractId === contractId,
  )
  if (end?.kind !== 'exercise') return undefined
  await ready([end.templateId])
  const filter = new EventFilter(format, await seersHere(record, hosted))
  return archival(end, { offset: record.offset, filter, templateOf, together: {} })
}

function synchronizerOf(record: UpdateRecord | undefined): string | undefined {
  const update = record && decodedOnce(record)
  return update?.kind === 'transaction' ? update.transaction.synchronizerId : undefined
}

function eventsNotFound(contractId: string): LedgerError {
  return ledgerError('CONTRACT_EVENTS_NOT_FOUND', { contract_id: contractId })
}
