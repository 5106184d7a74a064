// The traffic of a member of the network: used, allowed, bought; and the rule by which this
// validator buys its own.
import { Card, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { MemberTrafficStatus } from '../../../../../../generated/scan/types.gen.ts'
import { leftOf } from '../../lib/own-traffic.ts'
import { isPartyId } from '../../lib/party.ts'
import { isRefusal } from '../../lib/problem.ts'
import { useRights } from '../../lib/rights.ts'
import { useRules } from '../../lib/rules.ts'
import { shownBytes } from '../../lib/traffic.ts'
import { scan, validator } from '../../lib/wallet.tsx'
import { Figure, Figures } from '../../parts/figure.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { When } from '../../parts/when.tsx'

/** Of the validator that serves this page. */
export function OwnTraffic(): ReactNode {
  const { data } = validator.useQuery('getValidatorUserInfo', {}, { refetchInterval: false })
  return (
    <Section title="This validator">
      {data === undefined ? null : <PartysTraffic party={data.party_id} />}
      <TopUpRule />
    </Section>
  )
}

/** Of whichever member one names. */
export function AnotherMember(): ReactNode {
  const [text, setText] = useState('')
  const isMember = /^(?:PAR|MED)::.+::.+$/u.test(text)
  return (
    <Section title="Another validator">
      <TextInput
        label="Party or member id"
        description="A party stands for the validator that hosts it; a member id begins with PAR:: or MED::."
        maw={760}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value.trim())}
        error={text === '' || isMember || isPartyId(text) ? undefined : 'This is neither.'}
      />
      {isMember ? (
        <MembersTraffic member={text} />
      ) : isPartyId(text) ? (
        <PartysTraffic party={text} />
      ) : null}
    </Section>
  )
}

function PartysTraffic({ party }: { readonly party: string }): ReactNode {
  const synchronizer = useRules()?.synchronizer ?? ''
  const host = scan.useQuery(
    'getPartyToParticipant',
    { path: { domain_id: synchronizer, party_id: party } },
    { enabled: synchronizer !== '' },
  )
  if (isRefusal(host.error) && host.error.status === 404)
    return <Empty>No validator of the network hosts this party.</Empty>
  return (
    <Loaded query={host}>
      {({ participant_id: member }) => <MembersTraffic member={member} />}
    </Loaded>
  )
}

function MembersTraffic({ member }: { readonly member: string }): ReactNode {
  const synchronizer = useRules()?.synchronizer ?? ''
  const status = scan.useQuery(
    'getMemberTrafficStatus',
    { path: { domain_id: synchronizer, member_id: member } },
    { enabled: synchronizer !== '' },
  )
  if (isRefusal(status.error) && status.error.status === 404)
    return <Empty>The network knows no such member.</Empty>
  return (
    <Loaded query={status}>
      {({ traffic_status: told }) => <Bars member={member} told={told} />}
    </Loaded>
  )
}

function Bars({
  member,
  told: { actual, target },
}: {
  readonly member: string
  readonly told: MemberTrafficStatus
}): ReactNode {
  const { total_consumed: used, total_limit: limit } = actual
  const left = leftOf({ actual, target })
  // A share of a thousand, which is small enough for a number.
  const percent = limit === 0n ? 0 : Number((left * 1_000n) / limit) / 10
  const onItsWay = target.total_purchased > limit ? target.total_purchased - limit : 0n
  const hint =
    onItsWay === 0n ? 'all of it counts' : `${shownBytes(onItsWay)} will count in a moment`
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Identifier of={member} label="member id" />
        <Figures>
          <Size label="Used" of={used} />
          <Size label="Left" of={left} hint={`of ${shownBytes(limit)} allowed`} />
          <Size label="Bought in all" of={target.total_purchased} hint={hint} />
        </Figures>
        <Progress
          value={percent}
          aria-label={`${percent} % of the allowed traffic is left`}
          color={percent < 10 ? 'red' : 'brand'}
        />
        <Text size="sm" c="dimmed">
          Besides, every member may send a little for nothing all the time.
        </Text>
      </Stack>
    </Card>
  )
}

function Size({
  label,
  of,
  hint,
}: {
  readonly label: string
  readonly of: bigint
  readonly hint?: string
}): ReactNode {
  return (
    <Figure label={label} hint={hint}>
      <Text fw={700} size="lg" title={`${of} bytes`}>
        {shownBytes(of)}
      </Text>
    </Figure>
  )
}

/** No interface tells the target itself; operators see how the automation fares. */
function TopUpRule(): ReactNode {
  const { isOperator } = useRights()
  return (
    <Text size="sm" maw={760}>
      Top-up rule: where the operator has set a target throughput, the validator buys traffic by
      itself from the operator’s wallet whenever less is left than one purchase brings, and not more
      often than set. {isOperator ? <TopUpState /> : 'What is set is the operator’s to see.'}
    </Text>
  )
}

function TopUpState(): ReactNode {
  const topup = validator
    .useQuery('listAutomations')
    .data?.automations.find(({ name }) => name === 'topup')
  if (topup === undefined) return 'On this server no such automation runs.'
  return (
    <>
      The automation “topup” is {topup.state === 'paused' ? 'paused' : 'on'}
      {topup.last_run === undefined ? (
        ''
      ) : (
        <>
          ; it looked last on <When at={topup.last_run} />
        </>
      )}
      {topup.last_error === undefined ? '.' : `; its last error: ${topup.last_error}`} The target
      stands in the server’s configuration (targetThroughput, minTopupInterval); it is 0, which buys
      nothing, unless set.
    </>
  )
}
