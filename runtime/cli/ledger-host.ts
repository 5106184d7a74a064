// What the nodes of a process share of plugins: the storage and the scheduler. They have a host of
// their own; each node's host gets them as plugins that are there already.
import { z } from 'zod'
import type { Host, PluginEntry } from '../host/host.ts'
import type { AnyPlugin, Managed, SchedulerService, StorageService } from '../host/plugin.ts'
import { definePlugin } from '../host/plugin.ts'
import { CommandError } from '../host/problem.ts'
import { nodeStore } from '../store/node-store.ts'

/** The kinds of plugins that are the ledger's, not a node's. */
const SHARED: ReadonlySet<AnyPlugin['kind']> = new Set(['storage', 'scheduler'])

/** Plugins of a configuration that all nodes share. */
export function ofLedger(entries: readonly PluginEntry[]): readonly PluginEntry[] {
  return entries.filter(({ plugin }) => SHARED.has(plugin.kind))
}

/** A node as its plugins are chosen. */
interface NodePlugins {
  readonly name: string
  /** The key under which the store keeps the node's own data; '' for the first node. */
  readonly key: string
  readonly entries: readonly PluginEntry[]
}

/** A node's plugins, over the storage and the scheduler that have started. */
export function ofNode({ services }: Host, { name, key, entries }: NodePlugins): PluginEntry[] {
  const { storage, scheduler } = services
  if (storage === undefined) throw new CommandError('no storage plugin has started')
  const isOwn = ({ plugin }: PluginEntry): boolean =>
    !SHARED.has(plugin.kind) && (key === '' || plugin.scope !== 'ledger')
  return [
    { path: 'storage', plugin: storageOf(storage, key), options: {} },
    ...(scheduler === undefined
      ? []
      : [{ path: 'scheduler', plugin: schedulerOf(scheduler, name), options: {} }]),
    ...entries.filter(isOwn),
  ]
}

const NO_OPTIONS = z.strictObject({})

/** Stays open when the node is closed. */
function storageOf(storage: StorageService, key: string): AnyPlugin {
  const { store, location, replicas } = storage
  return definePlugin({
    kind: 'storage',
    name: 'shared',
    options: NO_OPTIONS,
    setup: () => ({
      store: nodeStore(store, key),
      location,
      ...(replicas === undefined ? {} : { replicas }),
      ...healthOf(storage),
    }),
  })
}

/** Two nodes have automations of the same name. */
function schedulerOf(scheduler: SchedulerService, name: string): AnyPlugin {
  return definePlugin({
    kind: 'scheduler',
    name: 'shared',
    options: NO_OPTIONS,
    setup: () => ({
      schedule: (task, everyMs, run) => scheduler.schedule(`${name}/${task}`, everyMs, run),
      hold: (task) => scheduler.hold(`${name}/${task}`),
      ...healthOf(scheduler),
    }),
  })
}

/** Each node is asked how it is, and what it shares is a part of it. */
function healthOf(shared: Managed): Pick<Managed, 'health'> {
  return shared.health === undefined ? {} : { health: shared.health.bind(shared) }
}
