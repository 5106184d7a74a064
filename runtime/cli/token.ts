// `token`: prints a bearer token that the running server of the same data folder accepts, and
// nothing else.
import type { AuthService } from '../host/plugin.ts'
import type { Configuration } from '../host/config/configuration.ts'
import type { PluginEntry } from '../host/host.ts'
import type { Flags } from './flags.ts'
import { CommandError } from '../host/problem.ts'
import { originOf } from './banner.ts'
import { EXIT } from './outcome.ts'
import { contextWithoutHost, entriesOf, optionsOf } from './plugins.ts'
import { goodSettings, nodeSettings } from './settings.ts'

/** Prints a token for a user: the text alone, or with what it is used for. */
export async function printToken(
  flags: Flags & { readonly user: string; readonly json?: true },
): Promise<void> {
  const { user } = flags
  const config = nodeSettings(await goodSettings(flags), flags)
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
  for (const entry of await entriesOf(config, 'auth')) {
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
  const options = await optionsOf(entry, config)
  return await plugin.setup(contextWithoutHost(plugin.name, config), options)
}
