// How much coin there is: to be spent, locked, and together.
import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { parseAmount } from '../../lib/amount.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { CoinFigure } from '../../parts/figure.tsx'
import { Coin } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/page.tsx'

export function Balance(): ReactNode {
  return (
    <Loaded query={validator.useQuery('getBalance')}>
      {(balance) => <Figures balance={balance} />}
    </Loaded>
  )
}

type Answer = validator.Data<'getBalance'>

function Figures({
  balance: {
    effective_unlocked_qty: unlocked,
    effective_locked_qty: locked,
    total_holding_fees: fees,
    round,
  },
}: {
  readonly balance: Answer
}): ReactNode {
  const total = (parseAmount(unlocked) ?? 0n) + (parseAmount(locked) ?? 0n)
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <CoinFigure label="Available" of={unlocked} hint="Can be spent now" />
        <CoinFigure label="Locked" of={locked} hint="Waits for a receiver, or for you" />
        <CoinFigure
          label="Total"
          of={total}
          hint={<Link href="/holdings">See every holding</Link>}
        />
      </SimpleGrid>
      {parseAmount(fees) === 0n ? null : (
        <Text size="sm" c="dimmed" mt="xs">
          Holding fees up to round {String(round)}: <Coin of={fees} size="sm" />. They are not taken
          off; a holding that they have reached may expire.
        </Text>
      )}
      {total === 0n ? <NoCoin /> : null}
    </div>
  )
}

function NoCoin(): ReactNode {
  const { development } = useWallet().configuration
  return (
    <Empty>
      You have no coin yet. Give your party id to whoever is to pay you: it is on the{' '}
      <Link href="/settings">settings page</Link>.
      {development ? (
        <>
          {' '}
          Or <Link href="/development">tap some</Link>, since this network is for development.
        </>
      ) : null}
    </Empty>
  )
}
