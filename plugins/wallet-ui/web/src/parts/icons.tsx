// The pictures of the wallet, drawn here: nothing is fetched and no font has to have them.
import { memo } from 'react'
import type { ReactNode } from 'react'

const PATHS = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  send: 'M7 17L17 7M8 7h9v9',
  receive: 'M17 7L7 17M16 17H7V8',
  history: 'M12 8v4l3 2M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8.5M3.5 4v4.5H8',
  holdings:
    'M12 4c4.4 0 8 1.1 8 2.5S16.4 9 12 9 4 7.9 4 6.5 7.6 4 12 4zM4 6.5v5.5c0 1.4 3.6 2.5 8 2.5s8-1.1 8-2.5V6.5M4 12v5.5C4 18.9 7.6 20 12 20s8-1.1 8-2.5V12',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-3.6 3-5.5 6.5-5.5s6.1 1.9 6.5 5.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .8 3.2 2.5 3.5 5.1',
  offers: 'M4 13l2.5-8h11L20 13v6H4zM4 13h4.5l1.5 2.5h4l1.5-2.5H20',
  preapproval: 'M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
  delegations: 'M8 4H5v16h14V4h-3M8 3h8v4H8zM8.5 13l2.5 2.5 4.5-5',
  merging: 'M6 4v3c0 4 6 4 6 8v5M18 4v3c0 4-6 4-6 8M9 17l3 3 3-3',
  traffic: 'M13 3L5 13.5h6L10.5 21 19 10h-6.5z',
  network:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 9.5h17M3.5 14.5h17M12 3c-5 5-5 13 0 18 5-5 5-13 0-18z',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  users:
    'M4 5h16v14H4zM9 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 16c.5-1.6 1.6-2.3 3-2.3s2.5.7 3 2.3M15 9.5h2.5M15 13h2.5',
  automations:
    'M19.5 8A8.5 8.5 0 0 0 4 9.5M4 5v4.5h4.5M4.5 16A8.5 8.5 0 0 0 20 14.5M20 19v-4.5h-4.5',
  metrics: 'M4 20h16M6.5 16v-5M12 16V5M17.5 16V9',
  development: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  logOut: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  check: 'M5 13l4 4L19 7',
  share: 'M12 15V4M8 7.5L12 4l4 3.5M6 11H5v9h14v-9h-1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  plus: 'M12 5v14M5 12h14',
  gift: 'M4 9h16v4H4zM5.5 13v7h13v-7M12 9v11M12 9C9 9 7 8 7 6.2S10 4 12 9c2-5 5-4.6 5-2.8S15 9 12 9z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  edit: 'M5 19l1-4L16 5l3 3L9 18z',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
} as const

export type IconName = keyof typeof PATHS

/**
 * A picture of the size of the text around it; it says nothing to screen readers, its button does.
 */
export const Icon = memo(
  ({ of, size = '1em' }: { readonly of: IconName; readonly size?: string }): ReactNode => (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={of === 'more' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={SHRINKS_NOT}
    >
      <path d={PATHS[of]} />
    </svg>
  ),
)

const SHRINKS_NOT = { flexShrink: 0 }
