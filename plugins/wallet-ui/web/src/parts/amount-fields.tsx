// An amount of coin with its worth beside it: typing in either field fills the other, and the coin
// is what counts.
import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { coinFor, plainAmount, plainDollars, typedAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { useRate } from '../lib/facts.ts'
import { useWallet } from '../lib/wallet.tsx'
import { t } from '../lib/language.ts'

/** The typed text. */
export interface AmountText {
  /** The amount in coin; filled in exactly if dollars were typed. */
  readonly coin: string
  /** The typed dollars; undefined if coin was typed, so that they follow the price. */
  readonly dollars?: string
}

interface Props {
  readonly value: AmountText
  readonly onChange: (value: AmountText) => void
  /** The amount of the button that takes all; absent: no such button. */
  readonly available?: Amount | undefined
  /** Shown below the field of coin. */
  readonly fault?: string | undefined
  readonly disabled?: boolean
}

export function AmountFields({
  value,
  onChange,
  available,
  fault,
  disabled = false,
}: Props): ReactNode {
  const { coin } = useWallet().configuration
  const rate = useRate()
  const amount = typedAmount(value.coin)
  const worth = amount === undefined ? undefined : plainDollars(amount, rate)
  const typed = (text: string): void => onChange({ coin: inCoin(text, rate), dollars: text })
  return (
    <Group align="start" gap="sm">
      <TextInput
        label={t('Amount in {0}', coin)}
        inputMode="decimal"
        autoComplete="off"
        flex="1 1 180px"
        disabled={disabled}
        value={value.coin}
        error={fault}
        onChange={(event) => onChange({ coin: event.currentTarget.value })}
      />
      <TextInput
        label={t('Value in US dollars')}
        inputMode="decimal"
        autoComplete="off"
        flex="1 1 140px"
        disabled={disabled || rate === undefined}
        value={value.dollars ?? worth ?? ''}
        onChange={(event) => typed(event.currentTarget.value)}
      />
      {available === undefined ? null : (
        <Button
          variant="default"
          mt={{ base: 0, xs: 25 }}
          w={{ base: '100%', xs: 'auto' }}
          disabled={disabled || available <= 0n}
          onClick={() => onChange({ coin: plainAmount(available) })}
        >
          {t('Send all')}
        </Button>
      )}
    </Group>
  )
}

function inCoin(dollars: string, rate: Amount | undefined): string {
  const amount = typedAmount(dollars)
  return amount === undefined || rate === undefined ? '' : plainAmount(coinFor(amount, rate))
}
