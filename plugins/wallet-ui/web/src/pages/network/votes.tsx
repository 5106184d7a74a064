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
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'

const MOST_RESULTS = 10

export function Votes(): ReactNode {
  const open = scan.useQuery('listDsoRulesVoteRequests')
  const { data: dso } = scan.useQuery('getDsoInfo', {}, { refetchInterval: 15_000 })
  const voters = votersOf(dso?.dso_rules.contract.payload)
  return (
    <Stack gap="xl">
      <Section title="Open votes">
        {dso === undefined ? null : (
          <Text size="sm" c="dimmed">
            A vote is decided when {dso.voting_threshold} of {voters.length} agree.
          </Text>
        )}
        <Loaded query={open}>
          {({ dso_rules_vote_requests: requests }) =>
            requests.length === 0 ? (
              <Empty>No vote is open. One shows here when a super validator asks for it.</Empty>
            ) : (
              requests.map(({ contract_id: id, payload }) => (
                <OpenVote key={id} request={voteRequestOf(payload, voters)} />
              ))
            )
          }
        </Loaded>
      </Section>
      <Section title="Results">
        <Counts />
        <Results />
      </Section>
      <Section title="Price of a coin">
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
          Asked for by {requester}; until <When at={voteBefore} /> <TimeLeft until={voteBefore} />
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
      {text} <Identifier of={about} label={`what it is about: ${text}`} />
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
      ? (['gray', 'not yet'] as const)
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
    <Text size="sm">
      {String(all)} ended, {String(accepted)} of them accepted.
    </Text>
  )
}

function Results(): ReactNode {
  const results = scan.useQuery('listVoteRequestResults', { body: { limit: MOST_RESULTS } })
  return (
    <Loaded query={results}>
      {({ dso_rules_vote_results: ended }) =>
        ended.length === 0 ? (
          <Empty>No vote has ended yet.</Empty>
        ) : (
          <DataTable
            label="Results of votes"
            items={ended.map(voteResultOf)}
            keyOf={({ completedAt, action }) => `${completedAt} ${action.text} ${action.about}`}
            columns={RESULTS}
          />
        )
      }
    </Loaded>
  )
}

const RESULTS: readonly Column<VoteResult>[] = [
  { title: 'Action', of: ({ action }) => <Action of={action} /> },
  { title: 'Asked for by', of: ({ requester }) => requester },
  { title: 'Outcome', of: ({ outcome }) => outcome },
  {
    title: 'Accepted by',
    of: ({ ballots }) =>
      ballots
        .filter(({ accepts }) => accepts === true)
        .map(({ voter }) => voter)
        .join(', ') || 'nobody',
  },
  { title: 'Ended', of: ({ completedAt }) => <When at={completedAt} /> },
]

type PriceVote = scan.Data<'listCoinPriceVotes'>['coin_price_votes'][number]

function Prices(): ReactNode {
  const votes = scan.useQuery('listCoinPriceVotes')
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Each super validator says what a coin should cost. A round that is made takes the median.
      </Text>
      <Loaded query={votes}>
        {({ coin_price_votes: all }) => (
          <DataTable
            label="Votes for the price"
            items={all}
            keyOf={({ contract_id: id }) => id}
            columns={PRICES}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const PRICES: readonly Column<PriceVote>[] = [
  {
    title: 'Super validator',
    of: ({ payload }) => <PartyName of={textAt(payload, 'sv')} label="the super validator" />,
  },
  { title: 'Price', of: ({ payload }) => <Price of={textAt(payload, 'coinPrice')} /> },
  { title: 'Since', of: ({ payload }) => <When at={textAt(payload, 'lastUpdatedAt')} /> },
]
