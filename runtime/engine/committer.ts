// The one lane to the store: entries that arrive during a commit form the next batch. Every entry
// gets its verdict, or the error of the store. rulings.md 22
import { BatchQueue, MAX_LARGE } from './batch-queue.ts'
import { contractIdsOf, decideBatch, readsOf } from './commit-batch.ts'
import { endProblem } from './ledger-end.ts'
import { inTime } from './limit.ts'
import { unmeasuredOf } from './time-record.ts'
import { turn } from './backpressure.ts'
import { loopTurns } from '../loop/turns.ts'
import {
  COMMIT_REJECTED,
  CommitRejected,
  STORE_CONFLICT,
  STORE_UNAVAILABLE,
  StoreUnavailable,
} from '../store/rules.ts'
import type { Waiting } from './batch-queue.ts'
import type { BatchEntry, BatchRules, Decided, Verdict } from './commit-batch.ts'
import type { Moment } from './moment.ts'
import type { RecordClock } from './record-clock.ts'
import type { Clock } from '../host/plugin.ts'
import type { Spans } from '../host/spans.ts'
import type { CommitFacts, ContractStore } from '../store/store.ts'
import type { EngineCounts } from './counts.ts'
import type { HistoryWatch, Link } from './history-watch.ts'
import type { Invariants } from './invariants.ts'
import type { Proposal } from './proposal.ts'
import type { Rejection } from './rejection.ts'
import type { Backpressure } from './backpressure.ts'

/** After which a batch goes, whatever else arrives. */
const GATHER_MS = 10
/** After which a payer of whom too much waits may ask again, milliseconds. */
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
  /** Told whether the store works elsewhere. */
  readonly backpressure: Backpressure
  /**
   * Called for each entry before its promise settles, in order; `undefined` where the store failed.
   */
  readonly onVerdict: (entry: BatchEntry, verdict: Verdict | undefined) => void
}

export interface Committer {
  /** Why so much of its payer waits that it may not; undefined where it may. */
  overFull(entry: Proposal): Rejection | undefined
  /** Rejects with the store's error. */
  add(entry: BatchEntry): Promise<Verdict>
}

/** Gathers entries while a commit runs and writes them together in the next one: group commit. */
export function createCommitter(input: CommitterInput): Committer {
  const queue = new BatchQueue(input.maxBatch)
  let isRunning = false
  const begin = (): Batch | undefined => {
    const batch = queue.take()
    if (batch.length === 0) return undefined
    const beganMs = performance.now()
    const ended = commitAll(input, batch).finally(() => {
      // Where the store works elsewhere, a commit keeps nobody from this thread.
      if (!input.backpressure.isNeeded) queue.took(batch, performance.now() - beganMs)
    })
    return { ended }
  }
  /**
   * Answers the batch that was begun meanwhile. A function of its own, so that nothing holds on to
   * a batch that has ended.
   */
  const conclude = async ({ ended }: Batch): Promise<Batch | undefined> => {
    const settle = await watched(ended, input.backpressure)
    // Those who were waiting for this commit will bring more: whoever gathered meanwhile goes
    // before they begin.
    const next = input.backpressure.isNeeded ? begin() : undefined
    settle()
    return next
  }
  /** A large one has a turn of the event loop to itself. */
  const next = async (): Promise<Batch | undefined> => {
    await gathered(queue)
    while (queue.size > 0) {
      const others = queue.isLargeNext ? loopTurns.next('short') : undefined
      if (others !== undefined) await others
      const batch = begin()
      if (batch !== undefined) return batch
      await queue.rested()
    }
    return undefined
  }
  const run = async (): Promise<void> => {
    let current = await next()
    while (current !== undefined) current = (await conclude(current)) ?? (await next())
    isRunning = false
  }
  return {
    overFull: (entry) => (queue.isFullFor(entry) ? CROWDED : undefined),
    add: (entry) =>
      new Promise((resolve, reject) => {
        queue.add({ entry, span: input.spans?.parent, resolve, reject })
        if (isRunning) return
        isRunning = true
        void run()
      }),
  }
}

const CROWDED: Rejection = {
  kind: 'over-quota',
  whose: 'the caller',
  what: `${MAX_LARGE} large transactions that wait`,
  retryMs: CROWDED_MS,
}

/**
 * Without a turn of the event loop, a store that never waits would get batches of one; and as long
 * as each turn brings more, one commit for all of them costs less than one for every few.
 */
async function gathered(queue: BatchQueue): Promise<void> {
  const beganMs = performance.now()
  for (let before = -1; queue.size > before && performance.now() - beganMs < GATHER_MS;) {
    before = queue.size
    await turn()
  }
}

/** Tells those of a batch how it ended. */
type Settle = () => void

/** One that is on its way to the store. */
interface Batch {
  readonly ended: Promise<Settle>
}

/**
 * A commit that outlasts a turn of the event loop happens elsewhere, and this thread has time for
 * other work.
 */
async function watched<T>(commit: Promise<T>, backpressure: Backpressure): Promise<T> {
  let isLong = false
  const watch = setImmediate(() => {
    isLong = true
  })
  const ended = await commit
  clearImmediate(watch)
  backpressure.isNeeded = isLong
  return ended
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
  const seen = history.last
  let written: Link | undefined
  const entries = batch.map(({ entry }) => entry)
  counts.batches.add(batch.length)
  const beganMs = performance.now()
  try {
    const write = () =>
      store.commit({
        reads: { ...readsOf(entries, rules), seen: seen.offset },
        decide: (facts) => {
          history.judge(seen, facts.end, facts.seen, (offset) => store.history(offset))
          const decided = decide(input, entries, facts, performance.now() - beganMs)
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
    counts.commitSeconds.add((performance.now() - beganMs) / 1_000)
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
  const moment = watch?.judge(facts, waitedMs) ?? unwatched(facts, clock)
  const decided = decideBatch(entries, facts, moment, rules)
  const problem = endProblem(facts.end, decided.writes.updates)
  if (problem !== undefined) throw new CommitRejected('ledger-end', problem)
  return decided
}

/** All that passes by such a clock counts as measured. */
function unwatched(facts: CommitFacts, clock: Clock): Moment {
  const [now, { recordTime }, unmeasured] = [clock.nowMicros(), facts.end, unmeasuredOf(facts)]
  const measured = (now > recordTime ? now : recordTime + 1n) - unmeasured
  return { now, latest: undefined, unmeasured, measured }
}

/** What is wrong with the clocks is told by who watches them. */
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
