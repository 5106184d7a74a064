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

/** Whoever has more is merged. interface.md §8 */
const LIMIT = 10

type State = validator.Data<'getMergeDelegation'>
type Contract = NonNullable<State['proposal']>

export default function Merging(): ReactNode {
  const state = validator.useQuery('getMergeDelegation')
  return (
    <Page
      title="Merging"
      about="Payments collect change, and many small holdings make each payment cost more traffic."
    >
      <Text maw="70ch">
        A merge delegation lets your validator make one holding of the smallest ones whenever you
        have more than {LIMIT} that are unlocked. It moves nothing to anybody else, costs you no
        coin, and you can end it at any time.
      </Text>
      <Count />
      <Section title="Merge delegation">
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
              label="Unlocked holdings now"
              hint={<Link href="/holdings">See every one</Link>}
            >
              <Text fw={700} size="lg">
                {isWhole ? unlocked : `${unlocked} and more`}
              </Text>
            </Figure>
            <Figure
              label="Limit"
              hint={unlocked > LIMIT ? 'You are above it.' : 'You are not above it.'}
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
        This wallet is the validator’s own and needs no delegation: each of its payments merges.
      </Text>
    )
  return (
    <Stack gap="sm" align="start">
      <Badge variant="light" color="gray">
        None
      </Badge>
      <Text>
        Your validator does not merge for you. Propose it, and the validator accepts by itself
        within a moment.
      </Text>
      <ActionButton size="sm" act={() => propose.mutateAsync({})}>
        Propose merging
      </ActionButton>
    </Stack>
  )
}

function Waiting({ proposal }: { readonly proposal: Contract }): ReactNode {
  return (
    <Stack gap="sm" align="start">
      <Badge variant="light" color="orange">
        Proposed
      </Badge>
      <Text>
        Proposed on <When at={proposal.created_at} />. It waits for your validator, which has not
        accepted it yet.
      </Text>
      <End title="Withdraw the proposal?" confirm="Withdraw">
        Your validator will not merge for you. You may propose it again.
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
        Active
      </Badge>
      <Text>
        Your validator merges for you since <When at={created_at} />.
      </Text>
      {typeof operator === 'string' ? (
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            By
          </Text>
          <PartyName of={operator} label="who merges" />
        </Group>
      ) : null}
      <End title="End merging?" confirm="End merging">
        Your validator will not merge for you any more. You may propose it again.
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
