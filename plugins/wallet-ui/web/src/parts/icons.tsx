// The few pictures there are, drawn here: nothing is fetched and no font has to have them.
import type { ReactNode } from 'react'

const PATHS = {
  copy: 'M9 9h10v10H9zM5 15V5h10',
  check: 'M5 13l4 4L19 7',
} as const

/**
 * A picture of the size of the text around it; it says nothing to screen readers, its button does.
 */
export function Icon({ of }: { readonly of: keyof typeof PATHS }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      width="1em"
      height="1em"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[of]} />
    </svg>
  )
}
