// Puts the services together: generated tables, handlers, guard and presenter of each interface, over one store.
import { wire as ledgerWire } from '../../generated/ledger/routes.gen.ts'
import { wire as registryWire } from '../../generated/registry/routes.gen.ts'
import { wire as scanWire } from '../../generated/scan/routes.gen.ts'
import { wire as validatorWire } from '../../generated/validator/routes.gen.ts'
import type { AuthService, Clock } from '../host/plugin.ts'
import { mountInterface, plainPresenter } from '../http/index.ts'
import type { InterfaceMount } from '../http/index.ts'
import type { Store } from '../store/store.ts'
import { LedgerGuard } from './access/guard.ts'
import { PrincipalDirectory } from './access/principal.ts'
import type { Principal } from './access/principal.ts'
import { healthHandlers } from './ledger/health-handlers.ts'
import { ledgerPresenter } from './ledger/ledger-presenter.ts'
import { UserAdmin } from './ledger/user-admin.ts'
import { userHandlers } from './ledger/user-handlers.ts'
import { responder } from './reply.ts'
import { seedFirstUser } from './seed.ts'
import { readSettings } from './settings.ts'

export interface ServiceOptions {
  readonly store: Store
  /** Asked in order, the first that knows a token answers. */
  readonly auth: readonly AuthService[]
  readonly clock: Clock
  /** The sections `ledger` and `wireNames` of the configuration. */
  readonly settings: { readonly ledger: unknown; readonly wireNames: unknown }
  /** Resolves to undefined when the service is ready, else to the reason in one line. */
  readonly notReady: () => Promise<string | undefined>
  readonly productVersion: string
}

export interface Services {
  readonly interfaces: readonly InterfaceMount<Principal>[]
}

/** Throws an Error with one line for people when the settings are wrong. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { store, auth, clock, notReady, productVersion } = options
  const { participantId, webSocketTokenPrefix } = readSettings(options.settings)
  await seedFirstUser(store)
  const directory = new PrincipalDirectory(store, clock)
  const guard = new LedgerGuard({ auth, directory, webSocketTokenPrefix })
  const ledger = mountInterface({
    wire: ledgerWire,
    handlers: {
      ...userHandlers(new UserAdmin(store, directory), responder(participantId)),
      ...healthHandlers({ notReady, interfaceVersion: ledgerWire.version, productVersion }),
    },
    guard,
    presenter: ledgerPresenter(participantId),
  })
  const unserved = [validatorWire, scanWire, registryWire].map((wire) =>
    mountInterface({ wire, handlers: {}, guard, presenter: plainPresenter }))
  return { interfaces: [ledger, ...unserved] }
}
