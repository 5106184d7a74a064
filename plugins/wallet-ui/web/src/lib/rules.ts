// What the network's rules say of prices and terms, as far as the wallet shows it.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { useOpenRound } from './facts.ts'
import { integerAt, textAt, valueAt } from './payload.ts'
import { validator } from './wallet.tsx'

export interface Rules {
  readonly synchronizer: string
  /** US dollars for 10^6 bytes of traffic. */
  readonly trafficPrice: Amount
  /** Bytes: less is not sold at once. */
  readonly minimumTraffic: bigint
  /** US dollars a day for what of a preapproval is beyond the free time. */
  readonly preapprovalFee: Amount
  /** Days. */
  readonly freePreapproval: bigint
}

const DAY_MICROS = 86_400_000_000n

/** The rules that hold now; undefined until they are known. */
export function useRules(): Rules | undefined {
  const { data } = validator.useQuery('getCoinRules', {}, { refetchInterval: 15_000 })
  const round = useOpenRound()
  if (data === undefined) return undefined
  const {
    contract: { payload },
    domain_id: synchronizer,
  } = data.coin_rules
  const config = valueAt(payload, 'configSchedule', 'initialValue')
  const amount = (...path: readonly string[]): Amount => parseAmount(textAt(config, ...path)) ?? 0n
  const ofSynchronizer = 'decentralizedSynchronizer'
  return {
    synchronizer: synchronizer ?? textAt(config, ofSynchronizer, 'activeSynchronizer'),
    trafficPrice: round?.trafficPrice ?? amount(ofSynchronizer, 'fees', 'extraTrafficPrice'),
    minimumTraffic: integerAt(config, ofSynchronizer, 'fees', 'minTopupAmount') ?? 0n,
    preapprovalFee: amount('transferPreapprovalFee'),
    freePreapproval:
      (integerAt(config, 'transferPreapprovalBaseDuration', 'microseconds') ?? 0n) / DAY_MICROS,
  }
}
