// Buying traffic: for whom, how much, what it costs now. One key for one purchase, so that a second
// try is not a second purchase.
import {
  Button,
  Card,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { asDollars, parseAmount, shownAmount } from '../../lib/amount.ts'
import { useRate } from '../../lib/facts.ts'
import { useLater } from '../../lib/ledger-time.ts'
import { t } from '../../lib/language.ts'
import { isPartyId, nameOf } from '../../lib/party.ts'
import { isConfirmed } from '../../lib/preferences.ts'
import { isUncertain } from '../../lib/problem.ts'
import { useRules } from '../../lib/rules.ts'
import type { Rules } from '../../lib/rules.ts'
import { useSameRequest } from '../../lib/same-request.ts'
import { useStanding } from '../../lib/standing.ts'
import type { Standing } from '../../lib/standing.ts'
import { bytesOf, shownBytes, trafficCost } from '../../lib/traffic.ts'
import type { Cost, Unit } from '../../lib/traffic.ts'
import type { TrafficRequest } from '../../lib/traffic-requests.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { Outcome, useAction } from '../../parts/action.tsx'
import type { Action } from '../../parts/action.tsx'
import { LastQuestion } from '../../parts/last-question.tsx'
import { Coin } from '../../parts/money.tsx'
import { Section } from '../../parts/page.tsx'
import { rich } from '../../parts/rich.tsx'

interface Props {
  readonly keep: (request: TrafficRequest) => void
  readonly forget: (trackingId: string) => void
}

interface Form {
  /** Undefined: this validator's operator. */
  readonly receiver: string | undefined
  readonly amount: string
  readonly unit: Unit
  /** Milliseconds within which it has to be bought. */
  readonly within: string
}

const HOUR = 3_600_000
const WITHIN = [
  { value: String(HOUR / 6), label: t('10 minutes') },
  { value: String(HOUR), label: t('1 hour') },
  { value: String(HOUR * 24), label: t('1 day') },
]
const UNIT_NAMES = [
  { value: 'MB', label: 'MB' },
  { value: 'kB', label: 'kB' },
  { value: 'bytes', label: t('bytes') },
]

export function BuyTraffic({ keep, forget }: Props): ReactNode {
  const [form, setForm] = useState<Form>({
    receiver: undefined,
    amount: '1',
    unit: 'MB',
    within: String(HOUR),
  })
  const rules = useRules()
  const operator =
    validator.useQuery('getValidatorUserInfo', {}, { refetchInterval: false }).data?.party_id ?? ''
  const receiver = form.receiver ?? operator
  const whom = useServed(receiver, operator)
  const bytes = bytesOf(form.amount, form.unit)
  const action = usePurchase({ keep, forget, receiver, bytes, within: Number(form.within), rules })
  const cost = useCost(bytes, rules)
  const [isAsking, setIsAsking] = useState(false)
  const change = (part: Partial<Form>): void => {
    action.reset()
    setForm({ ...form, ...part })
  }
  return (
    <Section title={t('Buy traffic')}>
      <Card withBorder maw={760}>
        <Stack
          component="form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isLocked(action) && (whom?.isFirst !== false || isConfirmed(cost?.usd)))
              setIsAsking(true)
            else action.run()
          }}
        >
          <Fields
            form={form}
            receiver={receiver}
            rules={rules}
            bytes={bytes}
            isLocked={isLocked(action)}
            onChange={change}
          />
          {cost === undefined ? null : <CostLine cost={cost} rules={rules} />}
          <Submit action={action} blocked={blockedBy(receiver, bytes, rules)} />
        </Stack>
        {isAsking && cost !== undefined && bytes !== undefined && whom !== undefined ? (
          <Question
            cost={cost}
            bytes={bytes}
            whom={whom}
            onNo={() => setIsAsking(false)}
            onYes={() => {
              setIsAsking(false)
              action.run()
            }}
          />
        ) : null}
      </Card>
    </Section>
  )
}

/** The party that the traffic is for: the operator here cannot be mistaken for another. */
function useServed(receiver: string, operator: string): Standing | undefined {
  const standing = useStanding(isPartyId(receiver) ? receiver : '')
  return receiver === operator
    ? { party: operator, isFirst: false, isNear: true, alike: [] }
    : standing
}

/** Whether only the same can be tried again, because it may have been done. */
function isLocked({ state }: Action): boolean {
  return state.kind === 'pending' || (state.kind === 'failed' && state.isOpen)
}

interface Purchase extends Props {
  readonly receiver: string
  readonly bytes: bigint | undefined
  readonly within: number
  readonly rules: Rules | undefined
}

function usePurchase({ keep, forget, receiver, bytes, within, rules }: Purchase): Action {
  const create = validator.useMutation('createBuyTrafficRequest')
  const later = useLater()
  const sameRequest = useSameRequest<Parameters<typeof create.mutateAsync>[0]['body']>()
  return useAction(async (trackingId) => {
    if (bytes === undefined || rules === undefined) return
    // Kept before it is sent: where no answer comes, its status tells whether it arrived.
    keep({ trackingId, bytes: String(bytes), receiver, at: new Date().toISOString() })
    try {
      await sameRequest(
        trackingId,
        () => ({
          receiving_validator_party_id: receiver,
          domain_id: rules.synchronizer,
          traffic_amount: bytes,
          tracking_id: trackingId,
          expires_at: later(within),
        }),
        (body) => create.mutateAsync({ body }),
      )
    } catch (error) {
      if (!isUncertain(error)) forget(trackingId)
      throw error
    }
  })
}

interface FieldsProps {
  readonly form: Form
  readonly receiver: string
  readonly rules: Rules | undefined
  readonly bytes: bigint | undefined
  readonly isLocked: boolean
  readonly onChange: (part: Partial<Form>) => void
}

function Fields({
  form,
  receiver,
  rules,
  bytes,
  isLocked: disabled,
  onChange,
}: FieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label={t('For the validator that hosts this party')}
        description={t('This validator, unless you change it.')}
        value={receiver}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => onChange({ receiver: value.trim() })}
        error={
          receiver === '' || isPartyId(receiver) ? undefined : t('This is not a whole party id.')
        }
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          label={t('Amount')}
          inputMode="decimal"
          value={form.amount}
          disabled={disabled}
          error={faultOf(form.amount, bytes, rules)}
          onChange={({ currentTarget: { value } }) => onChange({ amount: value })}
        />
        <NativeSelect
          label={t('Unit')}
          data={UNIT_NAMES}
          value={form.unit}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) => onChange({ unit: unitOf(value) })}
        />
        <NativeSelect
          label={t('Give up after')}
          data={WITHIN}
          value={form.within}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) => onChange({ within: value })}
        />
      </SimpleGrid>
    </>
  )
}

function unitOf(text: string): Unit {
  return text === 'kB' || text === 'bytes' ? text : 'MB'
}

function faultOf(
  text: string,
  bytes: bigint | undefined,
  rules: Rules | undefined,
): string | undefined {
  if (text.trim() === '') return undefined
  if (bytes === undefined) return t('Not a whole number of bytes.')
  return rules !== undefined && bytes < rules.minimumTraffic
    ? t('At least {0}.', shownBytes(rules.minimumTraffic))
    : undefined
}

/** The cost now; undefined until the prices are known. */
function useCost(bytes: bigint | undefined, rules: Rules | undefined): Cost | undefined {
  const rate = useRate()
  if (bytes === undefined || rules === undefined || rate === undefined) return undefined
  return trafficCost(bytes, rules.trafficPrice, rate)
}

interface QuestionProps {
  readonly cost: Cost
  readonly bytes: bigint
  readonly whom: Standing
  readonly onYes: () => void
  readonly onNo: () => void
}

function Question({ cost, bytes, whom, onYes, onNo }: QuestionProps): ReactNode {
  const { coin } = useWallet().configuration
  const price = `${shownAmount(cost.coin)} ${coin}`
  return (
    <LastQuestion
      title={t('Buy this traffic?')}
      confirm={t('Pay {0}', price)}
      whom={whom}
      onYes={onYes}
      onNo={onNo}
    >
      {rich(
        'You pay about {0} ({1}) for {2} of traffic for the validator of {3}. This cannot be undone.',
        price,
        usdText(cost.usd),
        shownBytes(bytes),
        <Text span ff="monospace">
          {nameOf(whom.party)}
        </Text>,
      )}
    </LastQuestion>
  )
}

interface CostProps {
  readonly cost: Cost
  readonly rules: Rules | undefined
}

function CostLine({ cost, rules }: CostProps): ReactNode {
  const available = parseAmount(validator.useQuery('getBalance').data?.effective_unlocked_qty ?? '')
  const isShort = available !== undefined && available < cost.coin
  return (
    <div>
      <Text>
        {rich(
          'Costs {0} ({1}), at {2} a MB and the current price.',
          <Coin of={cost.coin} fw={600} />,
          usdText(cost.usd),
          usdText(rules?.trafficPrice ?? 0n),
        )}
      </Text>
      {available === undefined ? null : (
        <Text size="sm" c="dimmed">
          {rich('You have {0} available.', <Coin of={available} />)}
        </Text>
      )}
      {isShort ? (
        <Text size="sm" c="red" role="status">
          {t('You do not have enough coin. The request fails unless more arrives first.')}
        </Text>
      ) : null}
    </div>
  )
}

/** Dollars exactly as far as cents, or with the fraction where there is one. */
function usdText(usd: bigint): string {
  return asDollars(shownAmount(usd))
}

function blockedBy(
  receiver: string,
  bytes: bigint | undefined,
  rules: Rules | undefined,
): string | undefined {
  if (!isPartyId(receiver)) return t('Name a party of the validator.')
  if (bytes === undefined) return t('Enter an amount.')
  if (rules === undefined) return t('The prices are not known yet.')
  return bytes < rules.minimumTraffic
    ? t('The network sells at least {0} at once.', shownBytes(rules.minimumTraffic))
    : undefined
}

function Submit({
  action,
  blocked,
}: {
  readonly action: Action
  readonly blocked: string | undefined
}): ReactNode {
  const { kind } = action.state
  return (
    <Group>
      <Button type="submit" loading={kind === 'pending'} disabled={blocked !== undefined}>
        {kind === 'failed' ? t('Try again') : t('Buy traffic')}
      </Button>
      {blocked === undefined ? null : (
        <Text size="sm" c="dimmed">
          {blocked}
        </Text>
      )}
      <Outcome state={action.state} done={t('Requested. Its status is below.')} />
    </Group>
  )
}
