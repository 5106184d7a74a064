// Every page: where it is, for whom, and how it is loaded. Each is a piece of its own that is
// fetched when it is opened.
import type { ComponentType } from 'react'
import { t } from './lib/language.ts'
import type { IconName } from './parts/icons.tsx'
import { piece } from './parts/piece.tsx'

type Group = 'money' | 'agreements' | 'network' | 'administration' | 'wallet'

export interface PageEntry {
  /** Path below /wallet. */
  readonly path: string
  readonly title: string
  /**
   * `wallet`: whoever has a party; `everyone`: also who has not; `operator`: administrators;
   * `development`: in that profile.
   */
  readonly for: 'wallet' | 'everyone' | 'operator' | 'development'
  readonly group: Group
  readonly icon: IconName
  /** Reached from another page, and in no list. */
  readonly isHidden?: true
  /** One of the few in the bar of a phone. */
  readonly isMain?: true
  readonly Page: ComponentType
}

/** The groups of the navigation, in their order. */
export const GROUPS: readonly { readonly group: Group; readonly title: string }[] = [
  { group: 'money', title: t('Money') },
  { group: 'agreements', title: t('Agreements') },
  { group: 'network', title: t('The network') },
  { group: 'administration', title: t('Administration') },
  { group: 'wallet', title: t('This wallet') },
]

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: t('Overview'),
    for: 'wallet',
    group: 'money',
    icon: 'home',
    isMain: true,
    Page: piece(() => import('./pages/dashboard.tsx')),
  },
  {
    path: '/send',
    title: t('Send'),
    for: 'wallet',
    group: 'money',
    icon: 'send',
    isMain: true,
    Page: piece(() => import('./pages/send.tsx')),
  },
  {
    path: '/receive',
    title: t('Receive'),
    for: 'wallet',
    group: 'money',
    icon: 'receive',
    isMain: true,
    Page: piece(() => import('./pages/receive.tsx')),
  },
  {
    path: '/offers',
    title: t('Offers'),
    for: 'wallet',
    group: 'money',
    icon: 'offers',
    Page: piece(() => import('./pages/offers.tsx')),
  },
  {
    path: '/history',
    title: t('History'),
    for: 'wallet',
    group: 'money',
    icon: 'history',
    isMain: true,
    Page: piece(() => import('./pages/history.tsx')),
  },
  {
    path: '/receipt',
    title: t('Receipt'),
    for: 'wallet',
    group: 'money',
    icon: 'file',
    isHidden: true,
    Page: piece(() => import('./pages/receipt.tsx')),
  },
  {
    path: '/people',
    title: t('People'),
    for: 'wallet',
    group: 'money',
    icon: 'people',
    Page: piece(() => import('./pages/people.tsx')),
  },
  {
    path: '/holdings',
    title: t('Holdings'),
    for: 'wallet',
    group: 'money',
    icon: 'holdings',
    Page: piece(() => import('./pages/holdings.tsx')),
  },
  {
    path: '/preapproval',
    title: t('Preapproval'),
    for: 'wallet',
    group: 'agreements',
    icon: 'preapproval',
    Page: piece(() => import('./pages/preapproval.tsx')),
  },
  {
    path: '/delegations',
    title: t('Delegations'),
    for: 'wallet',
    group: 'agreements',
    icon: 'delegations',
    Page: piece(() => import('./pages/delegations.tsx')),
  },
  {
    path: '/merging',
    title: t('Merging'),
    for: 'wallet',
    group: 'agreements',
    icon: 'merging',
    Page: piece(() => import('./pages/merging.tsx')),
  },
  {
    path: '/traffic',
    title: t('Traffic'),
    for: 'wallet',
    group: 'network',
    icon: 'traffic',
    Page: piece(() => import('./pages/traffic.tsx')),
  },
  {
    path: '/network',
    title: t('Network'),
    for: 'everyone',
    group: 'network',
    icon: 'network',
    Page: piece(() => import('./pages/network.tsx')),
  },
  {
    path: '/users',
    title: t('Users and parties'),
    for: 'operator',
    group: 'administration',
    icon: 'users',
    Page: piece(() => import('./pages/users.tsx')),
  },
  {
    path: '/automations',
    title: t('Automations'),
    for: 'operator',
    group: 'administration',
    icon: 'automations',
    Page: piece(() => import('./pages/automations.tsx')),
  },
  {
    path: '/metrics',
    title: t('Metrics'),
    for: 'operator',
    group: 'administration',
    icon: 'metrics',
    Page: piece(() => import('./pages/metrics.tsx')),
  },
  {
    path: '/settings',
    title: t('Settings'),
    for: 'everyone',
    group: 'wallet',
    icon: 'settings',
    Page: piece(() => import('./pages/settings.tsx')),
  },
  {
    path: '/development',
    title: t('Development'),
    for: 'development',
    group: 'wallet',
    icon: 'development',
    Page: piece(() => import('./pages/development.tsx')),
  },
]
