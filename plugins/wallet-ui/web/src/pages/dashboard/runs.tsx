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

export function Runs(): ReactNode {
  const { runsValidator } = useRights()
  return runsValidator ? (
    <WithTimes />
  ) : (
    <Section title="Runs by itself">
      <Text size="sm">
        Your validator pays the offers of yours that are accepted, mints what you have earned, ends
        offers that run out, renews your preapproval, and{' '}
        <Link href="/merging">merges your holdings</Link> if you let it.
      </Text>
    </Section>
  )
}

function WithTimes(): ReactNode {
  const query = validator.useQuery('listAutomations')
  return (
    <Section title="Runs by itself" aside={<Link href="/automations">All automations</Link>}>
      <Loaded query={query}>
        {({ automations }) => (
          <Stack gap="xs" role="list" aria-label="Automations">
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
            'Has not run yet'
          ) : (
            <>
              Last run <When at={lastRun} />
            </>
          )}
        </Text>
        {state === 'paused' ? (
          <Badge size="sm" variant="light" color="orange">
            Paused
          </Badge>
        ) : null}
        {failures === 0 ? null : (
          <Badge size="sm" variant="light" color="red">
            Failing
          </Badge>
        )}
      </Group>
    </div>
  )
}
