// The services of a development network in this process, over an empty store, with a clock that the
// test moves and automations that it runs.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { setUpAutomations } from '../support/automations.ts'
import { newStore } from '../support/test-store.ts'
import type { SimulatedClock } from '../../runtime/host/clock.ts'
import { newName, simulatedClock, systemClock } from '../../runtime/host/clock.ts'
import type { Contract, Template } from '../../runtime/engine/index.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import { createServices } from '../../runtime/interfaces/index.ts'
import type { Services } from '../../runtime/interfaces/index.ts'
import type { Store } from '../../runtime/store/store.ts'

export const START = 1_800_000_000_000_000n
export const SECOND = 1_000_000n
export const TICK = 600n * SECOND
export const DAY = 86_400n * SECOND

export interface Network {
  readonly services: Services
  readonly economy: Economy
  readonly store: Store
  readonly clock: SimulatedClock
  /** Moves the clock ahead. */
  pass(micros: bigint): void
  /**
   * Runs every automation once, one after the other; those that are named, where names are given.
   */
  work(...names: readonly string[]): Promise<void>
  /** Payloads of all active contracts, oldest first. */
  payloads<T>(template: Template<T>): Promise<readonly T[]>
  /** The one active contract. */
  only<T>(template: Template<T>): Promise<Contract<T>>
}

export interface NetworkOptions {
  readonly store?: Store
  readonly clock?: SimulatedClock
  readonly seeded?: boolean
  /** The random source of `ServiceOptions`. */
  readonly random?: (bytes: number) => Uint8Array
  readonly network?: object
  readonly validator?: object
}

export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const {
    store = await newStore(),
    clock = simulatedClock(START),
    seeded = false,
    network = {},
    validator = {},
  } = options
  const services = await createServices({
    store,
    auth: [],
    clock: systemClock,
    ledgerClock: clock,
    profile: 'dev',
    seeded,
    newName,
    productVersion: '1.0.0',
    // The audit of totals goes by the machine's clock, and what it reads would be counted.
    settings: { ledger: { audit: { everyMs: 0 } }, network, validator, wireNames: {} },
    notReady: async () => undefined,
    dataDir: tmpdir(),
    ...(options.random === undefined ? {} : { random: options.random }),
  })
  const { economy, treasury } = services
  const automations = await setUpAutomations({ economy, treasury })
  return {
    services,
    economy,
    store,
    clock,
    pass: (micros) => assert.ok(clock.moveTo(clock.nowMicros() + micros)),
    work: automations.run,
    payloads: async (template) =>
      (await economy.reader.all(template)).map(({ payload }) => payload),
    only: async (template) => {
      const all = await economy.reader.all(template)
      const [first] = all
      assert.ok(first !== undefined && all.length === 1, `${all.length} of ${template.type.name}`)
      return first
    },
  }
}
