// A network in which one party leaves very many contracts for automations to look at, and what each
// look at them costs: contracts read from the store, and submissions.
import assert from 'node:assert/strict'
import { silentLog } from '../../runtime/host/silent-log.ts'
import type { Logger } from '../../runtime/host/log.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import { startScan } from '../scan/kit.ts'
import type { NetworkOptions, ScanNetwork } from '../scan/kit.ts'
import { setUpAutomations } from '../support/automations.ts'
import { newStore } from '../support/test-store.ts'

/** More than any automation may read at once. */
export const PLANTED = 1_500

/** Contracts that one transaction of the flood makes. */
const BATCH = 500

export interface Cost {
  /** Contracts, and values of keys, that the store answered. */
  readonly read: number
  /** Submissions, whatever their outcome. */
  readonly submissions: number
}

export interface Flooded extends ScanNetwork {
  readonly alice: string
  readonly bob: string
  readonly dso: string
  readonly operator: string
  /** Contracts, and values of keys, that the store answered so far. */
  answered(): number
  /** Warnings of the automations so far. */
  readonly warnings: readonly string[]
  /** Has alice make contracts, many in a transaction: `make` is called for each of them. */
  plant(
    make: (tx: Tx, index: number) => unknown,
    count?: number,
    ...others: readonly string[]
  ): Promise<void>
  /** An automation that keeps what it knows from look to look; answers what a look of it costs. */
  looker(name: string, options?: object): Promise<() => Promise<Cost>>
}

/** A network with alice and bob, who have wallets and coin. */
export async function flooded(options: NetworkOptions = {}): Promise<Flooded> {
  const { store, answered } = countingStore(await newStore())
  const network = await startScan({ ...options, store })
  const {
    economy: {
      engine,
      parties: { dso, operator },
    },
    services,
  } = network
  const [alice, bob] = [await network.partyOf('alice'), await network.partyOf('bob')]
  const submissions = () =>
    engine.counts.submissions.values().reduce((sum, count) => sum + count, 0)
  const warnings: string[] = []
  const log: Logger = { ...silentLog, warn: (_fields, message) => void warnings.push(message) }
  return {
    ...network,
    alice,
    bob,
    dso,
    operator,
    answered,
    warnings,
    plant: async (make, count = PLANTED, ...others) => {
      for (let from = 0; from < count; from += BATCH) {
        const indexes = Array.from(
          { length: Math.min(BATCH, count - from) },
          (_, index) => from + index,
        )
        await network.done([alice, ...others], (tx) => indexes.forEach((index) => make(tx, index)))
      }
    },
    looker: async (name, automationOptions = {}) => {
      const automations = await setUpAutomations(services, {
        names: [name],
        options: { [name]: automationOptions },
        log,
      })
      return async () => {
        const [read, submitted] = [answered(), submissions()]
        await automations.run()
        return { read: answered() - read, submissions: submissions() - submitted }
      }
    },
  }
}

/** Counts what the store answers of contracts. */
function countingStore(store: Store): { readonly store: Store; readonly answered: () => number } {
  let answered = 0
  const count = <T extends { readonly length: number }>(found: T): T => {
    answered += found.length
    return found
  }
  const { contracts } = store
  const counting: Store = {
    ...store,
    contracts: {
      ...contracts,
      byIds: async (ids) => count(await contracts.byIds(ids)),
      active: async (query) => count(await contracts.active(query)),
      keys: async (query) => count(await contracts.keys(query)),
    },
  }
  return { store: counting, answered: () => answered }
}

/** Looks until `isServed`; fails the test unless that is within so many looks. */
export async function looksUntil(
  look: () => Promise<Cost>,
  most: number,
  isServed: () => Promise<boolean>,
): Promise<void> {
  for (let looks = 1; looks <= most; looks += 1) {
    await look()
    if (await isServed()) return
  }
  assert.fail(`not served within ${most} looks`)
}
