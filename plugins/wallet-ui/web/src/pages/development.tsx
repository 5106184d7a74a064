// What only the development profile has: coin for nothing, a clock to move, everybody's log-in, a
// featured app of one's own.
import { Anchor, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AsOperator } from '../lib/development.tsx'
import { useStatus } from '../lib/facts.ts'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Become } from './development/become.tsx'
import { Clock } from './development/clock.tsx'
import { Featured } from './development/featured.tsx'
import { Tap } from './development/tap.tsx'

export default function Development(): ReactNode {
  return (
    <Page title="Development" about="For trying things out. None of this exists in production.">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="xl">
        <Section title="Tap">
          <NeedsWallet>
            <Tap />
          </NeedsWallet>
        </Section>
        <Section title="Clock">
          <AsOperator>
            <Clock />
          </AsOperator>
        </Section>
        <Section title="Be somebody else">
          <AsOperator>
            <Become />
          </AsOperator>
        </Section>
        <Section title="Featured app">
          <NeedsWallet>
            <Featured />
          </NeedsWallet>
        </Section>
        <Section title="More">
          <Text size="sm">
            <Anchor href="/docs">Reference of all interfaces</Anchor>,{' '}
            <Anchor href="/metrics">metrics</Anchor>
          </Text>
        </Section>
      </SimpleGrid>
    </Page>
  )
}

function NeedsWallet({ children }: { readonly children: ReactNode }): ReactNode {
  const { data } = useStatus()
  if (data === undefined) return null
  return data.user_onboarded ? children : <Empty>Set up your wallet first, on the overview.</Empty>
}
