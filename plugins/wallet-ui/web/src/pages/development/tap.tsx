// Coin for nothing. The operation takes dollars; what that is in coin is shown before it is asked
// for.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { coinCovering, typedAmount, wireAmount } from '../../lib/amount.ts'
import { useRate } from '../../lib/facts.ts'
import { validator } from '../../lib/wallet.tsx'
import { Outcome, useAction } from '../../parts/action.tsx'
import { Coin, Price } from '../../parts/money.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

export function Tap(): ReactNode {
  const [text, setText] = useState('100')
  const tap = validator.useMutation('tap')
  const dollars = typedAmount(text)
  const isGood = dollars !== undefined && dollars > 0n
  const action = useAction((key) =>
    tap.mutateAsync({ body: { amount: wireAmount(dollars ?? 0n), command_id: key } }),
  )
  const change = (to: string): void => {
    action.reset()
    setText(to)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood) action.run()
      }}
    >
      <Stack gap="xs">
        <Group align="end" gap="xs">
          <TextInput
            label={t('Amount in US dollars')}
            inputMode="decimal"
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
            {...(isGood || text === '' ? {} : { error: t('Enter a number above 0') })}
          />
          <Button type="submit" disabled={!isGood} loading={action.state.kind === 'pending'}>
            {action.state.kind === 'failed' ? t('Try again') : t('Get test coin')}
          </Button>
        </Group>
        {isGood ? <Gives dollars={dollars} /> : null}
        <Outcome state={action.state} done={t('Done: the coin is in your wallet.')} />
      </Stack>
    </form>
  )
}

function Gives({ dollars }: { readonly dollars: bigint }): ReactNode {
  const rate = useRate()
  if (rate === undefined) return null
  return (
    <Text size="sm" component="div">
      {rich(
        'gives {0} at {1} a coin',
        <Coin of={coinCovering(dollars, rate)} />,
        <Price of={rate} />,
      )}
    </Text>
  )
}
