// A store as bad as a database under load: commits conflict, are decided twice (first on facts that
// are old), or do not reach the database at all. By a seed, so that a failure comes again.
import { diceOf } from '../../drive/dice.ts'
import { StoreConflict, StoreUnavailable } from '../../../runtime/store/rules.ts'
import type { Commit, CommitFacts, ContractStore } from '../../../runtime/store/store.ts'

/** One in so many commits. */
const CONFLICT = 12
const TWICE = 15
const UNREACHABLE = 150
const STORM = 300
/** Longer than anybody tries. */
const STORM_COMMITS = 60

export interface Trouble {
  readonly store: ContractStore
  /** Conflicts since the last `begin`. */
  readonly count: number
  /** Called before each command: storms end with the command that they hit. */
  begin(): void
  /** Nothing goes wrong before. */
  start(): void
}

/** The store with troubles. */
export function troubled(inner: ContractStore, seed: number): Trouble {
  const dice = diceOf(seed)
  let [count, storm, isOn] = [0, 0, false]
  const isHit = (oneIn: number): boolean => isOn && dice.int(oneIn) === 0
  const commit = async <T>(asked: Commit<T>): Promise<T> => {
    if (isHit(STORM)) storm = STORM_COMMITS
    if (storm > 0 || isHit(CONFLICT)) {
      storm -= storm > 0 ? 1 : 0
      count += 1
      throw new StoreConflict('an injected conflict')
    }
    if (isHit(UNREACHABLE)) {
      count += 1
      throw new StoreUnavailable('an injected failure')
    }
    return inner.commit(isHit(TWICE) ? decidedTwice(asked) : asked)
  }
  return {
    store: { ...inner, commit },
    get count() {
      return count
    },
    begin: () => {
      ;[count, storm] = [0, 0]
    },
    start: () => {
      isOn = true
    },
  }
}

function decidedTwice<T>({ reads, decide }: Commit<T>): Commit<T> {
  return {
    reads,
    decide: (facts) => {
      decide(old(facts))
      return decide(facts)
    },
  }
}

function old(facts: CommitFacts): CommitFacts {
  // The end is never behind what this process has committed: a store that says so has lost updates.
  return { ...facts, states: new Map() }
}
