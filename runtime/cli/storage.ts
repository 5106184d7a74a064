// The storage of the configuration for commands that work on it by themselves, without a service.
import type { Configuration } from '../host/config/configuration.ts'
import type { Host } from '../host/host.ts'
import type { StorageMaintenance } from '../store/maintenance.ts'
import type { Store } from '../store/store.ts'
import type { Flags } from './flags.ts'
import { explainAll } from '../host/config/configuration.ts'
import { createHost } from '../host/host.ts'
import { CommandError } from '../host/problem.ts'
import { silentLog } from '../host/silent-log.ts'
import { EXIT, configError } from './outcome.ts'
import { contextWithoutHost, entriesOf, optionsOf } from './plugins.ts'
import { goodSettings } from './settings.ts'

/** Opens the storage that the configuration names, and nothing else. */
export async function withStore(
  flags: Flags,
  work: (store: Store, dataDir: string) => Promise<void>,
): Promise<void> {
  const config = await goodSettings(flags)
  const host = await storageHost(config)
  const started = await host.start()
  if (!started.ok)
    throw new CommandError(`plugin ${started.plugin} did not start: ${started.reason}`)
  try {
    if (host.services.storage === undefined) throw new CommandError('no storage plugin has started')
    await work(host.services.storage.store, config.values.data)
  } finally {
    await host.stop()
  }
}

/**
 * What the storage plugin of the configuration offers for maintenance; exit code 2 where it offers
 * none. Opens nothing.
 */
export async function maintenanceOf(flags: Flags): Promise<StorageMaintenance> {
  const config = await goodSettings(flags)
  const maintenance = await maintenanceFor(config)
  if (maintenance !== undefined) return maintenance
  throw new CommandError(
    `storage plugin "${config.values.storage?.use}" offers no migration, backup, restore or verification`,
    EXIT.usage,
  )
}

/** The same; undefined where the plugin offers none. */
export async function maintenanceFor(
  config: Configuration,
): Promise<StorageMaintenance | undefined> {
  const [entry] = await entriesOf(config, 'storage')
  if (entry?.plugin.kind !== 'storage')
    throw new CommandError('the configuration names no storage', EXIT.usage)
  const { plugin } = entry
  if (plugin.maintain === undefined) return undefined
  const options = await optionsOf(entry, config)
  return await plugin.maintain(contextWithoutHost(plugin.name, config), options)
}

async function storageHost(config: Configuration): Promise<Host> {
  const { profile, data, server } = config.values
  const built = await createHost({
    plugins: await entriesOf(config, 'storage'),
    log: silentLog,
    profile,
    dataDir: data,
    documents: [],
    onFatal: () => {},
    listen: server,
  })
  if (built.ok) return built.host
  throw configError(explainAll(built.problems, config), EXIT.usage)
}
