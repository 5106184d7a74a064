// What only the development profile has: coin for nothing, a clock to move, everybody's log-in, a
// featured app of one's own, and what runs of which package.
import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AsOperator } from '../lib/development.tsx'
import { useStatus } from '../lib/facts.ts'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Become } from './development/become.tsx'
import { Clock } from './development/clock.tsx'
import { Featured } from './development/featured.tsx'
import { Packages } from './development/packages.tsx'
import { Tap } from './development/tap.tsx'
import { t } from '../lib/language.ts'

export default function Development(): ReactNode {
  return (
    <Page
      title={t('Development')}
      about={t('Tools for trying things out. None of this exists in production.')}
    >
      <div className="columns">
        <Section isCard title={t('Get test coin')}>
          <NeedsWallet>
            <Tap />
          </NeedsWallet>
        </Section>
        <Section isCard title={t('Clock')}>
          <AsOperator>
            <Clock />
          </AsOperator>
        </Section>
        <Section isCard title={t('Switch user')}>
          <AsOperator>
            <Become />
          </AsOperator>
        </Section>
        <Section isCard title={t('Featured app')}>
          <NeedsWallet>
            <Featured />
          </NeedsWallet>
        </Section>
        <Section isCard title={t('More')}>
          <Text size="sm">
            <Anchor href="/docs">{t('Reference of all interfaces')}</Anchor>,{' '}
            <Anchor href="/metrics">{t('metrics')}</Anchor>
          </Text>
        </Section>
      </div>
      <Section title={t('Packages')}>
        <Packages />
      </Section>
    </Page>
  )
}

function NeedsWallet({ children }: { readonly children: ReactNode }): ReactNode {
  const { data } = useStatus()
  if (data === undefined) return null
  return data.user_onboarded ? (
    children
  ) : (
    <Empty>{t('Set up your wallet first, on the overview.')}</Empty>
  )
}
