// The wallet's mark: two strokes of a ledger's column that meet, on the wallet's own violet. The
// same as the tab's icon in index.html.
import { useId } from 'react'
import type { ReactNode } from 'react'

export function Mark({ size = 30 }: { readonly size?: number }): ReactNode {
  const id = useId()
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ flexShrink: 0 }}
    >
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#5936d6" />
          <stop offset="1" stopColor="#9b6cf2" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="9" fill={`url(#${id})`} />
      <path
        d="M11 8v11.5a4 4 0 0 0 4 4h7"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
      />
      <circle cx="20.5" cy="12.5" r="3.4" fill="#ffd36e" />
    </svg>
  )
}
