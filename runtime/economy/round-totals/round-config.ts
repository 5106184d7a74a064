// The fees of each round, in coin at its price: a fact that is written with the round.
import { openMiningRound } from '../../contracts/index.ts'
import { usdToCoin } from '../../contracts/fees.ts'
import type { OpenMiningRound } from '../../../generated/contracts.gen.ts'
import type { Projector } from '../../engine/index.ts'
import { formatDecimal } from '../../engine/decimal.ts'
import type { FactRecord, Store } from '../../store/store.ts'
import { digits } from './names.ts'

const KIND = 'round-config'

/** Decimal texts, of coin but for the rates. */
export interface RoundConfig {
  readonly createFee: string
  readonly holdingFee: string
  readonly lockHolderFee: string
  readonly transferFee: {
    readonly initial: string
    readonly steps: { readonly amount: string; readonly rate: string }[]
  }
}

/** Writes the fees of each round that is opened. */
export const roundConfigProjector: Projector = {
  of: new Set([openMiningRound.type.reference]),
  project: ({ events }) => ({
    logs: [],
    facts: events.flatMap((event) =>
      event.kind === 'create' && openMiningRound.isOf(event.contract)
        ? [roundConfigFact(openMiningRound.open(event.contract))]
        : [],
    ),
  }),
}

function roundConfigFact({
  round,
  conversionRate,
  transferConfigUsd: fees,
}: OpenMiningRound): FactRecord {
  const coin = (usd: bigint): string => formatDecimal(usdToCoin(usd, conversionRate))
  const config: RoundConfig = {
    createFee: coin(fees.createFee.fee),
    holdingFee: coin(fees.holdingFee.rate),
    lockHolderFee: coin(fees.lockHolderFee.fee),
    transferFee: {
      initial: formatDecimal(fees.transferFee.initialRate),
      steps: fees.transferFee.steps.map(([from, rate]) => ({
        amount: coin(from),
        rate: formatDecimal(rate),
      })),
    },
  }
  return { kind: KIND, key: digits(round), body: JSON.stringify(config) }
}

/** The fees of a round; undefined where it was never opened, as far as is known. */
export async function configOfRound(
  { contracts }: Pick<Store, 'contracts'>,
  round: bigint,
): Promise<RoundConfig | undefined> {
  const fact = await contracts.fact(KIND, digits(round))
  if (fact === undefined) return undefined
  const config: RoundConfig = JSON.parse(fact.body)
  return config
}
