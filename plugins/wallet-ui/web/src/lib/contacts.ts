// The people whom the person knows: names for party ids, kept by this server with the person's own
// user, so that they are there in every browser.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from './language.ts'
import { keepNames } from './party.ts'
import { textAt, valueAt } from './payload.ts'
import { useWallet } from './wallet.tsx'

export interface Contact {
  /** Party id. */
  readonly party: string
  readonly name: string
}

/** The longest name that the server takes. */
export const LONGEST_NAME = 60

const PATH = '/wallet/contacts'

/** Contacts by name. Read once, and again after each change that the person makes. */
export function useContacts(): UseQueryResult<readonly Contact[]> {
  const { session } = useWallet()
  return useQuery({
    queryKey: ['wallet', 'contacts', session.user],
    refetchInterval: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => contactsIn(await ask(session.token, { signal })),
  })
}

/** Keeps the names for everything that is drawn; to be called once for the whole page. */
export function useKnownNames(): void {
  const { data } = useContacts()
  keepNames(new Map((data ?? []).map(({ party, name }) => [party, name])))
  useEffect(() => () => keepNames(new Map()), [])
}

/** Gives a party a name; '' takes it away. Rejects with the server's reason. */
export function useNaming(): UseMutationResult<unknown, Error, Contact> {
  const { session } = useWallet()
  return useMutation({
    mutationFn: ({ party, name }: Contact) =>
      name === ''
        ? ask(session.token, { method: 'DELETE' }, party)
        : ask(session.token, { method: 'PUT', body: JSON.stringify({ name }) }, party),
  })
}

async function ask(token: string, request: RequestInit, party = ''): Promise<unknown> {
  const path = party === '' ? PATH : `${PATH}/${encodeURIComponent(party)}`
  const answer = await fetch(path, {
    ...request,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const body: unknown = await answer.json()
  if (answer.ok) return body
  throw new Error(textAt(body, 'error') || t('The server refused with {0}.', answer.status))
}

function contactsIn(body: unknown): readonly Contact[] {
  const list = valueAt(body, 'contacts')
  return (Array.isArray(list) ? list : [])
    .map((one: unknown) => ({ party: textAt(one, 'party'), name: textAt(one, 'name') }))
    .filter(({ party }) => party !== '')
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
