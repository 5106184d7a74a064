// A figure that matters, with what it is above and what is to be known of it below.
import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Amount } from '../lib/amount.ts'
import { Coin, Dollars } from './money.tsx'

interface Props {
  readonly label: string
  readonly children: ReactNode
  readonly hint?: ReactNode
}

export function Figure({ label, children, hint }: Props): ReactNode {
  return (
    <Card withBorder padding="sm" role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {children}
      {hint === undefined ? null : (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </Card>
  )
}

interface CoinProps extends Omit<Props, 'children'> {
  readonly of: string | Amount
}

/** An amount of coin with its worth. */
export function CoinFigure({ label, of, hint }: CoinProps): ReactNode {
  return (
    <Figure label={label} hint={hint}>
      <Coin of={of} fw={700} size="lg" style={{ overflowWrap: 'anywhere' }} />
      <Dollars of={of} display="block" />
    </Figure>
  )
}
