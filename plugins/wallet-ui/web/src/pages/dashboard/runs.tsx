// What happens without anybody doing anything: with the times of it for the validator's own user,
// in a sentence for everybody else.
import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { summaryOf } from '../../lib/automation-words.ts'
import { useRights } from '../../lib/rights.ts'
import { validator } from '../../lib/wallet.tsx'
import { Loaded, Section } from '../../parts/page.tsx'
import { When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

export function Runs(): ReactNode {
  const { runsValidator } = useRights()
  return runsValidator ? (
    <WithTimes />
  ) : (
    <Section isCard title={t('Automatic')}>
      <Text size="sm">
        {rich(
          'Your validator pays your accepted offers, mints what you have earned, ends expired offers, renews your preapproval, and {0} if you let it.',
          <Link href="/merging">{t('merges your holdings')}</Link>,
        )}
      </Text>
    </Section>
  )
}

function WithTimes(): ReactNode {
  const query = validator.useQuery('listAutomations')
  return (
    <Section
      isCard
      title={t('Automatic')}
      aside={<Link href="/automations">{t('All automations')}</Link>}
    >
      <Loaded query={query}>
        {({ automations }) => (
          <Stack gap="xs" role="list" aria-label={t('Automations')}>
            {automations
              .filter(({ topic }) => topic === 'wallets')
              .map((one) => (
                <Automation key={one.name} of={one} />
              ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

type Status = validator.Data<'listAutomations'>['automations'][number]

function Automation({ of }: { readonly of: Status }): ReactNode {
  const { state, last_run: lastRun, consecutive_failures: failures } = of
  return (
    <div role="listitem">
      <Text size="sm">{summaryOf(of)}</Text>
      <Group gap="xs">
        <Text size="xs" c="dimmed" component="div">
          {lastRun === undefined ? (
            t('Has not run yet')
          ) : (
            <>{rich('Last run {0}', <When at={lastRun} />)}</>
          )}
        </Text>
        {state === 'paused' ? (
          <Badge size="sm" variant="light" color="orange">
            {t('Paused')}
          </Badge>
        ) : null}
        {failures === 0 ? null : (
          <Badge size="sm" variant="light" color="red">
            {t('Failing')}
          </Badge>
        )}
      </Group>
    </div>
  )
}
