// From a submission to a proposal: interprets, fetches what was missing, and starts again, until
// nothing is missing.
import { hash } from 'node:crypto'
import { verifyBlob } from './contract-id.ts'
import { ArithmeticError } from './decimal.ts'
import { Interrupt, invalid, violated } from './interrupt.ts'
import { DEFAULT_LIMITS, Interpretation } from './interpreter.ts'
import { worldOf } from './overlay.ts'
import { distinct, union } from './parties.ts'
import { propose } from './proposal.ts'
import { ContractUnreadable } from './unreadable.ts'
import type { Clock } from '../host/plugin.ts'
import type { ContractState, ContractStore, FactRecord, LedgerEnd } from '../store/store.ts'
import type { ContractCache } from './contract-cache.ts'
import type { InterruptReason, Rejecting } from './interrupt.ts'
import type { ContractStatus, Viewpoint } from './lookup.ts'
import type { Overlay } from './overlay.ts'
import type { Order, Pause } from './order.ts'
import type { Proposal, ProposalInput } from './proposal.ts'
import type { Rejection, TransactionLimits } from './rejection.ts'
import type { Projector, Submission } from './submission.ts'
import type { RecordClock } from './record-clock.ts'
import { withMore } from './template-index.ts'
import type { Templates, TemplateSource, Uses } from './template-index.ts'
import type { TraceContext } from './transaction.ts'
import { DAY_MICROS } from './durations.ts'

/** Services that all interpretations of an engine share. */
export interface InterpreterContext {
  readonly store: ContractStore
  readonly clock: Clock
  /** Absent: any time is taken. */
  readonly watch: RecordClock | undefined
  readonly newSeed: () => Uint8Array
  readonly traceContext: () => TraceContext
  /** Templates that are always at hand. */
  readonly own: Templates
  /** The source of further templates, such as uploaded ones. */
  readonly source: TemplateSource | undefined
  readonly projectors: readonly Projector[]
  readonly moveFacts: (updateId: string) => readonly FactRecord[]
  readonly synchronizerId: string
  readonly issuer: string | undefined
  readonly overlay: Overlay
  readonly cache: ContractCache
  readonly order: Order
  /** The last update that this process knows of: its own, or a later one that it has read of. */
  known: LedgerEnd
}

export interface Interpreted<R> {
  readonly kind: 'proposal'
  readonly proposal: Proposal
  readonly result: R
}

export type InterpretationOutcome<R> =
  | Interpreted<R>
  /** `contended`: wait for the update that archives it, then try again. */
  | Extract<InterruptReason, { readonly kind: 'refused' | 'contended' }>

/** One attempt at one submission. */
export interface Attempt<R> {
  readonly submission: Submission<R>
  readonly commandKey: string
  /** Others were faster before: believe nothing that the caller brought along. */
  readonly isRetry: boolean
}

/** The key by which a command is found again; '' without command id. */
export function commandKeyOf({
  userId,
  commandOwner = userId,
  actAs,
  commandId,
}: Pick<Submission<unknown>, 'userId' | 'commandOwner' | 'actAs' | 'commandId'>): string {
  if (commandId === undefined) return ''
  return hash('sha256', JSON.stringify([commandOwner, [...new Set(actAs)].sort(), commandId]))
}

/** The payer whose turn it takes; '' if it counts against nobody. */
export function payerOf({ claim }: Submission<unknown>): string {
  return claim?.payer ?? ''
}

/** Throws what is the programmer's fault or the store's. */
export async function interpret<R>(
  shared: InterpreterContext,
  attempt: Attempt<R>,
): Promise<InterpretationOutcome<R>> {
  const viewpoint = viewpointOf(attempt.submission)
  if ('kind' in viewpoint) return viewpoint
  const looked = disclosedStatuses(shared, attempt)
  const needed = unknownOf(shared, attempt.submission.contractIds ?? [], looked)
  if (needed.length > 1) await lookUp(shared, needed, looked)
  const awaited = shared.source && new Set<string>()
  const more = shared.source?.hold()
  const templates = withMore(shared.own, more)
  // Ids stay the same when it runs again: what it made and took back is looked up once.
  const seed = Buffer.from(attempt.submission.seed ?? shared.newSeed()).toString('hex')
  let { effectiveAt } = attempt.submission
  const payer = payerOf(attempt.submission)
  for (let hasWaited = needed.length > 1; ; hasWaited = true) {
    // What many waited for may come in one turn of the event loop; each goes on in one of its own.
    const turn = hasWaited ? shared.order.turn(payer) : undefined
    if (turn !== undefined) await turn
    const pause = shared.order.parts(payer)
    const now = shared.clock.nowMicros()
    effectiveAt ??= now
    const context = { seed, viewpoint, looked, templates, awaited, now, effectiveAt, pause }
    const ended = await runOnce(shared, attempt, context)
    if (ended.kind === 'younger') effectiveAt = ended.createdAt
    else if (ended.kind === 'unready') {
      awaited?.add(ended.templateId)
      await more?.ready([ended.templateId])
    } else if (ended.kind === 'refused' && (await isTimely(shared, ended.rejection))) continue
    else if (ended.kind !== 'missing') return ended
    else await lookUp(shared, ended.contractIds, looked)
  }
}

/**
 * Whether what was too early by a clock that trails is not so by the ledger's end, which other
 * servers may have moved.
 */
async function isTimely(shared: InterpreterContext, rejection: Rejection): Promise<boolean> {
  if (rejection.kind !== 'too-early') return false
  const end = await shared.store.ledgerEnd()
  if (end.recordTime > shared.known.recordTime) shared.known = end
  return shared.known.recordTime >= rejection.notBefore
}

interface AttemptContext {
  readonly seed: string
  readonly viewpoint: Viewpoint
  readonly looked: ReadonlyMap<string, ContractStatus>
  readonly templates: Templates
  readonly awaited: ReadonlySet<string> | undefined
  readonly now: bigint
  readonly effectiveAt: bigint
  readonly pause: Pause
}

/** Others may get their turn in it: what it found then is judged once more in the commit. */
async function runOnce<R>(
  shared: InterpreterContext,
  attempt: Attempt<R>,
  attemptContext: AttemptContext,
): Promise<Interpreted<R> | InterruptReason> {
  const { submission, commandKey } = attempt
  const { limits = DEFAULT_LIMITS } = submission
  const { seed, viewpoint, looked, templates, awaited, now, effectiveAt, pause } = attemptContext
  const { own, overlay, cache, issuer } = shared
  const projectors =
    submission.project === undefined
      ? shared.projectors
      : [...shared.projectors, { project: submission.project }]
  const world = worldOf(overlay, looked, cache)
  const earliest = earliestRecordTime(shared, now, effectiveAt)
  const interpretation = new Interpretation({
    actAs: submission.actAs,
    viewpoint,
    world,
    templates,
    own,
    awaited,
    contractIds: submission.contractIds,
    seed,
    effectiveAt,
    earliest,
    latest: shared.watch?.latestMicros(now) ?? earliest,
    issuer,
    limits,
  })
  const ran = await attempting(() => run(interpretation, submission, pause))
  if ('kind' in ran) return ran
  const rejection = await refusalOf(shared, interpretation.uses.all)
  if (rejection !== undefined) return { kind: 'refused', rejection }
  const createdAt = youngest(interpretation)
  if (createdAt > effectiveAt) return { kind: 'younger', createdAt }
  const {
    deduplicationMicros = DAY_MICROS,
    free: isFree = false,
    member,
    lowPriority: isLow = false,
    unless = [],
  } = submission
  const head = headOf(shared, submission, seed, effectiveAt)
  const proposal = await attempting(() =>
    propose(interpretation, {
      head,
      seed,
      commandKey,
      payer: payerOf(submission),
      deduplicationMicros,
      isFree,
      member,
      isLow,
      unless,
      templates,
      projectors,
      maxBytes: limits.maxTransactionBytes,
      pause,
    }),
  )
  if (proposal === undefined) return tooManyBytes(limits)
  if (proposal.kind !== 'transaction') return proposal
  const reason = submission.accept?.(proposal.transaction)
  if (reason !== undefined) return { kind: 'refused', rejection: { kind: 'aborted', reason } }
  const claimed = submission.claim?.take(proposal.transaction)
  if (claimed === undefined) return { kind: 'proposal', proposal, result: ran.result }
  if ('kind' in claimed) return { kind: 'refused', rejection: claimed }
  return { kind: 'proposal', proposal: { ...proposal, share: claimed }, result: ran.result }
}

async function refusalOf({ source }: InterpreterContext, uses: Uses) {
  return uses.size === 0 ? undefined : source?.refusal(uses)
}

function tooManyBytes({ maxTransactionBytes: limit }: TransactionLimits): Rejecting {
  return { kind: 'refused', rejection: { kind: 'too-large', of: 'maxTransactionBytes', limit } }
}

async function run<R>(
  interpretation: Interpretation,
  submission: Submission<R>,
  pause: Pause,
): Promise<{ readonly result: R }> {
  for (const [at, step] of (submission.steps ?? []).entries()) {
    const rest = at === 0 ? undefined : pause()
    if (rest !== undefined) await rest
    interpretation.step(step)
  }
  return { result: interpretation.run((tx) => submission.run(tx)) }
}

/** The value of what runs, or the refusal where that is the command's doing. */
async function attempting<T>(run: () => Promise<T>): Promise<T | InterruptReason> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Interrupt) return error.reason
    if (error instanceof ContractUnreadable)
      return { kind: 'refused', rejection: { kind: 'unreadable', reason: error.message } }
    if (error instanceof ArithmeticError) return miscalculated(error)
    // A codec that cannot write a value and a stack that is too deep are the command's doing.
    if (error instanceof RangeError) return violated(error.message).reason
    throw error
  }
}

function miscalculated({ message }: ArithmeticError): Rejecting {
  const reason = { id: 'arithmetic-error', category: 'argument', message } as const
  return { kind: 'refused', rejection: { kind: 'aborted', reason } }
}

function headOf(
  { synchronizerId, traceContext: currentTrace }: InterpreterContext,
  submission: Submission<unknown>,
  seed: string,
  effectiveAt: bigint,
): ProposalInput['head'] {
  const {
    actAs,
    userId,
    workflowId = '',
    traceContext = currentTrace(),
    signedHash,
    note,
  } = submission
  const commandId = submission.commandId ?? hash('sha256', `command/${seed}`)
  return {
    commandId,
    userId,
    workflowId,
    actAs: distinct(actAs),
    effectiveAt,
    synchronizerId,
    traceContext,
    ...(signedHash === undefined ? {} : { signedHash }),
    ...(note === undefined ? {} : { note }),
  }
}

function viewpointOf({
  actAs,
  readAs = [],
  disclosed = [],
  disclosedContracts = [],
}: Submission<unknown>): Viewpoint | Rejecting {
  if (actAs.length === 0) return invalid('A submission needs a party that acts').reason
  const ids = disclosed.map(verifyBlob)
  if (ids.includes(undefined)) return invalid('A disclosed contract is not genuine').reason
  const genuine = [
    ...ids.filter((id) => id !== undefined),
    ...disclosedContracts.map(({ contractId }) => contractId),
  ]
  return { parties: union(actAs, readAs), disclosed: new Set(genuine) }
}

/** Statuses of disclosed contracts, which need no lookup unless one of them lost the race. */
function disclosedStatuses(
  { cache }: InterpreterContext,
  { submission, isRetry }: Attempt<unknown>,
): Map<string, ContractStatus> {
  const brought = isRetry ? [] : (submission.disclosedContracts ?? [])
  return new Map(
    brought.map((contract): [string, ContractStatus] => [
      contract.contractId,
      { kind: 'active', contract: cache.get(contract.contractId) ?? contract },
    ]),
  )
}

function unknownOf(
  { overlay, cache }: InterpreterContext,
  contractIds: readonly string[],
  looked: ReadonlyMap<string, ContractStatus>,
): readonly string[] {
  const world = worldOf(overlay, looked, cache)
  return [...new Set(contractIds)].filter((id) => world.contractStatus(id).kind === 'unknown')
}

async function lookUp(
  shared: InterpreterContext,
  contractIds: readonly string[],
  looked: Map<string, ContractStatus>,
): Promise<void> {
  const states = await shared.store.byIds(contractIds)
  for (const contractId of contractIds) looked.set(contractId, { kind: 'gone' })
  for (const state of states) looked.set(state.contract.contractId, contractStatusOf(shared, state))
}

function contractStatusOf({ cache }: InterpreterContext, state: ContractState): ContractStatus {
  if (state.archivedOffset !== 0n) return { kind: 'gone' }
  if (state.synchronizerId === '') return { kind: 'in-flight', contract: state.contract }
  return { kind: 'active', contract: cache.intern(state.contract) }
}

function earliestRecordTime(
  { known: { recordTime: lastRecordTime } }: InterpreterContext,
  now: bigint,
  effectiveAt: bigint,
): bigint {
  const next = now > lastRecordTime ? now : lastRecordTime + 1n
  return next > effectiveAt ? next : effectiveAt
}

function youngest({ lookup }: Interpretation): bigint {
  let latest = 0n
  for (const { createdAt } of lookup.found.values()) if (createdAt > latest) latest = createdAt
  return latest
}
