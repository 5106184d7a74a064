// Overview: what there is, what waits for the person, what happened last, and what runs without
// anybody doing anything.
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { Page } from '../parts/page.tsx'
import { Balance } from './dashboard/balance.tsx'
import { Latest } from './dashboard/latest.tsx'
import { NeedsAction } from './dashboard/needs-action.tsx'
import { OverTime } from './dashboard/over-time.tsx'
import { Runs } from './dashboard/runs.tsx'
import { Traffic } from './dashboard/traffic.tsx'

export default function Dashboard(): ReactNode {
  return (
    <Page title={t('Overview')}>
      <Balance />
      <NeedsAction />
      <div className="columns">
        <Latest />
        <Stack gap="lg">
          <OverTime />
          <Traffic />
          <Runs />
        </Stack>
      </div>
    </Page>
  )
}
