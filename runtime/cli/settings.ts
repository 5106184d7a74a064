// Reads the configuration with the flags of the command line on top.
import { resolve } from 'node:path'
import type { Configuration, ConfigResult } from '../host/config/configuration.ts'
import type { Flags } from './flags.ts'
import type { Layer } from '../host/config/layers.ts'
import { loadConfiguration } from '../host/config/configuration.ts'
import { nest, readText } from '../host/config/environment.ts'
import { nodesOf } from '../host/config/nodes.ts'
import { CommandError } from '../host/problem.ts'
import { defaultPlugins } from './built-in.ts'
import { configError, EXIT } from './outcome.ts'
import { presetFolder } from './spec-folder.ts'

/** Reads file, environment and flags of this process. */
export async function readSettings(flags: Flags): Promise<ConfigResult> {
  return await loadConfiguration({
    folder: resolve('.'),
    file: flags.config,
    env: process.env,
    flags: flagLayers(flags),
    plugins: defaultPlugins,
    presets: presetFolder(),
  })
}

/** The configuration; exit code 2 where something is wrong with it. */
export async function goodSettings(flags: Flags): Promise<Configuration> {
  const read = await readSettings(flags)
  if (!read.ok) throw configError(read.problems, EXIT.usage)
  return read.config
}

/**
 * As a node of it runs, for what talks to one: the node of the flag, else the first; the
 * configuration itself where it has no nodes. Exit code 2 where there is no such node.
 */
export function nodeSettings(config: Configuration, { node: wanted }: Flags): Configuration {
  const nodes = nodesOf(config)
  const found = nodes.find(({ name }) => wanted === undefined || name === wanted)
  if (found !== undefined) return found.config
  if (wanted === undefined) return config
  const known = nodes.map(({ name }) => name).join(', ') || 'none'
  throw new CommandError(`there is no node "${wanted}"; nodes: ${known}`, EXIT.usage)
}

function flagLayers(flags: Flags): readonly Layer[] {
  const layer = (name: string, path: readonly string[], value: unknown): Layer[] =>
    value === undefined ? [] : [{ origin: `flag --${name}`, values: nest(path, value) }]
  return [
    ...layer('profile', ['profile'], flags.profile),
    ...layer('data', ['data'], flags.data),
    ...layer('host', ['server', 'host'], flags.host),
    ...layer('empty', ['empty'], flags.empty),
    ...layer('accept-clock', ['ledger', 'acceptClock'], flags.acceptClock),
    ...layer(
      'port',
      ['server', 'port'],
      flags.port === undefined ? undefined : readText(flags.port),
    ),
  ]
}
