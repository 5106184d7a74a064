// The compliance suite for storage plugins: every rule of `Store`, on any runner. Published as part
// of `ledgerwright/testing`.
import { commandChecks } from './storage/command-checks.ts'
import { commitChecks } from './storage/commit-checks.ts'
import { contractChecks } from './storage/contract-checks.ts'
import { leaseChecks } from './storage/lease-checks.ts'
import { lifeChecks } from './storage/life-checks.ts'
import { packageChecks } from './storage/package-checks.ts'
import { peopleChecks } from './storage/people-checks.ts'
import { projectionChecks } from './storage/projection-checks.ts'
import { pruneChecks } from './storage/prune-checks.ts'
import { raceChecks } from './storage/race-checks.ts'
import { refusalChecks } from './storage/refusal-checks.ts'
import { updateChecks } from './storage/update-checks.ts'
import type { Check } from './storage/check.ts'
import { declareChecks } from './suite.ts'
import type { SuiteReport, TestFunction } from './suite.ts'
import type { Store, StoreFeatures } from '../store/store.ts'

/** The storage under test, and the runner. */
export interface StorageSuiteOptions {
  readonly test: TestFunction
  /**
   * Opens an empty store; called once for each check, and for each run of a random one. The suite
   * closes it.
   */
  create(): Promise<Store>
  /**
   * Opens another store on the data of `store`, which may be open or closed. Needed where a feature
   * is claimed.
   */
  reopen?(store: Store): Promise<Store>
  /** Claims of the plugin; the rest is skipped, with the reason in the name. */
  readonly features: StoreFeatures
  /** Runs of each random check, 30 if absent; each has up to 100 commands. */
  readonly seedRuns?: number
}

const CHECKS: readonly Check[] = [
  ...peopleChecks,
  ...packageChecks,
  ...updateChecks,
  ...commitChecks,
  ...contractChecks,
  ...projectionChecks,
  ...pruneChecks,
  ...raceChecks,
  ...refusalChecks,
  ...leaseChecks,
  ...lifeChecks,
  ...commandChecks,
]

/**
 * Declares the checks with the given runner and answers how many there are and which were skipped.
 *
 * @example storageSuite({ test, create: async () => createMemoryStore(), features: { durable:
 *   false, multiProcess: false } })
 */
export function storageSuite(options: StorageSuiteOptions): SuiteReport {
  return declareChecks(options.test, CHECKS, {
    reasonToSkip: (check) => reasonToSkip(check, options),
    run: (check) => runCheck(check, options),
  })
}

function reasonToSkip(check: Check, options: StorageSuiteOptions): string | undefined {
  if (check.needs === undefined) return undefined
  if (!options.features[check.needs]) return `the plugin does not claim to be ${check.needs}`
  return options.reopen === undefined ? 'the author gave no reopen()' : undefined
}

async function runCheck(check: Check, options: StorageSuiteOptions): Promise<void> {
  const opened: Store[] = []
  const create = async (): Promise<Store> => {
    const fresh = await options.create()
    opened.push(fresh)
    return fresh
  }
  const store = await create()
  const reopen = async (): Promise<Store> => {
    if (options.reopen === undefined) throw new Error('reopen() was not given')
    const again = await options.reopen(store)
    opened.push(again)
    return again
  }
  try {
    await check.run({ store, create, reopen, seedRuns: options.seedRuns ?? 30 })
  } finally {
    for (const each of opened) await each.close()
  }
}
