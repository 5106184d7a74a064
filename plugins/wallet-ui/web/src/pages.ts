// Every page: where it is, for whom, and how it is loaded. Each is a piece of its own that is fetched when it is opened.
import { lazy } from 'react'
import type { ComponentType } from 'react'

export interface PageEntry {
  /** Below /wallet. */
  readonly path: string
  readonly title: string
  /** `wallet`: whoever has a party; `everyone`: also who has not; `operator`: administrators; `development`: in that profile. */
  readonly for: 'wallet' | 'everyone' | 'operator' | 'development'
  readonly Page: ComponentType
}

export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'Overview', for: 'wallet', Page: lazy(() => import('./pages/dashboard.tsx')) },
  { path: '/holdings', title: 'Holdings', for: 'wallet', Page: lazy(() => import('./pages/holdings.tsx')) },
  { path: '/send', title: 'Send', for: 'wallet', Page: lazy(() => import('./pages/send.tsx')) },
  { path: '/offers', title: 'Offers', for: 'wallet', Page: lazy(() => import('./pages/offers.tsx')) },
  { path: '/history', title: 'History', for: 'wallet', Page: lazy(() => import('./pages/history.tsx')) },
  { path: '/traffic', title: 'Traffic', for: 'wallet', Page: lazy(() => import('./pages/traffic.tsx')) },
  { path: '/preapproval', title: 'Preapproval', for: 'wallet', Page: lazy(() => import('./pages/preapproval.tsx')) },
  { path: '/delegations', title: 'Delegations', for: 'wallet', Page: lazy(() => import('./pages/delegations.tsx')) },
  { path: '/merging', title: 'Merging', for: 'wallet', Page: lazy(() => import('./pages/merging.tsx')) },
  { path: '/network', title: 'Network', for: 'everyone', Page: lazy(() => import('./pages/network.tsx')) },
  { path: '/settings', title: 'Settings', for: 'everyone', Page: lazy(() => import('./pages/settings.tsx')) },
  { path: '/users', title: 'Users and parties', for: 'operator', Page: lazy(() => import('./pages/users.tsx')) },
  { path: '/automations', title: 'Automations', for: 'operator', Page: lazy(() => import('./pages/automations.tsx')) },
  { path: '/metrics', title: 'Metrics', for: 'operator', Page: lazy(() => import('./pages/metrics.tsx')) },
  { path: '/development', title: 'Development', for: 'development', Page: lazy(() => import('./pages/development.tsx')) },
]
