// The one lane to the store: entries that arrive during a commit form the next batch. Every entry
// gets its verdict, or the error of the store.
import { contractIdsOf, decideBatch, pendingOf, readsOf } from './commit-batch.ts'
import { inTime } from './limit.ts'
import { unmeasuredOf } from './time-record.ts'
import {
  COMMIT_REJECTED,
  CommitRejected,
  STORE_CONFLICT,
  STORE_UNAVAILABLE,
  StoreUnavailable,
} from '../store/rules.ts'
import type { BatchEntry, BatchRules, Decided, Verdict } from './commit-batch.ts'
import { unwatchedMoment } from './moment.ts'
import type { RecordClock } from './record-clock.ts'
import type { Clock } from '../host/plugin.ts'
import type { SpanId, Spans } from '../host/spans.ts'
import type { CommitFacts, ContractStore, LedgerEnd, UpdateRecord } from '../store/store.ts'
import type { EngineCounts } from './counts.ts'
import type { HistoryWatch, Link } from './history-watch.ts'
import type { Invariants } from './invariants.ts'
import type { Order, Pending } from './order.ts'
import type { Proposal } from './proposal.ts'
import type { Rejection } from './rejection.ts'

/** Milliseconds after which a payer of whom too much waits may ask again. */
const CROWDED_MS = 1_000

interface CommitterInput {
  readonly store: ContractStore
  readonly clock: Clock
  /** Absent: any time is taken. */
  readonly watch: RecordClock | undefined
  readonly rules: BatchRules
  readonly maxBatch: number
  /** A store that does not answer for so long is not waited for. */
  readonly limitMs: number
  readonly counts: EngineCounts
  readonly invariants: Invariants
  /** Absent where nobody gathers spans. */
  readonly spans: Spans | undefined
  readonly history: HistoryWatch
  readonly order: Order
  /**
   * Called for each entry before its promise settles, in order; `undefined` where the store failed.
   */
  readonly onVerdict: (entry: BatchEntry, verdict: Verdict | undefined) => void
}

export interface Committer {
  /** The refusal of a payer of whom too much waits; undefined where there is room. */
  overFull(entry: Proposal): Rejection | undefined
  /** Rejects with the store's error. */
  add(entry: BatchEntry): Promise<Verdict>
}

/** An entry that waits, or is on its way. */
interface Waiting extends Pending {
  readonly entry: BatchEntry
  /** The span that it was queued in, where its trace is kept. */
  readonly span: SpanId | undefined
  resolve(verdict: Verdict): void
  reject(error: unknown): void
}

/** Gathers entries while a commit runs and writes them together in the next one: group commit. */
export function createCommitter(input: CommitterInput): Committer {
  const { order } = input
  const { nowMs } = order
  const batches = order.batches<Waiting>(input.maxBatch)
  let isRunning = false
  /** The last commit has outlasted a turn of the event loop: the store works elsewhere. */
  let isElsewhere = false
  const begin = (batch: readonly Waiting[]): Batch | undefined => {
    if (batch.length === 0) return undefined
    const beganMs = nowMs()
    const ended = commitAll(input, batch).finally(() => {
      if (!isElsewhere) batches.took(batch, nowMs() - beganMs)
    })
    return { ended }
  }
  /**
   * Answers the batch that was begun meanwhile. A function of its own, so that nothing holds on to
   * a batch that has ended.
   */
  const conclude = async ({ ended }: Batch): Promise<Batch | undefined> => {
    let isLong = false
    const watch = setImmediate(() => {
      isLong = true
    })
    const settle = await ended
    clearImmediate(watch)
    isElsewhere = isLong
    // Those who were waiting for this commit will bring more: whoever gathered meanwhile goes
    // before they begin.
    const next = isElsewhere ? begin(batches.take()) : undefined
    settle()
    return next
  }
  const next = async (): Promise<Batch | undefined> => begin(await batches.next())
  const run = async (): Promise<void> => {
    let current = await next()
    while (current !== undefined) current = (await conclude(current)) ?? (await next())
    isRunning = false
  }
  return {
    overFull: (entry) => {
      const most = batches.fullFor(pendingOf(entry))
      return most === undefined ? undefined : crowded(most)
    },
    add: (entry) =>
      new Promise((resolve, reject) => {
        const pending = pendingOf(entry)
        batches.add({ ...pending, entry, span: input.spans?.parent, resolve, reject })
        if (isRunning) return
        isRunning = true
        void run()
      }),
  }
}

function crowded(most: number): Rejection {
  const what = `${most} large transactions that wait`
  return { kind: 'over-quota', whose: 'the caller', what, retryMs: CROWDED_MS }
}

/** Tells those of a batch how it ended. */
type Settle = () => void

/** One that is on its way to the store. */
interface Batch {
  readonly ended: Promise<Settle>
}

async function commitAll(input: CommitterInput, batch: readonly Waiting[]): Promise<Settle> {
  const outcome = await commit(input, batch).then(
    (verdicts) => ({ verdicts }),
    (error: unknown) => ({ error }),
  )
  if ('verdicts' in outcome) return () => settle(input, batch, outcome.verdicts)
  const code = codeOf(outcome.error)
  if (code === COMMIT_REJECTED) tell(input, outcome.error)
  if (code === STORE_UNAVAILABLE || code === COMMIT_REJECTED)
    return () => fail(input, batch, outcome.error)
  // One that does not fit must not take the others with it.
  if (batch.length > 1) return commitEach(input, batch)
  if (code === STORE_CONFLICT) return () => settle(input, batch, [])
  return () => fail(input, batch, outcome.error)
}

async function commitEach(input: CommitterInput, batch: readonly Waiting[]): Promise<Settle> {
  const settles: Settle[] = []
  for (const each of batch) settles.push(await commitAll(input, [each]))
  return () => settles.forEach((settle) => settle())
}

async function commit(
  input: CommitterInput,
  batch: readonly Waiting[],
): Promise<readonly Verdict[]> {
  const { store, rules, counts, limitMs, history, spans } = input
  const { nowMs } = input.order
  const seen = history.last
  let written: Link | undefined
  const entries = batch.map(({ entry }) => entry)
  counts.batches.add(batch.length)
  const beganMs = nowMs()
  try {
    const write = () =>
      store.commit({
        reads: { ...readsOf(entries, rules), seen: seen.offset },
        decide: (facts) => {
          history.judge(seen, facts.end, facts.seen, (offset) => store.history(offset))
          const decided = decide(input, entries, facts, nowMs() - beganMs)
          written = decided.writes.updates.at(-1)
          return decided
        },
      })
    const piece = { name: 'commit', attributes: { 'ledgerwright.batch.entries': batch.length } }
    const done = spans?.runFor(spansOf(batch), piece, write) ?? write()
    const verdicts = await inTime(limitMs, done)
    if (verdicts !== 'late') {
      if (written !== undefined) history.extend(written)
      return verdicts
    }
    throw new StoreUnavailable(`The store has not answered for ${limitMs / 1_000} s`)
  } finally {
    counts.commitSeconds.add((nowMs() - beganMs) / 1_000)
  }
}

function spansOf(batch: readonly Waiting[]): readonly Waiting['span'][] {
  return batch.map(({ span }) => span)
}

/**
 * The decision on the batch, once the clocks may be believed; whatever it writes follows on the
 * ledger's end.
 */
function decide(
  { watch, clock, rules }: CommitterInput,
  entries: readonly BatchEntry[],
  facts: CommitFacts,
  waitedMs: number,
): Decided {
  const moment =
    watch?.judge(facts, waitedMs) ??
    unwatchedMoment(clock.nowMicros(), facts.end.recordTime, unmeasuredOf(facts))
  const decided = decideBatch(entries, facts, moment, rules)
  const problem = endProblem(facts.end, decided.writes.updates)
  if (problem !== undefined) throw new CommitRejected('ledger-end', problem)
  return decided
}

/** The reason why a batch must not be committed, one line. */
export function endProblem(end: LedgerEnd, updates: readonly UpdateRecord[]): string | undefined {
  const misplaced = updates.findIndex(({ offset, recordTime }, index) => {
    const before = updates[index - 1] ?? end
    return offset !== before.offset + 1n || recordTime <= before.recordTime
  })
  return misplaced < 0
    ? undefined
    : `an update at offset ${updates[misplaced]?.offset} does not follow on the one before it`
}

/** Clocks that are wrong are told of by their watch. */
function tell({ invariants }: CommitterInput, error: unknown): void {
  const isOfEnd = error instanceof Error && 'invariant' in error && error.invariant === 'ledger-end'
  if (isOfEnd) invariants.breached('ledger-end', error.message)
}

/** An entry without verdict has lost. */
function settle(
  { onVerdict }: CommitterInput,
  batch: readonly Waiting[],
  verdicts: readonly Verdict[],
): void {
  for (const [index, { entry, resolve }] of batch.entries()) {
    const verdict = verdicts[index] ?? lost(entry)
    onVerdict(entry, verdict)
    resolve(verdict)
  }
}

function fail({ onVerdict }: CommitterInput, batch: readonly Waiting[], error: unknown): void {
  for (const { entry, reject } of batch) {
    onVerdict(entry, undefined)
    reject(error)
  }
}

/** Everything that it believed is in doubt. */
function lost(entry: BatchEntry): Verdict {
  return { kind: 'lost', contractIds: contractIdsOf(entry) }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
