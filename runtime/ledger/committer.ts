// The one lane to the store: while a commit runs, entries gather; then they are the next batch. Loses nothing: every entry gets its
// verdict, or the error of the store. rulings.md 22
import { contractIdsOf, decideBatch, readsOf } from './commit-batch.ts'
import { turn } from './pace.ts'
import { within } from '../host/deadline.ts'
import { STORE_CONFLICT, STORE_UNAVAILABLE, StoreUnavailable } from '../store/rules.ts'
import type { BatchEntry, BatchRules, Verdict } from './commit-batch.ts'
import type { Clock } from '../host/plugin.ts'
import type { ContractStore } from '../store/store.ts'
import type { EngineCounts } from './counts.ts'
import type { Pace } from './pace.ts'

export interface CommitterInput {
  readonly store: ContractStore
  readonly clock: Clock
  readonly rules: BatchRules
  readonly maxBatch: number
  /** A store that does not answer for so long is not waited for. */
  readonly limitMs: number
  readonly counts: EngineCounts
  /** Told whether the store works elsewhere. */
  readonly pace: Pace
  /** Called for each entry before its promise settles, in order; `undefined` where the store failed. */
  readonly onVerdict: (entry: BatchEntry, verdict: Verdict | undefined) => void
}

export interface Committer {
  /** Rejects with the store's error. */
  add(entry: BatchEntry): Promise<Verdict>
}

interface Waiting {
  readonly entry: BatchEntry
  resolve(verdict: Verdict): void
  reject(error: unknown): void
}

/** Gathers entries while a commit runs and writes them together in the next one: group commit. */
export function createCommitter(input: CommitterInput): Committer {
  const queue: Waiting[] = []
  let isRunning = false
  const begin = (): Batch | undefined =>
    queue.length === 0 ? undefined : { ended: commitAll(input, queue.splice(0, input.maxBatch)) }
  /** Answers the batch that was begun meanwhile. A function of its own, so that nothing holds on to a batch that has ended. */
  const conclude = async ({ ended }: Batch): Promise<Batch | undefined> => {
    const settle = await watched(ended, input.pace)
    // Those who were waiting for this commit will bring more: whoever gathered meanwhile goes before they begin.
    const next = input.pace.isNeeded ? begin() : undefined
    settle()
    return next
  }
  const run = async (): Promise<void> => {
    // Without a turn of the event loop, a store that never waits would get batches of one.
    await turn()
    for (let current = begin(); current !== undefined;) {
      current = await conclude(current)
      if (current !== undefined) continue
      await turn()
      current = begin()
    }
    isRunning = false
  }
  return {
    add: (entry) => new Promise((resolve, reject) => {
      queue.push({ entry, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    }),
  }
}

/** Tells those of a batch how it ended. */
type Settle = () => void

/** One that is on its way to the store. */
interface Batch {
  readonly ended: Promise<Settle>
}

/** A commit that outlasts a turn of the event loop happens elsewhere, and this thread has time for other work. */
async function watched<T>(commit: Promise<T>, pace: Pace): Promise<T> {
  let isLong = false
  const watch = setImmediate(() => {
    isLong = true
  })
  const ended = await commit
  clearImmediate(watch)
  pace.isNeeded = isLong
  return ended
}

async function commitAll(input: CommitterInput, batch: readonly Waiting[]): Promise<Settle> {
  const outcome = await commit(input, batch).then((verdicts) => ({ verdicts }), (error: unknown) => ({ error }))
  if ('verdicts' in outcome) return () => settle(input, batch, outcome.verdicts)
  if (codeOf(outcome.error) === STORE_UNAVAILABLE) return () => fail(input, batch, outcome.error)
  // One that does not fit must not take the others with it.
  if (batch.length > 1) return commitEach(input, batch)
  if (codeOf(outcome.error) === STORE_CONFLICT) return () => settle(input, batch, [])
  return () => fail(input, batch, outcome.error)
}

async function commitEach(input: CommitterInput, batch: readonly Waiting[]): Promise<Settle> {
  const settles: Settle[] = []
  for (const each of batch) settles.push(await commitAll(input, [each]))
  return () => settles.forEach((settle) => settle())
}

async function commit(input: CommitterInput, batch: readonly Waiting[]): Promise<readonly Verdict[]> {
  const { store, clock, rules, counts, limitMs } = input
  const entries = batch.map(({ entry }) => entry)
  counts.batches.add(batch.length)
  const ended = await within(limitMs, () => store.commit({
    reads: readsOf(entries, rules),
    decide: (facts) => decideBatch(entries, facts, clock.nowMicros(), rules),
  }))
  counts.commitSeconds.add(ended.ms / 1_000)
  if (ended.ok) return ended.value
  throw ended.timedOut ? new StoreUnavailable(`The store has not answered for ${limitMs / 1_000} s`) : ended.error
}

/** An entry without verdict has lost. */
function settle({ onVerdict }: CommitterInput, batch: readonly Waiting[], verdicts: readonly Verdict[]): void {
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
