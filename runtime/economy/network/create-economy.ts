// Puts the coin economy together: engine, reads, network and parties over one store. The network
// itself is made by genesis.ts.
import { randomBytes } from 'node:crypto'
import { allTemplates } from '../../contracts/index.ts'
import type { Logger } from '../../host/log.ts'
import type { Clock } from '../../host/plugin.ts'
import type { Spans } from '../../host/spans.ts'
import { createContractCache, createEngine, createReader, seedSource } from '../../engine/index.ts'
import type { ClockWatch, Invariants, Projector } from '../../engine/index.ts'
import type { Store } from '../../store/store.ts'
import { signsFor } from '../hosting.ts'
import type { Economy, EconomyWireNames } from '../economy.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import { Quotas } from '../quotas/index.ts'
import type { QuotaSettings } from '../quotas/settings.ts'
import { traceForUpdate } from '../trace.ts'
import { micros } from './initial-config.ts'
import { networkParties } from './parties.ts'
import { resolveNetworkSettings } from './settings.ts'
import type { NetworkSettings, ValidatorSettings } from './settings.ts'
import { createNetworkState, networkChange, networkProjector } from './state.ts'

interface EconomyOptions {
  readonly store: Store
  /** What the ledger takes for the time. */
  readonly clock: Clock
  /** Time that only rises, milliseconds; that of this process when absent. */
  readonly monotonicMs?: () => number
  /** As in `EngineOptions`. */
  readonly watch?: ClockWatch | undefined
  readonly invariants?: Invariants
  readonly node: NodeIdentity
  readonly settings: EconomyWireNames & {
    readonly network: NetworkSettings
    readonly validator: ValidatorSettings
    readonly quotas: QuotaSettings
  }
  readonly profile: 'dev' | 'production'
  readonly newName: () => string
  /** As many bytes as it is asked for that nobody can guess. Absent: the system's. */
  readonly random?: (bytes: number) => Uint8Array
  /** What services keep beside contracts, such as histories. */
  readonly projectors: readonly Projector[]
  readonly log?: Logger
  /** Absent where nobody gathers spans. */
  readonly spans?: Spans | undefined
}

/**
 * The economy of this server. Reads the store once, to learn who the operator is; writes nothing.
 */
export async function createEconomy(options: EconomyOptions): Promise<Economy> {
  const { store, clock, node, settings, newName, monotonicMs = () => performance.now() } = options
  const network = resolveNetworkSettings(settings.network, options.profile)
  const cache = createContractCache()
  const reader = createReader(store.contracts, cache)
  const parties = await networkParties({
    store,
    node,
    networkName: network.networkName,
    svName: network.svName,
    validatorWalletUser: settings.validator.validatorWalletUser,
  })
  const engine = createEngine({
    store: store.contracts,
    clock,
    cache,
    templates: allTemplates,
    synchronizerId: node.synchronizerId,
    issuer: parties.dso,
    newSeed: seedSource(options.random ?? randomBytes),
    traceContext: () => traceForUpdate(options.spans),
    ...(options.spans === undefined ? {} : { spans: options.spans }),
    projectors: [networkProjector(parties), ...options.projectors],
    moveFacts: (updateId) => [networkChange(updateId)],
    traffic: {
      member: parties.member,
      baseBurstBytes: BigInt(network.traffic.baseBurstBytes),
      baseWindowMicros: micros(network.traffic.baseWindowSeconds),
    },
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    ...(options.invariants === undefined ? {} : { invariants: options.invariants }),
  })
  const quotas = new Quotas({
    settings: settings.quotas,
    contracts: store.contracts,
    parties,
    traffic: network.traffic,
    monotonicMs,
    operatorUser: settings.validator.validatorWalletUser,
  })
  return {
    quotas,
    engine,
    reader,
    store,
    clock,
    node,
    parties,
    newName,
    network: createNetworkState({
      store: store.contracts,
      reader,
      clock,
      ...parties,
      signsFor: (party) => signsFor(store, party),
    }),
    settings: { network, validator: settings.validator },
    wire: {
      metadataKeyPrefix: settings.metadataKeyPrefix,
      coinMetadataKeyPrefix: settings.coinMetadataKeyPrefix,
      instrumentId: settings.instrumentId,
    },
  }
}
