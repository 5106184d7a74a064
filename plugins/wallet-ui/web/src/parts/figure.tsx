// Figures that matter, with what they are and what is to be known of them: several in one card.
import type { ReactNode } from 'react'
import type { Amount } from '../lib/amount.ts'
import classes from './figure.module.css'
import { Coin, Dollars } from './money.tsx'

/** The card around `Figure`s. */
export function Figures({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes['figures']}>{children}</div>
}

interface Props {
  readonly label: string
  readonly children: ReactNode
  readonly hint?: ReactNode
}

/** One of `Figures`. */
export function Figure({ label, children, hint }: Props): ReactNode {
  return (
    <div className={classes['figure']} role="group" aria-label={label}>
      <div className={classes['label']}>{label}</div>
      <div className={classes['value']}>{children}</div>
      {hint === undefined ? null : <div className={classes['hint']}>{hint}</div>}
    </div>
  )
}

interface CoinProps extends Omit<Props, 'children'> {
  readonly of: string | Amount
}

/** An amount of coin with its worth. */
export function CoinFigure({ label, of, hint }: CoinProps): ReactNode {
  return (
    <Figure label={label} hint={hint}>
      <Coin of={of} rounded fw={700} size="lg" />
      <Dollars of={of} display="block" />
    </Figure>
  )
}
