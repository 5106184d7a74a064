// Puts the services together: generated tables, handlers, guard and presenter of each interface, over one store.
import { join } from 'node:path'
import { wire as ledgerWire } from '../../generated/ledger/routes.gen.ts'
import { wire as registryWire } from '../../generated/registry/routes.gen.ts'
import { wire as scanWire } from '../../generated/scan/routes.gen.ts'
import { wire as validatorWire } from '../../generated/validator/routes.gen.ts'
import type { AuthService, Clock } from '../host/plugin.ts'
import { formatProblem } from '../host/problem.ts'
import { mountInterface, plainPresenter } from '../http/index.ts'
import type { InterfaceMount } from '../http/index.ts'
import type { Store } from '../store/store.ts'
import { LedgerGuard } from './access/guard.ts'
import { PrincipalDirectory } from './access/principal.ts'
import type { Principal } from './access/principal.ts'
import { healthHandlers } from './ledger/health-handlers.ts'
import { IdentityProviderAdmin } from './ledger/identity-provider-admin.ts'
import { identityProviderHandlers } from './ledger/identity-provider-handlers.ts'
import { ledgerPresenter } from './ledger/ledger-presenter.ts'
import { PackageAdmin } from './ledger/package-admin.ts'
import { packageHandlers } from './ledger/package-handlers.ts'
import { removeLeftUploads } from './ledger/packages/spool.ts'
import { PartyAdmin } from './ledger/party-admin.ts'
import { partyHandlers } from './ledger/party-handlers.ts'
import { stateHandlers } from './ledger/state-handlers.ts'
import { updateHandlers } from './ledger/update-handlers.ts'
import { UserAdmin } from './ledger/user-admin.ts'
import { userHandlers } from './ledger/user-handlers.ts'
import { nodeIdentity } from './node.ts'
import { responder } from './reply.ts'
import { seedFirstUser } from './seed.ts'
import type { ServiceSettings, SettingsSections } from './settings.ts'
import { readServiceSettings } from './settings.ts'

/** No upload takes this long: the request's time limit is far below. */
const LEFT_UPLOAD_MS = 3_600_000

export interface ServiceOptions {
  readonly store: Store
  /** Asked in order, the first that knows a token answers. */
  readonly auth: readonly AuthService[]
  readonly clock: Clock
  /** The sections `ledger` and `wireNames` of the configuration. */
  readonly settings: SettingsSections
  /** Resolves to undefined when the service is ready, else to the reason in one line. */
  readonly notReady: () => Promise<string | undefined>
  readonly productVersion: string
  /** Where uploads wait while they are checked, in a folder of their own. */
  readonly dataDir: string
  /** A name that no one else has. */
  readonly newName: () => string
}

export interface Services {
  readonly interfaces: readonly InterfaceMount<Principal>[]
}

/** Throws an Error with one line for people when the settings are wrong. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { store, auth, clock } = options
  const settings = trustedSettings(options.settings)
  await seedFirstUser(store)
  await removeLeftUploads(uploadFolder(options), Number(clock.nowMicros() / 1_000n) - LEFT_UPLOAD_MS)
  const directory = new PrincipalDirectory(store, clock)
  const guard = new LedgerGuard({ auth, directory, webSocketTokenPrefix: settings.webSocketTokenPrefix })
  const ledger = mountInterface({
    wire: ledgerWire,
    handlers: ledgerHandlers(options, settings, directory),
    guard,
    presenter: ledgerPresenter(settings.participantId),
  })
  const unserved = [validatorWire, scanWire, registryWire].map((wire) =>
    mountInterface({ wire, handlers: {}, guard, presenter: plainPresenter }))
  return { interfaces: [ledger, ...unserved] }
}

function trustedSettings(sections: SettingsSections): ServiceSettings {
  const read = readServiceSettings(sections)
  if (read.ok) return read.settings
  throw new Error(`configuration ${read.problems.map(formatProblem).join('; ')}`)
}

function uploadFolder({ dataDir }: ServiceOptions): string {
  return join(dataDir, 'uploads')
}

function ledgerHandlers(options: ServiceOptions, settings: ServiceSettings, directory: PrincipalDirectory) {
  const { store, notReady, productVersion, newName } = options
  const node = nodeIdentity(settings)
  const respond = responder(settings.participantId)
  const parties = new PartyAdmin({
    store, directory, node, newName, maxSelfAllocatedParties: settings.maxSelfAllocatedParties,
  })
  const packages = new PackageAdmin({
    store, node, newName, uploadFolder: uploadFolder(options), maxUploadBytes: settings.maxUploadBytes,
    manifestFormat: settings.darManifestFormat,
    known: { basicLibraries: settings.basicLibraries, stablePackageIds: new Set(settings.stablePackageIds) },
  })
  return {
    ...userHandlers(new UserAdmin(store, directory), respond),
    ...identityProviderHandlers(new IdentityProviderAdmin(store), respond),
    ...partyHandlers(parties, node, respond),
    ...packageHandlers(packages, settings.packageHashHeader, respond),
    ...stateHandlers(store, node, respond),
    ...updateHandlers(store, respond),
    ...healthHandlers({ notReady, interfaceVersion: ledgerWire.version, productVersion }),
  }
}
