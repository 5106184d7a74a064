// A store in memory whose commits can be held up, made to fail, or asked twice, as a database does.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { StoreConflict, StoreUnavailable } from '../../runtime/store/rules.ts'
import type { Commit, ContractStore } from '../../runtime/store/store.ts'

export type Fault = 'none' | 'unavailable' | 'conflict' | 'asked-twice' | 'type-error'

export interface FaultyStore {
  readonly store: ContractStore
  /** Faults of the next commits; 'none' when it is empty. */
  readonly faults: Fault[]
  /** How many updates each commit wrote. */
  readonly batches: number[]
  /** Commits wait until this resolves. */
  hold: Promise<void>
}

export function createFaultyStore(
  nextProblem?: () => Fault,
  inner: ContractStore = createMemoryStore().contracts,
): FaultyStore {
  const faulty: FaultyStore = {
    faults: [],
    batches: [],
    hold: Promise.resolve(),
    store: { ...inner, commit: (commit) => commitWith(commit) },
  }
  const commitWith = async <T>(commit: Commit<T>): Promise<T> => {
    const fault = faulty.faults.shift() ?? nextProblem?.() ?? 'none'
    await nextTurn()
    await faulty.hold
    if (fault === 'unavailable') throw new StoreUnavailable('the connection is lost')
    if (fault === 'conflict') throw new StoreConflict('it does not fit')
    if (fault === 'type-error') throw new TypeError('a text that cannot be stored')
    return inner.commit({
      ...commit,
      decide: (facts) => {
        if (fault === 'asked-twice') commit.decide({ ...facts, states: new Map() })
        const decided = commit.decide(facts)
        faulty.batches.push(decided.writes.updates.length)
        return decided
      },
    })
  }
  return faulty
}
