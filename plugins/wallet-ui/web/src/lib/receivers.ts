// Who can be paid: parties to choose from while a name is typed, whom the text names, and what is
// known of that one.
import { useDebouncedValue } from '@mantine/hooks'
import { useStatus } from './facts.ts'
import { t } from './language.ts'
import { usePaid } from './paid.ts'
import { isPartyId, namespaceOf } from './party.ts'
import { isRefusal } from './problem.ts'
import { useRights } from './rights.ts'
import { useContactList, usePresence, useStanding } from './standing.ts'
import type { Standing } from './standing.ts'
import { UNTOLD_MS } from './use-preapproved.ts'
import { ledger, validator } from './wallet.tsx'
import { named } from './whom.ts'

const PAUSE_MS = 200
const SUGGESTED = 20

/**
 * Parties to suggest: contacts, those who were paid, then those of this validator: its operator,
 * and for operators all that begin like the text. Who only sent something is not among them.
 */
export function useKnownParties(text: string): readonly string[] {
  const own = useStatus().data?.party_id ?? ''
  const { isOperator } = useRights()
  const [prefix] = useDebouncedValue(text.trim(), PAUSE_MS)
  const query = { pageSize: SUGGESTED, ...(prefix === '' ? {} : { 'filter-party': prefix }) }
  const hosted = ledger.useQuery(
    'listKnownParties',
    { query },
    { enabled: isOperator, refetchInterval: false },
  )
  const operator = validator.useQuery(
    'getValidatorUserInfo',
    {},
    { refetchInterval: false, staleTime: Infinity },
  )
  const all = [
    ...(useContactList() ?? []).map(({ party }) => party),
    ...(usePaid()?.parties ?? []),
    ...(hosted.data?.partyDetails ?? []).map(({ party }) => party),
    operator.data?.party_id ?? '',
  ]
  return [...new Set(all)].filter((party) => party !== '' && party !== own)
}

export type Receiver =
  | { readonly kind: 'empty' | 'looking' }
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The person is to say which; perhaps of one. */
  | {
      readonly kind: 'choice'
      readonly parties: readonly string[]
      /** The candidate that has the typed name on the network. */
      readonly holder: string | undefined
    }
  /** `isKnown` is false where the network does not know the id, which the server will say again. */
  | {
      readonly kind: 'found'
      readonly standing: Standing
      readonly isKnown: boolean
      readonly isPreapproved: boolean
    }

export type ReceiverOf<Kind extends Receiver['kind']> = Extract<Receiver, { readonly kind: Kind }>

/** The party that a text names, and whether it can be paid. */
export function useReceiver(typed: string): Receiver {
  const text = typed.trim()
  const own = useStatus().data?.party_id ?? ''
  const contacts = useContactList()
  const paid = usePaid()?.parties
  const guess = `${text}::${namespaceOf(own)}`
  const [near] = useDebouncedValue(isPartyId(guess) ? guess : '', PAUSE_MS)
  const isNear = usePresence(near)
  const holder = useHolder(text.toLowerCase())
  const isRead = contacts !== undefined && paid !== undefined && own !== ''
  const isLooking =
    !isRead ||
    holder === undefined ||
    (isPartyId(guess) && (near !== guess || isNear === undefined))
  const whom = isLooking
    ? undefined
    : named(text, {
        own,
        contacts,
        paid,
        near: near !== '' && isNear === true ? near : undefined,
        holder: holder === '' ? undefined : holder,
      })
  const found = useFound(whom?.kind === 'one' ? whom.party : '')
  if (text === '') return { kind: 'empty' }
  if (whom === undefined) return { kind: 'looking' }
  switch (whom.kind) {
    case 'nobody':
      return { kind: 'unknown', reason: nobodyText(text) }
    case 'choice':
      return { ...whom, holder: holder === '' ? undefined : holder }
    case 'one':
      return whom.party === own ? { kind: 'unknown', reason: t('That is you.') } : found
  }
}

function nobodyText(text: string): string {
  if (text.includes('::'))
    return t('That is not a whole party id: a name, two colons and a long number.')
  if (ENTRY.test(text.toLowerCase())) return t('Nobody has the name {0}.', text)
  return t(
    'Nobody in People and no party of this validator is called {0}. Paste the whole party id.',
    text,
  )
}

function useFound(named: string): Receiver {
  const [party] = useDebouncedValue(named, PAUSE_MS)
  const isKnown = usePresence(party)
  const standing = useStanding(party)
  const preapproval = validator.useQuery(
    'lookupTransferPreapprovalByPartyFromScan',
    { path: { party } },
    { enabled: party !== '', refetchInterval: UNTOLD_MS, retry: false },
  )
  if (party !== named || standing === undefined || isKnown === undefined || preapproval.isLoading)
    return { kind: 'looking' }
  return {
    kind: 'found',
    standing,
    isKnown,
    isPreapproved: !isRefusal(preapproval.error) && preapproval.data !== undefined,
  }
}

/** `alice.unverified.nns`: no hint of a party has dots. */
const ENTRY = /^[a-z0-9_-]{1,60}(?:\.[a-z0-9_-]{1,60})+$/u

/** The holder of a name on the network; '' if nobody has it, undefined until it is known. */
function useHolder(text: string): string | undefined {
  const [name] = useDebouncedValue(text, PAUSE_MS)
  const { data, error } = validator.useQuery(
    'lookupAnsEntryByName',
    { path: { name } },
    { enabled: ENTRY.test(name), refetchInterval: UNTOLD_MS, retry: false },
  )
  if (!ENTRY.test(text)) return ''
  if (name !== text) return undefined
  return isRefusal(error) && error.status === 404 ? '' : data?.entry.user
}
