// One holding: what it is worth, what binds it, how old it is. Plain elements: dozens are drawn
// while one scrolls.
import { memo } from 'react'
import type { ReactNode } from 'react'
import { shownAmount, shownDollars, wireAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import type { Holding, Lock } from '../lib/holdings.ts'
import { t } from '../lib/language.ts'
import { nameOf } from '../lib/party.ts'
import classes from './holding-row.module.css'
import { Identifier } from './identifier.tsx'
import { TimeLeft, When } from './when.tsx'
import { rich } from './rich.tsx'

interface Props {
  readonly holding: Holding
  /** The coin's short name. */
  readonly coin: string
  /** Dollars for a coin. */
  readonly rate: Amount | undefined
}

export const HoldingRow = memo(
  ({ holding, coin, rate }: Props): ReactNode => (
    <div className={classes['row']}>
      <Part label={t('Amount')}>
        <Worth holding={holding} coin={coin} rate={rate} />
      </Part>
      <Part label={t('State')}>
        <State holding={holding} />
      </Part>
      <Part label={t('Created')}>
        <When at={holding.createdAt} />
        <div className={classes['more']}>{roundText(holding)}</div>
      </Part>
      <Part label={t('Contract')}>
        <Identifier of={holding.id} label={t('the contract id')} />
      </Part>
    </div>
  ),
  (a, b) => a.rate === b.rate && a.coin === b.coin && isSame(a.holding, b.holding),
)

/**
 * Each answer of the server makes new objects of the same holdings; but for its age none of them
 * ever changes.
 */
function isSame(a: Holding, b: Holding): boolean {
  return a.id === b.id && a.rounds === b.rounds
}

function Part({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={classes['part']}>
      <span className={classes['label']}>{label}</span>
      <div>{children}</div>
    </div>
  )
}

function Worth({ holding: { amount, fee }, coin, rate }: Props): ReactNode {
  return (
    <>
      <div className={classes['amount']} title={`${wireAmount(amount)} ${coin}`}>
        {shownAmount(amount)} {coin}
      </div>
      <div className={classes['more']}>{shownDollars(amount, rate)}</div>
      {fee === 0n ? null : (
        <div className={classes['more']}>
          {rich('Holding fee so far: {0} {1}', shownAmount(fee), coin)}
        </div>
      )}
    </>
  )
}

function roundText({ createdRound, rounds }: Holding): string {
  const round = String(createdRound)
  if (rounds === 0n) return t('Round {0}, the latest', round)
  return rounds === 1n
    ? t('Round {0}, 1 round ago', round)
    : t('Round {0}, {1} rounds ago', round, String(rounds))
}

function State({ holding: { lock, isDust } }: { readonly holding: Holding }): ReactNode {
  return (
    <>
      <span className={classes[lock === undefined ? 'unlocked' : 'locked']}>
        {lock === undefined ? t('Unlocked') : t('Locked')}
      </span>
      {isDust ? (
        <span
          className={classes['dust']}
          title={t(
            'Its holding fee has reached its amount: the network may expire it at any time.',
          )}
        >
          {t('Dust')}
        </span>
      ) : null}
      {lock === undefined ? null : <LockText lock={lock} />}
    </>
  )
}

function LockText({
  lock: { isNetworks, holders, expiresAt, context },
}: {
  readonly lock: Lock
}): ReactNode {
  return (
    <div>
      <div>
        {isNetworks ? t('By the network') : t('By')}{' '}
        {holders.map((holder) => (
          <Identifier key={holder} of={holder} label={t('who holds the lock')} />
        ))}
      </div>
      {context === '' ? null : <div title={context}>{purpose(context)}</div>}
      <div>{rich('Until {0} ({1})', <When at={expiresAt} />, <TimeLeft until={expiresAt} />)}</div>
    </div>
  )
}

/** The ledger's words for a transfer in two steps. */
const TRANSFER = /^transfer to '([^']+)'$/u

function purpose(context: string): string {
  const receiver = TRANSFER.exec(context)?.[1]
  if (receiver !== undefined) return t('For a transfer to {0}', nameOf(receiver))
  return t(
    'For: {0}',
    context.replaceAll(/'([^']*)'/gu, (_, party: string) => nameOf(party)),
  )
}
