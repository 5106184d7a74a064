// One holding: what it is worth, what binds it, how old it is. Plain elements: dozens are drawn
// while one scrolls.
import { memo } from 'react'
import type { ReactNode } from 'react'
import { shownAmount, shownDollars, wireAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import type { Holding, Lock } from '../lib/holdings.ts'
import { shortened } from '../lib/party.ts'
import classes from './holding-row.module.css'
import { Identifier } from './identifier.tsx'
import { TimeLeft, When } from './when.tsx'

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
      <Part label="Amount">
        <Worth holding={holding} coin={coin} rate={rate} />
      </Part>
      <Part label="State">
        <State holding={holding} />
      </Part>
      <Part label="Age">
        <When at={holding.createdAt} />
        <div className={classes['more']}>{roundText(holding)}</div>
      </Part>
      <Part label="Contract">
        <Identifier of={holding.id} label="the contract id" />
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
          Holding fee so far: {shownAmount(fee)} {coin}
        </div>
      )}
    </>
  )
}

function roundText({ createdRound, rounds }: Holding): string {
  if (rounds === 0n) return `Round ${createdRound}, the latest`
  return `Round ${createdRound}, ${rounds} ${rounds === 1n ? 'round' : 'rounds'} ago`
}

function State({ holding: { lock, isDust } }: { readonly holding: Holding }): ReactNode {
  return (
    <>
      <span className={classes[lock === undefined ? 'unlocked' : 'locked']}>
        {lock === undefined ? 'Unlocked' : 'Locked'}
      </span>
      {isDust ? (
        <span
          className={classes['dust']}
          title="Its holding fee has reached its amount: the network may expire it at any time."
        >
          Dust
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
        By {isNetworks ? 'the network' : ''}
        {isNetworks && holders.length > 0 ? ' and ' : ''}
        {holders.map((holder) => (
          <Identifier key={holder} of={holder} label="who holds the lock" />
        ))}
      </div>
      {context === '' ? null : <div title={context}>For: {readable(context)}</div>}
      <div>
        Until <When at={expiresAt} /> (<TimeLeft until={expiresAt} />)
      </div>
    </div>
  )
}

/** Parties within the ledger's words are shortened. */
function readable(context: string): string {
  return context.replaceAll(/'([^']*)'/gu, (_, party: string) => shortened(party))
}
