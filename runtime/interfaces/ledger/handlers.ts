// All operations of the ledger interface, over what the services are made of.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import { wire as ledgerWire } from '../../../generated/ledger/routes.gen.ts'
import { within } from '../../host/deadline.ts'
import type { ErrorNode } from '../../errors/errors.ts'
import type { AuthService } from '../../host/plugin.ts'
import { commandHandlers } from './commands/command-handlers.ts'
import { ImplementationFinder } from './commands/implementations.ts'
import { contractHandlers } from './contract-handlers.ts'
import { reassignmentHandlers } from './commands/reassignments.ts'
import { healthHandlers } from './health-handlers.ts'
import { interactiveHandlers } from './interactive-handlers.ts'
import { createInteractive, NONCE_BYTES } from '../../participant/interactive/interactive.ts'
import { IdentityProviderAdmin } from '../../participant/identity/identity-provider-admin.ts'
import { identityProviderHandlers } from './identity-provider-handlers.ts'
import { OWN_WORDS } from '../../participant/interactive/wire-words.ts'
import { uploadedShapes } from '../../packages/templates/shapes.ts'
import { PackageAdmin } from '../../participant/packages/package-admin.ts'
import { packageHandlers } from './package-handlers.ts'
import { Vetting } from '../../participant/packages/vetting.ts'
import { vettingHandlers } from './vetting-handlers.ts'
import { otherNodes } from '../../economy/network/node-packages.ts'
import { PartyAdmin } from '../../participant/identity/party-admin.ts'
import { partyHandlers } from './party-handlers.ts'
import { pageHandlers } from './streams/pages.ts'
import type { StreamReads } from './streams/reads.ts'
import { listHandlers } from './streams/stream-handlers.ts'
import { stateHandlers } from './state-handlers.ts'
import { updateHandlers } from './update-handlers.ts'
import { UserAdmin } from '../../participant/identity/user-admin.ts'
import { userHandlers } from './user-handlers.ts'
import { responder } from '../reply.ts'
import type { Context } from '../reply.ts'
import type { ServiceOptions, Parts } from '../parts.ts'

/** Milliseconds that the host waits for a plugin's health, too. */
const READY_MS = 1_000

function configuredIssuers(auth: readonly AuthService[]): readonly string[] {
  return auth.flatMap(({ issuers = [] }) => issuers)
}

/** The folder of uploads while they are checked. */
export function uploadFolder({ dataDir }: ServiceOptions): string {
  return join(dataDir, 'uploads')
}

/** The node as errors name it: in development also where to read about them. */
export function errorNodeOf({ settings, options }: Parts): ErrorNode {
  return { participant: settings.participantId, linksHelp: options.profile === 'dev' }
}

/** A handler for each operation of the interface, over the parts of the services. */
export function ledgerHandlers(parts: Parts, reads: StreamReads): Handlers<Context> {
  const { options, store, settings, node, directory, providers, economy } = parts
  const { productVersion } = options
  const respond = responder(errorNodeOf(parts))
  const { engine, clock } = economy
  const maxRights = settings.maxRightsPerUser
  const limits = {
    maxTransactionNodes: settings.maxTransactionNodes,
    maxTransactionBytes: settings.maxTransactionBytes,
  }
  const listLimits = { elements: settings.maxListElements, bytes: settings.maxListBytes }
  const commands = {
    store,
    engine,
    quotas: economy.quotas,
    submissions: reads.submissions,
    hosted: reads.hosted,
    respond,
    rules: {
      implementations: new ImplementationFinder(engine, reads.uploaded),
      node,
      clock,
      limits,
    },
  }
  const interactive = createInteractive({
    engine,
    store,
    clock,
    limits,
    newNonce: () => randomBytes(NONCE_BYTES),
    words: options.words ?? OWN_WORDS,
    uploaded: (id) => uploadedShapes(engine.template(id)),
    unvetted: (ids) => commands.rules.implementations.unvetted(ids),
  })
  const packages = packageAdmin(parts)
  return {
    ...userHandlers(
      new UserAdmin({
        store,
        directory,
        maxRights,
        operatorUser: settings.validator.validatorWalletUser,
      }),
      respond,
    ),
    ...identityProviderHandlers(
      new IdentityProviderAdmin(store, providers, configuredIssuers(options.auth)),
      respond,
    ),
    ...partyHandlers(partyAdmin(parts), node, respond),
    ...packageHandlers(packages, settings.packageHashHeader, respond),
    ...vettingHandlers({ vetting: vetting(parts, packages), packages }, respond),
    ...stateHandlers(store, node, respond),
    ...commandHandlers(commands),
    ...reassignmentHandlers(commands),
    ...interactiveHandlers(interactive, commands),
    ...listHandlers(reads, listLimits, respond),
    ...pageHandlers(reads, listLimits, respond),
    ...updateHandlers(reads, respond),
    ...contractHandlers(reads, respond),
    ...healthHandlers({
      notReady: () => whyNotReady(parts),
      notes: () => notesOf(parts),
      interfaceVersion: settings.reportedVersion ?? ledgerWire.version,
      productVersion,
      maxRights,
    }),
  }
}

function partyAdmin(parts: Parts): PartyAdmin {
  const { options, store, settings, node, directory, economy } = parts
  return new PartyAdmin({
    store,
    cohosting: parts.cohosting,
    directory,
    node,
    newName: options.newName,
    maxSelfAllocatedParties: settings.maxSelfAllocatedParties,
    maxRights: settings.maxRightsPerUser,
    reserved: new Set([economy.parties.dso, economy.parties.sv]),
  })
}

function packageAdmin({ options, store, settings, node }: Parts): PackageAdmin {
  return new PackageAdmin({
    store,
    node,
    newName: options.newName,
    uploadFolder: uploadFolder(options),
    maxUploadBytes: settings.maxUploadBytes,
    manifestFormat: settings.darManifestFormat,
    known: {
      basicLibraries: settings.basicLibraries,
      stablePackageIds: new Set(settings.stablePackageIds),
    },
  })
}

function vetting(parts: Parts, packages: PackageAdmin): Vetting {
  const { options, store, settings, node, economy } = parts
  const reportedVersions = settings.reportedPackageVersions ?? {}
  return new Vetting({
    store,
    hostsOf: economy.hostsOf,
    others: () => otherNodes({ store: options.store, engine: economy.engine, key: node.key }),
    node,
    packages,
    reportedVersions,
  })
}

/** Notes that an operator should look at while the service goes on. */
function notesOf({ ledger: { watch } }: Parts): readonly string[] {
  return watch?.note === undefined ? [] : [`time: ${watch.note}`]
}

/**
 * What the host says, then whatever does not hold of the ledger. The store's own health is the
 * host's matter.
 */
async function whyNotReady({
  options: { notReady },
  economy: { engine },
  ledger: { watch },
}: Parts): Promise<string | undefined> {
  const [reason] = await Promise.all([notReady(), within(READY_MS, () => watch?.checked())])
  engine.oldestSubmissionMs()
  return reason ?? engine.invariants.line
}
