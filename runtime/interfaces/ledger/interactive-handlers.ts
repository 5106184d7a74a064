// Interactive submission over HTTP. docs/hashing.md
import { hash } from 'node:crypto'
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type {
  HashingSchemeVersion,
  JsExecuteSubmissionRequest,
  JsPrepareSubmissionRequest,
  JsPrepareSubmissionResponse,
  MinLedgerTime,
} from '../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import type { Context } from '../reply.ts'
import { callerOf } from '../reply.ts'
import { timeText } from '../../participant/time.ts'
import type { Rejection } from '../../engine/index.ts'
import { creationsAndArchivals, transactionOf } from './commands/command-handlers.ts'
import { orFailure, readingHere, startOnce, submitOnce } from './commands/submitting.ts'
import type { Asked, CommandService } from './commands/submitting.ts'
import { rejectionError } from './commands/rejection-error.ts'
import {
  noteOf,
  readDeduplication,
  readLedgerTime,
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
  InteractiveRejected,
  InteractiveRejection,
  Prepared,
} from '../../participant/interactive/interactive.ts'

const SCHEME = 'HASHING_SCHEME_VERSION_V2'
const UNSPECIFIED = 'HASHING_SCHEME_VERSION_UNSPECIFIED'

/** Handlers of preparing and of the three ways to execute. */
export function interactiveHandlers(interactive: Interactive, service: CommandService) {
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
      return respond(await transactionOf(service, outcome, format), context, (transaction) => ({
        transaction,
      }))
    },
  } satisfies Partial<Handlers<Context>>
}

/** A rejection as an error of the ledger interface. */
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
  const { hashingSchemeVersion: scheme = UNSPECIFIED } = request
  const problem = scheme === UNSPECIFIED ? undefined : schemeProblem(scheme)
  if (problem !== undefined) return problem
  const submission = await readSubmission(commandsOf(request), callerOf(context).user.id, rules)
  if (submission instanceof LedgerError) return submission
  const latest =
    request.maxRecordTime === undefined
      ? undefined
      : readTime('max_record_time', request.maxRecordTime)
  if (latest instanceof LedgerError) return latest
  const { commandId } = request
  const prepared = await interactive.prepare(
    { ...(await readingHere(submission, hosted)), commandId },
    latest === undefined ? undefined : latest + 1n,
  )
  return prepared.ok ? prepared : interactiveError(prepared.rejection)
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
  return {
    commandId,
    actAs,
    commands,
    ...(readAs === undefined ? {} : { readAs }),
    ...(synchronizerId === undefined ? {} : { synchronizerId }),
    ...(disclosedContracts === undefined ? {} : { disclosedContracts }),
    ...(packageIdSelectionPreference === undefined ? {} : { packageIdSelectionPreference }),
    ...ledgerTimeOf(minLedgerTime),
  }
}

function ledgerTimeOf({ time = { Empty: {} } }: MinLedgerTime = {}): Pick<
  CommandsRequest,
  'minLedgerTimeAbs' | 'minLedgerTimeRel'
> {
  if ('Empty' in time) return {}
  return 'MinLedgerTimeAbs' in time
    ? { minLedgerTimeAbs: time.MinLedgerTimeAbs.value }
    : { minLedgerTimeRel: time.MinLedgerTimeRel.value }
}

function schemeProblem(version: HashingSchemeVersion): LedgerError | undefined {
  return version === SCHEME ? undefined : invalidArgument(reasonText('hashingScheme', { version }))
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
  const asked = read(interactive, service, request, context)
  if (asked instanceof LedgerError) return asked
  const outcome = await startOnce(service, asked, context)
  const { submissions, store } = service
  const updateId = submissions.updateOf(asked.content)
  if (outcome instanceof LedgerError && updateId !== undefined) {
    const offset = await store.updates.ledgerEnd()
    submissions.tell({ userId: callerOf(context).user.id, updateId, offset })
  }
  return outcome
}

async function execute(
  interactive: Interactive,
  service: CommandService,
  request: JsExecuteSubmissionRequest,
  context: Context,
) {
  const asked = read(interactive, service, request, context)
  return asked instanceof LedgerError ? asked : submitOnce(service, asked, context)
}

function read(
  interactive: Interactive,
  service: CommandService,
  request: JsExecuteSubmissionRequest,
  context: Context,
): Asked | LedgerError {
  const { id: userId } = callerOf(context).user
  const execution = readExecution(request, userId, service)
  if (execution instanceof LedgerError) return execution
  const { prepared } = execution
  const { submissionId } = request
  return {
    // The same bytes in the hands of the same user.
    content: JSON.stringify([userId, hash('sha256', prepared)]),
    submissionId,
    lingers: true,
    name: () => ({ userId, submissionId, ...interactive.nameOf(prepared) }),
    submit: async (claim) => settled(await interactive.execute({ ...execution, claim })),
    stage: async (claim) => settled(await interactive.start({ ...execution, claim })),
    errorOf,
  }
}

/** The outcome with its completion; matters that are not the ledger's have none. */
function settled<T extends { readonly ok: true }>(outcome: T | InteractiveRejected) {
  if (outcome.ok) return outcome
  const { rejection } = outcome
  return rejection.kind === 'refused'
    ? orFailure<T>({ ok: false, ...rejection.rejection }, errorOf)
    : { ok: false as const, error: interactiveError(rejection) }
}

/** An input that is gone was spent by another transaction since this one was prepared. */
function errorOf(rejection: Rejection): LedgerError {
  return rejection.kind === 'contract-not-found'
    ? ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', { contract_id: rejection.contractId })
    : rejectionError(rejection)
}

function readExecution(
  request: JsExecuteSubmissionRequest,
  userId: string,
  { rules: { clock } }: CommandService,
): Execution | LedgerError {
  const {
    preparedTransaction,
    partySignatures: { signatures },
    submissionId,
    hashingSchemeVersion,
  } = request
  const problem = ledgerStringProblem(submissionId)
  if (problem !== undefined) return invalidField('submission_id', problem)
  const strange = schemeProblem(hashingSchemeVersion)
  if (strange !== undefined) return strange
  const notBefore = readLedgerTime(ledgerTimeOf(request.minLedgerTime), clock)
  if (notBefore instanceof LedgerError) return notBefore
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
      notBefore,
      userId,
      ...noteOf(submissionId, deduplicationMicros),
    }
  )
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
