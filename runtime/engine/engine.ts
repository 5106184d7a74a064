// The ledger: takes submissions, interprets them, commits them in batches, notifies listeners. It
// has no templates of its own.
import { createCommitter } from './committer.ts'
import { createContractCache } from './contract-cache.ts'
import { updateIdOf } from './contract-id.ts'
import { EngineCounts } from './counts.ts'
import { HistoryWatch } from './history-watch.ts'
import { Invariants } from './invariants.ts'
import { unwatchedMoment } from './moment.ts'
import { NO_WRITES } from './no-writes.ts'
import { Overlay } from './overlay.ts'
import { pauseAfterLoss } from './pause.ts'
import { Submitter } from './submitter.ts'
import { indexTemplates, withMore } from './template-index.ts'
import type { TemplateSource } from './template-index.ts'
import { UnderWay } from './under-way.ts'
import type { Clock } from '../host/plugin.ts'
import type { Logger } from '../host/log.ts'
import type { Spans } from '../host/spans.ts'
import type {
  CommitFacts,
  CommitReads,
  ContractStore,
  FactRecord,
  PrunableFact,
} from '../store/store.ts'
import type { BatchEntry, Verdict } from './commit-batch.ts'
import type { Committer } from './committer.ts'
import type { ContractCache } from './contract-cache.ts'
import type { RecordClock } from './record-clock.ts'
import type { InterpreterContext } from './interpret.ts'
import type { Order } from './order.ts'
import type { Rejected } from './rejection.ts'
import type { Committed, Projector, Staged, Submission } from './submission.ts'
import type { Rehearsed } from './submitter.ts'
import type { AnyTemplate } from './template.ts'
import type { TrafficPolicy } from './traffic.ts'
import type { MoveNames, TraceContext, Transaction } from './transaction.ts'

export interface EngineOptions {
  readonly store: ContractStore
  readonly clock: Clock
  /** 32 bytes that nobody can guess. */
  readonly newSeed: () => Uint8Array
  /** Decides what is interpreted and committed next. */
  readonly order: Order
  /** The trace of submissions that bring none; absent: such updates have none. */
  readonly traceContext?: () => TraceContext
  readonly templates: readonly AnyTemplate[]
  /** Where more templates are had. */
  readonly source?: TemplateSource
  readonly synchronizerId: string
  /**
   * The party whose network this ledger is of: contracts of other networks are refused. Absent:
   * nothing is.
   */
  readonly issuer?: string
  readonly projectors?: readonly Projector[]
  /**
   * What is written with a contract that leaves a synchronizer or comes to one, of which projectors
   * hear nothing.
   */
  readonly moveFacts?: (updateId: string) => readonly FactRecord[]
  /** Absent: submissions cost nothing. */
  readonly traffic?: TrafficPolicy
  readonly log?: Logger
  /** Updates that one commit writes at most. */
  readonly maxBatch?: number
  /** Interpretations after the first, when others were faster. */
  readonly maxRetries?: number
  /** Gives record times. Absent: those of `clock` are taken, such as a simulated one's. */
  readonly watch?: RecordClock
  /** The unmeasured time of `TimeRecord`, if `watch` is absent. */
  readonly unmeasured?: bigint
  /** The watch's invariants; the engine's own if absent. */
  readonly invariants?: Invariants
  /** Knows what was committed; that of this process alone when absent. */
  readonly history?: HistoryWatch
  /** Time that only rises, milliseconds; that of `order` when absent. */
  readonly monotonicMs?: () => number
  /**
   * How long the store may take for a commit, and a submission to end, before it counts as hanging;
   * a minute when absent.
   */
  readonly limitMs?: number
  /**
   * What is waited for before an attempt, when so many were lost; a pause by chance when absent.
   */
  readonly pause?: (lost: number) => Promise<void>
  /** Shared with a reader, so that payloads are decoded once. */
  readonly cache?: ContractCache
  /** Absent where nobody gathers spans. */
  readonly spans?: Spans
}

export interface CommittedUpdate {
  readonly transaction: Transaction
  readonly offset: bigint
  readonly recordTime: bigint
}

export interface MoveRequest {
  readonly contractId: string
  /** The synchronizer to assign it to; undefined takes it off the one it is on. */
  readonly to: string | undefined
  /** The synchronizer for which a contract leaves; the engine's own if absent. */
  readonly target?: string
  readonly names?: MoveNames
}

export interface Moved {
  readonly ok: true
  readonly updateId: string
  readonly offset: bigint
  readonly recordTime: bigint
}

export interface Engine {
  readonly synchronizerId: string
  readonly cache: ContractCache
  /** Submissions of this node, and all commits. */
  readonly counts: EngineCounts
  /** Invariants; a broken one makes this server unready. */
  readonly invariants: Invariants
  readonly submissionsUnderWay: number
  /**
   * The time that servers have measured, microseconds: record time less what nobody did. Ids are
   * kept by it.
   */
  measuredMicros(): bigint
  /** Age of the oldest submission under way, milliseconds; 0 where there is none. */
  oldestSubmissionMs(): number
  /** Looks whether anything has stayed behind in memory where nothing is under way. */
  auditMemory(): void
  /**
   * Resolves when it is durable. Rejects where the store cannot be reached, or where a choice has a
   * fault of its own.
   */
  submit<R>(submission: Submission<R>): Promise<Committed<R> | Rejected>
  /**
   * Resolves when it is interpreted and queued: what it creates can be used by later submissions.
   */
  stage<R>(submission: Submission<R>): Promise<Staged<R> | Rejected>
  /** Interprets and queues nothing: what would happen now. */
  rehearse<R>(submission: Submission<R>): Promise<Rehearsed<R> | Rejected>
  /** Moves a contract onto a synchronizer or off it; an update of its own. */
  reassign(request: MoveRequest): Promise<Moved | Rejected>
  /**
   * Writes facts that follow from facts, without an update. `decide` is pure and may be asked
   * again.
   */
  recordFacts(
    reads: CommitReads['facts'],
    decide: (facts: CommitFacts) => readonly PrunableFact[],
  ): Promise<void>
  /**
   * Called after each commit, in order of offsets; answers how to stop that. A listener that throws
   * is logged.
   */
  onCommitted(listener: (update: CommittedUpdate) => void): () => void
  /**
   * By `<package id>:<Module>:<Entity>` or `#<package name>:<Module>:<Entity>`; undefined where it
   * has no code here, or is not ready.
   */
  template(id: string): AnyTemplate | undefined
  /**
   * Resolves when all templates that there are by these ids are at hand; undefined where they are.
   */
  ready(templateIds: Iterable<string>): Promise<void> | undefined
  /** Resolves when nothing is under way. */
  drain(): Promise<void>
}

const LIMIT_MS = 60_000
const SUBMISSION = { name: 'submission' }
const NO_END = { offset: 0n, recordTime: 0n }

/** The one engine over a store: whoever submits shares its queue and what it remembers. */
export function createEngine(options: EngineOptions): Engine {
  const invariants = options.invariants ?? new Invariants(options.log)
  const shared = interpreterContext(options, invariants)
  const { store, synchronizerId, watch, order, limitMs = LIMIT_MS, spans } = options
  const { monotonicMs = order.nowMs } = options
  const { overlay, cache, own, source } = shared
  const templates = withMore(own, source)
  const listeners = new Set<(update: CommittedUpdate) => void>()
  const notify = (update: CommittedUpdate): void => {
    for (const listener of listeners) callQuietly(() => listener(update), options.log)
  }
  const counts = new EngineCounts()
  const committer = createCommitter({
    store,
    clock: options.clock,
    watch,
    rules: { synchronizerId, traffic: options.traffic },
    maxBatch: options.maxBatch ?? 128,
    limitMs,
    counts,
    order,
    onVerdict: (entry, verdict) => conclude(shared, entry, verdict, notify),
    invariants,
    spans,
    history: options.history ?? new HistoryWatch(invariants),
  })
  const underWay = new UnderWay(invariants, monotonicMs, limitMs)
  const measuredMicros = (): bigint => measuredBy(options, shared)
  const submitter = new Submitter({
    shared,
    committer,
    order,
    maxRetries: options.maxRetries ?? 6,
    counts,
    underWay,
    pause: options.pause ?? pauseAfterLoss,
    watch,
    measuredMicros,
    limitMs,
  })
  return {
    synchronizerId,
    cache,
    counts,
    invariants,
    get submissionsUnderWay() {
      return underWay.size
    },
    measuredMicros,
    oldestSubmissionMs: () => underWay.oldestMs(),
    auditMemory: () => {
      if (underWay.isIdle) overlay.auditIdle()
    },
    submit: (submission) =>
      spans?.run(SUBMISSION, () => submitter.submit(submission)) ?? submitter.submit(submission),
    stage: (submission) =>
      spans?.run(SUBMISSION, () => submitter.stage(submission)) ?? submitter.stage(submission),
    rehearse: (submission) => submitter.rehearse(submission),
    reassign: (request) => submitter.track(reassign(shared, committer, request)),
    recordFacts: (facts, decide) => recordFacts(store, facts, decide),
    onCommitted: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    template: (id) => templates.get(id),
    ready: (templateIds) => madeReady(shared, templateIds),
    drain: () => underWay.drained(),
  }
}

function madeReady(
  { own, source }: InterpreterContext,
  templateIds: Iterable<string>,
): Promise<void> | undefined {
  if (source === undefined) return undefined
  const more = new Set<string>()
  for (const id of templateIds) if (!own.has(id)) more.add(id)
  for (const id of more) if (source.get(id) === undefined) return source.ready([...more])
  return undefined
}

function measuredBy(
  { clock, watch, unmeasured = 0n }: EngineOptions,
  { known: { recordTime } }: InterpreterContext,
): bigint {
  return (
    watch?.measuredMicros() ?? unwatchedMoment(clock.nowMicros(), recordTime, unmeasured).measured
  )
}

function interpreterContext(options: EngineOptions, invariants: Invariants): InterpreterContext {
  return {
    store: options.store,
    clock: options.clock,
    watch: options.watch,
    newSeed: options.newSeed,
    traceContext: options.traceContext ?? (() => ({})),
    own: indexTemplates(options.templates),
    source: options.source,
    projectors: options.projectors ?? [],
    moveFacts: options.moveFacts ?? (() => []),
    synchronizerId: options.synchronizerId,
    issuer: options.issuer,
    overlay: new Overlay(invariants),
    cache: options.cache ?? createContractCache(),
    order: options.order,
    known: NO_END,
  }
}

async function recordFacts(
  store: ContractStore,
  facts: CommitReads['facts'],
  decide: (facts: CommitFacts) => readonly PrunableFact[],
): Promise<void> {
  await store.commit({
    reads: { contractIds: [], commandKeys: [], facts },
    decide: (known) => ({ writes: { ...NO_WRITES, facts: decide(known) }, result: undefined }),
  })
}

/** Concludes an entry in flight, which either was committed or never will be. */
function conclude(
  shared: InterpreterContext,
  entry: BatchEntry,
  verdict: Verdict | undefined,
  notify: (update: CommittedUpdate) => void,
): void {
  const { cache, overlay } = shared
  if (entry.kind === 'move') return cache.forget(entry.contractId)
  const { transaction, created } = entry
  overlay.remove(entry)
  // Also where the store failed: what happened there is not known.
  if (verdict === undefined || verdict.kind === 'committed')
    for (const { contractId } of transaction.consumed) cache.forget(contractId)
  if (verdict?.kind !== 'committed') return
  const { offset, recordTime } = verdict
  if (offset > shared.known.offset) shared.known = { offset, recordTime }
  for (const { contract, isTransient } of created) if (!isTransient) cache.intern(contract)
  notify({ transaction, offset, recordTime })
}

async function reassign(
  { store, clock, newSeed, synchronizerId, moveFacts }: InterpreterContext,
  committer: Committer,
  { contractId, to = '', target = synchronizerId, names }: MoveRequest,
): Promise<Moved | Rejected> {
  const updateId = updateIdOf(newSeed(), clock.nowMicros())
  const [found] = await store.byIds([contractId])
  const verdict = await committer.add({
    kind: 'move',
    seenBy: found === undefined ? [] : [...found.contract.signatories, ...found.contract.observers],
    updateId,
    contractId,
    to,
    target,
    names,
    facts: moveFacts(updateId),
  })
  if (verdict.kind === 'committed')
    return { ok: true, updateId, offset: verdict.offset, recordTime: verdict.recordTime }
  if (verdict.kind === 'refused') return { ok: false, ...verdict.rejection }
  return { ok: false, kind: 'contention', contractIds: [contractId] }
}

function callQuietly(call: () => void, log: Logger | undefined): void {
  try {
    call()
  } catch (error) {
    log?.error(
      { error: error instanceof Error ? error.message : String(error) },
      'a listener of commits failed',
    )
  }
}
