// A node but its address: plugins and services, opened together and closed together.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from '../host/config/configuration.ts'
import type { BackgroundWork, Host, PluginEntry } from '../host/host.ts'
import type { Logger } from '../host/log.ts'
import type { ExtensionOffers } from '../host/notes.ts'
import type {
  ExtensionService,
  OtherServer,
  PluginContext,
  ResponseRecord,
} from '../host/plugin.ts'
import type { AddRoutes, InterfaceMount, Served, WireInterface } from '../http/index.ts'
import type { Ledger, LedgerClock, NodeOptions, ServiceOptions } from '../interfaces/index.ts'
import { newName, systemClock } from '../host/clock.ts'
import { explainAll } from '../host/config/configuration.ts'
import { createHost } from '../host/host.ts'
import { within } from '../host/deadline.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { isFolder, keepPrivate, makeFolder } from '../host/folder.ts'
import { HISTORY_FILE } from '../economy/network/history-file.ts'
import { DataTooNew } from '../engine/index.ts'
import { configError, EXIT } from './outcome.ts'
import { loadPlugins, wantedPlugins } from './plugins.ts'
import { productVersion } from './version.ts'
import type { Store } from '../store/store.ts'
import type { OpenVocabulary } from './vocabulary.ts'

/** How long submissions under way may take to end once no request comes any more. */
const STOP_MS = 5_000

type Notes = NonNullable<ExtensionOffers['notesOf']>
type UserNotes = (plugin: string, ...asked: Parameters<Notes>) => ReturnType<Notes>

/** Makes the interfaces to serve, and the work that goes on beside requests. */
export type CreateServices<P> = (options: ServiceOptions) => Promise<{
  readonly interfaces: readonly InterfaceMount<P>[]
  readonly background?: BackgroundWork
  /**
   * The ledger of another node of this process, which this one joins; absent: there can be one
   * node.
   */
  readonly ledger?: Ledger
  /** Notes that extensions keep for users; `plugin` is the extension's name. */
  readonly userNotes?: UserNotes
  /** The node's packages, and what runs of each, for the development profile to tell. */
  readonly packages?: () => Promise<readonly unknown[]>
  /** Lines for the banner. */
  readonly notes?: readonly string[]
  /** Waits for what is under way, once no request comes any more. */
  stop?(): Promise<void>
}>

export interface ServerParts<P> {
  readonly config: Configuration
  readonly log: Logger
  /** The one node to open of several, by name; absent: all of them. */
  readonly only?: string | undefined
  readonly createServices: CreateServices<P>
  /** Called when the service cannot go on safely. */
  readonly onFatal: () => void
}

/** A node that is open before anybody can reach it. */
export interface Opened<P> {
  /** The node's name, if there are several. */
  readonly name: string | undefined
  /** The only node of its ledger, or the first one. */
  readonly isFirst: boolean
  /** The configuration that it runs with. */
  readonly config: Configuration
  readonly host: Host
  readonly served: Served<P>
  /** The interfaces by the names of the documents, whatever words they are served in. */
  readonly interfaces: readonly InterfaceMount<P>[]
  /** The ledger's clock. */
  readonly ledgerClock: LedgerClock
  /** The node's packages, and what runs of each. */
  readonly packages: () => Promise<readonly unknown[]>
  /** Servers that work on the same data. */
  readonly others: readonly OtherServer[]
  /** Lines for the banner. */
  readonly notes: readonly string[]
  /** The ledger that other nodes of this process join. */
  readonly ledger: Ledger | undefined
  /** Nodes of this process that came after this one, which opens and closes them. */
  readonly later: readonly Opened<P>[]
  /** Lets the automations begin; once requests are answered. */
  begin(): void
  /** Once no request comes any more. Never rejects. */
  close(): Promise<void>
}

type Documents = {
  -readonly [K in keyof PluginContext['documents']]: PluginContext['documents'][K]
}

/** How a node is opened that is one of several. */
export interface NodeSetting extends NodeOptions {
  /** The store of all nodes. */
  readonly store: Store
  /** The configuration of the ledger: what is made of it is made for all nodes. */
  readonly ofLedger: Configuration
  /** The file in which this server remembers what it has seen of the ledger. */
  readonly historyFile: string
  /** The plugins of its host, of those that its configuration names. */
  choose(entries: readonly PluginEntry[]): readonly PluginEntry[]
}

/**
 * Opens a node: the only one, or one of several. Throws a CommandError, with what had started
 * stopped again, when that is not possible.
 */
export async function openNode<P>(
  parts: ServerParts<P>,
  ledgerClock: LedgerClock,
  node?: NodeSetting,
): Promise<Opened<P>> {
  const documents: PluginContext['documents'][number][] = []
  const host = await buildHost(parts, documents, ledgerClock, node?.choose)
  await startHost(host, parts)
  try {
    return await openOn(host, { ...parts, node }, documents, ledgerClock)
  } catch (error) {
    await host.stop()
    if (error instanceof DataTooNew) throw new CommandError(error.message)
    throw error
  }
}

/** Exit code 2 where the words of the configuration cannot be spoken. */
export async function refuseVocabulary(config: Configuration): Promise<void> {
  if (config.values.vocabulary === undefined) return
  const { vocabularyProblems } = await import('./vocabulary.ts')
  const problems = await vocabularyProblems(config)
  if (problems.length > 0) throw configError(explainAll(problems, config), EXIT.usage)
}

/** Exit code 2 where a plugin cannot be loaded or refuses its options. */
export async function buildHost<P>(
  { config, log, onFatal }: ServerParts<P>,
  documents: Documents,
  ledgerClock: LedgerClock,
  choose: NodeSetting['choose'] = (entries) => entries,
): Promise<Host> {
  const { profile, data, server } = config.values
  const loaded = await loadPlugins(wantedPlugins(config), config.folder)
  const built = loaded.ok
    ? await createHost({
        plugins: choose(loaded.entries),
        log,
        profile,
        productVersion: productVersion(),
        dataDir: data,
        documents,
        ledgerClock,
        onFatal,
        listen: server,
      })
    : loaded
  if (built.ok) return built.host
  throw configError(explainAll(built.problems, config), EXIT.usage)
}

/** Throws a CommandError where a plugin does not start. */
export async function startHost<P>(host: Host, { config, log }: ServerParts<P>): Promise<void> {
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

async function openOn<P>(
  host: Host,
  parts: ServerParts<P> & { readonly node: NodeSetting | undefined },
  documents: PluginContext['documents'][number][],
  ledgerClock: LedgerClock,
): Promise<Opened<P>> {
  const { config, log, createServices, node } = parts
  const { storage, auth, extensions } = host.services
  if (storage === undefined) throw new CommandError('no storage plugin has started')
  const { profile, empty, data } = config.values
  const { ledger, network, validator, quotas, wireNames } = config.values
  const vocabulary = await vocabularyOf(node?.ofLedger ?? config)
  const words = vocabulary?.words
  const services = await createServices({
    store: node?.store ?? storage.store,
    replicas: storage.replicas ?? [],
    ...(node === undefined ? {} : { node }),
    auth,
    clock: systemClock,
    ledgerClock,
    productVersion: productVersion(),
    newName,
    spans: host.spans,
    dataDir: data,
    historyFile: node?.historyFile ?? join(data, HISTORY_FILE),
    profile,
    seeded: profile === 'dev' && !empty,
    log,
    settings: { ledger, network, validator, quotas, wireNames },
    notReady: () => whyNotReady(host),
    ...(words === undefined ? {} : { words }),
    automations: { list: host.automations, runNow: host.runNow },
  })
  const renamed = await vocabulary?.serve(services.interfaces)
  const { interfaces } = renamed ?? services
  documents.push(
    ...interfaces.map(({ wire }) => documentOf(wire, renamed?.documents.get(wire.name))),
  )
  return {
    name: node?.name,
    isFirst: (node?.key ?? '') === '',
    config,
    host,
    ledger: services.ledger,
    later: [],
    interfaces: services.interfaces,
    served: {
      interfaces,
      onResponse: extensions.flatMap(({ id, service }) =>
        guarded(id, service.onResponse?.bind(service), log),
      ),
      routes: extensions.flatMap((extension) => routesOf(extension, services.userNotes)),
      spans: host.spans,
    },
    ledgerClock,
    packages: services.packages ?? (async () => []),
    others: storage.join?.() ?? [],
    notes: services.notes ?? [],
    begin: () => host.runBackground(services.background),
    close: async () => {
      host.endBackground()
      await within(STOP_MS, async () => services.stop?.())
      await host.stop()
    },
  }
}

/** An extension's own routes, with what the services offer to them. */
function routesOf(
  { id, service }: { readonly id: string; readonly service: ExtensionService },
  userNotes: UserNotes | undefined,
): AddRoutes[] {
  if (service.mount === undefined) return []
  const name = id.slice('extension/'.length)
  const notes: Pick<ExtensionOffers, 'notesOf'> =
    userNotes === undefined ? {} : { notesOf: (request) => userNotes(name, request) }
  return [(router, pageNotFound) => service.mount?.(router, { ...notes, pageNotFound })]
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
async function vocabularyOf(config: Configuration): Promise<OpenVocabulary | undefined> {
  const { vocabulary } = config.values
  if (vocabulary === undefined) return undefined
  const { openVocabulary } = await import('./vocabulary.ts')
  return openVocabulary(config, vocabulary)
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
