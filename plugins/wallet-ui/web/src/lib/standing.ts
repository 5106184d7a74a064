// What a party is to the person who is about to pay it: whether any payment has reached it before,
// and for whom it could be mistaken.
import { useContacts } from './contacts.ts'
import type { Contact } from './contacts.ts'
import { useStatus } from './facts.ts'
import { t } from './language.ts'
import { lookAlikes } from './look-alike.ts'
import { usePaid } from './paid.ts'
import { hintOf, isPartyId, namespaceOf } from './party.ts'
import { isRefusal, isUncertain } from './problem.ts'
import { UNTOLD_MS } from './use-preapproved.ts'
import { scan, validator } from './wallet.tsx'

export interface Standing {
  readonly party: string
  /** The history has no payment that has reached it. */
  readonly isFirst: boolean
  /** Its long number is that of every party of the person's own validator. */
  readonly isNear: boolean
  /** Other parties that the person knows and that look like it. */
  readonly alike: readonly string[]
}

/**
 * Undefined until all of it is known. `name` is one that the party is to get; it counts as its own.
 */
export function useStanding(party: string, name?: string): Standing | undefined {
  const own = useStatus().data?.party_id ?? ''
  const contacts = useContactList()
  const paid = usePaid()?.parties
  const guess = `${hintOf(party)}::${namespaceOf(own)}`
  const near = isPartyId(guess) ? guess : ''
  const isPresent = usePresence(near)
  if (party === '' || contacts === undefined || paid === undefined) return undefined
  if (near !== '' && isPresent === undefined) return undefined
  const known = [
    own,
    ...contacts.map((contact) => contact.party),
    ...paid,
    ...(isPresent === true ? [near] : []),
  ]
  return {
    party,
    isFirst: !paid.includes(party),
    isNear: namespaceOf(party) === namespaceOf(own),
    alike: lookAlikes(party, known, name),
  }
}

/** The contacts; undefined until they were read, none where the server does not tell them. */
export function useContactList(): readonly Contact[] | undefined {
  const { data, isError } = useContacts()
  return isError ? [] : data
}

/** The way in which the person knows a party, in a few words. */
export function useAcquaintance(): (party: string) => string {
  const own = useStatus().data?.party_id ?? ''
  const contacts = useContactList() ?? []
  const paid = usePaid()?.parties ?? []
  return (party) =>
    [
      party === own ? t('you') : '',
      contacts.some((contact) => contact.party === party) ? t('in People') : '',
      paid.includes(party) ? t('paid before') : '',
      namespaceOf(party) === namespaceOf(own) ? t('of this validator') : '',
    ]
      .filter((word) => word !== '')
      .join(' · ')
}

/**
 * Whether the network knows a party; it does as well where several nodes host it. Undefined until
 * that is known.
 */
export function usePresence(party: string): boolean | undefined {
  const rounds = validator.useQuery(
    'getOpenAndIssuingMiningRounds',
    {},
    { refetchInterval: 15_000 },
  )
  const domain_id = rounds.data?.open_mining_rounds[0]?.domain_id ?? ''
  const { data, error } = scan.useQuery(
    'getPartyToParticipant',
    { path: { domain_id, party_id: party } },
    { enabled: party !== '' && domain_id !== '', refetchInterval: UNTOLD_MS, retry: false },
  )
  if (data !== undefined) return true
  return isUncertain(error) || !isRefusal(error) ? undefined : error.status === 409
}
