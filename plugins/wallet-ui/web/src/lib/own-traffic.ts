// Traffic of the validator that hosts the person: what was bought, used up, and is left.
import { useStatus } from './facts.ts'
import { scan, validator } from './wallet.tsx'

const SELDOM_MS = 60_000

export type TrafficStatus = scan.Data<'getMemberTrafficStatus'>['traffic_status']

/**
 * Kept current; nothing is asked before it is known which member of the network that validator is.
 */
export function useOwnTraffic(): scan.QueryResult<'getMemberTrafficStatus'> {
  const party = useStatus().data?.party_id ?? ''
  const rules = validator.useQuery('getCoinRules', {}, { refetchInterval: SELDOM_MS })
  const domain_id = rules.data?.coin_rules.domain_id ?? ''
  const host = scan.useQuery(
    'getPartyToParticipant',
    { path: { domain_id, party_id: party } },
    { enabled: party !== '' && domain_id !== '', refetchInterval: SELDOM_MS },
  )
  const member_id = host.data?.participant_id ?? ''
  return scan.useQuery(
    'getMemberTrafficStatus',
    { path: { domain_id, member_id } },
    { enabled: member_id !== '' },
  )
}

/** Bytes that can be used now; what was bought may take a moment until it counts. */
export function leftOf({ actual }: TrafficStatus): bigint {
  return actual.total_limit > actual.total_consumed
    ? actual.total_limit - actual.total_consumed
    : 0n
}
