// Who can be paid: parties that are known here for the name that is being typed, and what is known
// of the one that it names.
import { useDebouncedValue } from '@mantine/hooks'
import { useContacts } from './contacts.ts'
import { useStatus } from './facts.ts'
import { givenName, hintOf, isPartyId, namespaceOf } from './party.ts'
import { wordsOf } from './history-words.ts'
import { isRefusal } from './problem.ts'
import { useRights } from './rights.ts'
import { UNTOLD_MS } from './use-preapproved.ts'
import { ledger, scan, validator } from './wallet.tsx'
import { t } from './language.ts'

const PAUSE_MS = 200
const SUGGESTED = 20
/** Entries of the history in which counterparties are looked for. */
const RECENT = 100n

/**
 * Parties to suggest: contacts, those of recent payments, then (for operators) those of this
 * validator that begin like the text.
 */
export function useKnownParties(text: string): readonly string[] {
  const own = useStatus().data?.party_id ?? ''
  const { isOperator } = useRights()
  const [prefix] = useDebouncedValue(text.trim(), PAUSE_MS)
  const history = validator.useQuery(
    'listTransactions',
    { body: { page_size: RECENT } },
    { refetchInterval: false, staleTime: 10_000 },
  )
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
  const contacts = useContacts().data ?? []
  const all = [
    ...contacts.map(({ party }) => party),
    ...(history.data?.items ?? []).flatMap(partiesOf),
    ...(hosted.data?.partyDetails ?? []).map(({ party }) => party),
    operator.data?.party_id ?? '',
  ]
  return [...new Set(all)].filter((party) => party !== '' && party !== own)
}

type Line = validator.Data<'listTransactions'>['items'][number]

function partiesOf(entry: Line): readonly string[] {
  if (entry.transaction_type !== 'transfer') return []
  // The network sells traffic and is nobody to be paid.
  if (wordsOf(entry.transaction_subtype.choice)?.group === 'traffic') return []
  return [
    entry.sender.party,
    ...entry.receivers.map(({ party }) => party),
    entry.transfer_instruction_receiver ?? '',
  ]
}

export type Receiver =
  | { readonly kind: 'empty' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'unknown'; readonly reason: string }
  /** `isKnown` is false where the network does not know the id, which the server will say again. */
  | {
      readonly kind: 'found'
      readonly party: string
      readonly isKnown: boolean
      readonly isPreapproved: boolean
      /** Of the name service, by which it was found; undefined where it was named otherwise. */
      readonly entry: string | undefined
    }

/**
 * Whom a text names: a whole party id, the hint of a known party, that of a party of the person's
 * own validator, or a name that somebody holds on the network.
 */
export function useReceiver(text: string, known: readonly string[]): Receiver {
  const own = useStatus().data?.party_id ?? ''
  const entry = useEntry(text.trim().toLowerCase())
  const named =
    entry.kind === 'held'
      ? { party: entry.party, reason: '' }
      : entry.kind === 'free'
        ? { party: '', reason: t('Nobody has the name {0}.', text.trim()) }
        : namedBy(text.trim(), known, own)
  const [party] = useDebouncedValue(named.party, PAUSE_MS)
  const presence = usePresence(party)
  const preapproval = validator.useQuery(
    'lookupTransferPreapprovalByPartyFromScan',
    { path: { party } },
    { enabled: party !== '', refetchInterval: UNTOLD_MS, retry: false },
  )
  if (text.trim() === '') return { kind: 'empty' }
  if (entry.kind === 'looking') return { kind: 'looking' }
  if (named.party === '') return { kind: 'unknown', reason: named.reason }
  if (named.party === own) return { kind: 'unknown', reason: t('That is you.') }
  if (party !== named.party || presence === 'looking' || preapproval.isLoading)
    return { kind: 'looking' }
  if (presence === 'absent' && !isPartyId(text.trim())) {
    return {
      kind: 'unknown',
      reason: t('No party called {0} is known here. Paste the whole party id.', text.trim()),
    }
  }
  return {
    kind: 'found',
    party,
    isKnown: presence === 'present',
    isPreapproved: !isRefusal(preapproval.error) && preapproval.data !== undefined,
    entry: entry.kind === 'held' ? text.trim() : undefined,
  }
}

/** `alice.unverified.nns`: no hint of a party has dots. */
const ENTRY = /^[a-z0-9_-]{1,60}(?:\.[a-z0-9_-]{1,60})+$/u

type Entry =
  { readonly kind: 'none' | 'looking' | 'free' } | { readonly kind: 'held'; readonly party: string }

/** Who holds a name on the network; `none` where the text is no such name. */
function useEntry(text: string): Entry {
  const [name] = useDebouncedValue(text, PAUSE_MS)
  const found = validator.useQuery(
    'lookupAnsEntryByName',
    { path: { name } },
    { enabled: ENTRY.test(name), refetchInterval: UNTOLD_MS, retry: false },
  )
  const isGiven = useContacts().data?.some((one) => one.name.toLowerCase() === text) === true
  if (!ENTRY.test(text) || isGiven) return { kind: 'none' }
  if (name !== text || found.isLoading) return { kind: 'looking' }
  if (isRefusal(found.error) && found.error.status === 404) return { kind: 'free' }
  return found.data === undefined
    ? { kind: 'looking' }
    : { kind: 'held', party: found.data.entry.user }
}

interface Named {
  readonly party: string
  /** Why there is none. */
  readonly reason: string
}

function namedBy(text: string, known: readonly string[], own: string): Named {
  if (isPartyId(text)) return { party: text, reason: '' }
  const contact = known.find((party) => givenName(party)?.toLowerCase() === text.toLowerCase())
  if (contact !== undefined) return { party: contact, reason: '' }
  if (text.includes('::'))
    return {
      party: '',
      reason: t('That is not a whole party id: a name, two colons and a long number.'),
    }
  const [first, second] = known.filter((party) => hintOf(party) === text)
  if (first !== undefined && second !== undefined)
    return {
      party: '',
      reason: t('More than one party is called {0}: choose one, or paste the party id.', text),
    }
  const guess = `${text}::${namespaceOf(own)}`
  if (first === undefined && !isPartyId(guess))
    return { party: '', reason: t('A party cannot have that name.') }
  return { party: first ?? guess, reason: '' }
}

/** Whether the network knows a party; it is there as well where several nodes host it. */
function usePresence(party: string): 'looking' | 'present' | 'absent' {
  const rounds = validator.useQuery(
    'getOpenAndIssuingMiningRounds',
    {},
    { refetchInterval: 15_000 },
  )
  const domain_id = rounds.data?.open_mining_rounds[0]?.domain_id ?? ''
  const found = scan.useQuery(
    'getPartyToParticipant',
    { path: { domain_id, party_id: party } },
    { enabled: party !== '' && domain_id !== '', retry: false },
  )
  if (found.data !== undefined || (isRefusal(found.error) && found.error.status === 409))
    return 'present'
  return found.error === null && party !== '' ? 'looking' : 'absent'
}
