// How many offers wait for the person, for the navigation.
import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { useWaitingCount } from '../lib/use-offers.ts'

/** Nothing where there are none. */
export function WaitingBadge(): ReactNode {
  const count = useWaitingCount()
  return count === 0 ? null : (
    <Badge size="sm" circle={count < 10} aria-label={t('{0} waiting', count)}>
      {count}
    </Badge>
  )
}
