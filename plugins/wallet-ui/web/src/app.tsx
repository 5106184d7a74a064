// The outermost parts: what the server says of itself, who is logged in, and then the wallet.
import { Alert, Center, Loader, MantineProvider } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import './styles.css'
import { loadConfiguration } from './lib/configuration.ts'
import type { Configuration } from './lib/configuration.ts'
import { returnedSession } from './lib/oidc-return.ts'
import { problemText } from './lib/problem.ts'
import { createQueryClient } from './lib/query-client.ts'
import { keepSession, readSession } from './lib/session.ts'
import type { Session } from './lib/session.ts'
import { followTabs, sessionOfAnotherTab, tellLogIn, tellLogOut } from './lib/tabs.ts'
import { WalletProvider } from './lib/wallet.tsx'
import { t } from './lib/language.ts'
import { piece } from './parts/piece.tsx'
import { theme } from './theme.ts'

// Either, not both: people who come back are logged in already.
const LogIn = piece(() => import('./log-in.tsx'))
const Shell = piece(() => import('./shell.tsx'))

interface Beginning {
  readonly configuration: Configuration
  readonly session: Session | undefined
  /** Nobody has logged in or out since the tab was opened. */
  readonly isNew?: boolean
  /** The reason why a log-in at the provider failed. */
  readonly refusal?: string
}

/** The whole page. */
export function App(): ReactNode {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Begun />
    </MantineProvider>
  )
}

function Begun(): ReactNode {
  const [beginning, setBeginning] = useState<Beginning>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    begin().then(setBeginning, (error: unknown) => setProblem(problemText(error)))
  }, [])
  useEffect(() => {
    if (beginning === undefined) return undefined
    const { configuration, session: current, isNew = false } = beginning
    return followTabs({ current, isNew }, (session) => {
      keepSession(session)
      setBeginning({ configuration, session })
    })
  }, [beginning])
  if (problem !== undefined)
    return (
      <Center h="100vh" p="md">
        <Alert color="red" title={t('The wallet cannot start')} role="alert">
          {problem}
        </Alert>
      </Center>
    )
  if (beginning === undefined)
    return (
      <Center h="100vh">
        <Loader aria-label={t('Loading')} />
      </Center>
    )
  const change = (session: Session | undefined): void => {
    keepSession(session)
    setBeginning({ configuration, session })
  }
  const { configuration, session, refusal } = beginning
  const logIn = (begun: Session): void => {
    tellLogIn(begun)
    change(begun)
  }
  if (session === undefined)
    return <LogIn configuration={configuration} refusal={refusal} onLogIn={logIn} />
  return (
    <LoggedIn key={session.user} configuration={configuration} session={session} change={change} />
  )
}

async function begin(): Promise<Beginning> {
  const configuration = await loadConfiguration()
  const known = async () => ({ configuration, session: await knownSession(), isNew: true })
  if (configuration.oidc === undefined) return known()
  try {
    const returned = await returnedSession(configuration.oidc)
    if (returned === undefined) return await known()
    keepSession(returned)
    tellLogIn(returned)
    return { configuration, session: returned }
  } catch (error) {
    return { configuration, session: undefined, refusal: problemText(error) }
  }
}

/** The session of this tab, else of another. */
async function knownSession(): Promise<Session | undefined> {
  const own = readSession()
  if (own !== undefined) return own
  const session = await sessionOfAnotherTab()
  keepSession(session)
  return session
}

interface LoggedInProps {
  readonly configuration: Configuration
  readonly session: Session
  readonly change: (session: Session | undefined) => void
}

function LoggedIn({ configuration, session, change }: LoggedInProps): ReactNode {
  const queries = useMemo(createQueryClient, [])
  const logOut = (): void => {
    tellLogOut(session.user)
    change(undefined)
  }
  const wallet = useMemo(
    () => ({ configuration, session, logOut, become: change }),
    [configuration, session],
  )
  return (
    <WalletProvider wallet={wallet} queries={queries}>
      <Shell />
    </WalletProvider>
  )
}
