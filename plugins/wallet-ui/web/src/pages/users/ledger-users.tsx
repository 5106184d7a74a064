// Users of the ledger, a page at a time: their party, whether they are let in, and what they may
// do.
import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Right, User } from '../../../../../../generated/ledger/types.gen.ts'
import { rightText } from '../../lib/right-words.ts'
import { ledger } from '../../lib/wallet.tsx'
import { Empty, Loaded } from '../../parts/page.tsx'
import { Pager, usePaging } from '../../parts/pager.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

const PAGE_SIZE = 10
const SELDOM_MS = 15_000

export function LedgerUsers(): ReactNode {
  const paging = usePaging()
  const query = ledger.useQuery('listUsers', {
    query: {
      pageSize: PAGE_SIZE,
      ...(paging.token === undefined ? {} : { pageToken: paging.token }),
    },
  })
  return (
    <Loaded query={query}>
      {({ users = [], nextPageToken }) => (
        <>
          {users.length === 0 ? (
            <Empty>{t('This page is empty now: go back.')}</Empty>
          ) : (
            <UserTable users={users} />
          )}
          <Pager paging={paging} nextToken={nextPageToken} label={t('users')} />
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: readonly Column<User>[] = [
  { title: t('User'), of: (user) => <Name of={user} /> },
  {
    title: t('Primary party'),
    of: ({ id, primaryParty = '' }) =>
      primaryParty === '' ? (
        t('none')
      ) : (
        <PartyName of={primaryParty} label={t('the party of {0}', id)} />
      ),
  },
  { title: t('Rights'), of: ({ id }) => <Rights user={id} /> },
]

function UserTable({ users }: { readonly users: readonly User[] }): ReactNode {
  return (
    <DataTable
      label={t('Users of the ledger')}
      items={users}
      keyOf={({ id, identityProviderId = '' }) => `${identityProviderId}/${id}`}
      columns={COLUMNS}
    />
  )
}

function Name({
  of: { id, isDeactivated, identityProviderId = '' },
}: {
  readonly of: User
}): ReactNode {
  return (
    <Group gap="xs">
      <Text fw={500} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Text>
      {isDeactivated === true ? (
        <Badge color="orange" variant="light">
          {t('deactivated')}
        </Badge>
      ) : null}
      {identityProviderId === '' ? null : (
        <Text size="sm" c="dimmed">
          {rich('of {0}', identityProviderId)}
        </Text>
      )}
    </Group>
  )
}

function Rights({ user }: { readonly user: string }): ReactNode {
  const query = ledger.useQuery(
    'listUserRights',
    { path: { 'user-id': user } },
    { refetchInterval: SELDOM_MS },
  )
  return (
    <Loaded query={query}>
      {({ rights = [] }) =>
        rights.length === 0 ? t('none') : <RightList rights={rights} user={user} />
      }
    </Loaded>
  )
}

/** An operator acts for every party that it hosts: more than these are counted only. */
const SHOWN = 5

function RightList({
  rights,
  user,
}: {
  readonly rights: readonly Right[]
  readonly user: string
}): ReactNode {
  const all = rights
    .map(rightText)
    .toSorted((a, b) => Number(a.party !== undefined) - Number(b.party !== undefined))
  return (
    <Stack gap={2} ta="start">
      {all.slice(0, SHOWN).map(({ text, party }) => (
        <Group key={`${text} ${party ?? ''}`} gap={6}>
          <Text size="sm">{text}</Text>
          {party === undefined ? null : (
            <PartyName of={party} label={t('a party for which {0} has a right', user)} />
          )}
        </Group>
      ))}
      {all.length > SHOWN ? (
        <Text size="sm" c="dimmed">
          {rich('and {0} more', all.length - SHOWN)}
        </Text>
      ) : null}
    </Stack>
  )
}
