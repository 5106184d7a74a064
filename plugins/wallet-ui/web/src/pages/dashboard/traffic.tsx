// Whether the validator has traffic enough for what the person wants to do.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { leftOf, useOwnTraffic } from '../../lib/own-traffic.ts'
import type { TrafficStatus } from '../../lib/own-traffic.ts'
import { allBytes, shownBytes } from '../../lib/traffic.ts'
import { Figure, Figures } from '../../parts/figure.tsx'
import { Loaded, Section } from '../../parts/page.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'
import { Share } from '../../parts/share.tsx'

export function Traffic(): ReactNode {
  const query = useOwnTraffic()
  return (
    <Section
      isCard
      title={t('Traffic of your validator')}
      aside={<Link href="/traffic">{t('Buy traffic')}</Link>}
    >
      <Loaded query={query}>{({ traffic_status: status }) => <Status status={status} />}</Loaded>
    </Section>
  )
}

function Status({ status }: { readonly status: TrafficStatus }): ReactNode {
  const {
    actual: { total_consumed: used, total_limit: limit },
    target: { total_purchased: bought },
  } = status
  // A share of a hundred, which is small enough for a number.
  const share = limit === 0n ? 0 : Number((leftOf(status) * 100n) / limit)
  return (
    <div>
      <Figures>
        <Size label={t('Bought')} of={bought} />
        <Size label={t('Used')} of={used} />
        <Size label={t('Left')} of={leftOf(status)} />
      </Figures>
      <Share percent={share} label={t('Traffic left, in percent')} />
      {bought === limit ? null : (
        <Text size="sm" c="dimmed" mt={4}>
          {rich('A purchase is on its way: {0} are credited so far.', shownBytes(limit))}
        </Text>
      )}
      {limit === 0n ? (
        <Text size="sm" c="dimmed" mt={4}>
          {t('No traffic was bought; the free base rate still lets small transactions through.')}
        </Text>
      ) : null}
    </div>
  )
}

function Size({ label, of }: { readonly label: string; readonly of: bigint }): ReactNode {
  return (
    <Figure label={label}>
      <Text fw={600} title={allBytes(of)}>
        {shownBytes(of)}
      </Text>
    </Figure>
  )
}
