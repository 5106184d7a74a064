// The traffic of a member of the network: used, allowed, bought; and the rule by which this
// validator buys its own.
import { Card, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { MemberTrafficStatus } from '../../../../../../generated/scan/types.gen.ts'
import { leftOf } from '../../lib/own-traffic.ts'
import { isPartyId } from '../../lib/party.ts'
import { t } from '../../lib/language.ts'
import { isRefusal } from '../../lib/problem.ts'
import { useRights } from '../../lib/rights.ts'
import { useRules } from '../../lib/rules.ts'
import { allBytes, shownBytes } from '../../lib/traffic.ts'
import { scan, validator } from '../../lib/wallet.tsx'
import { Figure, Figures } from '../../parts/figure.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { rich } from '../../parts/rich.tsx'
import { Share } from '../../parts/share.tsx'
import { When } from '../../parts/when.tsx'

/** Traffic of the validator that serves this page. */
export function OwnTraffic(): ReactNode {
  const { data } = validator.useQuery('getValidatorUserInfo', {}, { refetchInterval: false })
  return (
    <Section title={t('This validator')}>
      {data === undefined ? null : <PartysTraffic party={data.party_id} />}
      <TopUpRule />
    </Section>
  )
}

/** Traffic of any member. */
export function AnotherMember(): ReactNode {
  const [text, setText] = useState('')
  const isMember = /^(?:PAR|MED)::.+::.+$/u.test(text)
  return (
    <Section isCard title={t('Another validator')}>
      <TextInput
        label={t('Party or member id')}
        description={t(
          'A party stands for the validator that hosts it; a member id begins with PAR:: or MED::.',
        )}
        maw={760}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value.trim())}
        error={
          text === '' || isMember || isPartyId(text)
            ? undefined
            : t('This is neither a party id nor a member id.')
        }
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
    return <Empty>{t('No validator of the network hosts this party.')}</Empty>
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
    return <Empty>{t('The network has no member with this id.')}</Empty>
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
    onItsWay === 0n
      ? t('all of it is credited')
      : t('{0} will be credited in a moment', shownBytes(onItsWay))
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Identifier of={member} label={t('member id')} />
        <Figures>
          <Size label={t('Used')} of={used} />
          <Size label={t('Left')} of={left} hint={t('of {0} allowed', shownBytes(limit))} />
          <Size label={t('Bought in all')} of={target.total_purchased} hint={hint} />
        </Figures>
        <Share
          percent={percent}
          label={t('{0}% of the allowed traffic is left', percent)}
          isLow={percent < 10}
        />
        <Text size="sm" c="dimmed">
          {t('In addition, every member can always send a little traffic for free.')}
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
      <Text fw={700} size="lg" title={allBytes(of)}>
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
      {t(
        'Automatic top-up: if the operator has set a target throughput, the validator buys traffic from the operator’s wallet whenever it runs low.',
      )}{' '}
      {isOperator ? <TopUpState /> : t('Only the operator sees the settings.')}
    </Text>
  )
}

function TopUpState(): ReactNode {
  const topup = validator
    .useQuery('listAutomations')
    .data?.automations.find(({ name }) => name === 'topup')
  if (topup === undefined) return t('No such automation runs on this server.')
  const { state, last_run: lastRun, last_error: lastError } = topup
  return (
    <>
      {state === 'paused'
        ? t('The automation “topup” is paused.')
        : t('The automation “topup” is on.')}{' '}
      {lastRun === undefined ? null : rich('It last ran on {0}.', <When at={lastRun} />)}{' '}
      {lastError === undefined ? null : t('Its last error: {0}.', lastError)}{' '}
      {t(
        'The target is in the server’s configuration (targetThroughput, minTopupInterval); unless set, it is 0, which buys nothing.',
      )}
    </>
  )
}
