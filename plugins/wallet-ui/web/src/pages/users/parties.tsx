// Parties that this node knows, a page at a time, or those whose id begins with something.
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { PartyDetails } from '../../../../../../generated/ledger/types.gen.ts'
import { nameOf, namespaceOf } from '../../lib/party.ts'
import { useValidatorUser } from '../../lib/rights.ts'
import { ledger } from '../../lib/wallet.tsx'
import { Empty, Loaded } from '../../parts/page.tsx'
import { Pager, usePaging } from '../../parts/pager.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../lib/language.ts'

const PAGE_SIZE = 10

export function Parties(): ReactNode {
  const paging = usePaging()
  const [filter, setFilter] = useState('')
  const wanted = filter.trim()
  const query = ledger.useQuery('listKnownParties', {
    query: {
      pageSize: PAGE_SIZE,
      ...(paging.token === undefined ? {} : { pageToken: paging.token }),
      ...(wanted === '' ? {} : { 'filter-party': wanted }),
    },
  })
  const search = (text: string): void => {
    setFilter(text)
    paging.first()
  }
  return (
    <>
      <TextInput
        label={t('Find a party')}
        placeholder={t('the beginning of its id')}
        value={filter}
        maw={320}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <Loaded query={query}>
        {({ partyDetails, nextPageToken }) => (
          <>
            {partyDetails.length === 0 ? (
              <Empty>{t('No party here starts with that.')}</Empty>
            ) : (
              <PartyTable of={partyDetails} />
            )}
            <Pager paging={paging} nextToken={nextPageToken} label={t('parties')} />
          </>
        )}
      </Loaded>
    </>
  )
}

function PartyTable({ of }: { readonly of: readonly PartyDetails[] }): ReactNode {
  const ours = namespaceOf(useValidatorUser().data?.party_id ?? '')
  const columns: readonly Column<PartyDetails>[] = [
    {
      title: t('Party'),
      of: ({ party }) => <PartyName of={party} label={t('the party {0}', nameOf(party))} />,
    },
    { title: t('Hosted here'), of: ({ isLocal }) => (isLocal === true ? t('Yes') : t('No')) },
    { title: t('Notes'), of: (party) => notesOf(party, ours).join('; ') || '–' },
  ]
  return (
    <DataTable label={t('Parties')} items={of} keyOf={({ party }) => party} columns={columns} />
  )
}

/** The annotation of a party that this validator makes for a wallet. */
const MADE_FOR = 'wallet-user'

function notesOf(
  { party, isLocal, localMetadata, identityProviderId = '' }: PartyDetails,
  ours: string,
): readonly string[] {
  const annotations = Object.entries(localMetadata?.annotations ?? {})
  return [
    ...(isLocal === true && ours !== '' && namespaceOf(party) !== ours
      ? [t('external: signs with keys of its own')]
      : []),
    ...annotations.map(([key, value]) =>
      key === MADE_FOR ? t('made for the user {0}', value) : `${key}: ${value}`,
    ),
    ...(identityProviderId === '' ? [] : [t('of the identity provider {0}', identityProviderId)]),
  ]
}
