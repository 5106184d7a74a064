// The constants of the wire that contracts write, in one place: the defaults of spec/wire-names.yaml. Services may
// answer with others; what is on the ledger keeps these.
import { names } from '../../generated/wire-names.gen.ts'

/** Id of the coin's instrument; its admin is the network's party. */
export const INSTRUMENT_ID: string = names.instrumentId.default

const KEY_PREFIX = names.metadataKeyPrefix.default
const COIN_KEY_PREFIX = names.coinMetadataKeyPrefix.default

/** Metadata keys of holdings, transfers and their results. domain/wire.md §4.1 */
export const metaKeys = {
  reason: `${KEY_PREFIX}reason`,
  txKind: `${KEY_PREFIX}tx-kind`,
  sender: `${KEY_PREFIX}sender`,
  burned: `${KEY_PREFIX}burned`,
  createdInRound: `${COIN_KEY_PREFIX}created-in-round`,
  ratePerRound: `${COIN_KEY_PREFIX}rate-per-round`,
  appRewards: `${COIN_KEY_PREFIX}app-rewards`,
  validatorRewards: `${COIN_KEY_PREFIX}validator-rewards`,
  svRewards: `${COIN_KEY_PREFIX}sv-rewards`,
  unclaimedActivityRecords: `${COIN_KEY_PREFIX}unclaimed-activity-records`,
  developmentFund: `${COIN_KEY_PREFIX}development-fund`,
} as const

/** Values of `metaKeys.txKind`. */
export type TransactionKind = 'transfer' | 'unlock' | 'merge-split' | 'burn' | 'mint' | 'expire-dust'

/** Keys of the context that a registry gives with a choice of the token standard. domain/behaviour.md §5 */
export const contextKeys = {
  coinRules: 'coin-rules',
  openRound: 'open-round',
  transferPreapproval: 'transfer-preapproval',
  featuredAppRight: 'featured-app-right',
  expireLock: 'expire-lock',
} as const
