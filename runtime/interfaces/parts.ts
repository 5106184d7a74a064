// What the services are given, and what handlers are made of.
import type { WireWords } from '../participant/interactive/wire-words.ts'
import type { Logger } from '../host/log.ts'
import type { AuthService, Clock, HostClock } from '../host/plugin.ts'
import type { Spans } from '../host/spans.ts'
import type { ReadReplica } from '../store/read-replica.ts'
import type { Store } from '../store/store.ts'
import type { PrincipalDirectory } from '../access/principal.ts'
import type { ProviderDirectory } from '../access/provider.ts'
import type { RecordClock } from '../engine/index.ts'
import type { Economy } from '../economy/economy.ts'
import type { AutomationControl } from './validator/automation-handlers.ts'
import type { SharedLedger } from '../economy/network/create-economy.ts'
import type { LedgerTail } from './ledger/streams/tail.ts'
import type { SharedPages } from './ledger/streams/shared-pages.ts'
import type { HostedParties } from '../participant/hosted.ts'
import type { Cohosting } from '../participant/identity/cohosting.ts'
import type { LedgerHistory } from '../economy/network/ledger-history.ts'
import type { LedgerClock, LedgerTime } from '../economy/network/ledger-time.ts'
import type { VettedPackages } from '../participant/packages/vetted-packages.ts'
import type { NodeIdentity } from '../participant/node.ts'
import type { ServiceSettings, SettingsSections } from './settings.ts'
import type { Onboarding } from '../economy/wallets/onboarding.ts'
import type { Treasury } from '../economy/treasury/index.ts'

/** A node that is one of several on a ledger. */
export interface NodeOptions {
  readonly name: string
  /** The key under which the store keeps the node's own data; '' for the first node. */
  readonly key: string
  /**
   * The ledger that the first node of this process has opened; absent: this one is the first here.
   */
  readonly joins?: Ledger | undefined
}

/** Parts that the nodes of a process have in common, besides the store. */
export interface Ledger {
  readonly shared: SharedLedger
  readonly clock: Clock
  readonly watch: RecordClock | undefined
  readonly time: Pick<LedgerTime, 'stop'>
  readonly history: LedgerHistory
  readonly tail: LedgerTail
  readonly pages: SharedPages
}

export interface ServiceOptions {
  /** The store of all nodes. */
  readonly store: Store
  /** Copies of the store's data for scan's history; none when absent. */
  readonly replicas?: readonly ReadReplica[]
  /** Absent: the ledger has one node. */
  readonly node?: NodeOptions | undefined
  /** Asked in order, the first that knows a token answers. */
  readonly auth: readonly AuthService[]
  /** The time of the day, and time as it passes. */
  readonly clock: HostClock
  /**
   * What the ledger takes for the time; a simulated one is moved to the ledger's last record time.
   */
  readonly ledgerClock: LedgerClock
  /** The profile; `dev` runs a development network where nothing else is configured. */
  readonly profile: 'dev' | 'production'
  /** A development network starts with users and coin to try things out with. */
  readonly seeded: boolean
  /** Sections of the configuration. */
  readonly settings: SettingsSections
  /** Resolves to undefined when the service is ready, else to the reason in one line. */
  readonly notReady: () => Promise<string | undefined>
  readonly productVersion: string
  /** The folder with a folder of uploads that wait while they are checked. */
  readonly dataDir: string
  /** The file in which this server remembers what it has seen of the ledger; absent: none. */
  readonly historyFile?: string
  /** A name that no one else has. */
  readonly newName: () => string
  /** The same as in `EconomyOptions`: replaced where runs have to be alike. */
  readonly random?: (bytes: number) => Uint8Array
  readonly log?: Logger
  /** The words in which clients read what they sign; the product's own when absent. */
  readonly words?: WireWords
  /** Absent where nobody gathers spans. */
  readonly spans?: Spans | undefined
  /** Automations that run beside requests on this server; none when absent. */
  readonly automations?: AutomationControl
}

/** The parts of which handlers are made. */
export interface Parts {
  readonly options: ServiceOptions
  /** The store with what is this node's own. */
  readonly store: Store
  /** The parties of this node, where it is one of several. */
  readonly hosted?: HostedParties
  readonly cohosting: Cohosting
  readonly settings: ServiceSettings
  readonly node: NodeIdentity
  readonly directory: PrincipalDirectory
  readonly providers: ProviderDirectory
  readonly uploaded: VettedPackages
  readonly economy: Economy
  readonly ledger: Ledger
  readonly onboarding: Onboarding
  readonly treasury: Treasury
}
