// The configuration that a network starts with by default, written out again so that tests do not
// lean on the code that makes it. docs/economy-rules.md, "Genesis"
import type { CoinConfig, IssuanceConfig } from '../../generated/contracts.gen.ts'
import { parseDecimal } from '../../runtime/engine/decimal.ts'

export const MINUTE = 60_000_000n
export const HOUR = 60n * MINUTE
export const DAY = 24n * HOUR
export const TICK = 10n * MINUTE
const HALF_YEAR = 365n * 12n * HOUR

/** The decimal that `text` says. */
export function dec(text: string): bigint {
  return parseDecimal(text) ?? fail(text)
}

function fail(text: string): never {
  throw new TypeError(`${text} is no decimal`)
}

function segment(perYear: string, validators: string, apps: string): IssuanceConfig {
  return {
    coinToIssuePerYear: dec(perYear),
    validatorRewardPercentage: dec(validators),
    appRewardPercentage: dec(apps),
    validatorRewardCap: dec('0.2'),
    featuredAppRewardCap: dec('100'),
    unfeaturedAppRewardCap: dec('0.6'),
    optValidatorFaucetCap: dec('2.85'),
    optDevelopmentFundPercentage: null,
  }
}

export const sampleConfig: CoinConfig = {
  transferConfig: {
    createFee: { fee: 0n },
    holdingFee: { rate: dec('0.0000190259') },
    transferFee: { initialRate: 0n, steps: [] },
    lockHolderFee: { fee: 0n },
    extraFeaturedAppRewardAmount: dec('1.0'),
    maxNumInputs: 100n,
    maxNumOutputs: 100n,
    maxNumLockHolders: 50n,
    tokenStandardMaxTTL: 90n * DAY,
  },
  issuanceCurve: {
    initialValue: segment('40000000000', '0.05', '0.15'),
    futureValues: [
      [HALF_YEAR, segment('20000000000', '0.12', '0.40')],
      [3n * HALF_YEAR, segment('10000000000', '0.18', '0.62')],
      [10n * HALF_YEAR, segment('5000000000', '0.21', '0.69')],
      [20n * HALF_YEAR, segment('2500000000', '0.20', '0.75')],
    ],
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: ['network::sync'],
    activeSynchronizer: 'network::sync',
    fees: {
      baseRateTrafficLimits: { burstAmount: 400_000n, burstWindow: 20n * MINUTE },
      extraTrafficPrice: dec('16.67'),
      readVsWriteScalingFactor: 4n,
      minTopupAmount: 200_000n,
    },
  },
  tickDuration: TICK,
  packageConfig: {
    coin: '0.1.0',
    coinNameService: '0.1.0',
    dsoGovernance: '0.1.0',
    validatorLifecycle: '0.1.0',
    wallet: '0.1.0',
    walletPayments: '0.1.0',
  },
  transferPreapprovalFee: null,
  optDevelopmentFundManager: null,
  transferPreapprovalBaseDuration: null,
  developmentFundManagerBlacklist: null,
  minDevelopmentFundMintingDelay: null,
  legacyTransferRewardRate: null,
}
