// Facts with a name each, one below the other: what a list of details is made of.
import type { ReactNode } from 'react'
import classes from './facts.module.css'

export type NamedFact = readonly [name: string, fact: ReactNode]

/** `label` says what they are facts of, for whoever cannot see. */
export function Facts({
  label,
  of,
}: {
  readonly label: string
  readonly of: readonly NamedFact[]
}): ReactNode {
  return (
    <div role="group" aria-label={label}>
      <dl className={classes['facts']}>
        {of.map(([name, fact]) => (
          <div key={name} className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
