// A picture for every party, always the same for the same id, so that a wrong receiver looks wrong.
import type { ReactNode } from 'react'
import { identiconOf } from '../lib/identicon.ts'

interface Props {
  /** Party id. */
  readonly of: string
  /** Pixels. */
  readonly size?: number
}

/** Says nothing to screen readers: the name stands beside it. */
export function Identicon({ of, size = 24 }: Props): ReactNode {
  const { hue, path } = identiconOf(of)
  return (
    <svg viewBox="0 0 7 7" width={size} height={size} aria-hidden="true" style={{ flexShrink: 0 }}>
      <rect width="7" height="7" rx="2.2" fill={`hsl(${hue} 65% 88%)`} />
      <path d={path} fill={`hsl(${hue} 60% 42%)`} />
    </svg>
  )
}
