// Interactive submission over HTTP. domain/ledger.md §7.5; docs/hashing.md
import { hash } from 'node:crypto'
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type {
  JsExecuteSubmissionRequest,
  JsPrepareSubmissionRequest,
  JsPrepareSubmissionResponse,
} from '../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import type { Context } from '../reply.ts'
import { callerOf } from '../reply.ts'
import { timeText } from '../../participant/time.ts'
import type { SubmissionName } from './commands/submissions.ts'
import {
  creationsAndArchivals,
  isTold,
  noted,
  tellFate,
  readingHere,
  transactionAt,
} from './commands/command-handlers.ts'
import type { CommandService } from './commands/command-handlers.ts'
import { rejectionError } from './commands/rejection-error.ts'
import {
  noteOf,
  readDeduplication,
  readSubmission,
  readTime,
} from './commands/submission-reader.ts'
import type { CommandsRequest } from './commands/submission-reader.ts'
import { readSignature, signatureError } from '../../participant/topology/signature-wire.ts'
import { formatProblem } from './update-format.ts'
import { hashingDetails } from '../../participant/interactive/hashing-details.ts'
import type {
  Execution,
  Interactive,
  InteractiveRejection,
  Prepared,
} from '../../participant/interactive/interactive.ts'

type InteractiveHandlers = Pick<
  Handlers<Context>,
  | 'prepareSubmission'
  | 'executeSubmission'
  | 'executeSubmissionAndWait'
  | 'executeSubmissionAndWaitForTransaction'
>

const SCHEME = 'HASHING_SCHEME_VERSION_V2'

/** Handlers of preparing and of the three ways to execute. */
export function interactiveHandlers(
  interactive: Interactive,
  service: CommandService,
): InteractiveHandlers {
  const { respond } = service
  return {
    prepareSubmission: async ({ body }, context) => {
      const prepared = await prepare(interactive, service, body, context)
      return respond(prepared, context, (value) => preparedBody(value, body, service))
    },
    executeSubmission: async ({ body }, context) =>
      respond(await start(interactive, service, body, context), context, () => ({})),
    executeSubmissionAndWait: async ({ body }, context) => {
      const outcome = await execute(interactive, service, body, context)
      return respond(outcome, context, ({ updateId, offset }) => ({
        updateId,
        completionOffset: offset,
      }))
    },
    executeSubmissionAndWaitForTransaction: async ({ body }, context) => {
      const format =
        body.transactionFormat ??
        creationsAndArchivals(body.partySignatures.signatures.map(({ party }) => party))
      const outcome =
        formatProblem({ includeTransactions: format }) ??
        (await execute(interactive, service, body, context))
      const shown =
        outcome instanceof LedgerError
          ? outcome
          : await transactionAt(service, outcome.offset, format)
      return respond(shown, context, (transaction) => ({ transaction }))
    },
  }
}

/** What a rejection is on the ledger interface. */
function interactiveError(rejection: InteractiveRejection): LedgerError {
  if (rejection.kind === 'refused') return rejectionError(rejection.rejection)
  if (rejection.kind === 'no-keys')
    return ledgerError('PARTY_SIGNING_KEYS_NOT_FOUND', { party: rejection.party })
  return invalidArgument(rejection.reason)
}

async function prepare(
  interactive: Interactive,
  { rules, hosted }: CommandService,
  request: JsPrepareSubmissionRequest,
  context: Context,
): Promise<Prepared | LedgerError> {
  const submission = readSubmission(commandsOf(request), callerOf(context).user.id, rules)
  if (submission instanceof LedgerError) return submission
  const latest =
    request.maxRecordTime === undefined
      ? undefined
      : readTime('max_record_time', request.maxRecordTime)
  if (latest instanceof LedgerError) return latest
  const { commandId } = request
  return orError(
    await interactive.prepare(
      { ...(await readingHere(submission, hosted)), commandId },
      latest === undefined ? undefined : latest + 1n,
    ),
  )
}

/**
 * Member by member: what the document does not name has not been checked, and other commands have
 * members of those names.
 */
function commandsOf({
  commandId,
  actAs,
  readAs,
  commands,
  synchronizerId,
  disclosedContracts,
  packageIdSelectionPreference,
  minLedgerTime,
}: JsPrepareSubmissionRequest): CommandsRequest {
  const request = {
    commandId,
    actAs,
    commands,
    ...(readAs === undefined ? {} : { readAs }),
    ...(synchronizerId === undefined ? {} : { synchronizerId }),
    ...(disclosedContracts === undefined ? {} : { disclosedContracts }),
    ...(packageIdSelectionPreference === undefined ? {} : { packageIdSelectionPreference }),
  }
  const time = minLedgerTime?.time
  if (time === undefined || 'Empty' in time) return request
  if ('MinLedgerTimeAbs' in time)
    return { ...request, minLedgerTimeAbs: time.MinLedgerTimeAbs.value }
  return { ...request, minLedgerTimeRel: time.MinLedgerTimeRel.value }
}

function preparedBody(
  { bytes, metadata, hashes, transaction }: Prepared,
  request: JsPrepareSubmissionRequest,
  { rules: { clock } }: CommandService,
): JsPrepareSubmissionResponse {
  const cost = {
    estimationTimestamp: timeText(clock.nowMicros()),
    confirmationRequestTrafficCostEstimation: transaction.bytes,
    confirmationResponseTrafficCostEstimation: 0n,
    totalTrafficCostEstimation: transaction.bytes,
  }
  return {
    preparedTransaction: base64(bytes),
    preparedTransactionHash: base64(hashes.prepared),
    hashingSchemeVersion: SCHEME,
    ...(request.verboseHashing === true
      ? { hashingDetails: hashingDetails({ metadata, events: transaction.events, hashes }) }
      : {}),
    ...(request.estimateTrafficCost?.disabled === true ? {} : { costEstimation: cost }),
  }
}

/** Everything but the commit; what comes of it is told by a completion. */
async function start(
  interactive: Interactive,
  service: CommandService,
  request: JsExecuteSubmissionRequest,
  context: Context,
): Promise<object | LedgerError> {
  const execution = readExecution(request, callerOf(context).user.id)
  if (execution instanceof LedgerError) return execution
  const key = executionKey(execution)
  const { submissions, store, quotas } = service
  const outcome = await submissions.once(key, request.submissionId, async (entry) => {
    const staged = await quotas.within({ user: callerOf(context) }, (claim) =>
      interactive.start({ ...execution, claim }),
    )
    if (!staged.ok) {
      const error = executionError(staged.rejection)
      if (staged.rejection.kind !== 'refused') return error
      await noted(service, nameOf(interactive, execution, request), error, context)
      return isTold(staged.rejection.rejection) ? {} : error
    }
    const { updateId, transaction, committed } = staged
    entry.updateId = updateId
    const { actAs, commandId } = transaction
    const { userId } = execution
    const name = { userId, actAs, commandId, submissionId: request.submissionId }
    tellFate(service, name, committed, context, (rejection) =>
      executionError({ kind: 'refused', rejection }),
    )
    return {}
  })
  const updateId = submissions.updateOf(key)
  if (outcome instanceof LedgerError && updateId !== undefined) {
    const offset = await store.updates.ledgerEnd()
    submissions.tell({ userId: execution.userId, updateId, offset })
  }
  return outcome
}

/** The same bytes in the hands of the same user. */
function executionKey({ prepared, userId }: Execution): string {
  return JSON.stringify([userId, hash('sha256', prepared)])
}

async function execute(
  interactive: Interactive,
  service: CommandService,
  request: JsExecuteSubmissionRequest,
  context: Context,
) {
  const execution = readExecution(request, callerOf(context).user.id)
  if (execution instanceof LedgerError) return execution
  return service.submissions.once(executionKey(execution), request.submissionId, async () => {
    const outcome = await service.quotas.within({ user: callerOf(context) }, (claim) =>
      interactive.execute({ ...execution, claim }),
    )
    if (outcome.ok) return outcome
    const error = executionError(outcome.rejection)
    if (outcome.rejection.kind !== 'refused') return error
    return noted(service, nameOf(interactive, execution, request), error, context)
  })
}

function nameOf(
  interactive: Interactive,
  { prepared, userId }: Execution,
  { submissionId }: JsExecuteSubmissionRequest,
): SubmissionName {
  return { userId, submissionId, ...interactive.nameOf(prepared) }
}

/** An input that is gone was spent by another transaction since this one was prepared. */
function executionError(rejection: InteractiveRejection): LedgerError {
  const isSpent = rejection.kind === 'refused' && rejection.rejection.kind === 'contract-not-found'
  return isSpent
    ? ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', { contract_id: rejection.rejection.contractId })
    : interactiveError(rejection)
}

function readExecution(
  request: JsExecuteSubmissionRequest,
  userId: string,
): Execution | LedgerError {
  const {
    preparedTransaction,
    partySignatures: { signatures },
    submissionId,
    hashingSchemeVersion,
  } = request
  const problem = ledgerStringProblem(submissionId)
  if (problem !== undefined) return invalidField('submission_id', problem)
  if (hashingSchemeVersion !== SCHEME)
    return invalidArgument(reasonText('hashingScheme', { version: hashingSchemeVersion }))
  const deduplicationMicros = readDeduplication(request.deduplicationPeriod)
  if (deduplicationMicros instanceof LedgerError) return deduplicationMicros
  const malformed = signatures
    .flatMap((each) => each.signatures)
    .map(signatureError)
    .find((error) => error !== undefined)
  return (
    malformed ?? {
      prepared: Buffer.from(preparedTransaction, 'base64'),
      signatures: signatures.map((each) => ({
        party: each.party,
        signatures: each.signatures.map(readSignature),
      })),
      deduplicationMicros,
      userId,
      ...noteOf(submissionId, deduplicationMicros),
    }
  )
}

function orError<T extends { readonly ok: true }>(
  outcome: T | { readonly ok: false; readonly rejection: InteractiveRejection },
): T | LedgerError {
  return outcome.ok ? outcome : interactiveError(outcome.rejection)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
