// The rounds of the network: which are open at what price, which pay out, and what the closed ones
// paid.
import { Badge, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { closedRoundsOf, phaseOf, roundsOf } from '../../lib/rounds.ts'
import type { ClosedRound, Round } from '../../lib/rounds.ts'
import { scan } from '../../lib/wallet.tsx'
import { Coin, Price } from '../../parts/money.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { countdownText, useNow, When } from '../../parts/when.tsx'

/** Nothing is held back: the answer is small. */
const ALL = {
  body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
}
const MOST_CLOSED = 20

export function Rounds(): ReactNode {
  const current = scan.useQuery('getOpenAndIssuingMiningRounds', ALL)
  const closed = scan.useQuery('getClosedRounds')
  return (
    <Stack gap="xl">
      <Section title="Open and issuing">
        <Text size="sm" c="dimmed">
          Activity counts for the rounds that are open. A round that issues pays what was earned in
          it.
        </Text>
        <Loaded query={current}>
          {(data) => (
            <DataTable
              label="Open and issuing rounds"
              items={roundsOf(data)}
              keyOf={({ kind, number }) => `${kind} ${number}`}
              columns={CURRENT}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Closed">
        <Loaded query={closed}>{({ rounds }) => <Closed of={closedRoundsOf(rounds)} />}</Loaded>
      </Section>
    </Stack>
  )
}

const CURRENT: readonly Column<Round>[] = [
  { title: 'Round', of: ({ number }) => String(number) },
  { title: 'State', of: (round) => <State round={round} /> },
  {
    title: 'Price of a coin',
    of: ({ price }) => (price === undefined ? '–' : <Price of={price} />),
  },
  { title: 'Opens', of: ({ opensAt }) => <When at={opensAt} /> },
  { title: 'Closes', of: ({ closesAt }) => <When at={closesAt} /> },
  { title: 'Next', of: (round) => <Countdown round={round} /> },
]

function State({ round: { kind, opensAt } }: { readonly round: Round }): ReactNode {
  const isAhead = useNow(1_000) < Date.parse(opensAt)
  if (isAhead)
    return (
      <Badge variant="light" color="gray">
        soon
      </Badge>
    )
  return kind === 'open' ? (
    <Badge variant="light">open</Badge>
  ) : (
    <Badge variant="light" color="teal">
      issuing
    </Badge>
  )
}

function Countdown({ round }: { readonly round: Round }): ReactNode {
  const now = useNow(1_000)
  const { text, untilMs } = phaseOf(round, now)
  return untilMs <= now ? `${text} any moment` : `${text} in ${countdownText(untilMs - now)}`
}

function Closed({ of }: { readonly of: readonly ClosedRound[] }): ReactNode {
  if (of.length === 0)
    return (
      <Empty>None. A round shows here when it has paid, until its last rewards are settled.</Empty>
    )
  return (
    <DataTable
      label="Closed rounds"
      items={of.slice(0, MOST_CLOSED)}
      keyOf={({ number }) => String(number)}
      columns={CLOSED}
    />
  )
}

const CLOSED: readonly Column<ClosedRound>[] = [
  { title: 'Round', of: ({ number }) => String(number) },
  { title: 'Closed', of: ({ closedAt }) => <When at={closedAt} /> },
  { title: 'Paid per validator reward', of: ({ perValidator }) => <Coin of={perValidator} /> },
  { title: 'Per featured app reward', of: ({ perFeaturedApp }) => <Coin of={perFeaturedApp} /> },
  { title: 'Per other app reward', of: ({ perApp }) => <Coin of={perApp} /> },
]
