// Overview: what there is, what waits for the person, what happened last, and what runs without
// anybody doing anything.
import { Button, SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Page } from '../parts/page.tsx'
import { Balance } from './dashboard/balance.tsx'
import { Latest } from './dashboard/latest.tsx'
import { NeedsAction } from './dashboard/needs-action.tsx'
import { Runs } from './dashboard/runs.tsx'
import { Traffic } from './dashboard/traffic.tsx'

export default function Dashboard(): ReactNode {
  return (
    <Page
      title="Overview"
      aside={
        <Button component={Link} href="/send">
          Send coin
        </Button>
      }
    >
      <Balance />
      <NeedsAction />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
        <Latest />
        <Stack gap="lg">
          <Traffic />
          <Runs />
        </Stack>
      </SimpleGrid>
    </Page>
  )
}
