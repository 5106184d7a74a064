// Puts the services together: generated tables, handlers, guard and presenter of each interface,
// over one store.
import { wire as ledgerWire } from '../../generated/ledger/routes.gen.ts'
import { wire as registryWire } from '../../generated/registry/routes.gen.ts'
import { wire as scanWire } from '../../generated/scan/routes.gen.ts'
import type { Handlers } from '../../generated/validator/handlers.gen.ts'
import { wire as validatorWire } from '../../generated/validator/routes.gen.ts'
import { adoptNames, allTemplates } from '../contracts/index.ts'
import type { AutomationWorld } from '../host/plugin.ts'
import type { MeasurementSource } from '../host/measurement.ts'
import { formatProblem } from '../host/problem.ts'
import { mountInterface, plainPresenter } from '../http/index.ts'
import type { InterfaceMount } from '../http/index.ts'
import { nodeStore } from '../store/node-store.ts'
import { templateOf } from '../store/rules.ts'
import type { Store } from '../store/store.ts'
import { accessDirectory } from '../participant/access-directory.ts'
import { LedgerGuard } from '../access/guard.ts'
import { PrincipalDirectory } from '../access/principal.ts'
import type { Principal } from '../access/principal.ts'
import { ProviderDirectory } from '../access/provider.ts'
import { Invariants, noteVersions } from '../engine/index.ts'
import type { AnyTemplate, Engine, Templated } from '../engine/index.ts'
import type { Economy } from '../economy/economy.ts'
import { startAudit } from '../economy/audit.ts'
import type { Audit } from '../economy/audit.ts'
import { automationHandlers } from './validator/automation-handlers.ts'
import type { AutomationControl } from './validator/automation-handlers.ts'
import { automationWorld } from '../economy/automation.ts'
import { externalPartyHandlers } from './validator/external-party/handlers.ts'
import { ledgerPresenter } from './ledger/ledger-presenter.ts'
import { removeLeftUploads } from '../participant/packages/spool.ts'
import { OWN_WORDS } from '../participant/interactive/wire-words.ts'
import type { StreamReads } from './ledger/streams/reads.ts'
import { streamHandlers } from './ledger/streams/stream-handlers.ts'
import { requestTrace } from '../economy/trace.ts'
import { SharedPages } from './ledger/streams/shared-pages.ts'
import { Submissions } from './ledger/commands/submissions.ts'
import { LedgerTail } from './ledger/streams/tail.ts'
import { measureEconomy } from '../economy/measure.ts'
import { clockHandlers } from './validator/clock-handlers.ts'
import { amongOthers } from '../economy/network/among-others.ts'
import { createEconomy } from '../economy/network/create-economy.ts'
import type { LedgerEconomy } from '../economy/network/create-economy.ts'
import { seedDevelopmentNetwork } from '../economy/network/demo-seed.ts'
import { ensureNetwork, ensureValidator, writeDownNode } from '../economy/network/genesis.ts'
import { settleIds } from '../economy/network/ids.ts'
import { packagesOf } from '../economy/network/node-packages.ts'
import { hostsAnywhere, knownNodes } from '../economy/network/nodes.ts'
import { governanceHandlers } from './validator/governance-handlers.ts'
import { ledgerHistory } from '../economy/network/ledger-history.ts'
import { ledgerTime } from '../economy/network/ledger-time.ts'
import { hostedStore } from '../participant/hosted-store.ts'
import { ownPackages } from '../participant/packages/own-packages.ts'
import { packageStates } from '../participant/packages/package-states.ts'
import type { PackageState } from '../participant/packages/package-states.ts'
import { VettedPackages } from '../participant/packages/vetted-packages.ts'
import type { Ids } from '../participant/node.ts'
import { probeHandlers } from './probes.ts'
import type { Probes } from './probes.ts'
import { registryHandlers } from './registry/index.ts'
import { responder } from './reply.ts'
import type { Context } from './reply.ts'
import { fromReplicas } from './scan/from-replicas.ts'
import { scanHandlers, scanProjectors } from './scan/handlers.ts'
import { scanProxyHandlers } from './validator/scan-proxy-handlers.ts'
import { seedFirstUser } from '../participant/identity/seed.ts'
import type { ServiceSettings, SettingsSections } from './settings.ts'
import { readServiceSettings } from './settings.ts'
import { aroundHandlers } from './around-handlers.ts'
import { walletHandlers } from './validator/wallet/handlers.ts'
import { createOnboarding } from '../economy/wallets/onboarding.ts'
import { walletProjectors } from '../economy/wallets/projectors.ts'
import { trafficLeft } from '../economy/traffic.ts'
import { Treasury } from '../economy/treasury/index.ts'
import { createUserKeeper } from '../economy/wallets/user-keeper.ts'
import type { Ledger, ServiceOptions, Parts } from './parts.ts'
import { uploadedTemplates } from './uploaded-templates.ts'
import { errorNodeOf, ledgerHandlers, uploadFolder } from './ledger/handlers.ts'
import { userNotes } from './user-notes.ts'

export type { Ledger, NodeOptions, ServiceOptions } from './parts.ts'

export type { LedgerClock } from '../economy/network/ledger-time.ts'

const NO_AUTOMATIONS: AutomationControl = { list: () => [], runNow: () => 'unknown' }

/** No upload takes this long: the request's time limit is far below. */
const LEFT_UPLOAD_MS = 3_600_000

export interface Services {
  readonly interfaces: readonly InterfaceMount<Principal>[]
  /** World of the automations, and the numbers that there are to see. */
  readonly background: {
    readonly world: AutomationWorld
    readonly measure: readonly MeasurementSource[]
  }
  readonly economy: Economy
  readonly treasury: Treasury
  readonly userNotes: ReturnType<typeof userNotes>
  /** The node's packages, and what runs of each. */
  readonly packages: () => Promise<readonly PackageState[]>
  /** The ledger that another node of this process joins. */
  readonly ledger: Ledger
  /** Lines for the banner. */
  readonly notes: readonly string[]
  /** Waits for what is under way. */
  stop(): Promise<void>
}

/** Throws an Error with one line for people when the settings are wrong. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { auth, clock, spans, replicas } = options
  spans?.follow(() => requestTrace()?.traceparent)
  const settings = trustedSettings(options.settings)
  adoptNames(settings)
  const parts = await startEconomy(options, settings)
  await removeLeftUploads(
    uploadFolder(options),
    Number(clock.nowMicros() / 1_000n) - LEFT_UPLOAD_MS,
  )
  const { economy, directory, treasury, ledger } = parts
  const { watch, history } = ledger
  connectAuth(parts)
  const probes = probeHandlers(options, parts.node.participantId)
  const common = {
    auth,
    directory,
    webSocketTokenPrefix: settings.webSocketTokenPrefix,
    operatorParty: economy.parties.operator,
  }
  const closed = new Set(settings.validator.scanProxyToken ? ['scan-proxy'] : [])
  const plain = {
    guard: new LedgerGuard({ ...common, closed, ignoresNeedlessTokens: true }),
    presenter: plainPresenter,
  }
  const reads = streamReads(parts)
  const isFirst = options.node?.joins === undefined
  const audit = auditOf(parts, isFirst)
  const around = { history: history.watch, quotas: economy.quotas, watch }
  const handlers = validatorHandlers(parts, probes)
  const writing = [
    ledgerMount(parts, reads, new LedgerGuard(common)),
    mountInterface({ wire: validatorWire, handlers, ...plain }),
  ]
  return {
    interfaces: [
      ...writing.map((mount) => aroundHandlers(mount, { ...around, isTraced: true })),
      ...publicMounts(parts, probes, plain).map((mount) =>
        aroundHandlers(mount, { ...around, isTraced: spans !== undefined }),
      ),
    ],
    background: {
      world: automationWorld({ economy, treasury }, history.watch),
      measure: measureEconomy({ economy, treasury, watch, audit, replicas, isFirst }),
    },
    economy,
    treasury,
    userNotes: userNotes(parts.store.notes, new LedgerGuard(common), ledgerWire.operations),
    packages: () =>
      packageStates(
        parts.store.packages,
        options.words ?? OWN_WORDS,
        settings.reportedPackageVersions ?? {},
      ),
    ledger,
    notes: await startNotes(options, economy),
    stop: async () => {
      await audit.stop()
      await treasury.stop()
      if (!isFirst) return
      await economy.engine.drain()
      await ledger.time.stop()
      await history.stop()
    },
  }
}

/** One a ledger is enough. */
function auditOf({ options: { store, log }, settings, economy }: Parts, isFirst: boolean): Audit {
  const own = isFirst ? settings.audit : { ...settings.audit, everyMs: 0 }
  return startAudit({ store: store.contracts, economy, settings: own, log })
}

function ledgerMount(
  parts: Parts,
  reads: StreamReads,
  guard: LedgerGuard,
): InterfaceMount<Principal> {
  const { webSocketSubprotocol } = parts.settings
  return mountInterface({
    wire: ledgerWire,
    handlers: ledgerHandlers(parts, reads),
    guard,
    presenter: ledgerPresenter(errorNodeOf(parts)),
    streams: streamHandlers(reads, responder(errorNodeOf(parts))),
    webSocketSubprotocol,
    refusesInStream: true,
  })
}

/** They only read: their requests leave a trace in spans alone. */
function publicMounts(
  { economy, options: { replicas = [] } }: Parts,
  probes: Probes,
  plain: Pick<InterfaceMount<Principal>, 'guard' | 'presenter'>,
): readonly InterfaceMount<Principal>[] {
  const handlers = { ...probes, ...scanHandlers(economy) }
  return [
    fromReplicas(mountInterface({ wire: scanWire, handlers, ...plain }), economy, replicas),
    mountInterface({
      wire: registryWire,
      handlers: registryHandlers(economy),
      alsoAt: [`${validatorWire.mount}/v0/scan-proxy`],
      ...plain,
    }),
  ]
}

/** Notes for a person who tries things out, before the first surprise. */
async function startNotes(
  { profile, seeded }: ServiceOptions,
  economy: Economy,
): Promise<readonly string[]> {
  if (profile !== 'dev' || seeded) return []
  const { grant } = await trafficLeft(economy)
  if (grant.limit > 0n) return []
  const { baseBurstBytes, baseWindowSeconds } = economy.settings.network.traffic
  const rate = `${Math.round(baseBurstBytes / 1_000)} kB in ${Math.round(baseWindowSeconds / 60)} minutes`
  return [
    `no traffic was bought: submissions have ${rate}, some twenty payments, then 429; ` +
      'the wallet of the operator buys more, and a start without --empty on new data has plenty',
  ]
}

/**
 * First user, network and, on a development network, something to try out: each made where it is
 * missing.
 */
async function startEconomy(options: ServiceOptions, settings: ServiceSettings): Promise<Parts> {
  const { productVersion, node: own, store: whole, profile, random } = options
  const ids = await settleIds({ store: whole, key: own?.key ?? '', settings, profile, random })
  const { node } = ids
  const several = own !== undefined || (await knownNodes(whole)).length > 0
  const stored = nodeStore(whole, node.key)
  const store = hostedStore(stored, node.namespace)
  const directory = new PrincipalDirectory(store, options.clock)
  const { economy, ledger } = await joinLedger(options, settings, { store, ids, several })
  const users = createUserKeeper(store, directory, settings.maxRightsPerUser)
  if (node.key === '') await ensureNetwork(economy, users, productVersion)
  else await ensureValidator(economy, users, productVersion)
  const packages = await packagesOf(whole, economy, own !== undefined)
  if (own !== undefined) await writeDownNode(economy, own.name)
  const onboarding = createOnboarding(economy, users)
  if (options.seeded) await seedDevelopmentNetwork(economy, onboarding)
  const providers = new ProviderDirectory(store.identityProviders, options.clock)
  return {
    options,
    store: { ...store, packages },
    uploaded: new VettedPackages(packages, ownPackages(options.words ?? OWN_WORDS)),
    ...amongOthers(whole, economy, several),
    settings,
    node,
    directory,
    providers,
    economy,
    ledger,
    onboarding,
    treasury: new Treasury(economy),
  }
}

interface OwnLedger {
  /** The store with what is the node's own. */
  readonly store: Store
  readonly ids: Ids
  /** Whether the ledger has, or had, more nodes. */
  readonly several: boolean
}

/** The ledger of this process: begun here, or that of the node that came first. */
async function joinLedger(
  options: ServiceOptions,
  settings: ServiceSettings,
  { store, ids, several }: OwnLedger,
): Promise<Pick<Parts, 'economy' | 'ledger'>> {
  const { profile, newName, log, node: own } = options
  const common = {
    monotonicMs: () => options.clock.monotonicMs(),
    store,
    ids,
    settings,
    profile,
    newName,
    projectors: [...walletProjectors, ...scanProjectors],
    spans: options.spans,
    ...(several ? { hostsOf: (party: string) => hostsAnywhere(options.store, party) } : {}),
    ...(log === undefined ? {} : { log }),
    ...(options.random === undefined ? {} : { random: options.random }),
  }
  if (own?.joins !== undefined) {
    await seedFirstUser(store)
    const { shared, clock } = own.joins
    return { economy: await createEconomy({ ...common, clock, shared }), ledger: own.joins }
  }
  const { time, history } = await ledgerOf(options, settings, store)
  const source = uploadedTemplates(options, settings.evaluation, () => economy)
  const joined = { ...common, ...time, source, history: history.watch }
  const economy: LedgerEconomy = await createEconomy(joined)
  const { engine } = economy
  await noteVersions(store.contracts, allTemplates, (facts) => engine.recordFacts([], () => facts))
  const tail = new LedgerTail(engine, history.watch)
  const { shared } = economy
  const { clock, watch } = time
  const pages = new SharedPages(store)
  return { economy, ledger: { shared, clock, watch, time, history, tail, pages } }
}

/** The ledger that the first node of a process opens and watches. */
async function ledgerOf(options: ServiceOptions, settings: ServiceSettings, store: Store) {
  const { clock, ledgerClock, historyFile: file, log } = options
  const invariants = new Invariants(log)
  const history = await ledgerHistory({ store, file, invariants, log })
  await seedFirstUser(store)
  const { contracts } = store
  const { look } = history
  const watched = { store: contracts, look, clock, ledgerClock, settings, invariants, log }
  return { time: await ledgerTime(watched), history }
}

/** Tells the auth plugins where to look up whom tokens speak of. */
function connectAuth({ options: { auth }, store, directory, providers, node }: Parts): void {
  const connected = accessDirectory({
    parties: store.parties,
    principals: directory,
    providers,
    node,
  })
  for (const service of auth) service.connect?.(connected)
}

function trustedSettings(sections: SettingsSections): ServiceSettings {
  const read = readServiceSettings(sections)
  if (read.ok) return read.settings
  throw new Error(`configuration ${read.problems.map(formatProblem).join('; ')}`)
}

function streamReads({
  store,
  hosted,
  uploaded,
  ledger: { tail, pages },
  node: { synchronizerId },
  economy: { engine },
}: Parts): StreamReads {
  return {
    store,
    hosted,
    tail,
    pages,
    templateOf: (subject) => implementing(engine, subject),
    ready: (templateIds) => engine.ready(templateIds),
    uploaded,
    synchronizerId,
    submissions: new Submissions(),
  }
}

/**
 * The code for a contract's template, which may be older than the contract: then it refuses to read
 * it.
 */
function implementing(engine: Engine, subject: Templated): AnyTemplate | undefined {
  return engine.template(subject.templateId) ?? engine.template(`#${templateOf(subject)}`)
}

function validatorHandlers(parts: Parts, probes: Probes): Handlers<Context> {
  const { options, economy, treasury, onboarding, cohosting } = parts
  return {
    ...probes,
    ...automationHandlers(economy, options.automations ?? NO_AUTOMATIONS),
    ...clockHandlers(options.ledgerClock, economy.node),
    ...governanceHandlers(economy),
    ...walletHandlers(economy, treasury, onboarding),
    ...externalPartyHandlers({
      economy,
      treasury,
      cohosting,
      words: options.words ?? OWN_WORDS,
    }),
    ...scanProxyHandlers(economy),
  }
}
