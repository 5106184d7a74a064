// How the wallet looks, who is logged in and until when, whose validator this is, and where its
// interfaces are.
import { Anchor, Button, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import type { MantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from '../lib/facts.ts'
import { t } from '../lib/language.ts'
import { useValidatorUser } from '../lib/rights.ts'
import { rightText } from '../lib/right-words.ts'
import { endOf, issuerOf } from '../lib/token.ts'
import { ledger, useWallet } from '../lib/wallet.tsx'
import { Facts } from '../parts/facts.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { Page, Section } from '../parts/page.tsx'
import { spanText, useNow, When } from '../parts/when.tsx'
import { ConfirmFrom, Language, Notifications } from './settings/own.tsx'
import { rich } from '../parts/rich.tsx'

export default function Settings(): ReactNode {
  return (
    <Page title={t('Settings')}>
      <Stack gap="lg">
        <Section isCard title={t('Appearance')}>
          <Appearance />
        </Section>
        <Section isCard title={t('Language')}>
          <Language />
        </Section>
        <Section isCard title={t('Payments')}>
          <ConfirmFrom />
        </Section>
        <Section isCard title={t('Notifications')}>
          <Notifications />
        </Section>
        <Section isCard title={t('Who you are')}>
          <Person />
        </Section>
        <Section isCard title={t('This validator')}>
          <Validator />
        </Section>
        <Section isCard title={t('Session')}>
          <SessionFacts />
        </Section>
        <Section isCard title={t('For apps')}>
          <Interfaces />
        </Section>
      </Stack>
    </Page>
  )
}

const SCHEMES = [
  { value: 'auto', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
] as const

function Appearance(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl<MantineColorScheme>
      aria-label={t('Appearance')}
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={setColorScheme}
      style={{ alignSelf: 'start' }}
    />
  )
}

function Person(): ReactNode {
  const { session } = useWallet()
  const { data: status } = useStatus()
  const me = ledger.useQuery('getAuthenticatedUser', {}, { refetchInterval: 15_000 }).data?.user
  return (
    <Facts
      label={t('Who you are')}
      of={[
        [t('Logged in as'), session.user],
        [
          t('User of the ledger'),
          me === undefined ? t('Not yet: set up your wallet first.') : me.id,
        ],
        [t('Party of your wallet'), <Party key="wallet" of={status?.party_id} />],
        [t('Primary party'), <Party key="primary" of={me?.primaryParty} />],
        [t('What you may do'), me === undefined ? '–' : <Rights key="rights" user={me.id} />],
      ]}
    />
  )
}

function Party({ of }: { readonly of: string | undefined }): ReactNode {
  return of === undefined || of === '' ? t('None') : <Identifier of={of} label={t('the party')} />
}

function Rights({ user }: { readonly user: string }): ReactNode {
  const { data } = ledger.useQuery(
    'listUserRights',
    { path: { 'user-id': user } },
    { refetchInterval: 15_000 },
  )
  const rights = data?.rights ?? []
  if (rights.length === 0) return t('Nothing on the ledger except reading what is public.')
  return (
    <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
      {rights.map((right) => (
        <li key={JSON.stringify(right)}>
          <Right of={right} />
        </li>
      ))}
    </Stack>
  )
}

function Right({ of }: { readonly of: Parameters<typeof rightText>[0] }): ReactNode {
  const { text, party } = rightText(of)
  return party === undefined ? (
    text
  ) : (
    <>
      {text} <Identifier of={party} label={t('the party')} />
    </>
  )
}

function Validator(): ReactNode {
  const { data: operator } = useValidatorUser()
  const version = ledger.useQuery('getVersion', {}, { refetchInterval: false }).data
  return (
    <Facts
      label={t('This validator')}
      of={[
        [
          t('Operator'),
          operator === undefined
            ? '–'
            : `${operator.user_name}${operator.featured ? ` (${t('featured app')})` : ''}`,
        ],
        [t('Party of the operator'), <Party key="operator" of={operator?.party_id} />],
        [t('Version'), version?.implementationVersion ?? '–'],
        [t('Ledger interface'), version?.version ?? '–'],
        [t('Address'), location.origin],
      ]}
    />
  )
}

function SessionFacts(): ReactNode {
  const {
    session: { token },
    logOut,
  } = useWallet()
  const issuer = issuerOf(token)
  return (
    <Stack>
      <Facts
        label={t('Session')}
        of={[
          [t('Token'), <Ending key="ending" ms={endOf(token)} />],
          [t('Issued by'), issuer ?? t('this server, for development')],
          [t('Kept'), t('In the open tabs of the wallet. Closing them all logs you out.')],
        ]}
      />
      <Button variant="default" onClick={logOut} style={{ alignSelf: 'start' }}>
        {t('End this session')}
      </Button>
    </Stack>
  )
}

/** The end of a token, by the machine's clock. */
function Ending({ ms }: { readonly ms: number | undefined }): ReactNode {
  const now = useNow(1_000, Date.now)
  if (ms === undefined) return t('It does not expire.')
  if (ms <= now) return t('It has expired: log in again.')
  return (
    <>
      {rich(
        'It expires in {0}, at {1}.',
        spanText(ms - now),
        <When at={{ micros: BigInt(ms) * 1_000n }} />,
      )}
    </>
  )
}

function Interfaces(): ReactNode {
  const {
    configuration: { mounts },
  } = useWallet()
  return (
    <Stack gap="xs">
      <Text size="sm">
        {rich(
          'Programs can do everything that this page does. {0} is part of this server.',
          <Anchor href="/docs">{t('The reference of all interfaces')}</Anchor>,
        )}
      </Text>
      <Facts
        label={t('Interfaces')}
        of={Object.entries(mounts).map(([name, mount]) => [name, location.origin + mount])}
      />
    </Stack>
  )
}
