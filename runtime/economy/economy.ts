// What the services of the coin economy share: the engine, typed reads, and the state of the
// network that every submission refers to.
import type { Contract, Engine, Reader } from '../engine/index.ts'
import type {
  AnsRules,
  CoinRules,
  DsoRules,
  ExternalPartyCoinRules,
  FeaturedAppRight,
  IssuingMiningRound,
  OpenMiningRound,
  TransferPreapproval,
  WalletAppInstall,
} from '../../generated/contracts.gen.ts'
import type { Clock } from '../host/plugin.ts'
import type { ContractRecord, Store } from '../store/store.ts'
import type { ResolvedNetworkSettings, ValidatorSettings } from './network/settings.ts'
import type { NodeIdentity } from '../participant/node.ts'
import type { Quotas } from './quotas/index.ts'

/** Everything that the economy works with. Functions take the members that they need. */
export interface Economy {
  readonly engine: Engine
  readonly reader: Reader
  /** The store with this node's own users, parties, providers and wallets. */
  readonly store: Store
  /** Hosts of a party on the ledger: `PAR::name::fingerprint` of each node. */
  readonly hostsOf: (party: string) => Promise<readonly string[]>
  readonly clock: Clock
  readonly node: NodeIdentity
  readonly network: NetworkState
  readonly parties: NetworkParties
  readonly quotas: Quotas
  readonly settings: {
    readonly network: ResolvedNetworkSettings
    readonly validator: ValidatorSettings
  }
  readonly wire: EconomyWireNames
  /** A name that no one else has. */
  readonly newName: () => string
}

/** Replaceable constants of spec/wire-names.yaml. */
export interface EconomyWireNames {
  readonly metadataKeyPrefix: string
  readonly coinMetadataKeyPrefix: string
  readonly instrumentId: string
}

export interface NetworkParties {
  /** The network's party: signs rules, rounds and every coin. */
  readonly dso: string
  /** The one super validator of a network that this service makes. */
  readonly sv: string
  /** The validator's operator. docs/economy-rules.md, "Onboarding" */
  readonly operator: string
  /** `PAR::name::fingerprint` of this node: who pays for traffic. */
  readonly member: string
}

/**
 * What payments refer to and what seldom changes, as of when it is asked for: never older than the
 * last commit of any server.
 */
export interface NetworkState {
  coinRules(): Promise<Contract<CoinRules>>
  externalPartyCoinRules(): Promise<Contract<ExternalPartyCoinRules>>
  ansRules(): Promise<Contract<AnsRules>>
  dsoRules(): Promise<Contract<DsoRules>>
  /** All open rounds by number, also those that have not opened. */
  openRounds(): Promise<readonly Contract<OpenMiningRound>[]>
  /**
   * Of those that have opened, the one with the largest number; undefined when none has.
   * docs/economy-rules.md, "Rounds"
   */
  usableRound(): Promise<Contract<OpenMiningRound> | undefined>
  /** The open round with the smallest number. */
  earliestRound(): Promise<Contract<OpenMiningRound> | undefined>
  issuingRounds(): Promise<readonly Contract<IssuingMiningRound>[]>
  preapprovalOf(receiver: string): Promise<Contract<TransferPreapproval> | undefined>
  featuredAppRightOf(provider: string): Promise<Contract<FeaturedAppRight> | undefined>
  /** The way to pay the receiver without asking; undefined without preapproval. */
  payableTo(receiver: string): Promise<Payable | undefined>
  /** The wallet of a user whom onboarding linked to the party. */
  walletOfUser(name: string, party: string): Promise<Contract<WalletAppInstall> | undefined>
  /**
   * The installation through which the validator spends the coins of a party that this node signs
   * for; of several the oldest.
   */
  walletOfParty(party: string): Promise<Contract<WalletAppInstall> | undefined>
  /** Contracts that were asked for before and are still active. */
  known(contractIds: readonly string[]): Promise<readonly ContractRecord[]>
  /**
   * Whether anybody has an unclaimed activity record, and whether anybody has a coupon of the
   * development fund.
   */
  grants(): Promise<{ readonly activity: boolean; readonly fund: boolean }>
  /** Rules and all rounds: what each submission of a wallet discloses. */
  disclosures(): Promise<readonly ContractRecord[]>
}

/** A way to pay a receiver without asking. */
export interface Payable {
  readonly preapproval: Contract<TransferPreapproval>
  /** The featured right of the preapproval's provider. */
  readonly right: Contract<FeaturedAppRight> | undefined
}
