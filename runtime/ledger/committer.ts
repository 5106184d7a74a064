// The one lane to the store: while a commit runs, entries gather; then they are the next batch. Loses nothing: every entry gets its
// verdict, or the error of the store. rulings.md 22
import { contractIdsOf, decideBatch, readsOf } from './commit-batch.ts'
import { STORE_CONFLICT, STORE_UNAVAILABLE } from '../store/rules.ts'
import type { BatchEntry, BatchRules, Verdict } from './commit-batch.ts'
import type { Clock } from '../host/plugin.ts'
import type { ContractStore } from '../store/store.ts'

export interface CommitterInput {
  readonly store: ContractStore
  readonly clock: Clock
  readonly rules: BatchRules
  readonly maxBatch: number
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
  const run = async (): Promise<void> => {
    // Without a turn of the event loop, a store that never waits would get batches of one.
    for (await turn(); queue.length > 0; await turn()) await commitAll(input, queue.splice(0, input.maxBatch))
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

async function commitAll(input: CommitterInput, batch: readonly Waiting[]): Promise<void> {
  const outcome = await commit(input, batch).then((verdicts) => ({ verdicts }), (error: unknown) => ({ error }))
  if ('verdicts' in outcome) settle(input, batch, outcome.verdicts)
  else if (codeOf(outcome.error) === STORE_UNAVAILABLE) fail(input, batch, outcome.error)
  // One that does not fit must not take the others with it.
  else if (batch.length > 1) for (const each of batch) await commitAll(input, [each])
  else if (codeOf(outcome.error) === STORE_CONFLICT) settle(input, batch, [])
  else fail(input, batch, outcome.error)
}

async function commit({ store, clock, rules }: CommitterInput, batch: readonly Waiting[]): Promise<readonly Verdict[]> {
  const entries = batch.map(({ entry }) => entry)
  return store.commit({
    reads: readsOf(entries, rules),
    decide: (facts) => decideBatch(entries, facts, clock.nowMicros(), rules),
  })
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

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
