// The form of a payment. It has one key from the first click to success, so it pays once however
// often it is sent off; and while it is not known whether it has paid, it cannot be changed into
// another payment under the same key.
import {
  Alert,
  Anchor,
  Button,
  Card,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { parseAmount, plainAmount, shownAmount, typedAmount, worthOf } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { useRate } from '../lib/facts.ts'
import { t } from '../lib/language.ts'
import { isConfirmed } from '../lib/preferences.ts'
import { useKnownParties, useReceiver } from '../lib/receivers.ts'
import type { Receiver } from '../lib/receivers.ts'
import { amountFault, EXPIRIES, expiryOf, kindFor, MOST_LETTERS } from '../lib/sending.ts'
import type { Kind, Payment } from '../lib/sending.ts'
import { useSend } from '../lib/use-send.ts'
import { useWallet, validator } from '../lib/wallet.tsx'
import { useAction } from './action.tsx'
import type { Action } from './action.tsx'
import { AmountFields } from './amount-fields.tsx'
import type { AmountText } from './amount-fields.tsx'
import { KindCards } from './kind-cards.tsx'
import { LastQuestion } from './last-question.tsx'
import { Coin } from './money.tsx'
import { ReceiverField } from './receiver-field.tsx'
import { PaymentWords } from './payment-words.tsx'
import type { Sent } from './sent-panel.tsx'
import { rich } from './rich.tsx'

interface Typed {
  readonly to: string
  readonly amount: AmountText
  /** Undefined until the person chooses. */
  readonly kind: Kind | undefined
  readonly expiry: string
  readonly description: string
}

const NOTHING: Typed = {
  to: '',
  amount: { coin: '' },
  kind: undefined,
  expiry: t('10 days'),
  description: '',
}

/** A payment link, `/send?to=<party>&amount=12.5&description=<text>`, fills the form in. */
function linked(search: string): Typed {
  const link = new URLSearchParams(search)
  const amount = parseAmount(link.get('amount') ?? '')
  return {
    ...NOTHING,
    to: link.get('to') ?? '',
    amount: { coin: amount === undefined ? '' : plainAmount(amount) },
    description: (link.get('description') ?? '').slice(0, MOST_LETTERS),
  }
}

/** Begins with what a payment link asks for, if one was opened. */
export function SendForm({ onSent }: { readonly onSent: (sent: Sent) => void }): ReactNode {
  const search = useSearch()
  const [typed, setTyped] = useState<Typed>(() => linked(search))
  const [asked, setAsked] = useState<Payment>()
  const rate = useRate()
  // What was agreed to is sent, whatever the fields have come to in the meantime.
  const agreed = useRef<Payment>(undefined)
  const send = useSend()
  const written = useDraft(typed)
  const action = useAction(async (key) => {
    const { current: payment } = agreed
    if (payment !== undefined) onSent({ payment, state: await send(payment, key) })
  })
  const pay = (payment: Payment): void => {
    setAsked(undefined)
    agreed.current = payment
    action.run()
  }
  const { state } = action
  const isFrozen = state.kind === 'pending' || (state.kind === 'failed' && state.isOpen)
  const draft =
    isFrozen && agreed.current !== undefined ? asAttempted(written, agreed.current) : written
  const change = (part: Partial<Typed>): void => {
    setTyped((before) => ({ ...before, ...part }))
    // What was refused and is changed now is another payment.
    if (state.kind === 'failed') action.reset()
  }
  return (
    <Card withBorder maw={640} p="lg">
      <form
        aria-label={t('Payment')}
        onSubmit={(event) => {
          event.preventDefault()
          const { payment } = draft
          if (payment === undefined) return
          if (isFrozen || !needsConfirming(payment, rate)) pay(payment)
          else setAsked(payment)
        }}
      >
        <Stack>
          <Fields typed={typed} draft={draft} change={change} isFrozen={isFrozen} />
          <Ending draft={draft} action={action} />
        </Stack>
      </form>
      {asked === undefined ? null : (
        <Question payment={asked} onNo={() => setAsked(undefined)} onYes={() => pay(asked)} />
      )}
    </Card>
  )
}

/** A party that was never paid is compared first; else only what arrives at once is asked about. */
function needsConfirming({ kind, whom, amount }: Payment, rate: Amount | undefined): boolean {
  const worth = rate === undefined ? undefined : worthOf(amount, rate)
  return whom.isFirst || (kind === 'one-step' && isConfirmed(worth))
}

interface QuestionProps {
  readonly payment: Payment
  readonly onYes: () => void
  readonly onNo: () => void
}

function Question({ payment, onYes, onNo }: QuestionProps): ReactNode {
  const { coin } = useWallet().configuration
  return (
    <LastQuestion
      title={t('Send this payment?')}
      confirm={t('Send {0}', `${shownAmount(payment.amount)} ${coin}`)}
      whom={payment.whom}
      onYes={onYes}
      onNo={onNo}
    >
      <PaymentWords of={payment} />
    </LastQuestion>
  )
}

interface Draft {
  readonly known: readonly string[]
  readonly receiver: Receiver
  readonly ways: { readonly isPreapproved: boolean; readonly hasTwoSteps: boolean }
  readonly kind: Kind
  readonly hasDescription: boolean
  readonly available: bigint | undefined
  readonly amountFault: string | undefined
  /** The reason why it cannot be sent yet; undefined if `payment` exists. */
  readonly fault: string | undefined
  readonly payment: Payment | undefined
}

/**
 * What comes in meanwhile (a balance that has paid, a preapproval that ended) must not make another
 * payment of the one under way.
 */
function asAttempted(draft: Draft, payment: Payment): Draft {
  return { ...draft, kind: payment.kind, payment, fault: undefined, amountFault: undefined }
}

/** The payment that the fields amount to. */
function useDraft(typed: Typed): Draft {
  const { coin } = useWallet().configuration
  const known = useKnownParties(typed.to)
  const receiver = useReceiver(typed.to)
  const features = validator.useQuery(
    'featureSupport',
    {},
    { refetchInterval: false, staleTime: 60_000 },
  )
  const balance = validator.useQuery('getBalance')
  const available =
    balance.data === undefined ? undefined : parseAmount(balance.data.effective_unlocked_qty)
  const ways = {
    isPreapproved: receiver.kind === 'found' && receiver.isPreapproved,
    hasTwoSteps: features.data?.token_standard === true,
  }
  const kind = kindFor(typed.kind, ways)
  const hasDescription =
    kind !== 'one-step' || features.data?.transfer_preapproval_description === true
  const wrong = amountFault(typed.amount.coin, available, coin)
  const fault = receiverFault(receiver) ?? wrong
  const amount = typedAmount(typed.amount.coin)
  const payment =
    receiver.kind === 'found' && fault === undefined && amount !== undefined
      ? {
          kind,
          whom: receiver.standing,
          amount,
          description: hasDescription ? typed.description.normalize('NFC').trim() : '',
          expiry: expiryOf(typed.expiry),
        }
      : undefined
  return {
    known,
    receiver,
    ways,
    kind,
    hasDescription,
    available,
    amountFault: wrong,
    fault,
    payment,
  }
}

function receiverFault(receiver: Receiver): string | undefined {
  switch (receiver.kind) {
    case 'empty':
      return t('Choose a receiver.')
    case 'looking':
      return t('The receiver is being looked up.')
    case 'choice':
      return t('Choose whom you mean.')
    case 'unknown':
      return receiver.reason
    case 'found':
      return undefined
  }
}

interface FieldsProps {
  readonly typed: Typed
  readonly draft: Draft
  readonly change: (part: Partial<Typed>) => void
  readonly isFrozen: boolean
}

function Fields({ typed, draft, change, isFrozen }: FieldsProps): ReactNode {
  const { known, receiver, ways, kind, hasDescription, available, amountFault: wrong } = draft
  return (
    <>
      <ReceiverField
        text={typed.to}
        onText={(to) => change({ to })}
        known={known}
        receiver={receiver}
        disabled={isFrozen}
      />
      <Stack gap={4}>
        <AmountFields
          value={typed.amount}
          onChange={(amount) => change({ amount })}
          available={available}
          disabled={isFrozen}
          fault={typed.amount.coin === '' ? undefined : wrong}
        />
        <Text size="sm" c="dimmed">
          {rich('Available: {0}', <Coin of={available} />)}
        </Text>
      </Stack>
      <KindCards
        value={kind}
        onChange={(chosen) => change({ kind: chosen })}
        ways={ways}
        disabled={isFrozen}
      />
      {kind === 'one-step' ? null : (
        <NativeSelect
          label={t('Expires after')}
          data={EXPIRIES.map(({ label }) => label)}
          value={typed.expiry}
          disabled={isFrozen}
          onChange={(event) => change({ expiry: event.currentTarget.value })}
        />
      )}
      {hasDescription ? (
        <TextInput
          label={t('Description')}
          description={t('Optional; the receiver sees it')}
          maxLength={MOST_LETTERS}
          value={typed.description}
          disabled={isFrozen}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}

/** A text on what will happen, the button, and the outcome so far. */
function Ending({
  draft: { payment, fault },
  action,
}: {
  readonly draft: Draft
  readonly action: Action
}): ReactNode {
  const { state } = action
  const label =
    state.kind === 'failed' ? t('Try again') : payment?.kind === 'offer' ? t('Offer') : t('Send')
  return (
    <>
      {payment === undefined ? null : <Summary payment={payment} />}
      {state.kind === 'failed' ? (
        <Failed action={action} reason={state.reason} isOpen={state.isOpen} />
      ) : null}
      <Group>
        <Button
          type="submit"
          loading={state.kind === 'pending'}
          disabled={payment === undefined}
          aria-describedby="why-not"
        >
          {label}
        </Button>
        <Text id="why-not" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {fault ?? ''}
        </Text>
      </Group>
    </>
  )
}

function Summary({ payment }: { readonly payment: Payment }): ReactNode {
  return (
    <Alert variant="light">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <PaymentWords of={payment} />
      </Text>
    </Alert>
  )
}

interface FailedProps {
  readonly action: Action
  readonly reason: string
  readonly isOpen: boolean
}

function Failed({ action, reason, isOpen }: FailedProps): ReactNode {
  return (
    <Alert
      color="red"
      role="alert"
      title={isOpen ? t('It is not known whether this was sent') : t('Not sent')}
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
        {isOpen ? (
          <>
            <Text size="sm">
              {rich(
                'Try again: it is sent only once, however often you try. Before you start another payment, look at the {0}.',
                <Anchor component={Link} href="/history" size="sm" c="inherit">
                  {t('history')}
                </Anchor>,
              )}
            </Text>
            <Group>
              <Button size="xs" variant="default" onClick={action.reset}>
                {t('Start another payment')}
              </Button>
            </Group>
          </>
        ) : null}
      </Stack>
    </Alert>
  )
}
