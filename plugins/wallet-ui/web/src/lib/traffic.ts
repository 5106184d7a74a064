// Traffic of the validator that hosts the person: what was bought, used up, and is left; and sizes in words.
import { useStatus } from './facts.ts'
import { scan, validator } from './wallet.tsx'

const SELDOM_MS = 60_000

export interface Member {
  /** The synchronizer's id. */
  readonly domain: string
  /** `PAR::id::fingerprint`. */
  readonly id: string
}

/** Who pays for the person's traffic; undefined until it is known. */
export function useMember(): Member | undefined {
  const party = useStatus().data?.party_id ?? ''
  const rules = validator.useGetCoinRules({}, { refetchInterval: SELDOM_MS })
  const domain = rules.data?.coin_rules.domain_id ?? ''
  const found = scan.useGetPartyToParticipant(
    { path: { domain_id: domain, party_id: party } }, { enabled: party !== '' && domain !== '', refetchInterval: SELDOM_MS })
  return found.data === undefined ? undefined : { domain, id: found.data.participant_id }
}

/** The traffic of a member, kept current. */
export function useTraffic(member: Member | undefined): ReturnType<typeof scan.useGetMemberTrafficStatus> {
  const { domain = '', id = '' } = member ?? {}
  return scan.useGetMemberTrafficStatus({ path: { domain_id: domain, member_id: id } }, { enabled: member !== undefined })
}

type TrafficStatus = NonNullable<ReturnType<typeof scan.useGetMemberTrafficStatus>['data']>['traffic_status']

/** Bytes that can be used now; what was bought may take a moment until it counts. */
export function leftOf({ actual }: TrafficStatus): bigint {
  return actual.total_limit > actual.total_consumed ? actual.total_limit - actual.total_consumed : 0n
}

const UNITS = [
  { name: 'GB', bytes: 1_000_000_000n }, { name: 'MB', bytes: 1_000_000n }, { name: 'kB', bytes: 1_000n },
]

/** `1.95 MB`, cut after two places; whole bytes below a kilobyte. */
export function shownBytes(bytes: bigint): string {
  const unit = UNITS.find((one) => bytes >= one.bytes)
  if (unit === undefined) return `${bytes} bytes`
  const hundredths = bytes * 100n / unit.bytes
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} ${unit.name}`
}
