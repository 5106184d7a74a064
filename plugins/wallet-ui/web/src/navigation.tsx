// The ways to the pages: all of them in groups, and the few main ones in the bar of a phone.
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { t } from './lib/language.ts'
import { useRights } from './lib/rights.ts'
import { useWallet } from './lib/wallet.tsx'
import { GROUPS, PAGES } from './pages.ts'
import type { PageEntry } from './pages.ts'
import { Icon } from './parts/icons.tsx'
import { WaitingBadge } from './parts/waiting-badge.tsx'
import classes from './shell.module.css'

/** The pages that the person may open. */
export function usePages(): readonly PageEntry[] {
  const { configuration } = useWallet()
  const { isOperator } = useRights()
  return PAGES.filter(
    (page) =>
      (page.for !== 'operator' || isOperator) &&
      (page.for !== 'development' || configuration.development),
  )
}

interface Props {
  /** `isAgain`: the page is open already. */
  readonly onChosen: (isAgain: boolean) => void
}

/** All pages, in groups. */
export function Navigation({ onChosen }: Props): ReactNode {
  const pages = usePages()
  return (
    <nav aria-label={t('Pages')}>
      {GROUPS.map(({ group, title }) => {
        const own = pages.filter((page) => page.group === group && page.isHidden !== true)
        return own.length === 0 ? null : (
          <div key={group} role="group" aria-labelledby={`group-${group}`}>
            <div id={`group-${group}`} className={classes['group']}>
              {title}
            </div>
            <ul className={classes['list']}>
              {own.map((page) => (
                <li key={page.path}>
                  <PageLink page={page} onChosen={onChosen} className="link" />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** The main pages and the way to all others. */
export function Bar({
  isOpen,
  toggle,
  onChosen,
}: Props & { readonly isOpen: boolean; readonly toggle: () => void }): ReactNode {
  const pages = usePages().filter(({ isMain }) => isMain === true)
  return (
    <nav aria-label={t('Main pages')} style={{ width: '100%' }}>
      <ul className={classes['tabs']}>
        {pages.map((page) => (
          <li key={page.path}>
            <PageLink page={page} onChosen={onChosen} className="tab" />
          </li>
        ))}
        <li>
          <button type="button" className={classes['tab']} aria-expanded={isOpen} onClick={toggle}>
            <Icon of="more" size="22px" />
            {t('More')}
            <span className={classes['dot']}>
              <WaitingBadge />
            </span>
          </button>
        </li>
      </ul>
    </nav>
  )
}

function PageLink({
  page,
  onChosen,
  className,
}: Props & { readonly page: PageEntry; readonly className: 'link' | 'tab' }): ReactNode {
  const [path] = useLocation()
  const isOpen = path === page.path
  return (
    <Link
      href={page.path}
      className={classes[className] ?? ''}
      onClick={() => onChosen(isOpen)}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon of={page.icon} size={className === 'tab' ? '22px' : '20px'} />
      <span>{page.title}</span>
      {page.path === '/offers' ? <WaitingBadge /> : null}
    </Link>
  )
}
