// What became of the traffic that was asked for.
import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { BuyTrafficRequestStatus } from '../../../../../../generated/validator/types.gen.ts'
import { isRefusal, problemText } from '../../lib/problem.ts'
import { LIVE_MS } from '../../lib/query-client.ts'
import { shownBytes } from '../../lib/traffic.ts'
import type { TrafficRequest } from '../../lib/traffic-requests.ts'
import { validator } from '../../lib/wallet.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'

interface Props {
  readonly requests: readonly TrafficRequest[]
  readonly onAdd: (request: TrafficRequest) => void
  readonly onForget: (trackingId: string) => void
}

const NOTHING =
  'Nothing was asked for from this browser. A request made elsewhere is found by its tracking id.'

export function TrafficRequests({ requests, onAdd, onForget }: Props): ReactNode {
  const columns: readonly Column<TrafficRequest>[] = [
    {
      title: 'Asked for',
      of: ({ at, bytes }) => (
        <>
          {bytes === '' ? '' : `${shownBytes(BigInt(bytes))}, `}
          <When at={at} />
        </>
      ),
    },
    {
      title: 'For',
      of: ({ receiver }) => (receiver === '' ? '–' : <Identifier of={receiver} label="party" />),
    },
    {
      title: 'Tracking id',
      of: ({ trackingId }) => <Identifier of={trackingId} label="tracking id" />,
    },
    { title: 'Status', of: ({ trackingId }) => <Status trackingId={trackingId} /> },
    {
      title: 'Actions',
      isActions: true,
      of: ({ trackingId }) => (
        <Button size="compact-sm" variant="default" onClick={() => onForget(trackingId)}>
          Take off the list
        </Button>
      ),
    },
  ]
  return (
    <Section title="Your requests">
      {requests.length === 0 ? (
        <Empty>{NOTHING}</Empty>
      ) : (
        <DataTable
          label="Traffic requests"
          items={requests}
          keyOf={({ trackingId }) => trackingId}
          columns={columns}
        />
      )}
      <LookUp onAdd={onAdd} />
    </Section>
  )
}

function LookUp({ onAdd }: Pick<Props, 'onAdd'>): ReactNode {
  const [text, setText] = useState('')
  const add = (): void => {
    onAdd({ trackingId: text.trim(), bytes: '', receiver: '', at: new Date().toISOString() })
    setText('')
  }
  return (
    <Group
      component="form"
      align="end"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <TextInput
        label="Tracking id of another request"
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''}>
        Show its status
      </Button>
    </Group>
  )
}

function Status({ trackingId }: { readonly trackingId: string }): ReactNode {
  const { data, error } = validator.useQuery(
    'getBuyTrafficRequestStatus',
    { path: { tracking_id: trackingId } },
    {
      // What has ended stays so.
      refetchInterval: ({ state }) =>
        state.data === undefined || state.data.status === 'created' ? LIVE_MS : false,
    },
  )
  if (data !== undefined) return <Told status={data} />
  if (error === null)
    return (
      <Text size="sm" c="dimmed">
        asking…
      </Text>
    )
  const isUnknown = isRefusal(error) && error.status === 404
  return (
    <Text size="sm" c="red">
      {isUnknown
        ? 'The server knows no such request of yours: nothing was bought by it.'
        : problemText(error)}
    </Text>
  )
}

function Told({ status }: { readonly status: BuyTrafficRequestStatus }): ReactNode {
  if (status.status === 'created')
    return (
      <>
        <Badge color="yellow" variant="light">
          waiting
        </Badge>{' '}
        <Text span size="sm">
          your wallet buys it in a moment
        </Text>
      </>
    )
  if (status.status === 'completed') {
    return (
      <>
        <Badge color="teal" variant="light">
          bought
        </Badge>{' '}
        <Identifier of={status.transaction_id} label="update id" />
      </>
    )
  }
  const reason =
    status.failure_reason === 'expired'
      ? 'it could not be bought in time'
      : (status.rejection_reason ?? 'it was refused')
  return (
    <>
      <Badge color="red" variant="light">
        not bought
      </Badge>{' '}
      <Text span size="sm">
        {reason}
      </Text>
    </>
  )
}
