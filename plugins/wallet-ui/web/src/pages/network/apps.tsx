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

type Contract = scan.Data<'listFeaturedAppRights'>['featured_apps'][number]

const MOST = 100

export function Apps(): ReactNode {
  const apps = scan.useQuery('listFeaturedAppRights')
  const validators = scan.useQuery('listValidatorLicenses', { query: { limit: MOST } })
  return (
    <Stack gap="xl">
      <Section title="Featured apps">
        <Text size="sm" c="dimmed">
          Transfers through a featured app earn its provider a reward.
        </Text>
        <Loaded query={apps}>
          {({ featured_apps: all }) =>
            all.length === 0 ? (
              <Empty>No app is featured. The super validators decide by a vote.</Empty>
            ) : (
              <DataTable
                label="Featured apps"
                items={all}
                keyOf={({ contract_id: id }) => id}
                columns={APPS}
              />
            )
          }
        </Loaded>
      </Section>
      <Section title="Validators">
        <Loaded query={validators}>
          {({ validator_licenses: all }) =>
            all.length === 0 ? (
              <Empty>No validator has a licence.</Empty>
            ) : (
              <DataTable
                label="Validators"
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
    title: 'Provider',
    of: ({ payload }) => <PartyName of={textAt(payload, 'provider')} label="the provider" />,
  },
  { title: 'Weight', of: ({ payload }) => textAt(payload, 'activityWeight') || '1' },
  { title: 'Since', of: ({ created_at: at }) => <When at={at} /> },
]

const VALIDATORS: readonly Column<Contract>[] = [
  {
    title: 'Validator',
    of: ({ payload }) => <PartyName of={textAt(payload, 'validator')} label="the validator" />,
  },
  { title: 'Version', of: ({ payload }) => textAt(payload, 'metadata', 'version') || '–' },
  { title: 'Contact', of: ({ payload }) => textAt(payload, 'metadata', 'contactPoint') || '–' },
  { title: 'Last active', of: ({ payload }) => <When at={textAt(payload, 'lastActiveAt')} /> },
]
