// What the super validators decide: requests that are open and who has voted, results, and what
// each wants a coin to cost.
import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { textAt } from '../../lib/payload.ts'
import { scan } from '../../lib/wallet.tsx'
import { voteRequestOf, voteResultOf, votersOf } from '../../lib/votes.ts'
import type { Ballot, VoteAction, VoteRequest, VoteResult } from '../../lib/votes.ts'
import { Identifier } from '../../parts/identifier.tsx'
import { Price } from '../../parts/money.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { contractId, Listing } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

const MOST_RESULTS = 10

export function Votes(): ReactNode {
  const open = scan.useQuery('listDsoRulesVoteRequests')
  const { data: dso } = scan.useQuery('getDsoInfo', {}, { refetchInterval: 15_000 })
  const voters = votersOf(dso?.dso_rules.contract.payload)
  return (
    <Stack gap="xl">
      <Section title={t('Open votes')}>
        {dso === undefined ? null : (
          <Text size="sm" c="dimmed">
            {rich('A vote is decided when {0} of {1} agree.', dso.voting_threshold, voters.length)}
          </Text>
        )}
        <Loaded query={open}>
          {({ dso_rules_vote_requests: requests }) =>
            requests.length === 0 ? (
              <Empty>
                {t('No vote is open. One appears here when a super validator requests it.')}
              </Empty>
            ) : (
              requests.map(({ contract_id: id, payload }) => (
                <OpenVote key={id} request={voteRequestOf(payload, voters)} />
              ))
            )
          }
        </Loaded>
      </Section>
      <Section title={t('Results')}>
        <Counts />
        <Results />
      </Section>
      <Section title={t('Coin price')}>
        <Prices />
      </Section>
    </Stack>
  )
}

function OpenVote({ request }: { readonly request: VoteRequest }): ReactNode {
  const { action, requester, voteBefore, ballots } = request
  return (
    <Card withBorder component="article" aria-label={`${action.text} ${action.about}`}>
      <Stack gap="xs">
        <Text fw={500} component="div">
          <Action of={action} />
        </Text>
        <Why request={request} />
        <Text size="sm" component="div">
          {rich(
            'Requested by {0}, open until {1} {2}',
            requester,
            <When at={voteBefore} />,
            <TimeLeft until={voteBefore} />,
          )}
        </Text>
        <Group gap="xs">
          {ballots.map((ballot) => (
            <OneBallot key={ballot.voter} ballot={ballot} />
          ))}
        </Group>
      </Stack>
    </Card>
  )
}

function Action({ of: { text, about } }: { readonly of: VoteAction }): ReactNode {
  return about === '' ? (
    text
  ) : (
    <>
      {text} <Identifier of={about} label={t('what it is about: {0}', text)} />
    </>
  )
}

function Why({ request: { reason, reasonUrl } }: { readonly request: VoteRequest }): ReactNode {
  const isSafe = /^https?:\/\//u.test(reasonUrl)
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {reason}{' '}
      {isSafe ? (
        <Anchor href={reasonUrl} target="_blank" rel="noreferrer noopener">
          {reasonUrl}
        </Anchor>
      ) : (
        reasonUrl
      )}
    </Text>
  )
}

function OneBallot({ ballot: { voter, accepts, reason } }: { readonly ballot: Ballot }): ReactNode {
  const [color, text] =
    accepts === undefined
      ? (['gray', t('not yet')] as const)
      : accepts
        ? (['teal', 'accepts'] as const)
        : (['red', 'rejects'] as const)
  return (
    <Badge variant="light" color={color} tt="none" title={reason}>
      {voter}: {text}
    </Badge>
  )
}

function Counts(): ReactNode {
  const all = scan.useQuery('countVoteRequestResults', { body: {} }).data?.count
  const accepted = scan.useQuery('countVoteRequestResults', { body: { accepted: true } }).data
    ?.count
  if (all === undefined || accepted === undefined) return null
  return (
    <Text size="sm">{rich('{0} ended, {1} of them accepted.', String(all), String(accepted))}</Text>
  )
}

function Results(): ReactNode {
  const results = scan.useQuery('listVoteRequestResults', { body: { limit: MOST_RESULTS } })
  return (
    <Listing
      query={results}
      of={({ dso_rules_vote_results: ended }) => ended.map(voteResultOf)}
      empty={t('No vote has ended yet.')}
      label={t('Results of votes')}
      keyOf={({ completedAt, action }) => `${completedAt} ${action.text} ${action.about}`}
      columns={RESULTS}
    />
  )
}

const RESULTS: readonly Column<VoteResult>[] = [
  { title: t('Action'), of: ({ action }) => <Action of={action} /> },
  { title: t('Requested by'), of: ({ requester }) => requester },
  { title: t('Outcome'), of: ({ outcome }) => outcome },
  {
    title: t('Accepted by'),
    of: ({ ballots }) =>
      ballots
        .filter(({ accepts }) => accepts === true)
        .map(({ voter }) => voter)
        .join(', ') || 'nobody',
  },
  { title: t('Ended'), of: ({ completedAt }) => <When at={completedAt} /> },
]

type PriceVote = scan.Data<'listCoinPriceVotes'>['coin_price_votes'][number]

function Prices(): ReactNode {
  const votes = scan.useQuery('listCoinPriceVotes')
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('Each super validator votes on the price of a coin. A new round takes the median.')}
      </Text>
      <Listing
        query={votes}
        of={({ coin_price_votes: all }) => all}
        label={t('Votes for the price')}
        keyOf={contractId}
        columns={PRICES}
      />
    </Stack>
  )
}

const PRICES: readonly Column<PriceVote>[] = [
  {
    title: t('Super validator'),
    of: ({ payload }) => <PartyName of={textAt(payload, 'sv')} label={t('the super validator')} />,
  },
  { title: t('Price'), of: ({ payload }) => <Price of={textAt(payload, 'coinPrice')} /> },
  { title: t('Since'), of: ({ payload }) => <When at={textAt(payload, 'lastUpdatedAt')} /> },
]
