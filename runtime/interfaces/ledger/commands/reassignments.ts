// Contracts that their signatory takes off the synchronizer and assigns again. What moves is out of
// everybody's reach, so it takes what archiving takes: the authority of every signatory, and a
// reassignment has one submitter. docs/ledger-rules.md, "Assignment"
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type {
  AssignCommand,
  EventFormat,
  JsReassignment,
  ReassignmentCommandKind,
  ReassignmentCommands,
} from '../../../../generated/ledger/types.gen.ts'
import { commandKeyOf, decodeUpdate, IN_FLIGHT } from '../../../engine/index.ts'
import type { Moved, MoveRequest } from '../../../engine/index.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../../errors/errors.ts'
import { ledgerStringProblem } from '../../../errors/grammar.ts'
import { member } from '../../../host/member.ts'
import { timeText } from '../../../participant/time.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { contractStakeholders } from '../projection/events.ts'
import { projectUpdate } from '../projection/project.ts'
import type { ProjectionContext } from '../projection/project.ts'
import { eventProblem } from '../update-format.ts'
import type { CommandService } from './submitting.ts'
import { contractIdProblem } from './command-reader.ts'
import { isFate, noted } from './submitting.ts'
import { rejectionError } from './rejection-error.ts'
import { namesProblem, synchronizerProblem } from './submission-reader.ts'
import { submittersProblem } from './submitters.ts'

/** Handlers of the two ways to move a contract. */
export function reassignmentHandlers(service: CommandService) {
  const { respond } = service
  return {
    submitAndWaitForReassignment: async ({ body }, context) => {
      const { reassignmentCommands: commands, eventFormat } = body
      const request =
        (eventFormat && eventProblem(eventFormat)) ?? (await readMove(service, commands))
      const moved =
        request instanceof LedgerError ? request : await move(service, commands, request, context)
      const reassignment =
        moved instanceof LedgerError ? moved : await shown(service, moved, commands, eventFormat)
      return respond(reassignment, context, (value) => ({ reassignment: value }))
    },
    submitReassignmentAsync: async ({ body: { reassignmentCommands: commands } }, context) => {
      const request = await readMove(service, commands)
      if (request instanceof LedgerError) return respond.refuse(request, context)
      const moved = await move(service, commands, request, context)
      const isUntold = moved instanceof LedgerError && !isFate(moved)
      return respond(isUntold ? moved : {}, context, () => ({}))
    },
  } satisfies Partial<Handlers<Context>>
}

/**
 * INVALID_FIELD, INVALID_ARGUMENT, MISSING_FIELD, SYNCHRONIZER_NOT_FOUND, UPDATE_NOT_FOUND,
 * CONTRACT_NOT_FOUND, AUTHORIZATION_ERROR, NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT
 */
async function readMove(
  service: CommandService,
  request: ReassignmentCommands,
): Promise<MoveRequest | LedgerError> {
  const { submitter, commands } = request
  const [command] = commands
  if (commands.length > 1) return invalidArgument(reasonText('oneReassignment'))
  const problem =
    namesProblem({ ...request, actAs: [submitter] }) ??
    (await submittersProblem(service.store.parties, [submitter]))
  if (problem !== undefined) return problem
  const asked = await moveOf(service, command?.command)
  if (asked instanceof LedgerError) return asked
  return (await authorityProblem(service, submitter, asked)) ?? asked
}

async function moveOf(
  service: CommandService,
  command: ReassignmentCommandKind | undefined,
): Promise<MoveRequest | LedgerError> {
  if (command === undefined || 'Empty' in command)
    return ledgerError('MISSING_FIELD', { field_name: 'command' })
  const { node } = service.rules
  const { value } = 'AssignCommand' in command ? command.AssignCommand : command.UnassignCommand
  const problem = synchronizerProblem(value.source, node) ?? synchronizerProblem(value.target, node)
  if (problem !== undefined) return problem
  if ('contractId' in value)
    return contractIdProblem(value.contractId) ?? { contractId: value.contractId, to: undefined }
  return assignment(service, value)
}

/** The assignment of the contract that the named update took off, and of no later one. */
async function assignment(
  { store, rules: { node } }: CommandService,
  { reassignmentId }: AssignCommand,
): Promise<MoveRequest | LedgerError> {
  const unknown = ledgerError('UPDATE_NOT_FOUND', { type: 'REASSIGNMENT_ID', name: reassignmentId })
  const problem = ledgerStringProblem(reassignmentId)
  if (problem !== undefined) return invalidField('reassignment_id', problem)
  const record = await store.updates.byId(reassignmentId)
  const update = record && decodeUpdate(record.body)
  if (update?.kind !== 'reassignment') return unknown
  const { contractId } = update.reassignment
  const fact = await store.contracts.fact(IN_FLIGHT, contractId)
  const inFlightBy: unknown = fact && JSON.parse(fact.body)
  if (member(inFlightBy, 'unassignId') !== reassignmentId) return unknown
  return { contractId, to: node.synchronizerId }
}

/**
 * The problem of a submitter who is no stakeholder: he does not learn that the contract is there.
 */
async function authorityProblem(
  { store }: CommandService,
  submitter: string,
  { contractId, to }: MoveRequest,
): Promise<LedgerError | undefined> {
  const [state] = await store.contracts.byIds([contractId])
  if (state === undefined || !contractStakeholders(state.contract).includes(submitter))
    return ledgerError('CONTRACT_NOT_FOUND', { contract_id: contractId })
  const missing = state.contract.signatories.filter((party) => party !== submitter)
  const isSignatory = missing.length < state.contract.signatories.length
  if (missing.length === 0 && isSignatory) return undefined
  const what = to === undefined ? 'unassignment' : 'assignment'
  return ledgerError('AUTHORIZATION_ERROR', { what, missing: missing.join(', ') })
}

async function move(
  service: CommandService,
  { submitter, commandId, workflowId = '', submissionId = '' }: ReassignmentCommands,
  request: MoveRequest,
  context: Context,
): Promise<Moved | LedgerError> {
  const { engine, submissions } = service
  const name = { userId: callerOf(context).user.id, actAs: [submitter], commandId, submissionId }
  const outcome = await submissions.once(commandKeyOf(name), submissionId, async () => {
    const { userId } = name
    const names = { userId, submitter, commandId, workflowId, submissionId }
    const moved = await engine.reassign({ ...request, names })
    return moved.ok ? moved : rejectionError(moved)
  })
  return outcome instanceof LedgerError ? noted(service, name, outcome, context) : outcome
}

/** A client's view of its own reassignment; without a format no events. */
async function shown(
  { store, engine, hosted, rules: { node } }: CommandService,
  { updateId, offset, recordTime }: Moved,
  { commandId, workflowId = '' }: ReassignmentCommands,
  eventFormat: EventFormat | undefined,
): Promise<JsReassignment> {
  const context: ProjectionContext = {
    templateOf: ({ templateId }) => engine.template(templateId),
    ready: (templateIds) => engine.ready(templateIds),
    contractOf: async (id) => (await store.contracts.byIds([id]))[0]?.contract,
    hosted,
  }
  const record = eventFormat && (await store.updates.byOffset(offset))
  const update =
    record && (await projectUpdate(record, { includeReassignments: eventFormat }, context))
  const found =
    update !== undefined && 'Reassignment' in update ? update.Reassignment.value : undefined
  return {
    updateId,
    commandId,
    workflowId,
    offset,
    events: found?.events ?? [],
    recordTime: timeText(recordTime),
    synchronizerId: node.synchronizerId,
  }
}
