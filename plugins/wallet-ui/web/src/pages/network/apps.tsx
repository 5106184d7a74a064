// Whose apps are featured, and which validators there are.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { textAt } from '../../lib/payload.ts'
import { scan } from '../../lib/wallet.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
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
        <Loaded query={apps}>
          {({ featured_apps: all }) =>
            all.length === 0 ? (
              <Empty>{t('No app is featured. The super validators decide by a vote.')}</Empty>
            ) : (
              <DataTable
                label={t('Featured apps')}
                items={all}
                keyOf={({ contract_id: id }) => id}
                columns={APPS}
              />
            )
          }
        </Loaded>
      </Section>
      <Section title={t('Validators')}>
        <Loaded query={validators}>
          {({ validator_licenses: all }) =>
            all.length === 0 ? (
              <Empty>{t('No validator has a licence.')}</Empty>
            ) : (
              <DataTable
                label={t('Validators')}
                items={all}
                keyOf={({ contract_id: id }) => id}
                columns={VALIDATORS}
              />
            )
          }
        </Loaded>
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
