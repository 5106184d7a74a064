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
import { t } from '../../lib/language.ts'

interface Props {
  readonly requests: readonly TrafficRequest[]
  readonly onAdd: (request: TrafficRequest) => void
  readonly onForget: (trackingId: string) => void
}

const NOTHING = t(
  'No requests from this browser. Find a request made elsewhere by its tracking id.',
)

export function TrafficRequests({ requests, onAdd, onForget }: Props): ReactNode {
  const columns: readonly Column<TrafficRequest>[] = [
    {
      title: t('Asked for'),
      of: ({ at, bytes }) => (
        <>
          {bytes === '' ? '' : `${shownBytes(BigInt(bytes))}, `}
          <When at={at} />
        </>
      ),
    },
    {
      title: t('For'),
      of: ({ receiver }) =>
        receiver === '' ? '–' : <Identifier of={receiver} label={t('the party')} />,
    },
    {
      title: t('Tracking id'),
      of: ({ trackingId }) => <Identifier of={trackingId} label={t('tracking id')} />,
    },
    { title: t('Status'), of: ({ trackingId }) => <Status trackingId={trackingId} /> },
    {
      title: t('Actions'),
      isActions: true,
      of: ({ trackingId }) => (
        <Button size="compact-sm" variant="default" onClick={() => onForget(trackingId)}>
          {t('Remove from the list')}
        </Button>
      ),
    },
  ]
  return (
    <Section title={t('Your requests')}>
      {requests.length === 0 ? (
        <Empty>{NOTHING}</Empty>
      ) : (
        <DataTable
          label={t('Traffic requests')}
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
        label={t('Tracking id of another request')}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''}>
        {t('Show its status')}
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
        {t('asking…')}
      </Text>
    )
  const isUnknown = isRefusal(error) && error.status === 404
  return (
    <Text size="sm" c="red">
      {isUnknown
        ? t('You have no request with this id on the server. Nothing was bought.')
        : problemText(error)}
    </Text>
  )
}

function Told({ status }: { readonly status: BuyTrafficRequestStatus }): ReactNode {
  if (status.status === 'created')
    return (
      <>
        <Badge color="yellow" variant="light">
          {t('waiting')}
        </Badge>{' '}
        <Text span size="sm">
          {t('your wallet buys it in a moment')}
        </Text>
      </>
    )
  if (status.status === 'completed') {
    return (
      <>
        <Badge color="teal" variant="light">
          {t('bought')}
        </Badge>{' '}
        <Identifier of={status.transaction_id} label={t('update id')} />
      </>
    )
  }
  const reason =
    status.failure_reason === 'expired'
      ? t('not bought in time')
      : (status.rejection_reason ?? t('it was refused'))
  return (
    <>
      <Badge color="red" variant="light">
        {t('not bought')}
      </Badge>{' '}
      <Text span size="sm">
        {reason}
      </Text>
    </>
  )
}
