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
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import { templateOf } from '../store/rules.ts'
import { accessDirectory } from '../participant/access-directory.ts'
import { LedgerGuard } from '../access/guard.ts'
import { PrincipalDirectory } from '../access/principal.ts'
import type { Principal } from '../access/principal.ts'
import { ProviderDirectory } from '../access/provider.ts'
import { fillAccruals, Invariants, noteVersions } from '../engine/index.ts'
import type { AnyTemplate, Engine, Templated } from '../engine/index.ts'
import type { Economy } from '../economy/economy.ts'
import { startAudit } from '../economy/audit.ts'
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
import { createEconomy } from '../economy/network/create-economy.ts'
import { seedDevelopmentNetwork } from '../economy/network/demo-seed.ts'
import { ensureNetwork } from '../economy/network/genesis.ts'
import { governanceHandlers } from './validator/governance-handlers.ts'
import { ledgerHistory } from '../economy/network/ledger-history.ts'
import { ledgerTime } from '../economy/network/ledger-time.ts'
import { nodeIdentity } from '../participant/node.ts'
import { withinRate } from './rate-limit.ts'
import { probeHandlers } from './probes.ts'
import type { Probes } from './probes.ts'
import { registryHandlers } from './registry/index.ts'
import { responder } from './reply.ts'
import type { Context } from './reply.ts'
import { traced } from './request-trace.ts'
import { scanHandlers, scanProjectors } from './scan/handlers.ts'
import { scanProxyHandlers } from './validator/scan-proxy-handlers.ts'
import { seedFirstUser } from '../participant/identity/seed.ts'
import type { ServiceSettings, SettingsSections } from './settings.ts'
import { readServiceSettings } from './settings.ts'
import { onOneHistory } from './one-history.ts'
import { onTrustedTime } from './trusted-time.ts'
import { adoptWallets } from '../economy/wallets/adopt-wallets.ts'
import { walletHandlers } from './validator/wallet/handlers.ts'
import { createOnboarding } from '../economy/wallets/onboarding.ts'
import { walletProjectors } from '../economy/wallets/projectors.ts'
import { trafficLeft } from '../economy/traffic.ts'
import { Treasury } from '../economy/treasury/index.ts'
import { createUserKeeper } from '../economy/wallets/user-keeper.ts'
import type { ServiceOptions, Parts } from './parts.ts'
import { uploadFolder, ledgerHandlers } from './ledger/handlers.ts'
import { userNotes } from './user-notes.ts'
import type { NotesOf } from './user-notes.ts'

export type { ServiceOptions } from './parts.ts'

export type { LedgerClock } from '../economy/network/ledger-time.ts'

const NO_AUTOMATIONS: AutomationControl = { list: () => [], runNow: () => 'unknown' }

/** No upload takes this long: the request's time limit is far below. */
const LEFT_UPLOAD_MS = 3_600_000

/** Operations of the ledger that submit, or prepare to. */
const SUBMISSIONS = /^\/v2\/(commands\/(async\/)?submit|interactive-submission\/(prepare|execute))/

/** Operations of the validator that only read, whatever their method. */
const READS = /^\/v0\/scan-proxy\//

export interface Services {
  readonly interfaces: readonly InterfaceMount<Principal>[]
  /** What automations work with, and what there is to see in numbers. */
  readonly background: {
    readonly world: AutomationWorld
    readonly measure: readonly MeasurementSource[]
  }
  readonly economy: Economy
  readonly treasury: Treasury
  /** What extensions keep for users. */
  readonly userNotes: NotesOf
  /** Lines for the banner. */
  readonly notes: readonly string[]
  /** Waits for what is under way. */
  stop(): Promise<void>
}

/** Throws an Error with one line for people when the settings are wrong. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { store, auth, clock, spans } = options
  spans?.follow(() => requestTrace()?.traceparent)
  const settings = trustedSettings(options.settings)
  adoptNames(settings)
  const parts = await startEconomy(options, settings, new PrincipalDirectory(store, clock))
  await removeLeftUploads(
    uploadFolder(options),
    Number(clock.nowMicros() / 1_000n) - LEFT_UPLOAD_MS,
  )
  const { economy, directory, treasury, watch, history } = parts
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
  const audit = startAudit({
    store: store.contracts,
    economy,
    settings: settings.audit,
    log: options.log,
  })
  const submitting = (
    mount: InterfaceMount<Principal>,
    submits: (operation: WireOperation) => boolean,
  ) => traced(withinRate(onTrustedTime(mount, watch, submits), economy.quotas, submits))
  return {
    interfaces: [
      submitting(ledgerMount(parts, reads, new LedgerGuard(common)), ({ path }) =>
        SUBMISSIONS.test(path),
      ),
      submitting(
        mountInterface({
          wire: validatorWire,
          handlers: validatorHandlers(parts, probes),
          ...plain,
        }),
        isWrite,
      ),
      ...publicMounts(economy, probes, plain).map((mount) =>
        spans === undefined ? mount : traced(mount),
      ),
    ].map((mount) => onOneHistory(mount, history.watch)),
    background: {
      world: automationWorld({ economy, treasury }),
      measure: measureEconomy({ economy, treasury, watch, audit }),
    },
    economy,
    treasury,
    userNotes: userNotes(store, directory, new LedgerGuard(common), ledgerWire.operations),
    notes: await startNotes(options, economy),
    stop: async () => {
      await audit.stop()
      await treasury.stop()
      await economy.engine.drain()
      await history.stop()
    },
  }
}

function ledgerMount(
  parts: Parts,
  reads: StreamReads,
  guard: LedgerGuard,
): InterfaceMount<Principal> {
  const { participantId, webSocketSubprotocol } = parts.settings
  return mountInterface({
    wire: ledgerWire,
    handlers: ledgerHandlers(parts, reads),
    guard,
    presenter: ledgerPresenter(participantId),
    streams: streamHandlers(reads, responder(participantId)),
    webSocketSubprotocol,
    refusesInStream: true,
  })
}

/** They only read: their requests leave a trace in spans alone. */
function publicMounts(
  economy: Economy,
  probes: Probes,
  plain: Pick<InterfaceMount<Principal>, 'guard' | 'presenter'>,
): readonly InterfaceMount<Principal>[] {
  return [
    mountInterface({
      wire: scanWire,
      handlers: { ...probes, ...scanHandlers(economy) },
      ...plain,
    }),
    mountInterface({
      wire: registryWire,
      handlers: registryHandlers(economy),
      alsoAt: [`${validatorWire.mount}/v0/scan-proxy`],
      ...plain,
    }),
  ]
}

/** What a person who tries things out should know before the first surprise. */
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

function isWrite({ method, path }: WireOperation): boolean {
  return method !== 'GET' && !READS.test(path)
}

/**
 * First user, network and, on a development network, something to try out: each made where it is
 * missing.
 */
async function startEconomy(
  options: ServiceOptions,
  settings: ServiceSettings,
  directory: PrincipalDirectory,
): Promise<Parts> {
  const { store, ledgerClock, profile, productVersion, newName, log } = options
  const node = nodeIdentity(settings)
  const invariants = new Invariants(log)
  const history = await ledgerHistory({ store, file: options.historyFile, invariants, log })
  await seedFirstUser(store)
  const time = await ledgerTime({
    store: store.contracts,
    clock: options.clock,
    ledgerClock,
    settings,
    invariants,
    log,
  })
  const economy = await createEconomy({
    ...time,
    history: history.watch,
    monotonicMs: () => options.clock.monotonicMs(),
    store,
    node,
    settings,
    profile,
    newName,
    projectors: [...walletProjectors, ...scanProjectors],
    spans: options.spans,
    ...(log === undefined ? {} : { log }),
    ...(options.random === undefined ? {} : { random: options.random }),
  })
  await noteVersions(store.contracts, allTemplates, (facts) =>
    economy.engine.recordFacts([], () => facts),
  )
  await fillAccruals(store.contracts, allTemplates)
  const users = createUserKeeper(store, directory, settings.maxRightsPerUser)
  await ensureNetwork(economy, users, productVersion)
  await adoptWallets(economy, users)
  const onboarding = createOnboarding(economy, users)
  if (options.seeded) await seedDevelopmentNetwork(economy, onboarding)
  const providers = new ProviderDirectory(store.identityProviders, options.clock)
  return {
    options,
    settings,
    node,
    directory,
    providers,
    economy,
    watch: time.watch,
    history,
    onboarding,
    treasury: new Treasury(economy),
  }
}

/** Tells the auth plugins where to look up whom tokens speak of. */
function connectAuth({ options: { auth, clock, store }, directory, providers, node }: Parts): void {
  const connected = accessDirectory({
    parties: store.parties,
    principals: directory,
    providers,
    node,
    clock,
  })
  for (const service of auth) service.connect?.(connected)
}

function trustedSettings(sections: SettingsSections): ServiceSettings {
  const read = readServiceSettings(sections)
  if (read.ok) return read.settings
  throw new Error(`configuration ${read.problems.map(formatProblem).join('; ')}`)
}

function streamReads({
  options: { store },
  history,
  node: { synchronizerId },
  economy: { engine },
}: Parts): StreamReads {
  const [tail, pages] = [new LedgerTail(store, engine, history.watch), new SharedPages(store)]
  return {
    store,
    tail,
    pages,
    templateOf: (subject) => implementing(engine, subject),
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
  const { options, settings, directory, economy, treasury, onboarding } = parts
  return {
    ...probes,
    ...automationHandlers(economy, options.automations ?? NO_AUTOMATIONS),
    ...clockHandlers(options.ledgerClock),
    ...governanceHandlers(economy),
    ...walletHandlers(economy, treasury, onboarding),
    ...externalPartyHandlers(
      economy,
      treasury,
      createUserKeeper(options.store, directory, settings.maxRightsPerUser),
      options.words ?? OWN_WORDS,
    ),
    ...scanProxyHandlers(economy),
  }
}
