// Whose wallet this is, the means to ask for data, and the facts that every page needs. One
// provider, made after log-in.
import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import { createClient as ledgerClient } from '../../../../../generated/ledger/client.gen.ts'
import * as ledger from '../../../../../generated/ledger/hooks.gen.ts'
import { createClient as scanClient } from '../../../../../generated/scan/client.gen.ts'
import * as scan from '../../../../../generated/scan/hooks.gen.ts'
import { createClient as validatorClient } from '../../../../../generated/validator/client.gen.ts'
import * as validator from '../../../../../generated/validator/hooks.gen.ts'
import type { Configuration } from './configuration.ts'
import type { Session } from './session.ts'

/** Hooks by interface: `validator.useQuery('getBalance')`. */
export { ledger, scan, validator }

interface Wallet {
  readonly configuration: Configuration
  readonly session: Session
  logOut(): void
  /** Goes on as somebody else. */
  become(session: Session): void
}

const WalletContext = createContext<Wallet | undefined>(undefined)

/** The wallet of whoever is logged in; throws outside of its provider. */
export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (wallet === undefined) throw new Error('nobody is logged in')
  return wallet
}

/** Gives everything below it the session's clients and hooks. */
export function WalletProvider({
  wallet,
  queries,
  children,
}: {
  readonly wallet: Wallet
  readonly queries: QueryClient
  readonly children: ReactNode
}): ReactNode {
  const clients = useMemo(() => clientsOf(wallet), [wallet])
  return (
    <QueryClientProvider client={queries}>
      <WalletContext.Provider value={wallet}>
        <ledger.ClientContext.Provider value={clients.ledger}>
          <scan.ClientContext.Provider value={clients.scan}>
            <validator.ClientContext.Provider value={clients.validator}>
              {children}
            </validator.ClientContext.Provider>
          </scan.ClientContext.Provider>
        </ledger.ClientContext.Provider>
      </WalletContext.Provider>
    </QueryClientProvider>
  )
}

/** The validator for a token other than the session's. */
export function validatorOf(
  configuration: Configuration,
  token: string,
): ReturnType<typeof validatorClient> {
  return validatorClient(optionsOf('validator', configuration, token))
}

function clientsOf({ configuration, session: { token } }: Wallet): {
  readonly ledger: ReturnType<typeof ledgerClient>
  readonly scan: ReturnType<typeof scanClient>
  readonly validator: ReturnType<typeof validatorClient>
} {
  return {
    ledger: ledgerClient(optionsOf('ledger', configuration, token)),
    scan: scanClient(optionsOf('scan', configuration, token)),
    validator: validatorOf(configuration, token),
  }
}

function optionsOf(
  name: string,
  { mounts }: Configuration,
  token: string,
): { readonly baseUrl: string; readonly token: string } {
  return { baseUrl: location.origin + (mounts[name] ?? ''), token }
}
