// Scan's handlers over a network in this process, asked as the dispatcher asks them.
import assert from 'node:assert/strict'
import type { Handlers } from '../../generated/scan/handlers.gen.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { networkSubmission } from '../../runtime/economy/network/commands.ts'
import type { Context } from '../../runtime/interfaces/reply.ts'
import { probeHandlers } from '../../runtime/interfaces/probes.ts'
import { scanHandlers } from '../../runtime/interfaces/scan/handlers.ts'
import type { Tx } from '../../runtime/engine/index.ts'
import type { ContractRecord } from '../../runtime/store/store.ts'
import { startNetwork } from '../network/kit.ts'
import type { Network, NetworkOptions } from '../network/kit.ts'

export * from '../network/kit.ts'

export interface ScanNetwork extends Network {
  readonly scan: Asked<Handlers<Context>>
  /** The party of one of the development network's users. */
  partyOf(userId: string): Promise<string>
  /** Submits for parties of this node; fails the test where it is refused. */
  done<R>(
    actAs: readonly string[],
    run: (tx: Tx) => R,
    disclosedContracts?: readonly ContractRecord[],
  ): Promise<R>
}

export async function startScan(options: NetworkOptions = {}): Promise<ScanNetwork> {
  const network = await startNetwork({ seeded: true, ...options })
  const { economy, store } = network
  const probes = probeHandlers(
    { clock: systemClock, notReady: async () => undefined, productVersion: '0' },
    economy.node.participantId,
  )
  return {
    ...network,
    scan: asked({ ...probes, ...scanHandlers(economy) }),
    partyOf: async (userId) => (await store.users.get(userId))?.primaryParty ?? assert.fail(userId),
    done: async (actAs, run, more = []) => {
      const disclosedContracts = [...(await economy.network.disclosures()), ...more]
      const outcome = await economy.engine.submit(
        networkSubmission({ actAs, run, disclosedContracts }),
      )
      return outcome.ok
        ? outcome.result
        : assert.fail(
            JSON.stringify(outcome, (_key, value: unknown) =>
              typeof value === 'bigint' ? String(value) : value,
            ),
          )
    },
  }
}

/** An input without parameters and body. */
const NOTHING = { path: {}, query: {}, headers: {}, cookies: {}, body: undefined } as const

/** The context of a handler, which scan's do not look at. */
const NOBODY: Context = {
  identity: { kind: 'anonymous', reason: 'no token' },
  principal: undefined,
  log: silentLog,
  traceId: '0'.repeat(32),
  traceparent: '',
  tracestate: undefined,
  network: '127.0.0.1',
  signal: new AbortController().signal,
  clock: { nowMicros: () => 0n },
}

/** Handlers that are asked by anybody, with what they look at alone. */
export type Asked<H> = {
  readonly [K in keyof H]: H[K] extends (input: infer I, context: Context) => infer R
    ? (some?: Partial<I>) => R
    : never
}

export function asked<H extends object>(handlers: H): Asked<H>
export function asked(handlers: object): object {
  const entries = Object.entries(handlers).map(([name, handle]) => [
    name,
    (some: object = {}) => handle({ ...NOTHING, ...some }, NOBODY),
  ])
  return Object.fromEntries(entries)
}

type Success<R> =
  Extract<R, { readonly status: 200 }> extends { readonly body: infer B } ? B : never

/** The body of a 200; fails the test for any other answer. */
export function bodyOf<R extends { readonly status: number }>(reply: R): Success<R>
export function bodyOf(reply: { readonly status: number; readonly body?: unknown }): unknown {
  assert.equal(
    reply.status,
    200,
    JSON.stringify(reply.body, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  )
  return reply.body
}
