// The constants of the wire that contracts write: the defaults of spec/wire-names.yaml, or their
// replacements in the configuration, set before the first contract is created. One process serves
// one network, so they are global.
import { names } from '../../generated/wire-names.gen.ts'

/** Constants of spec/wire-names.yaml that contracts write. */
export interface ContractNames {
  readonly instrumentId: string
  readonly metadataKeyPrefix: string
  readonly coinMetadataKeyPrefix: string
}

const DEFAULTS: ContractNames = {
  instrumentId: names.instrumentId.default,
  metadataKeyPrefix: names.metadataKeyPrefix.default,
  coinMetadataKeyPrefix: names.coinMetadataKeyPrefix.default,
}

let inForce = DEFAULTS
let metaKeysInForce = metaKeysOf(DEFAULTS)

/**
 * Puts other names in force; what is on a ledger keeps those it was written with.
 * docs/ledger-rules.md, "Names"
 */
export function adoptNames(given: ContractNames): void {
  inForce = given
  metaKeysInForce = metaKeysOf(given)
}

/** Id of the coin's instrument; its admin is the network's party. */
export function instrumentId(): string {
  return inForce.instrumentId
}

/** Metadata keys of holdings, transfers and their results. spec/contracts.yaml */
export function metaKeys(): ReturnType<typeof metaKeysOf> {
  return metaKeysInForce
}

function metaKeysOf({ metadataKeyPrefix: key, coinMetadataKeyPrefix: coinKey }: ContractNames) {
  return {
    reason: `${key}reason`,
    txKind: `${key}tx-kind`,
    sender: `${key}sender`,
    burned: `${key}burned`,
    createdInRound: `${coinKey}created-in-round`,
    ratePerRound: `${coinKey}rate-per-round`,
    appRewards: `${coinKey}app-rewards`,
    validatorRewards: `${coinKey}validator-rewards`,
    svRewards: `${coinKey}sv-rewards`,
    unclaimedActivityRecords: `${coinKey}unclaimed-activity-records`,
    developmentFund: `${coinKey}development-fund`,
  } as const
}

/** Values of `metaKeys.txKind`. */
export type TransactionKind =
  'transfer' | 'unlock' | 'merge-split' | 'burn' | 'mint' | 'expire-dust'

/**
 * Keys of the context that a registry gives with a choice of the token standard.
 * docs/economy-rules.md, "Token-standard transfers"
 */
export const contextKeys = {
  coinRules: 'coin-rules',
  openRound: 'open-round',
  transferPreapproval: 'transfer-preapproval',
  featuredAppRight: 'featured-app-right',
  expireLock: 'expire-lock',
} as const
