// The rounds of the network: which are open at what price, which pay out, and what the closed ones
// paid.
import { Badge, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../lib/language.ts'
import { closedRoundsOf, phaseOf, roundsOf } from '../../lib/rounds.ts'
import type { ClosedRound, Round } from '../../lib/rounds.ts'
import { scan } from '../../lib/wallet.tsx'
import { Coin, Price } from '../../parts/money.tsx'
import { Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
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
      <Section title={t('Open and issuing')}>
        <Text size="sm" c="dimmed">
          {t('Activity counts in open rounds. An issuing round pays out what was earned in it.')}
        </Text>
        <Listing
          query={current}
          of={roundsOf}
          label={t('Open and issuing rounds')}
          keyOf={({ kind, number }) => `${kind} ${number}`}
          columns={CURRENT}
        />
      </Section>
      <Section title={t('Closed')}>
        <Listing
          query={closed}
          of={({ rounds }) => closedRoundsOf(rounds).slice(0, MOST_CLOSED)}
          empty={t(
            'None. A round appears here after it has paid out, until its last rewards are settled.',
          )}
          label={t('Closed rounds')}
          keyOf={({ number }) => String(number)}
          columns={CLOSED}
        />
      </Section>
    </Stack>
  )
}

const CURRENT: readonly Column<Round>[] = [
  { title: t('Round'), of: ({ number }) => String(number) },
  { title: t('State'), of: (round) => <State round={round} /> },
  {
    title: t('Coin price'),
    of: ({ price }) => (price === undefined ? '–' : <Price of={price} />),
  },
  { title: t('Opens'), of: ({ opensAt }) => <When at={opensAt} /> },
  { title: t('Closes'), of: ({ closesAt }) => <When at={closesAt} /> },
  { title: t('Next'), of: (round) => <Countdown round={round} /> },
]

function State({ round: { kind, opensAt } }: { readonly round: Round }): ReactNode {
  const isAhead = useNow(1_000) < Date.parse(opensAt)
  const [color, text] = isAhead
    ? (['gray', t('soon')] as const)
    : kind === 'open'
      ? (['brand', t('open')] as const)
      : (['teal', t('issuing')] as const)
  return (
    <Badge variant="light" color={color}>
      {text}
    </Badge>
  )
}

function Countdown({ round }: { readonly round: Round }): ReactNode {
  const now = useNow(1_000)
  const { text, untilMs } = phaseOf(round, now)
  return untilMs <= now
    ? t('{0} any moment', text)
    : t('{0} in {1}', text, countdownText(untilMs - now))
}

const CLOSED: readonly Column<ClosedRound>[] = [
  { title: t('Round'), of: ({ number }) => String(number) },
  { title: t('Closed'), of: ({ closedAt }) => <When at={closedAt} /> },
  { title: t('Paid per validator reward'), of: ({ perValidator }) => <Coin of={perValidator} /> },
  { title: t('Per featured app reward'), of: ({ perFeaturedApp }) => <Coin of={perFeaturedApp} /> },
  { title: t('Per other app reward'), of: ({ perApp }) => <Coin of={perApp} /> },
]
