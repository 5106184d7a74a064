// What a network starts with: the configuration that its settings give, as the contracts hold it.
// Afterwards votes change it. docs/economy-rules.md, "Genesis"
import type {
  AnsRulesConfig,
  CoinConfig,
  DsoRulesConfig,
  IssuanceConfig,
  IssuanceCurve,
  SynchronizerFeesConfig,
  TransferConfig,
} from '../../../generated/contracts.gen.ts'
import {
  AnsRules,
  AppPaymentRequest,
  CoinRules,
  DsoRules,
  TransferOffer,
} from '../../../generated/contracts.gen.ts'
import { decimalOf, DECIMAL_ONE } from '../../engine/decimal.ts'
import type { NetworkParties } from '../economy.ts'
import type { ResolvedNetworkSettings } from './settings.ts'
import { SECOND_MICROS } from '../../engine/durations.ts'

const HALF_YEAR_MICROS = 365n * 12n * 3_600n * SECOND_MICROS
/** The version of a part without a package of its own. */
const FIRST_VERSION = '0.1.0'
const PERCENT = DECIMAL_ONE / 100n

/**
 * From when on (in half years since the start), billions of coins a year, percent for validators,
 * percent for applications.
 */
const ISSUANCE: readonly (readonly [
  halfYears: bigint,
  halfBillions: bigint,
  validators: bigint,
  apps: bigint,
])[] = [
  [0n, 80n, 5n, 15n],
  [1n, 40n, 12n, 40n],
  [3n, 20n, 18n, 62n],
  [10n, 10n, 21n, 69n],
  [20n, 5n, 20n, 75n],
]

/** Microseconds of whole seconds. */
export function micros(seconds: number): bigint {
  return BigInt(seconds) * SECOND_MICROS
}

/**
 * The coin's configuration at genesis; the operator manages the development fund of a development
 * network.
 */
export function initialCoinConfig(
  network: ResolvedNetworkSettings,
  parties: NetworkParties,
  synchronizerId: string,
): CoinConfig {
  return {
    transferConfig: transferConfig(network),
    issuanceCurve: issuanceCurve(network.developmentFundPercentage),
    decentralizedSynchronizer: {
      requiredSynchronizers: [synchronizerId],
      activeSynchronizer: synchronizerId,
      fees: feesConfig(network),
    },
    tickDuration: micros(network.tickSeconds),
    packageConfig: {
      coin: CoinRules.packageVersion,
      coinNameService: AnsRules.packageVersion,
      dsoGovernance: DsoRules.packageVersion,
      validatorLifecycle: FIRST_VERSION,
      wallet: TransferOffer.packageVersion,
      walletPayments: AppPaymentRequest.packageVersion,
    },
    transferPreapprovalFee: network.transferPreapprovalFeeUsdPerDay,
    optDevelopmentFundManager: network.isDevNet ? parties.operator : null,
    transferPreapprovalBaseDuration: micros(network.transferPreapprovalBaseSeconds),
    developmentFundManagerBlacklist: null,
    minDevelopmentFundMintingDelay: null,
    legacyTransferRewardRate: network.legacyTransferRewardRate,
  }
}

function transferConfig(network: ResolvedNetworkSettings): TransferConfig {
  const none = { fee: 0n }
  return {
    createFee: none,
    holdingFee: { rate: network.holdingFeeUsd },
    transferFee: { initialRate: 0n, steps: [] },
    lockHolderFee: none,
    extraFeaturedAppRewardAmount: network.extraFeaturedAppRewardAmount,
    maxNumInputs: 100n,
    maxNumOutputs: 100n,
    maxNumLockHolders: 50n,
    tokenStandardMaxTTL: micros(network.tokenStandardMaxTtlSeconds),
  }
}

function feesConfig({ traffic }: ResolvedNetworkSettings): SynchronizerFeesConfig {
  return {
    baseRateTrafficLimits: {
      burstAmount: BigInt(traffic.baseBurstBytes),
      burstWindow: micros(traffic.baseWindowSeconds),
    },
    extraTrafficPrice: traffic.extraTrafficPriceUsdPerMb,
    readVsWriteScalingFactor: 4n,
    minTopupAmount: BigInt(traffic.minTopupBytes),
  }
}

function issuanceCurve(developmentFund: bigint): IssuanceCurve {
  const [first, ...later] = ISSUANCE.map(([halfYears, halfBillions, validators, apps]) => {
    const config: IssuanceConfig = {
      coinToIssuePerYear: decimalOf(halfBillions * 500_000_000n),
      validatorRewardPercentage: validators * PERCENT,
      appRewardPercentage: apps * PERCENT,
      validatorRewardCap: 20n * PERCENT,
      featuredAppRewardCap: decimalOf(100n),
      unfeaturedAppRewardCap: 60n * PERCENT,
      optValidatorFaucetCap: 285n * PERCENT,
      optDevelopmentFundPercentage: developmentFund,
    }
    return [halfYears * HALF_YEAR_MICROS, config] as const
  })
  if (first === undefined) throw new Error('the issuance curve has no beginning')
  return { initialValue: first[1], futureValues: later }
}

/** The configuration of the super validators' rules at genesis. */
export function initialDsoConfig({
  voteRequestTimeoutSeconds,
}: ResolvedNetworkSettings): DsoRulesConfig {
  return {
    numUnclaimedRewardsThreshold: 10n,
    numMemberTrafficContractsThreshold: 5n,
    voteRequestTimeout: micros(voteRequestTimeoutSeconds),
    maxTextLength: 1_024n,
    voteCooldownTime: null,
  }
}

/** The configuration of the name service at genesis. */
export function initialAnsConfig({
  ans,
  nameServiceNameAcronym,
}: ResolvedNetworkSettings): AnsRulesConfig {
  return {
    renewalDuration: micros(ans.renewalSeconds),
    entryLifetime: micros(ans.entryLifetimeSeconds),
    entryFee: ans.entryFeeUsd,
    descriptionPrefix: `${nameServiceNameAcronym} entry:`,
  }
}
