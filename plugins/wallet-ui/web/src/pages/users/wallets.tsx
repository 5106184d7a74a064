// Wallets at this validator: who has one, a new one for somebody, and the end of one.
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isRefusal, problemText } from '../../lib/problem.ts'
import { useRights, useValidatorUser } from '../../lib/rights.ts'
import { ledger, validator } from '../../lib/wallet.tsx'
import { NeedsOperator } from '../../parts/needs-operator.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { Pager, usePaging } from '../../parts/pager.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { Offboard } from './offboard.tsx'
import { Onboard } from './onboard.tsx'
import { t } from '../../lib/language.ts'

type Asked = { readonly kind: 'onboard' } | { readonly kind: 'offboard'; readonly name: string }

export function Wallets(): ReactNode {
  const { runsValidator } = useRights()
  const [asked, setAsked] = useState<Asked>()
  const [said, setSaid] = useState('')
  const close = (done?: string): void => {
    setAsked(undefined)
    setSaid(done ?? '')
  }
  const button = (
    <Button size="xs" onClick={() => setAsked({ kind: 'onboard' })}>
      {t('Onboard a user')}
    </Button>
  )
  return (
    <Section title={t('Wallets at this validator')} aside={runsValidator ? button : null}>
      <Text role="status" c="teal" size="sm" {...(said === '' ? { display: 'none' } : {})}>
        {said === '' ? '' : `✓ ${said}`}
      </Text>
      <NeedsOperator what={t('Wallets are')}>
        <WalletList ask={(name) => setAsked({ kind: 'offboard', name })} />
      </NeedsOperator>
      {asked?.kind === 'onboard' ? <Onboard onClose={close} /> : null}
      {asked?.kind === 'offboard' ? <Offboard name={asked.name} onClose={close} /> : null}
    </Section>
  )
}

const PAGE_SIZE = 10

function WalletList({ ask }: { readonly ask: (name: string) => void }): ReactNode {
  const query = validator.useQuery('listUsers')
  const [filter, setFilter] = useState('')
  const paging = usePaging()
  return (
    <Loaded query={query}>
      {({ usernames }) => {
        const found = usernames.toSorted(byCodeUnits).filter((name) => name.includes(filter.trim()))
        const from = Number(paging.token ?? '0')
        const search = (text: string): void => {
          setFilter(text)
          paging.first()
        }
        return (
          <>
            {usernames.length <= PAGE_SIZE ? null : (
              <TextInput
                label={t('Find a user')}
                value={filter}
                maw={320}
                onChange={(event) => search(event.currentTarget.value)}
              />
            )}
            {found.length === 0 ? (
              <Empty>
                {filter === ''
                  ? t('Nobody has a wallet here yet: onboard a user.')
                  : t('No user here has that in the name.')}
              </Empty>
            ) : (
              <WalletTable names={found.slice(from, from + PAGE_SIZE)} ask={ask} />
            )}
            <Pager
              paging={paging}
              label={t('wallets')}
              nextToken={from + PAGE_SIZE < found.length ? String(from + PAGE_SIZE) : ''}
            />
          </>
        )
      }}
    </Loaded>
  )
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : 1)

function WalletTable({
  names,
  ask,
}: {
  readonly names: readonly string[]
  readonly ask: (name: string) => void
}): ReactNode {
  const columns: readonly Column<string>[] = [
    {
      title: t('User'),
      of: (name) => (
        <Text fw={500} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      ),
    },
    { title: t('Party'), of: (name) => <PartyOf user={name} /> },
    {
      title: t('Actions'),
      isActions: true,
      of: (name) => <OffboardButton name={name} ask={ask} />,
    },
  ]
  return (
    <DataTable
      label={t('Wallets at this validator')}
      items={names}
      keyOf={(name) => name}
      columns={columns}
    />
  )
}

const SELDOM_MS = 15_000

function PartyOf({ user }: { readonly user: string }): ReactNode {
  const { data, error } = ledger.useQuery(
    'getUser',
    { path: { 'user-id': user } },
    { refetchInterval: SELDOM_MS },
  )
  if (error !== null && data === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {isRefusal(error) && error.status === 404
          ? t('no such user on the ledger')
          : problemText(error)}
      </Text>
    )
  }
  const party = data?.user.primaryParty ?? ''
  return party === '' ? '–' : <PartyName of={party} label={t('the party of {0}', user)} />
}

function OffboardButton({
  name,
  ask,
}: {
  readonly name: string
  readonly ask: (name: string) => void
}): ReactNode {
  const { data } = useValidatorUser()
  if (data?.user_name === name)
    return (
      <Text size="sm" c="dimmed">
        {t('runs this validator and cannot be removed')}
      </Text>
    )
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        onClick={() => ask(name)}
        aria-label={t('Offboard {0}', name)}
      >
        {t('Offboard')}
      </Button>
    </Group>
  )
}
