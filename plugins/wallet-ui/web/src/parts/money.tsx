// An amount of coin, exact, and what it is worth.
import { Text } from '@mantine/core'
import type { TextProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { parseAmount, shownAmount, shownDollars, wireAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { useRate } from '../lib/facts.ts'
import { useWallet } from '../lib/wallet.tsx'

interface Props extends TextProps {
  /** As the wire has it, or counted. */
  readonly of: string | Amount | undefined
  /** Shows the sign of what came in, too. */
  readonly signed?: boolean
}

/** Ten places where they say something; the whole text on hover. */
export function Coin({ of, signed = false, ...rest }: Props): ReactNode {
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
      ff="monospace"
      inherit={rest.size === undefined}
      {...rest}
      title={`${wireAmount(amount)} ${configuration.coin}`}
    >
      {sign}
      {shownAmount(amount)} {configuration.coin}
    </Text>
  )
}

/** The same in US dollars at the price of the newest open round; nothing where that is unknown. */
export function Dollars({ of, ...rest }: Omit<Props, 'signed'>): ReactNode {
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
export function Price({ of, ...rest }: Omit<Props, 'signed'>): ReactNode {
  const amount = typeof of === 'string' ? parseAmount(of) : of
  return (
    <Text span ff="monospace" inherit={rest.size === undefined} {...rest}>
      {amount === undefined ? '–' : `$${shownAmount(amount)}`}
    </Text>
  )
}
