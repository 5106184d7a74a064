// The frame around the pages: navigation, header, the page that the address names, and what is said
// when the server is away.
import { Burger, Center, Group, Loader } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { Away } from './away.tsx'
import { useKnownNames } from './lib/contacts.ts'
import { LedgerTime } from './lib/development.tsx'
import { useStatus } from './lib/facts.ts'
import { useKeptFocus } from './lib/kept-focus.ts'
import { t } from './lib/language.ts'
import { isRefusal } from './lib/problem.ts'
import { useRights } from './lib/rights.ts'
import { useNotices } from './lib/use-notices.ts'
import { Bar, Navigation, usePages } from './navigation.tsx'
import type { PageEntry } from './pages.ts'
import { Mark } from './parts/mark.tsx'
import { Empty, Page } from './parts/page.tsx'
import { piece } from './parts/piece.tsx'
import { rich } from './parts/rich.tsx'
import classes from './shell.module.css'
import { Whoever } from './whoever.tsx'

// Once in the life of a wallet.
const Onboarding = piece(() => import('./onboarding.tsx'))

export default function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [visit, setVisit] = useState(0)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const onChosen = (isAgain: boolean): void => {
    close()
    // Who chooses the page that is open wants it anew: a form that has been sent, say.
    if (isAgain) setVisit((before) => before + 1)
  }
  useKeptFocus()
  useKnownNames()
  useNotices()
  return (
    <Router base="/wallet">
      <a className="skip" href="#main">
        {t('Skip to the page')}
      </a>
      <header className={classes['header']}>
        <Header isOpen={isOpen} toggle={toggle} />
      </header>
      <div className={classes['navbar']} data-open={isOpen}>
        <Group justify="space-between">
          <Link href="/" className={classes['home'] ?? ''} onClick={close}>
            <Mark />
            {t('Wallet')}
          </Link>
          <Burger
            opened
            onClick={close}
            hiddenFrom="sm"
            size="sm"
            aria-label={t('Close the menu')}
          />
        </Group>
        <div className={classes['pages']}>
          <Navigation onChosen={onChosen} />
        </div>
      </div>
      <main id="main" tabIndex={-1} className={classes['main']}>
        <LedgerTime />
        <Away />
        <Content visit={visit} />
      </main>
      {isNarrow ? (
        <footer className={classes['footer']}>
          <Bar isOpen={isOpen} toggle={toggle} onChosen={onChosen} />
        </footer>
      ) : null}
    </Router>
  )
}

function Header({
  isOpen,
  toggle,
}: {
  readonly isOpen: boolean
  readonly toggle: () => void
}): ReactNode {
  return (
    <Group h="100%" px={{ base: 'md', sm: 'xl' }} justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap" hiddenFrom="sm">
        <Burger
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={isOpen ? t('Close the menu') : t('Open the menu')}
        />
        <Mark size={26} />
      </Group>
      <span />
      <Whoever />
    </Group>
  )
}

/** `visit` changes when an open page is to begin anew. */
function Content({ visit }: { readonly visit: number }): ReactNode {
  const pages = usePages()
  const [path] = useLocation()
  useEffect(() => window.scrollTo(0, 0), [path])
  return (
    <Switch>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <OnePage key={visit} page={page} />
        </Route>
      ))}
      <Route>
        <NoPage />
      </Route>
    </Switch>
  )
}

/**
 * Pages for administrators come a moment later than the others: it has to be known first who is
 * one.
 */
function NoPage(): ReactNode {
  const { isKnown } = useRights()
  if (!isKnown)
    return (
      <Center py="xl">
        <Loader aria-label={t('Loading')} />
      </Center>
    )
  return (
    <Page title={t('No such page')}>
      <Empty>
        {rich('There is no such page. {0}', <Link href="/">{t('Go to the overview.')}</Link>)}
      </Empty>
    </Page>
  )
}

/** The page; a person without a wallet gets one first. */
function OnePage({ page }: { readonly page: PageEntry }): ReactNode {
  const { data, error } = useStatus()
  // `Away` says why, and there is nothing to wait for.
  if (page.for === 'wallet' && data === undefined && isRefusal(error)) return null
  if (page.for === 'wallet' && data === undefined)
    return (
      <Center py="xl">
        <Loader aria-label={t('Loading')} />
      </Center>
    )
  if (page.for === 'wallet' && data?.user_onboarded !== true) return <Onboarding />
  return <page.Page />
}
