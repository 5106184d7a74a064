// `token`: prints a bearer token that the running server of the same data folder accepts, and
// nothing else.
import type { AuthService } from '../host/plugin.ts'
import type { Configuration } from '../host/config/configuration.ts'
import type { PluginEntry } from '../host/host.ts'
import type { Flags } from './flags.ts'
import { explainAll } from '../host/config/configuration.ts'
import { checkOptions } from '../host/options.ts'
import { CommandError } from '../host/problem.ts'
import { originOf } from './banner.ts'
import { EXIT, configError } from './outcome.ts'
import { contextWithoutHost, loadPlugins, wantedPlugins } from './plugins.ts'
import { nodeSettings, readSettings } from './settings.ts'

/** Prints a token for a user: the text alone, or with what it is used for. */
export async function printToken(
  flags: Flags & { readonly user: string; readonly json?: true },
): Promise<void> {
  const read = await readSettings(flags)
  if (!read.ok) throw configError(read.problems, EXIT.usage)
  const { user } = flags
  const config = nodeSettings(read.config, flags)
  const token = await issueToken(config, user)
  const { host, port } = config.values.server
  const url = originOf(host, port)
  const text = flags.json === true ? JSON.stringify({ user, url, token }) : token
  process.stdout.write(`${text}\n`)
}

/**
 * Asks the first auth plugin that issues tokens. Only auth plugins are set up; nothing is started.
 */
export async function issueToken(config: Configuration, user: string): Promise<string> {
  const loaded = await loadPlugins(
    wantedPlugins(config).filter(({ kind }) => kind === 'auth'),
    config.folder,
  )
  if (!loaded.ok) throw configError(explainAll(loaded.problems, config), EXIT.usage)
  for (const entry of loaded.entries) {
    const service = await setUpAuth(entry, config)
    if (service?.issue !== undefined) return await service.issue(user)
  }
  throw new CommandError('no auth plugin of this configuration issues tokens', EXIT.usage)
}

async function setUpAuth(
  entry: PluginEntry,
  config: Configuration,
): Promise<AuthService | undefined> {
  const { plugin } = entry
  if (plugin.kind !== 'auth') return undefined
  const checked = await checkOptions(
    plugin.options,
    entry.options,
    entry.path,
    `auth/${plugin.name}`,
  )
  if (!checked.ok) throw configError(explainAll(checked.problems, config), EXIT.usage)
  return await plugin.setup(contextWithoutHost(plugin.name, config), checked.value)
}
