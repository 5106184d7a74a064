// Every page: where it is, for whom, and how it is loaded. Each is a piece of its own that is
// fetched when it is opened.
import type { ComponentType } from 'react'
import { piece } from './parts/piece.tsx'

export interface PageEntry {
  /** Below /wallet. */
  readonly path: string
  readonly title: string
  /**
   * `wallet`: whoever has a party; `everyone`: also who has not; `operator`: administrators;
   * `development`: in that profile.
   */
  readonly for: 'wallet' | 'everyone' | 'operator' | 'development'
  readonly Page: ComponentType
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    for: 'wallet',
    Page: piece(() => import('./pages/dashboard.tsx')),
  },
  {
    path: '/holdings',
    title: 'Holdings',
    for: 'wallet',
    Page: piece(() => import('./pages/holdings.tsx')),
  },
  { path: '/send', title: 'Send', for: 'wallet', Page: piece(() => import('./pages/send.tsx')) },
  {
    path: '/offers',
    title: 'Offers',
    for: 'wallet',
    Page: piece(() => import('./pages/offers.tsx')),
  },
  {
    path: '/history',
    title: 'History',
    for: 'wallet',
    Page: piece(() => import('./pages/history.tsx')),
  },
  {
    path: '/traffic',
    title: 'Traffic',
    for: 'wallet',
    Page: piece(() => import('./pages/traffic.tsx')),
  },
  {
    path: '/preapproval',
    title: 'Preapproval',
    for: 'wallet',
    Page: piece(() => import('./pages/preapproval.tsx')),
  },
  {
    path: '/delegations',
    title: 'Delegations',
    for: 'wallet',
    Page: piece(() => import('./pages/delegations.tsx')),
  },
  {
    path: '/merging',
    title: 'Merging',
    for: 'wallet',
    Page: piece(() => import('./pages/merging.tsx')),
  },
  {
    path: '/network',
    title: 'Network',
    for: 'everyone',
    Page: piece(() => import('./pages/network.tsx')),
  },
  {
    path: '/settings',
    title: 'Settings',
    for: 'everyone',
    Page: piece(() => import('./pages/settings.tsx')),
  },
  {
    path: '/users',
    title: 'Users and parties',
    for: 'operator',
    Page: piece(() => import('./pages/users.tsx')),
  },
  {
    path: '/automations',
    title: 'Automations',
    for: 'operator',
    Page: piece(() => import('./pages/automations.tsx')),
  },
  {
    path: '/metrics',
    title: 'Metrics',
    for: 'operator',
    Page: piece(() => import('./pages/metrics.tsx')),
  },
  {
    path: '/development',
    title: 'Development',
    for: 'development',
    Page: piece(() => import('./pages/development.tsx')),
  },
]
