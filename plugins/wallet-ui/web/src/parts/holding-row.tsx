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
import { hint, plainElement, usePlain, write } from './plain.ts'
import type { Plain } from './plain.ts'
import { rich } from './rich.tsx'
import { isoText, TimeLeft, timeText, When } from './when.tsx'

interface Props {
  readonly holding: Holding
  /** The coin's short name. */
  readonly coin: string
  /** Dollars for a coin. */
  readonly rate: Amount | undefined
}

export const HoldingRow = memo(
  ({ holding, coin, rate }: Props): ReactNode => {
    const worth = usePlain<HTMLDivElement, WorthValues>(makeWorth, holding, coin, rate)
    const age = usePlain<HTMLDivElement, [Holding]>(makeAge, holding)
    return (
      <div className={classes['row']}>
        <div ref={worth} className={classes['part']} />
        <State lock={holding.lock} isDust={holding.isDust} />
        <div ref={age} className={classes['part']} />
        <Part label={t('Contract')}>
          <Identifier of={holding.id} label={t('the contract id')} />
        </Part>
      </div>
    )
  },
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

type WorthValues = [holding: Holding, coin: string, rate: Amount | undefined]

function makeWorth(): Plain<WorthValues> {
  const [amount, dollars, fee] = [
    plainElement('div', classes['amount']),
    plainElement('div', classes['more']),
    plainElement('div', classes['more']),
  ]
  return {
    nodes: partOf(t('Amount'), [amount, dollars, fee]),
    show: (holding, coin, rate) => {
      write(amount, `${shownAmount(holding.amount)} ${coin}`)
      hint(amount, `${wireAmount(holding.amount)} ${coin}`)
      write(dollars, shownDollars(holding.amount, rate) ?? '')
      fee.hidden = holding.fee === 0n
      write(fee, t('Holding fee so far: {0} {1}', shownAmount(holding.fee), coin))
    },
  }
}

function makeAge(): Plain<[Holding]> {
  const [time, round] = [document.createElement('time'), plainElement('div', classes['more'])]
  return {
    nodes: partOf(t('Created'), [time, round]),
    show: (holding) => {
      const iso = isoText(holding.createdAt)
      write(time, timeText(holding.createdAt, 'medium'))
      time.dateTime = iso
      hint(time, iso)
      write(round, roundText(holding))
    },
  }
}

/** A part's heading and lines. */
function partOf(label: string, lines: readonly HTMLElement[]): readonly HTMLElement[] {
  const [name, body] = [plainElement('span', classes['label']), plainElement('div')]
  write(name, label)
  body.append(...lines)
  return [name, body]
}

function roundText({ createdRound, rounds }: Holding): string {
  const round = String(createdRound)
  if (rounds === 0n) return t('Round {0}, the latest', round)
  return rounds === 1n
    ? t('Round {0}, 1 round ago', round)
    : t('Round {0}, {1} rounds ago', round, String(rounds))
}

/** Most holdings have the same as the one before. */
const State = memo(({ lock, isDust }: Pick<Holding, 'lock' | 'isDust'>): ReactNode => (
  <Part label={t('State')}>
    <span className={classes[lock === undefined ? 'unlocked' : 'locked']}>
      {lock === undefined ? t('Unlocked') : t('Locked')}
    </span>
    {isDust ? (
      <span
        className={classes['dust']}
        title={t('Its holding fee has reached its amount: the network may expire it at any time.')}
      >
        {t('Dust')}
      </span>
    ) : null}
    {lock === undefined ? null : <LockText lock={lock} />}
  </Part>
))

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
