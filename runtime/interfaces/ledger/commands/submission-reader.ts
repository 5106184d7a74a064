// From the commands of a request to a submission of the engine, checked in the documented order:
// the first problem answers. docs/ledger-rules.md, "Commands"
import type {
  Command,
  DeduplicationPeriod,
  DisclosedContract,
  Duration,
} from '../../../../generated/ledger/types.gen.ts'
import type { Clock } from '../../../host/plugin.ts'
import type { Submission, SubmissionNote, TransactionLimits, Tx } from '../../../engine/index.ts'
import { disclosedContract } from '../../../engine/index.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../../errors/errors.ts'
import { ledgerStringProblem, partyProblem } from '../../../errors/grammar.ts'
import type { NodeIdentity } from '../../../participant/node.ts'
import { timeOf } from '../../../participant/time.ts'
import { logicalSynchronizerId } from '../../../participant/topology/unique-identifier.ts'
import { namesIn, readCommands } from './command-reader.ts'
import type { ImplementationFinder } from './implementations.ts'
import { tooLarge } from './rejection-error.ts'
import { DAY_MICROS, LAST_MICROS, SECOND_MICROS } from '../../../engine/durations.ts'

const NANOS_PER_MICRO = 1_000
/** The longest deduplication period. */
const LONGEST_DURATION = 'PT24H'

/** Members that submitting and preparing have in common. */
export interface CommandsRequest {
  readonly commandId: string
  readonly actAs: readonly string[]
  readonly commands: readonly Command[]
  readonly readAs?: readonly string[]
  readonly workflowId?: string
  readonly submissionId?: string
  readonly synchronizerId?: string
  readonly deduplicationPeriod?: DeduplicationPeriod
  readonly minLedgerTimeAbs?: string
  readonly minLedgerTimeRel?: Duration
  readonly disclosedContracts?: readonly DisclosedContract[]
  readonly packageIdSelectionPreference?: readonly string[]
}

export interface SubmissionRules {
  readonly implementations: ImplementationFinder
  readonly node: NodeIdentity
  /** The ledger's time. */
  readonly clock: Clock
  readonly limits: TransactionLimits
}

/**
 * The submission that a request of this user stands for. Errors: INVALID_FIELD, INVALID_ARGUMENT,
 * SYNCHRONIZER_NOT_FOUND, those of `readCommands`, NEGATIVE_OFFSET, INVALID_DEDUPLICATION_PERIOD,
 * DISCLOSED_CONTRACT_AUTHENTICATION_FAILED, TRANSACTION_TOO_LARGE
 */
export async function readSubmission(
  request: CommandsRequest,
  userId: string,
  rules: SubmissionRules,
): Promise<Submission<void> | LedgerError> {
  const { commandId, workflowId = '', commands, packageIdSelectionPreference = [] } = request
  const actAs = [...new Set(request.actAs)]
  const readAs = [...new Set(request.readAs)]
  const named =
    namesProblem(request) ?? synchronizerProblem(request.synchronizerId ?? '', rules.node)
  if (named !== undefined) return named
  // Each makes a node at least.
  const { maxTransactionNodes } = rules.limits
  if (commands.length > maxTransactionNodes)
    return tooLarge('maxTransactionNodes', maxTransactionNodes)
  const known = await rules.implementations.of(namesIn(commands), packageIdSelectionPreference)
  const read = readCommands(commands, known)
  if (read instanceof LedgerError) return read
  const notBefore = readLedgerTime(request, rules.clock)
  if (notBefore instanceof LedgerError) return notBefore
  const deduplicationMicros = readDeduplication(request.deduplicationPeriod)
  if (deduplicationMicros instanceof LedgerError) return deduplicationMicros
  const problem =
    disclosedProblem(request.disclosedContracts ?? [], rules.node) ??
    preferenceProblem(packageIdSelectionPreference)
  if (problem !== undefined) return problem
  return {
    actAs,
    readAs,
    userId,
    commandId,
    workflowId,
    deduplicationMicros,
    disclosed: (request.disclosedContracts ?? []).map(({ createdEventBlob }) => createdEventBlob),
    contractIds: read.contractIds,
    limits: rules.limits,
    ...noteOf(request.submissionId ?? '', deduplicationMicros),
    steps: [
      ...(notBefore === undefined ? [] : [(tx: Tx) => tx.notBefore(notBefore)]),
      ...read.steps,
    ],
    run: () => undefined,
  }
}

/** The completion's note of a submission; nothing where it has no id. */
export function noteOf(
  submissionId: string,
  deduplicationMicros: bigint,
): { readonly note?: SubmissionNote } {
  return submissionId === ''
    ? {}
    : { note: { submissionId, deduplicationMicros: String(deduplicationMicros) } }
}

/** INVALID_FIELD, INVALID_ARGUMENT for a name or a party of a wrong form. */
export function namesProblem({
  workflowId = '',
  commandId,
  submissionId = '',
  actAs,
  readAs = [],
}: Omit<CommandsRequest, 'commands'>): LedgerError | undefined {
  const names = [
    ['workflow_id', workflowId],
    ['command_id', commandId],
    ['submission_id', submissionId],
  ] as const
  for (const [field, name] of names) {
    const problem = name === '' ? undefined : ledgerStringProblem(name)
    if (problem !== undefined) return invalidField(field, problem)
  }
  const problem = [...actAs, ...readAs].map(partyProblem).find((found) => found !== undefined)
  return problem === undefined ? undefined : invalidArgument(problem)
}

/** SYNCHRONIZER_NOT_FOUND for another one than ours; '' is ours. */
export function synchronizerProblem(id: string, node: NodeIdentity): LedgerError | undefined {
  if (id === '' || logicalSynchronizerId(id) === node.synchronizerId) return undefined
  return ledgerError('SYNCHRONIZER_NOT_FOUND', { synchronizer_id: id })
}

/** The earliest record time that is asked for, microseconds. INVALID_FIELD, INVALID_ARGUMENT */
export function readLedgerTime(
  {
    minLedgerTimeAbs,
    minLedgerTimeRel,
  }: Pick<CommandsRequest, 'minLedgerTimeAbs' | 'minLedgerTimeRel'>,
  clock: Clock,
): bigint | LedgerError | undefined {
  if (minLedgerTimeAbs !== undefined && minLedgerTimeRel !== undefined)
    return invalidArgument(reasonText('bothLedgerTimes'))
  if (minLedgerTimeAbs !== undefined) {
    const micros = readTime('min_ledger_time_abs', minLedgerTimeAbs)
    // Prepared messages have no times before 1970, and no ledger is as old.
    return micros instanceof LedgerError || micros >= 0n ? micros : 0n
  }
  if (minLedgerTimeRel === undefined) return undefined
  const field = 'min_ledger_time_rel'
  const micros = microsOf(minLedgerTimeRel)
  if (micros < 0n) return invalidField(field, reasonText('negativeDuration'))
  const value = clock.nowMicros() + micros
  return value <= LAST_MICROS
    ? value
    : invalidField(field, reasonText('malformedTime', { value: `Now and ${micros} µs` }))
}

/** Microseconds since 1970 of an RFC 3339 text. INVALID_FIELD */
export function readTime(field: string, text: string): bigint | LedgerError {
  const micros = timeOf(text)
  return micros === undefined || micros > LAST_MICROS
    ? invalidField(field, reasonText('malformedTime', { value: text }))
    : micros
}

/** How long the command id counts as used, microseconds. */
export function readDeduplication(period: DeduplicationPeriod | undefined): bigint | LedgerError {
  if (period === undefined || 'Empty' in period) return DAY_MICROS
  if ('DeduplicationOffset' in period) {
    const { value } = period.DeduplicationOffset
    return value < 0n
      ? ledgerError('NEGATIVE_OFFSET', { value: String(value), field: 'deduplication_period' })
      : DAY_MICROS
  }
  const micros = microsOf(period.DeduplicationDuration.value)
  if (micros < 0n) return invalidField('deduplication_period', reasonText('negativeDuration'))
  if (micros <= DAY_MICROS) return micros
  const reason = 'The given deduplication duration exceeds the maximum'
  return ledgerError('INVALID_DEDUPLICATION_PERIOD', { reason, longest_duration: LONGEST_DURATION })
}

function microsOf({ seconds, nanos }: Duration): bigint {
  return seconds * SECOND_MICROS + BigInt(Math.trunc(nanos / NANOS_PER_MICRO))
}

function disclosedProblem(
  disclosed: readonly DisclosedContract[],
  node: NodeIdentity,
): LedgerError | undefined {
  for (const {
    createdEventBlob,
    contractId = '',
    templateId = '',
    synchronizerId = '',
  } of disclosed) {
    const found = disclosedContract(createdEventBlob)
    if (found === undefined) return ledgerError('DISCLOSED_CONTRACT_AUTHENTICATION_FAILED', {})
    const problem =
      mismatch('contractId', contractId, found.contractId) ??
      mismatch('templateId', templateId, found.templateId) ??
      synchronizerProblem(synchronizerId, node)
    if (problem !== undefined) return problem
  }
  return undefined
}

function mismatch(field: string, given: string, found: string): LedgerError | undefined {
  return given === '' || given === found
    ? undefined
    : invalidArgument(reasonText('disclosedMismatch', { field, given, found }))
}

function preferenceProblem(packageIds: readonly string[]): LedgerError | undefined {
  const invalid = packageIds.find((id) => !/^[A-Za-z0-9\-_ ]{1,64}$/.test(id))
  return invalid === undefined
    ? undefined
    : invalidField(
        'package_id_selection_preference',
        `${JSON.stringify(invalid)} is not a package id`,
      )
}
