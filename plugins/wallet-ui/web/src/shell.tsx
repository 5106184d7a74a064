// The frame around the pages: header, navigation, the page that the address names, and what is said
// when the server is away.
import {
  Alert,
  AppShell,
  Burger,
  Button,
  Center,
  Group,
  Loader,
  NavLink,
  ScrollArea,
  Text,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { LedgerTime } from './lib/development.tsx'
import { useKeptFocus } from './lib/kept-focus.ts'
import { isUnreachable } from './lib/problem.ts'
import { useRights } from './lib/rights.ts'
import { useStatus } from './lib/facts.ts'
import { useWallet } from './lib/wallet.tsx'
import { Onboarding } from './onboarding.tsx'
import { PAGES } from './pages.ts'
import type { PageEntry } from './pages.ts'
import { Identifier } from './parts/identifier.tsx'
import { Empty, Page } from './parts/page.tsx'
import { WaitingBadge } from './parts/waiting-badge.tsx'

export function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  useKeptFocus()
  return (
    <Router base="/wallet">
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Header isOpen={isOpen} toggle={toggle} />
        </AppShell.Header>
        <AppShell.Navbar p="xs">
          <ScrollArea>
            <Navigation onChosen={close} />
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main>
          <LedgerTime />
          <Away />
          <Content />
        </AppShell.Main>
      </AppShell>
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
  const { session, logOut } = useWallet()
  const { data } = useStatus()
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap">
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
        />
        <Text fw={700}>Wallet</Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500}>
          {session.user}
        </Text>
        {data === undefined || data.party_id === '' ? null : (
          <Group visibleFrom="sm">
            <Identifier of={data.party_id} label="your party" />
          </Group>
        )}
        <Button variant="default" size="xs" onClick={logOut}>
          Log out
        </Button>
      </Group>
    </Group>
  )
}

/** The pages that the person may open. */
function usePages(): readonly PageEntry[] {
  const { configuration } = useWallet()
  const { isOperator } = useRights()
  return PAGES.filter(
    (page) =>
      (page.for !== 'operator' || isOperator) &&
      (page.for !== 'development' || configuration.development),
  )
}

function Navigation({ onChosen }: { readonly onChosen: () => void }): ReactNode {
  const [path] = useLocation()
  return (
    <nav aria-label="Pages">
      {usePages().map((page) => (
        <NavLink
          key={page.path}
          component={Link}
          href={page.path}
          label={page.title}
          active={path === page.path}
          onClick={onChosen}
          rightSection={page.path === '/offers' ? <WaitingBadge /> : null}
          {...(path === page.path ? { 'aria-current': 'page' as const } : {})}
        />
      ))}
    </nav>
  )
}

function Content(): ReactNode {
  const pages = usePages()
  return (
    <Switch>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <OnePage page={page} />
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
        <Loader aria-label="Loading" />
      </Center>
    )
  return (
    <Page title="No such page">
      <Empty>
        There is no such page. <Link href="/">Go to the overview.</Link>
      </Empty>
    </Page>
  )
}

/** Who has no wallet yet gets one first. */
function OnePage({ page }: { readonly page: PageEntry }): ReactNode {
  const { data } = useStatus()
  if (page.for === 'wallet' && data === undefined)
    return (
      <Center py="xl">
        <Loader aria-label="Loading" />
      </Center>
    )
  if (page.for === 'wallet' && data?.user_onboarded !== true) return <Onboarding />
  return <page.Page />
}

function Away(): ReactNode {
  const { error, data, failureReason } = useStatus()
  const { logOut } = useWallet()
  const reason = error ?? failureReason
  if (isUnreachable(reason)) {
    return (
      <Alert color="orange" mb="md" role="alert" title="The server does not answer">
        What you see is as of the last answer. The wallet goes on by itself when the server is back.
      </Alert>
    )
  }
  if (data !== undefined || reason === null) return null
  return (
    <Alert color="red" mb="md" role="alert" title="The server does not let you in">
      <Group>
        Log in again, perhaps as somebody else.
        <Button size="xs" onClick={logOut}>
          Log out
        </Button>
      </Group>
    </Alert>
  )
}
