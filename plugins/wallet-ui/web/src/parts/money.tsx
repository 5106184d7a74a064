// An amount of coin, and what it is worth. Exact, but for headlines.
import { Text } from '@mantine/core'
import type { TextProps } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  asDollars,
  parseAmount,
  roundedAmount,
  shownAmount,
  shownDollars,
  wireAmount,
} from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { useRate } from '../lib/facts.ts'
import { useWallet } from '../lib/wallet.tsx'

interface Props extends TextProps {
  /** The amount, in the wire's form or counted. */
  readonly of: string | Amount | undefined
  /** Shows the sign of what came in, too. */
  readonly signed?: boolean
  /** Whether it is a headline: two places, all ten on hover. */
  readonly rounded?: boolean
  readonly className?: string
}

/** Ten places where they say something; the whole text on hover. */
export function Coin({
  of,
  signed = false,
  rounded = false,
  className = '',
  ...rest
}: Props): ReactNode {
  const { configuration } = useWallet()
  const amount = typeof of === 'string' ? parseAmount(of) : of
  if (amount === undefined)
    return (
      <Text span {...rest}>
        –
      </Text>
    )
  const sign = signed && amount > 0n ? '+' : ''
  return (
    <Text
      span
      inherit={rest.size === undefined && className === ''}
      {...rest}
      className={`figures ${className}`}
      title={`${wireAmount(amount)} ${configuration.coin}`}
    >
      {sign}
      {rounded ? roundedAmount(amount) : shownAmount(amount)} {configuration.coin}
    </Text>
  )
}

/** The same in US dollars at the price of the newest open round; nothing where that is unknown. */
export function Dollars({ of, ...rest }: Omit<Props, 'signed' | 'rounded'>): ReactNode {
  const rate = useRate()
  const amount = typeof of === 'string' ? parseAmount(of) : of
  const text = amount === undefined ? undefined : shownDollars(amount, rate)
  return text === undefined ? null : (
    <Text span c="dimmed" size="sm" {...rest}>
      {text}
    </Text>
  )
}

/** A price in US dollars, exact: `$0.005`. */
export function Price({ of, ...rest }: Omit<Props, 'signed' | 'rounded'>): ReactNode {
  const amount = typeof of === 'string' ? parseAmount(of) : of
  return (
    <Text span inherit={rest.size === undefined} {...rest} className="figures">
      {amount === undefined ? '–' : asDollars(shownAmount(amount))}
    </Text>
  )
}
