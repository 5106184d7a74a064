// One amount over time as a filled line, and the same in words for who cannot see it.
import type { ReactNode } from 'react'
import { roundedAmount } from '../lib/amount.ts'
import { localeTag, t } from '../lib/language.ts'
import type { Point } from '../lib/over-time.ts'
import classes from './area-chart.module.css'

const WIDTH = 600
const HEIGHT = 140

interface Props {
  readonly label: string
  /** Oldest first; two at least. Between two the amount is that of the first. */
  readonly points: readonly Point[]
  readonly coin: string
}

export function AreaChart({ label, points, coin }: Props): ReactNode {
  const [from, to] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 1]
  const top = points.reduce((most, { amount }) => (amount > most ? amount : most), 1n)
  const x = (atMs: number): number => ((atMs - from) / Math.max(1, to - from)) * WIDTH
  // A share of a thousand, which is small enough for a number.
  const y = (amount: bigint): number =>
    HEIGHT - (Number(((amount < 0n ? 0n : amount) * 1_000n) / top) / 1_000) * (HEIGHT - 8)
  const line = points
    .map(({ atMs, amount }, at) =>
      at === 0 ? `M0 ${y(amount).toFixed(1)}` : `H${x(atMs).toFixed(1)}V${y(amount).toFixed(1)}`,
    )
    .join('')
  const day = new Intl.DateTimeFormat(localeTag(), {
    dateStyle: 'medium',
    ...(to - from < 2 * 86_400_000 ? { timeStyle: 'short' as const } : {}),
  })
  const [first, last] = [points[0]?.amount ?? 0n, points.at(-1)?.amount ?? 0n]
  const said = t(
    '{0}: from {1} on {2} to {3} now, at most {4}',
    label,
    `${roundedAmount(first)} ${coin}`,
    day.format(from),
    `${roundedAmount(last)} ${coin}`,
    `${roundedAmount(top)} ${coin}`,
  )
  return (
    <figure className={classes['chart']}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
        className={classes['picture']}
      >
        <path d={`${line}V${HEIGHT}H0Z`} className={classes['area']} />
        <path d={line} className={classes['line']} vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className={classes['scale']} aria-hidden="true">
        <span>{day.format(from)}</span>
        <span>{t('highest {0}', `${roundedAmount(top)} ${coin}`)}</span>
        <span>{t('now')}</span>
      </figcaption>
    </figure>
  )
}
