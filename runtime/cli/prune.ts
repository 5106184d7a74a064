// `prune`: makes the updates up to an offset unreadable for good. rulings.md 18
import type { Configuration } from '../host/config/configuration.ts'
import type { Host } from '../host/host.ts'
import type { Store } from '../store/store.ts'
import type { Flags } from './flags.ts'
import { explainAll } from '../host/config/configuration.ts'
import { maskUrl } from '../host/config/print.ts'
import { createHost } from '../host/host.ts'
import { CommandError } from '../host/problem.ts'
import { silentLog } from '../host/silent-log.ts'
import { EXIT, configError } from './outcome.ts'
import { loadPlugins, wantedPlugins } from './plugins.ts'
import { readSettings } from './settings.ts'

/** Prunes the store of the configuration, also while servers run on it. Fails when the offset is after the ledger end. */
export async function prune(flags: Flags & { readonly upTo: string }): Promise<void> {
  if (!/^\d{1,19}$/.test(flags.upTo)) throw new CommandError(`--up-to must be an offset, not "${flags.upTo}"`, EXIT.usage)
  await withStore(flags, (store) => pruneStore(store, BigInt(flags.upTo)))
}

async function pruneStore({ updates, features }: Store, upTo: bigint): Promise<void> {
  if (!features.durable) throw new CommandError('this storage lives and dies with its server: there is nothing to prune')
  const outcome = await updates.prune(upTo)
  if (outcome === 'after-end') {
    throw new CommandError(`offset ${upTo} is after the ledger end ${await updates.ledgerEnd()}`)
  }
  const { participant } = await updates.prunedUpTo()
  process.stdout.write(`${outcome === 'pruned' ? 'pruned' : 'nothing to do: already pruned'} up to ${participant}\n`)
}

/** Opens the storage that the configuration names, and nothing else. */
async function withStore(flags: Flags, work: (store: Store) => Promise<void>): Promise<void> {
  const read = await readSettings(flags)
  if (!read.ok) throw configError(read.problems, EXIT.usage)
  const host = await storageHost(read.config)
  const started = await host.start()
  if (!started.ok) throw new CommandError(`plugin ${started.plugin} did not start: ${maskUrl(started.reason)}`)
  try {
    if (host.services.storage === undefined) throw new CommandError('no storage plugin has started')
    await work(host.services.storage.store)
  } finally {
    await host.stop()
  }
}

async function storageHost(config: Configuration): Promise<Host> {
  const { profile, data, server } = config.values
  const loaded = await loadPlugins(wantedPlugins(config).filter(({ kind }) => kind === 'storage'), config.folder)
  const built = loaded.ok
    ? await createHost({
        plugins: loaded.entries, log: silentLog, profile, dataDir: data, documents: [], onFatal: () => {},
        listen: { host: server.host, port: server.port },
      })
    : loaded
  if (built.ok) return built.host
  throw configError(explainAll(built.problems, config), EXIT.usage)
}
