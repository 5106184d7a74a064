// Changes of configuration: a proposal changes only what it names, so later changes by others stay.
// Values that rounds and transfers could not work with are rejected. docs/economy-rules.md, "Fees"
// and "Rounds"
import { CoinRules, CoinConfig, DsoRulesConfig } from '../../generated/contracts.gen.ts'
import type {
  CoinSetConfigAction,
  DsoSetConfigAction,
  IssuanceConfig,
  TransferConfig,
} from '../../generated/contracts.gen.ts'
import { add, DECIMAL_ONE } from '../engine/decimal.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import type { Codec, Json } from '../engine/template.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { byNetwork } from './of-network.ts'

type Requirement = readonly [isMet: boolean, requirement: string]
type JsonObject = { readonly [key: string]: Json }

/** The network, as a vote decided. */
export const coinRulesSetConfig = choice(coinRules, CoinRules.choices.CoinRules_SetConfig, {
  controllers: byNetwork,

  run: (tx: Tx, { payload: rules }, change) => {
    const initialValue = changedCoinConfig(configOf(rules), change)
    const problem = coinConfigProblem(initialValue)
    tx.require(problem === undefined, problem ?? '')
    return {
      newCoinRulesCid: tx.create(coinRules, {
        ...rules,
        configSchedule: { initialValue, futureValues: [] },
      }),
    }
  },
})

/** `current` with what the proposal changes. */
export function changedCoinConfig(
  current: CoinConfig,
  { newConfig, baseConfig }: CoinSetConfigAction,
): CoinConfig {
  return changed(CoinConfig, current, baseConfig, newConfig)
}

/** `current` with what the proposal changes; all of it where the proposal names no base. */
export function changedDsoConfig(
  current: DsoRulesConfig,
  change: DsoSetConfigAction,
): DsoRulesConfig {
  return changed(DsoRulesConfig, current, change.baseConfig ?? current, change.newConfig)
}

/** The first requirement that the configuration does not meet. */
export function coinConfigProblem(config: CoinConfig): string | undefined {
  const {
    issuanceCurve,
    decentralizedSynchronizer: { fees, requiredSynchronizers, activeSynchronizer },
  } = config
  return firstUnmet([
    ...ofTransfers(config.transferConfig),
    ...[
      issuanceCurve.initialValue,
      ...issuanceCurve.futureValues.map(([, value]) => value),
    ].flatMap(ofIssuance),
    [
      issuanceCurve.futureValues.every(([from]) => from > 0n),
      'changes of the issuance come after its start',
    ],
    [config.tickDuration > 0n, 'the tick is longer than 0'],
    [
      fees.extraTrafficPrice >= 0n && fees.minTopupAmount > 0n,
      'traffic has a price and a least amount',
    ],
    [
      requiredSynchronizers.includes(activeSynchronizer),
      'the active synchronizer is a required one',
    ],
    [(config.transferPreapprovalFee ?? 0n) >= 0n, 'the preapproval fee is not negative'],
    [
      (config.transferPreapprovalBaseDuration ?? 0n) >= 0n,
      'the free duration of preapprovals is not negative',
    ],
    [
      (config.minDevelopmentFundMintingDelay ?? 0n) >= 0n,
      'the delay of minting from the fund is not negative',
    ],
    [
      (config.legacyTransferRewardRate ?? 0n) >= 0n,
      'the reward rate of legacy transfers is not negative',
    ],
  ])
}

/** The first requirement that the network's configuration does not meet. */
export function dsoConfigProblem(config: DsoRulesConfig): string | undefined {
  return firstUnmet([
    [config.numUnclaimedRewardsThreshold > 0n, 'the threshold of unclaimed rewards is above 0'],
    [
      config.numMemberTrafficContractsThreshold > 0n,
      'the threshold of traffic contracts is above 0',
    ],
    [config.voteRequestTimeout > 0n, 'votes last longer than 0'],
    [config.maxTextLength > 0n, 'texts may have a character'],
    [(config.voteCooldownTime ?? 0n) >= 0n, 'the time between votes is not negative'],
  ])
}

function ofTransfers(config: TransferConfig): readonly Requirement[] {
  const { createFee, transferFee, lockHolderFee, holdingFee } = config
  const fees = [
    createFee.fee,
    lockHolderFee.fee,
    transferFee.initialRate,
    ...transferFee.steps.map(([, rate]) => rate),
  ]
  return [
    [fees.every((fee) => fee === 0n), 'no fee is charged for coins, transfers and lock holders'],
    [holdingFee.rate >= 0n, 'the holding fee is not negative'],
    [
      config.extraFeaturedAppRewardAmount >= 0n,
      'the reward of a featured transfer is not negative',
    ],
    [
      config.maxNumInputs > 0n && config.maxNumOutputs > 0n,
      'transfers may have inputs and outputs',
    ],
    [config.maxNumLockHolders >= 0n, 'the number of lock holders is not negative'],
    [
      config.tokenStandardMaxTTL === null || config.tokenStandardMaxTTL > 0n,
      'instructions live longer than 0',
    ],
  ]
}

function ofIssuance(config: IssuanceConfig): readonly Requirement[] {
  const fund = config.optDevelopmentFundPercentage ?? 0n
  const shares = [config.validatorRewardPercentage, config.appRewardPercentage, fund]
  const caps = [
    config.validatorRewardCap,
    config.unfeaturedAppRewardCap,
    config.optValidatorFaucetCap ?? 0n,
  ]
  return [
    [config.coinToIssuePerYear >= 0n, 'issuance is not negative'],
    [
      shares.every((share) => share >= 0n && share <= DECIMAL_ONE),
      'shares of the issuance are between 0 and 1',
    ],
    [
      add(config.validatorRewardPercentage, config.appRewardPercentage) <= DECIMAL_ONE,
      'rewards share the issuance',
    ],
    [caps.every((cap) => cap >= 0n), 'no cap is negative'],
    [
      config.featuredAppRewardCap >= config.unfeaturedAppRewardCap,
      "a featured app's cap is not below the other's",
    ],
  ]
}

function firstUnmet(requirements: readonly Requirement[]): string | undefined {
  return requirements.find(([isMet]) => !isMet)?.[1]
}

/**
 * The changed configuration, computed in the JSON form, in which records of every type can be
 * walked.
 */
function changed<T>(codec: Codec<T>, current: T, base: T, next: T): T {
  return codec.decode(changedJson(codec.encode(current), codec.encode(base), codec.encode(next)))
}

function changedJson(current: Json, base: Json, next: Json): Json {
  if (JSON.stringify(next) === JSON.stringify(base)) return current
  if (!isObject(current) || !isObject(base) || !isObject(next)) return next
  return Object.fromEntries(
    Object.entries(next).map(([key, value]) => [
      key,
      changedJson(current[key] ?? null, base[key] ?? null, value),
    ]),
  )
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
