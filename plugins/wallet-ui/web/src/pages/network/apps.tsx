// Whose apps are featured, and which validators there are.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { textAt } from '../../lib/payload.ts'
import { scan } from '../../lib/wallet.tsx'
import { Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { contractId, Listing } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'

type Contract = scan.Data<'listFeaturedAppRights'>['featured_apps'][number]

const MOST = 100

export function Apps(): ReactNode {
  const apps = scan.useQuery('listFeaturedAppRights')
  const validators = scan.useQuery('listValidatorLicenses', { query: { limit: MOST } })
  return (
    <Stack gap="xl">
      <Section title={t('Featured apps')}>
        <Text size="sm" c="dimmed">
          {t('Transfers through a featured app earn its provider a reward.')}
        </Text>
        <Listing
          query={apps}
          of={({ featured_apps: all }) => all}
          empty={t('No app is featured. The super validators decide by a vote.')}
          label={t('Featured apps')}
          keyOf={contractId}
          columns={APPS}
        />
      </Section>
      <Section title={t('Validators')}>
        <Listing
          query={validators}
          of={({ validator_licenses: all }) => all}
          empty={t('No validator has a licence.')}
          label={t('Validators')}
          keyOf={contractId}
          columns={VALIDATORS}
        />
      </Section>
    </Stack>
  )
}

const APPS: readonly Column<Contract>[] = [
  {
    title: t('Provider'),
    of: ({ payload }) => <PartyName of={textAt(payload, 'provider')} label={t('the provider')} />,
  },
  { title: t('Weight'), of: ({ payload }) => textAt(payload, 'activityWeight') || '1' },
  { title: t('Since'), of: ({ created_at: at }) => <When at={at} /> },
]

const VALIDATORS: readonly Column<Contract>[] = [
  {
    title: t('Validator'),
    of: ({ payload }) => <PartyName of={textAt(payload, 'validator')} label={t('the validator')} />,
  },
  { title: t('Version'), of: ({ payload }) => textAt(payload, 'metadata', 'version') || '–' },
  { title: t('Contact'), of: ({ payload }) => textAt(payload, 'metadata', 'contactPoint') || '–' },
  { title: t('Last active'), of: ({ payload }) => <When at={textAt(payload, 'lastActiveAt')} /> },
]
