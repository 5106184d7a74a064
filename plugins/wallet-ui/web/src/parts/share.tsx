// How much is left of something, as a bar.
import type { ReactNode } from 'react'
import classes from './share.module.css'

interface Props {
  /** 0 to 100. */
  readonly percent: number
  readonly label: string
  /** Drawn as a warning. */
  readonly isLow?: boolean
}

/** The bar; its label is read out with the figure. */
export function Share({ percent, label, isLow = false }: Props): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={classes['share']}
      data-low={isLow}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  )
}
