// Merging: whether the validator may make few holdings of many for the person, and making one of
// them at once.
import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useStatus } from '../lib/facts.ts'
import { useHoldings } from '../lib/holdings.ts'
import { validator } from '../lib/wallet.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Figure, Figures } from '../parts/figure.tsx'
import { MergeNow } from '../parts/merge-now.tsx'
import { Loaded, Page, Section } from '../parts/page.tsx'
import { PartyName } from '../parts/party.tsx'
import { When } from '../parts/when.tsx'
import { t } from '../lib/language.ts'
import { rich } from '../parts/rich.tsx'

/** Holdings above which an owner is merged. */
const LIMIT = 10

type State = validator.Data<'getMergeDelegation'>
type Contract = NonNullable<State['proposal']>

export default function Merging(): ReactNode {
  const state = validator.useQuery('getMergeDelegation')
  return (
    <Page
      title={t('Merging')}
      about={t(
        'Payments leave change behind, and many small holdings make each payment cost more traffic.',
      )}
    >
      <Text maw="70ch">
        {rich(
          'A merge delegation lets your validator merge your smallest holdings into one whenever you have more than {0} unlocked. Nothing goes to anyone else, it costs you no coin, and you can end it at any time.',
          LIMIT,
        )}
      </Text>
      <Count />
      <Section title={t('Merge delegation')}>
        <Loaded query={state}>
          {(data) => (
            <Card withBorder maw={640}>
              <Delegation state={data} />
            </Card>
          )}
        </Loaded>
      </Section>
    </Page>
  )
}

function Count(): ReactNode {
  const { query, holdings, isWhole } = useHoldings()
  const unlocked = holdings.filter(({ lock }) => lock === undefined).length
  return (
    <Loaded query={query}>
      {() => (
        <Stack gap="sm">
          <Figures>
            <Figure
              label={t('Unlocked holdings now')}
              hint={<Link href="/holdings">{t('See all holdings')}</Link>}
            >
              <Text fw={700} size="lg">
                {isWhole ? unlocked : t('{0} and more', unlocked)}
              </Text>
            </Figure>
            <Figure
              label={t('Limit')}
              hint={unlocked > LIMIT ? t('You are above it.') : t('You are below it.')}
            >
              <Text fw={700} size="lg">
                {LIMIT}
              </Text>
            </Figure>
          </Figures>
          <MergeNow holdings={holdings} />
        </Stack>
      )}
    </Loaded>
  )
}

function Delegation({ state: { proposal, delegation } }: { readonly state: State }): ReactNode {
  if (delegation !== undefined) return <Active delegation={delegation} />
  if (proposal !== undefined) return <Waiting proposal={proposal} />
  return <None />
}

/** The operator's own wallet is merged without being asked. */
function None(): ReactNode {
  const propose = validator.useMutation('proposeMergeDelegation')
  const operator = validator.useQuery(
    'getValidatorUserInfo',
    {},
    { staleTime: Infinity, refetchInterval: false },
  ).data?.party_id
  const isOperator = useStatus().data?.party_id === operator
  if (isOperator)
    return (
      <Text>
        {t(
          'This wallet is the validator’s own and needs no delegation: each of its payments merges.',
        )}
      </Text>
    )
  return (
    <Stack gap="sm" align="start">
      <Badge variant="light" color="gray">
        {t('Off')}
      </Badge>
      <Text>
        {t(
          'Your validator does not merge for you yet. Propose it, and the validator accepts within moments.',
        )}
      </Text>
      <ActionButton size="sm" act={() => propose.mutateAsync({})}>
        {t('Propose merging')}
      </ActionButton>
    </Stack>
  )
}

function Waiting({ proposal }: { readonly proposal: Contract }): ReactNode {
  return (
    <Stack gap="sm" align="start">
      <Badge variant="light" color="orange">
        {t('Proposed')}
      </Badge>
      <Text>
        {rich(
          'Proposed on {0}. It waits for your validator, which has not accepted it yet.',
          <When at={proposal.created_at} />,
        )}
      </Text>
      <End title={t('Withdraw the proposal?')} confirm={t('Withdraw')}>
        {t('Your validator will not merge for you. You may propose it again.')}
      </End>
    </Stack>
  )
}

function Active({
  delegation: { created_at, payload },
}: {
  readonly delegation: Contract
}): ReactNode {
  const operator = payload['operator']
  return (
    <Stack gap="sm" align="start">
      <Badge variant="light" color="teal">
        {t('Active')}
      </Badge>
      <Text>{rich('Your validator has merged for you since {0}.', <When at={created_at} />)}</Text>
      {typeof operator === 'string' ? (
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {t('By')}
          </Text>
          <PartyName of={operator} label={t('who merges')} />
        </Group>
      ) : null}
      <End title={t('End merging?')} confirm={t('End merging')}>
        {t('Your validator will not merge for you any more. You may propose it again.')}
      </End>
    </Stack>
  )
}

function End({
  title,
  confirm,
  children,
}: {
  readonly title: string
  readonly confirm: string
  readonly children: string
}): ReactNode {
  const [isAsked, setIsAsked] = useState(false)
  const withdraw = validator.useMutation('withdrawMergeDelegation')
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsAsked(true)}>
        {confirm}
      </Button>
      {isAsked ? (
        <Confirm
          title={title}
          confirm={confirm}
          color="red"
          act={() => withdraw.mutateAsync({})}
          onClose={() => setIsAsked(false)}
        >
          <Text size="sm">{children}</Text>
        </Confirm>
      ) : null}
    </>
  )
}
