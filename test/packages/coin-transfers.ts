// Transfers of the coin by our template and by the newest released package, from the same coins to
// the same receivers.
import {
  allTemplates,
  coin,
  coinRules,
  coinRulesTransfer,
  openMiningRound,
} from '../../runtime/contracts/index.ts'
import { formatDecimal, indexTemplates } from '../../runtime/engine/index.ts'
import { Interpretation } from '../../runtime/engine/interpreter.ts'
import type { World } from '../../runtime/engine/lookup.ts'
import { ALICE, BOB, CAROL, contextOf, DSO, exercising, START } from '../support/ledger.ts'
import { ProgramLedger } from './program-ledger.ts'
import { archivesIn, dars, programOf, wire } from './released.ts'
import type { TransferOutput } from '../../generated/contracts.gen.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import type { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import type { TestLedger } from '../support/ledger.ts'
import type { Written } from './program-ledger.ts'

const RATE = '0.00380518'

export interface Case {
  readonly coins: readonly bigint[]
  readonly outputs: readonly {
    readonly receiver: string
    readonly amount: bigint
    isLocked: boolean
  }[]
}

/** The newest archive of the coin. */
export function newestCoin(): string {
  const [first = ''] = dars
  const line = first.replace(/[\d.]+dar$/, '')
  const versions = dars.filter((name) => name.replace(/[\d.]+dar$/, '') === line)
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return newest ?? first
}

/** The program of that archive. */
export async function coinProgram(): Promise<Packages> {
  return programOf((await archivesIn(newestCoin())).values())
}

/** The configuration that our test ledger has, in the package's words. */
function configOf({ config }: TestLedger) {
  const { transferConfig } = config
  const fee = { fee: '0.0' }
  const written = {
    createFee: fee,
    holdingFee: { rate: formatDecimal(transferConfig.holdingFee.rate) },
    transferFee: { initialRate: '0.0', steps: [] },
    lockHolderFee: fee,
    extraFeaturedAppRewardAmount: formatDecimal(transferConfig.extraFeaturedAppRewardAmount),
    maxNumInputs: transferConfig.maxNumInputs,
    maxNumOutputs: transferConfig.maxNumOutputs,
    maxNumLockHolders: transferConfig.maxNumLockHolders,
  }
  const issuance = {
    [wire('coinToIssuePerYear')]: '40000000000.0',
    validatorRewardPercentage: '0.05',
    appRewardPercentage: '0.15',
    validatorRewardCap: '0.2',
    featuredAppRewardCap: '100.0',
    unfeaturedAppRewardCap: '0.6',
  }
  return { transferConfig: written, issuance }
}

const TICK = { microseconds: 600_000_000n }

/** Rules and a round like those of our ledger, in the package's. */
export function startPackage(program: Packages, linker: ProgramLinker, ours: TestLedger) {
  const ledger = new ProgramLedger(program, linker, START)
  const { transferConfig, issuance } = configOf(ours)
  const create = (type: string, payload: Written): string => {
    const reference = ledger.type(wire(type))
    return ledger.create(reference, ledger.value(reference, payload))
  }
  const packageConfig = ['coin', 'coinNameService', 'dsoGovernance', 'validatorLifecycle']
    .concat('wallet', 'walletPayments')
    .map((name): [string, string] => [wire(name), '0.1.0'])
  const initialValue = {
    transferConfig,
    issuanceCurve: { initialValue: issuance, futureValues: [] },
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: [['s', undefined]] },
      activeSynchronizer: 's',
      fees: {
        baseRateTrafficLimits: { burstAmount: 1n, burstWindow: TICK },
        extraTrafficPrice: '1.0',
        readVsWriteScalingFactor: 1n,
        minTopupAmount: 1n,
      },
    },
    tickDuration: TICK,
    packageConfig: Object.fromEntries(packageConfig),
    featuredAppActivityMarkerAmount: transferConfig.extraFeaturedAppRewardAmount,
  }
  const rules = create('CoinRules:CoinRules', {
    dso: DSO,
    configSchedule: { initialValue, futureValues: [] },
    isDevNet: true,
  })
  const round = create('Round:OpenMiningRound', {
    dso: DSO,
    round: { number: 3n },
    [wire('coinPrice')]: '0.005',
    opensAt: START - 1n,
    targetClosesAt: START + 10n ** 12n,
    issuingFor: TICK,
    transferConfigUsd: transferConfig,
    issuanceConfig: issuance,
    tickDuration: TICK,
  })
  return { ledger, rules, round, create }
}

type Started = ReturnType<typeof startPackage>

export function transferInPackage(started: Started, of: Case) {
  return startTransferInPackage(started, of)()
}

/** The transfer in the package, with its coins and its argument made. */
export function startTransferInPackage(
  { ledger, rules, round, create }: Started,
  { coins, outputs }: Case,
) {
  const inputs = coins.map((initialAmount) => ({
    [wire('InputCoin')]: create('Coin:Coin', {
      dso: DSO,
      owner: ALICE,
      amount: {
        initialAmount: formatDecimal(initialAmount),
        createdAt: { number: 3n },
        ratePerRound: { rate: RATE },
      },
    }),
  }))
  const argument = {
    transfer: {
      sender: ALICE,
      provider: ALICE,
      inputs,
      outputs: outputs.map(({ receiver, amount: of, isLocked }) => ({
        receiver,
        receiverFeeRatio: '0.0',
        amount: formatDecimal(of),
        lock: isLocked ? { holders: [DSO], expiresAt: START + 1_000_000n } : null,
      })),
    },
    context: { openMiningRound: round, issuingMiningRounds: [], validatorRights: [] },
    expectedDso: DSO,
  }
  const type = ledger.type(wire('CoinRules:CoinRules_Transfer'))
  const exercise = {
    on: ledger.type(wire('CoinRules:CoinRules')),
    isInterface: false,
    choice: wire('CoinRules_Transfer'),
    contractId: rules,
    argument: ledger.value(type, argument),
  }
  return () => {
    ledger.begin()
    return ledger.exercise(exercise)
  }
}

/** The transfer of new coins by our template, as a command's work. */
async function ownTransfer(ledger: TestLedger, { coins, outputs }: Case) {
  const ids = await ledger.coins(ALICE, ...coins.map(formatDecimal))
  const transfer = {
    sender: ALICE,
    provider: ALICE,
    inputs: ids.map((value) => ({ tag: 'InputCoin', value }) as const),
    outputs: outputs.map(({ receiver, amount: of, isLocked }): TransferOutput => ({
      receiver,
      receiverFeeRatio: 0n,
      amount: of,
      lock: isLocked ? { holders: [DSO], expiresAt: START + 1_000_000n, optContext: null } : null,
      meta: null,
    })),
    beneficiaries: null,
  }
  const argument = { transfer, context: contextOf(ledger), expectedDso: DSO }
  return { ids, run: exercising(coinRulesTransfer, ledger.rules, argument) }
}

const ACTING = [ALICE, BOB, CAROL, DSO]

export async function transferByOurs(ledger: TestLedger, of: Case) {
  const { run } = await ownTransfer(ledger, of)
  return ledger.submit(ACTING, run)
}

/** Interprets the transfer by our template: the contracts are at hand, and nothing is committed. */
export async function interpretationByOurs(ledger: TestLedger, of: Case): Promise<() => unknown> {
  const { ids, run } = await ownTransfer(ledger, of)
  const { reader, rules, round } = ledger
  const found = await Promise.all([
    ...ids.map((id) => reader.get(coin, id)),
    reader.get(coinRules, rules),
    reader.get(openMiningRound, round),
  ])
  const records = new Map(found.map((each) => [each?.record.contractId ?? '', each?.record]))
  const contractStatus: World['contractStatus'] = (id) => {
    const contract = records.get(id)
    return contract === undefined ? { kind: 'gone' } : { kind: 'active', contract }
  }
  const own = indexTemplates(allTemplates)
  const input = {
    actAs: ACTING,
    viewpoint: { parties: ACTING, disclosed: new Set(records.keys()) },
    world: { contractStatus },
    templates: own,
    own,
    seed: '00'.repeat(32),
    effectiveAt: START,
    earliest: START,
  }
  return () => new Interpretation(input).run(run)
}
