// How much coin there is: to be spent, locked, and together; and what one does with it.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { parseAmount, roundedAmount } from '../../lib/amount.ts'
import type { Amount } from '../../lib/amount.ts'
import { t } from '../../lib/language.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { Icon } from '../../parts/icons.tsx'
import type { IconName } from '../../parts/icons.tsx'
import { Coin, Dollars } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/page.tsx'
import { rich } from '../../parts/rich.tsx'
import classes from './balance.module.css'

export function Balance(): ReactNode {
  return (
    <Loaded query={validator.useQuery('getBalance')}>
      {(balance) => <Headline balance={balance} />}
    </Loaded>
  )
}

type Answer = validator.Data<'getBalance'>

function Headline({
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
  const { coin } = useWallet().configuration
  return (
    <div>
      <section className={classes['hero']} aria-label={t('Balance')}>
        <div role="group" aria-label={t('Available')}>
          <div className={classes['label']}>{t('Available')}</div>
          <Coin
            of={unlocked}
            rounded
            className={classes['big'] ?? ''}
            fz={fitting(parseAmount(unlocked), coin)}
          />
          <Dollars of={unlocked} display="block" c="inherit" className={classes['worth'] ?? ''} />
        </div>
        <div className={classes['rest']}>
          <span role="group" aria-label={t('Locked')}>
            {t('Locked')} <Coin of={locked} rounded fw={600} c="#fff" />
          </span>
          <span role="group" aria-label={t('Total')}>
            {t('Total')} <Coin of={total} rounded fw={600} c="#fff" />
          </span>
          <Link href="/holdings">{t('See all holdings')}</Link>
        </div>
        <Actions />
      </section>
      {parseAmount(fees) === 0n ? null : (
        <Text size="sm" c="dimmed" mt="xs">
          {rich(
            'Holding fees up to round {0}: {1}. They are not deducted; a holding whose fees have reached its amount may expire.',
            String(round),
            <Coin of={fees} size="sm" />,
          )}
        </Text>
      )}
      {total === 0n ? <NoCoin /> : null}
    </div>
  )
}

/**
 * A size at which the amount stands in one line of the card, however much it is: a digit is at most
 * two thirds of it wide.
 */
function fitting(amount: Amount | undefined, coin: string): string {
  const letters = roundedAmount(amount ?? 0n).length + 1 + coin.length
  return `min(clamp(1.9rem, 1.3rem + 2.4vw, 2.9rem), ${Math.floor(150 / letters)}cqi)`
}

function Actions(): ReactNode {
  const { development } = useWallet().configuration
  return (
    <div className={classes['actions']}>
      <Way to="/send" icon="send" text={t('Send coin')} />
      <Way to="/receive" icon="receive" text={t('Receive coin')} />
      {development ? <Way to="/development" icon="plus" text={t('Get test coin')} /> : null}
    </div>
  )
}

function Way({
  to,
  icon,
  text,
}: {
  readonly to: string
  readonly icon: IconName
  readonly text: string
}): ReactNode {
  return (
    <Link href={to} className={classes['action'] ?? ''}>
      <Icon of={icon} size="18px" />
      {text}
    </Link>
  )
}

function NoCoin(): ReactNode {
  const { development } = useWallet().configuration
  const receive = <Link href="/receive">{t('your payment link')}</Link>
  return (
    <Empty>
      {rich('You have no coin yet. Share {0} to be paid.', receive)}{' '}
      {development
        ? rich(
            'Or {0}: this network is for development.',
            <Link href="/development">{t('get test coin')}</Link>,
          )
        : null}
    </Empty>
  )
}
