// Facts of the wallet that several pages share, each read in one place.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { ledgerNow } from './clock.ts'
import { integerAt, textAt } from './payload.ts'
import { scan, validator } from './wallet.tsx'

/** Facts that hold for purchases and payments of this moment. */
interface OpenRound {
  /** US dollars for a coin. */
  readonly rate: Amount | undefined
  /** US dollars for 10^6 bytes of traffic, where the round says so. */
  readonly trafficPrice: Amount | undefined
}

/** The newest round that has opened; undefined until it is known. */
export function useOpenRound(): OpenRound | undefined {
  const { data } = validator.useQuery(
    'getOpenAndIssuingMiningRounds',
    {},
    { refetchInterval: 15_000 },
  )
  const payloads = (data?.open_mining_rounds ?? []).map(({ contract: { payload } }) => payload)
  // Until somebody knows the ledger's time better, the earliest one is open in any case.
  const [earliest, ...later] = payloads.toSorted((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1))
  const newest =
    later.findLast((payload) => Date.parse(textAt(payload, 'opensAt')) <= ledgerNow()) ?? earliest
  if (newest === undefined) return undefined
  return {
    rate: parseAmount(textAt(newest, 'conversionRate')),
    trafficPrice: parseAmount(textAt(newest, 'trafficPrice')),
  }
}

function numberOf(payload: unknown): bigint {
  return integerAt(payload, 'round', 'number') ?? 0n
}

/**
 * The price of a coin in US dollars, from the newest round that is open; undefined until it is
 * known.
 */
export function useRate(): Amount | undefined {
  return useOpenRound()?.rate
}

/** The person's status at this validator: onboarded or not, and the party. */
export function useStatus(): validator.QueryResult<'userStatus'> {
  return validator.useQuery('userStatus')
}

/** Names of the network and its coin. */
export function useNames(): scan.QueryResult<'getNetworkInstanceNames'> {
  return scan.useQuery(
    'getNetworkInstanceNames',
    {},
    { staleTime: Infinity, refetchInterval: false },
  )
}
