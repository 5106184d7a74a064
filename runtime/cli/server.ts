// A running service: plugins, services and HTTP put together, started in order and stopped in
// reverse.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from '../host/config/configuration.ts'
import type { BackgroundWork, Host, HostServices } from '../host/host.ts'
import type { Logger } from '../host/log.ts'
import type { OtherServer, PluginContext, ResponseRecord } from '../host/plugin.ts'
import type { HttpApp, InterfaceMount, Problem, WireInterface } from '../http/index.ts'
import type { LedgerClock, ServiceOptions } from '../interfaces/index.ts'
import { newName, simulatedClock, systemClock } from '../host/clock.ts'
import { explainAll } from '../host/config/configuration.ts'
import { createHost } from '../host/host.ts'
import { maskUrls } from '../host/mask.ts'
import { member } from '../host/member.ts'
import { within } from '../host/deadline.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { isFolder, keepPrivate, makeFolder } from '../host/folder.ts'
import { HISTORY_FILE } from '../economy/network/history-file.ts'
import { createHttpApp } from '../http/index.ts'
import { ContractUnreadable, DataTooNew } from '../engine/index.ts'
import { COMMIT_REJECTED, STORE_UNAVAILABLE } from '../store/rules.ts'
import { banner, originOf } from './banner.ts'
import type { BannerFacts } from './banner.ts'
import { EXIT, configError } from './outcome.ts'
import { loadPlugins, wantedPlugins } from './plugins.ts'
import { productVersion } from './version.ts'
import type { RenamedInterfaces } from './vocabulary.ts'

/** Of built-in extensions. */
const PAGES: Readonly<Record<string, string>> = {
  docs: '/docs',
  metrics: '/metrics',
  'wallet-ui': '/wallet',
}

/** How long submissions under way may take to end once no request comes any more. */
const STOP_MS = 5_000

/** Makes the interfaces to serve, and the work that goes on beside requests. */
export type CreateServices<P> = (options: ServiceOptions) => Promise<{
  readonly interfaces: readonly InterfaceMount<P>[]
  readonly background?: BackgroundWork
  /** Lines for the banner. */
  readonly notes?: readonly string[]
  /** Waits for what is under way, once no request comes any more. */
  stop?(): Promise<void>
}>

export interface ServerParts<P> {
  readonly config: Configuration
  readonly log: Logger
  readonly createServices: CreateServices<P>
  /** Called when the service cannot go on safely. */
  readonly onFatal: () => void
}

export interface RunningServer {
  readonly host: Host
  readonly port: number
  readonly banner: string
  /** Lets requests in flight finish, then stops the plugins in reverse. Never rejects. */
  stop(): Promise<void>
}

type Documents = {
  -readonly [K in keyof PluginContext['documents']]: PluginContext['documents'][K]
}

/**
 * Starts everything. Throws a CommandError, with what had started stopped again, when that is not
 * possible.
 */
export async function startServer<P>(parts: ServerParts<P>): Promise<RunningServer> {
  const documents: PluginContext['documents'][number][] = []
  await refuseVocabulary(parts.config)
  const ledgerClock =
    parts.config.values.clock === 'simulated'
      ? simulatedClock(systemClock.nowMicros())
      : systemClock
  const host = await buildHost(parts, documents, ledgerClock)
  await startHost(host, parts)
  try {
    return await serveOn(host, parts, documents, ledgerClock)
  } catch (error) {
    await host.stop()
    if (error instanceof DataTooNew) throw new CommandError(error.message)
    throw error
  }
}

async function refuseVocabulary(config: Configuration): Promise<void> {
  if (config.values.vocabulary === undefined) return
  const { vocabularyProblems } = await import('./vocabulary.ts')
  const problems = await vocabularyProblems(config)
  if (problems.length > 0) throw configError(explainAll(problems, config), EXIT.usage)
}

async function buildHost<P>(
  { config, log, onFatal }: ServerParts<P>,
  documents: Documents,
  ledgerClock: LedgerClock,
): Promise<Host> {
  const { profile, data, server } = config.values
  const loaded = await loadPlugins(wantedPlugins(config), config.folder)
  const built = loaded.ok
    ? await createHost({
        plugins: loaded.entries,
        log,
        profile,
        dataDir: data,
        documents,
        ledgerClock,
        onFatal,
        listen: { host: server.host, port: server.port },
      })
    : loaded
  if (built.ok) return built.host
  throw configError(explainAll(built.problems, config), EXIT.usage)
}

async function startHost<P>(host: Host, { config, log }: ServerParts<P>): Promise<void> {
  const { data } = config.values
  if (isFolder(data)) keepPrivate([data], log)
  const started = await host.start()
  log.debug({ report: started.report }, 'plugins started')
  if (started.ok) return
  const folder = folderProblem(data)
  throw new CommandError(folder ?? `plugin ${started.plugin} did not start: ${started.reason}`)
}

/**
 * Why nothing can be written to the data folder: the usual cause behind a storage or a key that
 * cannot be opened.
 */
function folderProblem(folder: string): string | undefined {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    return `the data folder ${folder} cannot be written: ${messageOf(error)}`
  }
}

async function serveOn<P>(
  host: Host,
  parts: ServerParts<P>,
  documents: PluginContext['documents'][number][],
  ledgerClock: LedgerClock,
): Promise<RunningServer> {
  const { config, log, createServices } = parts
  const { storage, auth } = host.services
  if (storage === undefined) throw new CommandError('no storage plugin has started')
  const { profile, empty, data } = config.values
  const services = await createServices({
    store: storage.store,
    auth,
    clock: systemClock,
    ledgerClock,
    productVersion: productVersion(),
    newName,
    dataDir: data,
    historyFile: join(data, HISTORY_FILE),
    profile,
    seeded: profile === 'dev' && !empty,
    log,
    settings: {
      ledger: config.values.ledger,
      network: config.values.network,
      validator: config.values.validator,
      quotas: config.values.quotas,
      wireNames: config.values.wireNames,
    },
    notReady: () => whyNotReady(host),
    automations: { list: host.automations, runNow: host.runNow },
  })
  const { background } = services
  const { interfaces, documents: renamed } = await vocabularyOf(services.interfaces, config)
  documents.push(...interfaces.map(({ wire }) => documentOf(wire, renamed.get(wire.name))))
  const app = createApp(interfaces, host.services, parts)
  const { port } = await listen(app, config)
  host.runBackground(background)
  const others = storage.join?.() ?? []
  for (const other of others) log.info(other, 'another server works on the same data')
  return {
    host,
    port,
    banner: bannerOf(app, host, { config, port, others, notes: services.notes ?? [] }),
    stop: async () => {
      const cut = await app.drain(config.values.server.drainMs)
      if (cut > 0) log.warn({ requests: cut }, 'requests were cut off at the end of the drain')
      host.endBackground()
      await within(STOP_MS, async () => services.stop?.())
      await host.stop()
    },
  }
}

async function whyNotReady(host: Host): Promise<string | undefined> {
  const { status, plugins } = await host.health()
  if (status !== 'down') return undefined
  const down = plugins.filter((plugin) => plugin.status === 'down')
  return down.map(({ plugin, detail }) => `${plugin}: ${detail ?? 'down'}`).join('; ')
}

/**
 * What speaks other words is made at the start; without such a configuration nothing of the
 * generator is loaded.
 */
async function vocabularyOf<P>(
  interfaces: readonly InterfaceMount<P>[],
  config: Configuration,
): Promise<RenamedInterfaces<P>> {
  const { vocabulary } = config.values
  if (vocabulary === undefined) return { interfaces, documents: new Map() }
  const { underVocabulary } = await import('./vocabulary.ts')
  return underVocabulary(interfaces, config, vocabulary)
}

function documentOf(
  { name, mount }: WireInterface,
  renamed: URL | undefined,
): PluginContext['documents'][number] {
  return {
    name,
    mount,
    url: renamed ?? new URL(`../../generated/${name}/openapi.json`, import.meta.url),
  }
}

/**
 * Data that cannot be reached right now, not be committed, or is of a newer program, is no fault of
 * the request: the caller may try again.
 */
function dataProblem(error: unknown): Problem | undefined {
  if (error instanceof ContractUnreadable) return { kind: 'unreadable', reason: error.message }
  const unreachable =
    error instanceof Error &&
    'code' in error &&
    (error.code === STORE_UNAVAILABLE || error.code === COMMIT_REJECTED)
  return unreachable ? { kind: 'unavailable', reason: error.message } : undefined
}

function createApp<P>(
  interfaces: readonly InterfaceMount<P>[],
  { extensions }: HostServices,
  { config, log }: ServerParts<P>,
): HttpApp {
  const { server } = config.values
  const { responseCheck, maxStreams, maxStreamsPerUser } = server
  const { maxBodyBytes, maxHeldBodyBytes, maxHeldBodyBytesPerAddress, json, requestTimeoutMs } =
    server
  const { maxUnreadBytes, maxUnreadBytesPerAddress, slowReaderMs } = server
  return createHttpApp({
    interfaces,
    log,
    clock: systemClock,
    responseCheck,
    problemOf: dataProblem,
    streams: { maxStreams, maxStreamsPerUser },
    limits: {
      maxBodyBytes,
      maxHeldBodyBytes,
      maxHeldBodyBytesPerAddress,
      json,
      requestTimeoutMs,
      maxUnreadBytes,
      maxUnreadBytesPerAddress,
      slowReaderMs,
    },
    onResponse: extensions.flatMap(({ id, service }) =>
      guarded(id, service.onResponse?.bind(service), log),
    ),
    routes: extensions.flatMap(({ service }) => service.mount?.bind(service) ?? []),
  })
}

/** An observer that throws harms no request; it is reported once and left out from then on. */
function guarded(
  id: string,
  observe: ((record: ResponseRecord) => void) | undefined,
  log: Logger,
): ((record: ResponseRecord) => void)[] {
  if (observe === undefined) return []
  let broken = false
  return [
    (record) => {
      if (broken) return
      try {
        observe(record)
      } catch (error) {
        broken = true
        log.error({ plugin: id, err: error }, 'onResponse failed; it is not called again')
      }
    },
  ]
}

async function listen(app: HttpApp, { values }: Configuration): Promise<{ readonly port: number }> {
  const { host, port } = values.server
  try {
    return await app.listen(port, host)
  } catch (error) {
    const code = member(error, 'code')
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${port} on ${host} is in use; choose another with --port`)
    if (code === 'EACCES')
      throw new CommandError(`port ${port} on ${host} needs more rights; choose one above 1023`)
    throw new CommandError(`cannot listen on ${host} port ${port}: ${messageOf(error)}`)
  }
}

interface Listening {
  readonly config: Configuration
  readonly port: number
  readonly others: readonly OtherServer[]
  readonly notes: readonly string[]
}

function bannerOf(
  app: HttpApp,
  host: Host,
  { config: { values }, port, others, notes }: Listening,
): string {
  const { storage, auth, extensions } = host.services
  const origin = originOf(values.server.host, port)
  return banner({
    version: productVersion(),
    profile: values.profile,
    origin,
    interfaces: app.interfaces,
    storage: { name: values.storage?.use ?? '', location: maskUrls(storage?.location ?? '') },
    otherServers: others,
    tokenHints: auth.flatMap(({ hint }) => hint ?? []),
    pages: pagesOf(extensions, origin),
    notes,
    readyMs: performance.now(),
  })
}

/** Pages beside the interfaces, and extensions that listen by themselves. */
function pagesOf(extensions: HostServices['extensions'], origin: string): BannerFacts['pages'] {
  return extensions.flatMap(({ id, service }) => {
    const label = id.slice('extension/'.length)
    const address =
      service.address ?? (Object.hasOwn(PAGES, label) ? `${origin}${PAGES[label]}` : undefined)
    return address === undefined ? [] : [{ label, address }]
  })
}
