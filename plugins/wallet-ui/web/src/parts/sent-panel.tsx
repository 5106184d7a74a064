// What is said once coin was sent: what happened, where to follow it, and the way to the next
// payment.
import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRate, useStatus } from '../lib/facts.ts'
import { partyText } from '../lib/party.ts'
import { amountText, sentText } from '../lib/sending.ts'
import type { Payment, SentState } from '../lib/sending.ts'
import { useWallet } from '../lib/wallet.tsx'
import { t } from '../lib/language.ts'

export interface Sent {
  readonly payment: Payment
  readonly state: SentState
}

const TITLES: Readonly<Record<SentState, string>> = {
  paid: t('Sent'),
  locked: t('On its way'),
  offered: t('Offered'),
}

export function SentPanel({
  sent: { payment, state },
  again,
}: {
  readonly sent: Sent
  readonly again: () => void
}): ReactNode {
  const { configuration } = useWallet()
  const rate = useRate()
  const own = useStatus().data?.party_id ?? ''
  const { amount, whom, expiry } = payment
  const name = partyText(whom.party, own)
  return (
    <Card withBorder maw={640} p="lg">
      <Stack>
        <Headline>{`✓ ${TITLES[state]}`}</Headline>
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {sentText(state, { amount: amountText(amount, configuration.coin, rate), name, expiry })}
        </Text>
        <Group>
          <Button onClick={again}>{t('Send another')}</Button>
          {state === 'paid' ? (
            <Anchor component={Link} href="/history">
              {t('See it in the history')}
            </Anchor>
          ) : (
            <Anchor component={Link} href="/offers">
              {t('See your offers')}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Card>
  )
}

/** Takes the focus, which the form's button had that is gone now. */
function Headline({ children }: { readonly children: string }): ReactNode {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus()
  }, [])
  return (
    <Title ref={title} tabIndex={-1} order={2} size="h3" style={{ outline: 'none' }}>
      {children}
    </Title>
  )
}
