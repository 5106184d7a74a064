// Puts the coin economy together: engine, reads, network and parties over one store. The network
// itself is made by genesis.ts.
import { randomBytes } from 'node:crypto'
import { allTemplates } from '../../contracts/index.ts'
import type { Logger } from '../../host/log.ts'
import type { Clock } from '../../host/plugin.ts'
import type { Spans } from '../../host/spans.ts'
import {
  createContractCache,
  createEngine,
  createReader,
  engineOf,
  seedSource,
} from '../../engine/index.ts'
import type {
  RecordClock,
  Engine,
  HistoryWatch,
  Invariants,
  Projector,
  Reader,
  TemplateSource,
} from '../../engine/index.ts'
import type { Store } from '../../store/store.ts'
import { payersInTurn } from '../../work/order.ts'
import { hostsHere, signsFor } from '../hosting.ts'
import type { Economy, EconomyWireNames, NetworkParties } from '../economy.ts'
import type { Ids } from '../../participant/node.ts'
import { Quotas } from '../quotas/index.ts'
import type { QuotaSettings } from '../quotas/settings.ts'
import { traceForUpdate } from '../trace.ts'
import { micros } from './initial-config.ts'
import { networkParties } from './parties.ts'
import { resolveNetworkSettings } from './settings.ts'
import type { NetworkSettings, ResolvedNetworkSettings, ValidatorSettings } from './settings.ts'
import { createNetworkState, networkChange, networkProjector } from './state.ts'

/** A node's economy, with what it shares. */
export interface LedgerEconomy extends Economy {
  readonly shared: SharedLedger
}

/** Services that the nodes of a process share. */
export interface SharedLedger {
  readonly engine: Engine
  readonly reader: Reader
  /** Operators of all nodes that have come so far. */
  readonly operators: Set<string>
}

interface EconomyOptions {
  /** The store with the node's own data. */
  readonly store: Store
  /**
   * The ledger of another node of this process, which this one joins; absent: a ledger of its
   * own.
   */
  readonly shared?: SharedLedger | undefined
  /** The hosts of `Economy`; this node alone if absent. */
  readonly hostsOf?: Economy['hostsOf'] | undefined
  /** The clock that the ledger takes for the time. */
  readonly clock: Clock
  /** Time that only rises, milliseconds; that of this process when absent. */
  readonly monotonicMs?: () => number
  /** The watch of `EngineOptions`. */
  readonly watch?: RecordClock | undefined
  readonly unmeasured?: bigint
  readonly invariants?: Invariants
  readonly history?: HistoryWatch
  readonly ids: Ids
  readonly settings: EconomyWireNames & {
    readonly network: NetworkSettings
    readonly validator: ValidatorSettings
    readonly quotas: QuotaSettings
  }
  readonly profile: 'dev' | 'production'
  readonly newName: () => string
  /** Where templates are had that are not in code. */
  readonly source?: TemplateSource | undefined
  /** Random bytes that nobody can guess, as many as asked for. Absent: the system's. */
  readonly random?: (bytes: number) => Uint8Array
  /** Projectors of data that services keep beside contracts, such as histories. */
  readonly projectors: readonly Projector[]
  readonly log?: Logger
  /** Absent where nobody gathers spans. */
  readonly spans?: Spans | undefined
}

/**
 * The economy of this server. Reads the store once, to learn who the operator is; writes nothing.
 */
export async function createEconomy(
  options: EconomyOptions,
): Promise<LedgerEconomy> {
  const { store, clock, ids, settings, newName, monotonicMs = payersInTurn.nowMs } = options
  const network = resolveNetworkSettings(settings.network, options.profile)
  const parties = await networkParties({
    store,
    ids,
    validatorWalletUser: settings.validator.validatorWalletUser,
  })
  const { node } = ids
  const shared = options.shared ?? sharedLedger(options, parties, network)
  shared.operators.add(parties.operator)
  const { reader } = shared
  const engine =
    options.shared === undefined && node.key === ''
      ? shared.engine
      : engineOf(shared.engine, { key: node.key, member: parties.member })
  const quotas = new Quotas({
    settings: settings.quotas,
    contracts: store.contracts,
    parties,
    traffic: network.traffic,
    monotonicMs,
    operatorUser: settings.validator.validatorWalletUser,
  })
  return {
    shared,
    hostsOf: options.hostsOf ?? ((party) => hostsHere(store, parties.member, party)),
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

function sharedLedger(
  options: EconomyOptions,
  { dso, member }: NetworkParties,
  network: ResolvedNetworkSettings,
): SharedLedger {
  const { store, clock, ids } = options
  const cache = createContractCache()
  const operators = new Set<string>()
  const engine = createEngine({
    store: store.contracts,
    clock,
    cache,
    templates: allTemplates,
    ...(options.source === undefined ? {} : { source: options.source }),
    synchronizerId: ids.node.synchronizerId,
    issuer: dso,
    order: payersInTurn,
    newSeed: seedSource(options.random ?? randomBytes),
    traceContext: () => traceForUpdate(options.spans),
    ...(options.spans === undefined ? {} : { spans: options.spans }),
    projectors: [networkProjector({ dso, operators }), ...options.projectors],
    moveFacts: (updateId) => [networkChange(updateId)],
    traffic: {
      member,
      baseBurstBytes: BigInt(network.traffic.baseBurstBytes),
      baseWindowMicros: micros(network.traffic.baseWindowSeconds),
    },
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    ...(options.unmeasured === undefined ? {} : { unmeasured: options.unmeasured }),
    ...(options.invariants === undefined ? {} : { invariants: options.invariants }),
    ...(options.history === undefined ? {} : { history: options.history }),
  })
  return {
    engine,
    reader: createReader(store.contracts, ids.node.synchronizerId, cache),
    operators,
  }
}
