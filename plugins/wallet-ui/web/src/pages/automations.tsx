// Automations: what each does, how it fares on the server that answers, and the buttons to stop it,
// let it go on, and run it now.
import { Alert, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AutomationStatus } from '../../../../../generated/validator/types.gen.ts'
import { t } from '../lib/language.ts'
import { validator } from '../lib/wallet.tsx'
import { ActionButton } from '../parts/action.tsx'
import { NeedsOperator } from '../parts/needs-operator.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { spanText } from '../parts/when.tsx'
import { summaryOf } from '../lib/automation-words.ts'
import { rich } from '../parts/rich.tsx'

export default function Automations(): ReactNode {
  return (
    <Page
      title={t('Automations')}
      about={t(
        'Background work of this server. A pause applies to all servers that share the data, until it is resumed.',
      )}
    >
      <NeedsOperator what={t('Automations are')}>
        <All />
      </NeedsOperator>
    </Page>
  )
}

function All(): ReactNode {
  const query = validator.useQuery('listAutomations')
  return (
    <Loaded query={query}>
      {({ automations }) =>
        automations.length === 0 ? (
          <Empty>
            {t(
              'None is configured on this server: see the section “automations” of its configuration.',
            )}
          </Empty>
        ) : (
          <Everyone of={automations} />
        )
      }
    </Loaded>
  )
}

function Everyone({ of }: { readonly of: readonly AutomationStatus[] }): ReactNode {
  const failing = of.filter(isFailing)
  const paused = of.filter(({ state }) => state === 'paused')
  return (
    <Stack>
      <Text role="status">
        {rich(
          '{0} automations, {1}, {2}.',
          of.length,
          paused.length === 0 ? t('none paused') : t('paused: {0}', namesOf(paused)),
          failing.length === 0 ? t('none failing') : t('failing: {0}', namesOf(failing)),
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} role="list" aria-label={t('Automations')}>
        {of.map((automation) => (
          <One key={automation.name} of={automation} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function One({ of }: { readonly of: AutomationStatus }): ReactNode {
  return (
    <Card withBorder p="sm" role="listitem" aria-label={of.name}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5">
            {of.name}
          </Title>
          <State of={of} />
        </Group>
        <Text size="sm">{summaryOf(of)}</Text>
        <Facts of={of} />
        {of.last_error === undefined || !isFailing(of) ? null : (
          <LastError of={of} text={of.last_error} />
        )}
        <Controls of={of} />
      </Stack>
    </Card>
  )
}

const STATES = {
  waiting: { color: 'teal', text: t('waiting') },
  running: { color: 'brand', text: t('running') },
  paused: { color: 'orange', text: t('paused') },
  elsewhere: { color: 'gray', text: t('on another server') },
} as const

function State({ of }: { readonly of: AutomationStatus }): ReactNode {
  const { color, text } = STATES[of.state]
  return (
    <Group gap={4} wrap="nowrap">
      {isFailing(of) ? (
        <Badge color="red" variant="light">
          {t('failing')}
        </Badge>
      ) : null}
      <Badge color={color} variant="light">
        {text}
      </Badge>
    </Group>
  )
}

function Facts({ of }: { readonly of: AutomationStatus }): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('Last run'), <Ago key="run" at={of.last_run} />],
    [t('Last success'), <Ago key="success" at={of.last_success} />],
    [
      t('Next run'),
      of.state === 'paused' ? t('when resumed') : <Ago key="next" at={of.next_run} />,
    ],
    [t('Runs'), t('{0}, {1} failed', of.runs, of.failures)],
  ]
  return (
    <SimpleGrid component="dl" cols={2} spacing="xs" verticalSpacing={4} my={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" ml={0}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

/**
 * By this machine's clock: automations keep the time of the day, whatever the ledger takes for it.
 * Read anew with every answer.
 */
function Ago({ at }: { readonly at: string | undefined }): ReactNode {
  if (at === undefined) return '–'
  const past = Date.now() - Date.parse(at)
  const text =
    Math.abs(past) < 1_000
      ? t('now')
      : past > 0
        ? t('{0} ago', spanText(past))
        : t('in {0}', spanText(-past))
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

function LastError({
  of,
  text,
}: {
  readonly of: AutomationStatus
  readonly text: string
}): ReactNode {
  const times =
    of.consecutive_failures === 1
      ? t('Its last run failed')
      : t('Its last {0} runs failed', of.consecutive_failures)
  return (
    <Alert color="red" p="xs" title={times}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Alert>
  )
}

function Controls({ of: { name, state } }: { readonly of: AutomationStatus }): ReactNode {
  const pause = validator.useMutation('pauseAutomation')
  const resume = validator.useMutation('resumeAutomation')
  const run = validator.useMutation('runAutomation')
  const input = { path: { name } }
  return (
    <Group gap="xs" mt="auto">
      {state === 'paused' ? (
        <ActionButton
          key="resume"
          variant="filled"
          act={() => resume.mutateAsync(input)}
          aria-label={t('Resume: {0}', name)}
        >
          {t('Resume')}
        </ActionButton>
      ) : (
        <ActionButton
          key="pause"
          variant="default"
          act={() => pause.mutateAsync(input)}
          aria-label={t('Pause: {0}', name)}
        >
          {t('Pause')}
        </ActionButton>
      )}
      <ActionButton
        variant="default"
        act={() => run.mutateAsync(input)}
        blocked={state === 'running' ? t('It runs already') : undefined}
        aria-label={t('Run now: {0}', name)}
      >
        {t('Run now')}
      </ActionButton>
    </Group>
  )
}

function isFailing({ consecutive_failures: failures }: AutomationStatus): boolean {
  return failures > 0
}

function namesOf(automations: readonly AutomationStatus[]): string {
  return automations.map(({ name }) => name).join(', ')
}
